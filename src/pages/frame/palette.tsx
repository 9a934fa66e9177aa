import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useCurrentChain, useCurrentNetwork } from '../../api/current.ts'
import { Combobox, type Choice, type ChoiceGroup } from '../../components/overlays/combobox.tsx'
import { useStore } from '../../components/hooks.ts'
import {
  BlockIcon,
  ChainsIcon,
  CodeIcon,
  CoinsIcon,
  GlobeIcon,
  MoonIcon,
  NetworkIcon,
  SearchIcon,
  SunIcon,
  SystemIcon,
  ValidatorIcon,
} from '../../components/icons.ts'
import { chainLabel, primaryChains } from '../../lib/primary-chains.ts'
import { settings } from '../../lib/storage/settings.ts'
import { paths } from '../../lib/paths.ts'
import { usePlaces } from './nav.tsx'
import { chooseTheme } from '../shared/theme-entries.tsx'
import { useSearchGroups } from './search-items.tsx'
import { useChooseChain } from './switcher-entries.tsx'

const fits = (choice: Choice, needle: string): boolean =>
  needle === '' || choice.title.toLowerCase().includes(needle)

/** The command palette: search, pages, chains and switches in one field. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // The code may load after the dialog has opened and set the focus.
  useEffect(() => field.current?.focus(), [])
  const navigate = useNavigate()
  const { chainId, chains } = useCurrentChain()
  const { main, settings: settingsPlace } = usePlaces()
  const network = useCurrentNetwork()
  const found = useSearchGroups(text, chainId)
  const choose = useChooseChain()
  const zone = useStore(settings, (all) => all.zone)
  const needle = text.trim().toLowerCase()

  // Sections of a chain that the navigation does not list.
  const ofChain = [
    { label: 'Tokens', icon: CoinsIcon, to: paths.tokens },
    { label: 'Contracts', icon: CodeIcon, to: paths.contracts },
  ].map(({ to, ...room }) => ({ ...room, to: chainId === undefined ? paths.chains() : to(chainId) }))
  const ofNetwork = [
    { label: 'Subnets', icon: NetworkIcon, to: paths.subnets(network) },
    { label: 'Blockchains', icon: ChainsIcon, to: paths.blockchains(network) },
    { label: 'L1 validators', icon: ValidatorIcon, to: paths.l1Validators(network) },
    ...primaryChains.map((alias) => ({
      label: `Blocks of the ${chainLabel(alias)}${alias === 'c-chain' ? ', atomic' : ''}`,
      icon: BlockIcon,
      to: paths.primaryBlocks(network, alias),
    })),
  ]
  const pages = [...main, ...ofChain, ...ofNetwork, settingsPlace].map((place): Choice => ({
    id: `page:${place.label}`,
    title: place.label,
    icon: <place.icon />,
    onChoose: () => void navigate(place.to),
  }))
  const ofChains = (chains ?? []).map((chain): Choice => ({
    id: `goto:${chain.chainId}`,
    title: chain.chainName,
    detail: `Chain ${chain.chainId}`,
    icon: <ChainsIcon />,
    onChoose: () => {
      choose(chain.chainId)
      void navigate(paths.chain(chain.chainId))
    },
  }))
  const switches: Choice[] = [
    { id: 'theme:light', title: 'Light theme', icon: <SunIcon />, onChoose: () => chooseTheme('light') },
    { id: 'theme:dark', title: 'Dark theme', icon: <MoonIcon />, onChoose: () => chooseTheme('dark') },
    {
      id: 'theme:system',
      title: 'Theme of the system',
      icon: <SystemIcon />,
      onChoose: () => chooseTheme('system'),
    },
    {
      id: 'zone',
      title: zone === 'utc' ? 'Show local time' : 'Show UTC',
      icon: <GlobeIcon />,
      onChoose: () => settings.set((now) => ({ ...now, zone: now.zone === 'utc' ? 'local' : 'utc' })),
    },
  ]
  const commands: ChoiceGroup[] = [
    { label: 'Go to', choices: pages.filter((choice) => fits(choice, needle)) },
    { label: 'Chains', choices: ofChains.filter((choice) => fits(choice, needle)) },
    { label: 'Switches', choices: switches.filter((choice) => fits(choice, needle)) },
  ]
  const matched = commands.some((group) => group.choices.length > 0)
  return (
    <Combobox
      label="Search, or type a command"
      placeholder="Search, or type a command"
      icon={<SearchIcon />}
      floating={false}
      inputRef={field}
      value={text}
      onValue={setText}
      groups={needle === '' ? [...found.groups, ...commands] : [...commands, ...found.groups]}
      status={matched ? undefined : found.status}
      onSubmit={(value) => void navigate(paths.search(value))}
      onDone={onClose}
    />
  )
}
