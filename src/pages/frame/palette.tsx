import { useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useCurrentChain } from '../../api/current.ts'
import { Combobox, type Choice, type ChoiceGroup } from '../../components/overlays/combobox.tsx'
import { useStore } from '../../components/hooks.ts'
import { ChainsIcon, GlobeIcon, MoonIcon, SearchIcon, SunIcon, SystemIcon } from '../../components/icons.ts'
import { settings } from '../../lib/storage/settings.ts'
import { paths } from '../../lib/paths.ts'
import { chooseTheme } from './preferences.tsx'
import { useSearchGroups } from './search-items.tsx'
import { usePages } from './search-own.tsx'
import { useChooseChain } from './switcher.tsx'
import { takeTyped } from './typed-ahead.ts'

const fits = (choice: Choice, needle: string): boolean =>
  needle === '' || choice.title.toLowerCase().includes(needle)

/** The command palette: search, pages, chains and switches in one field. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // The code may load after the dialog has opened and set the focus. What was typed until now is taken in the same
  // moment, and not while rendering: a render may be thrown away.
  useLayoutEffect(() => {
    field.current?.focus()
    const typed = takeTyped()
    // oxlint-disable-next-line react/set-state-in-effect -- the keys were pressed outside React, before the first render
    if (typed !== '') setText(typed)
    // The same keys may be pressed while it is open, and what is typed then belongs to no later one.
    return () => void takeTyped()
  }, [])
  const navigate = useNavigate()
  const { chainId, chains } = useCurrentChain()
  const found = useSearchGroups(text, chainId)
  const choose = useChooseChain()
  const zone = useStore(settings, (all) => all.zone)
  const needle = text.trim().toLowerCase()

  const pages = usePages().map((place): Choice => ({
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
  // Pages are among the commands.
  const results = needle === '' ? found.groups : found.groups.filter(({ label }) => label !== 'Pages')
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
      groups={needle === '' ? [...results, ...commands] : [...commands, ...results]}
      status={matched ? undefined : found.status}
      onSubmit={(value) => void navigate(paths.search({ q: value }))}
      onDone={onClose}
    />
  )
}
