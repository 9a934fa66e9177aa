import { metricCatalogue } from '../../../contract/metrics/catalogue.ts'
import { networkMetricCatalogue } from '../../../contract/metrics/network-catalogue.ts'
import { useCurrentChain, useCurrentNetwork, useProfile } from '../../api/current.ts'
import {
  BlockIcon,
  ChainsIcon,
  ChartIcon,
  ContractIcon,
  FleetIcon,
  NetworkIcon,
  PictureIcon,
  SettingsIcon,
  ValidatorIcon,
  WalletIcon,
  type Icon,
} from '../../components/icons.ts'
import { useStore } from '../../components/hooks.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import { primaryChainAliases } from '../../../contract/primary/chains.ts'
import { paths } from '../../lib/paths.ts'
import { labels } from '../../lib/storage/labels.ts'
import { shorten } from '../../lib/text.ts'
import { isOfferedPlace, usePlaces, type Place } from './nav.tsx'

/** The maximum number of results of each kind that the browser finds by itself. */
const max = 5

/** Every page without an id: the navigation links and the sections of the current network. */
export function usePages(): Pick<Place, 'label' | 'icon' | 'to'>[] {
  const groups = usePlaces()
  const network = useCurrentNetwork()
  const { chainId } = useCurrentChain()
  const ofChain =
    chainId === undefined
      ? []
      : [
          { label: 'NFTs', icon: PictureIcon, to: paths.nfts(chainId), page: 'nfts' as const },
          { label: 'Most used contracts', icon: ContractIcon, to: paths.hot(chainId), page: 'hot' as const },
        ]
  const sections: Place[] = [
    ...ofChain,
    { label: 'Network metrics', icon: ChartIcon, to: paths.networkMetrics(network), page: 'networkMetrics' },
    { label: 'L1 validators', icon: ValidatorIcon, to: paths.l1Validators(network), page: 'l1Validators' },
    { label: 'Fleets', icon: FleetIcon, to: paths.fleets(), needs: 'getWatchSummary' },
    { label: 'Subnets and L1s', icon: NetworkIcon, to: paths.subnets(network), page: 'subnets' },
    { label: 'Blockchains', icon: ChainsIcon, to: paths.blockchains(network), page: 'blockchains' },
    ...primaryChainAliases.map((alias) => ({
      label: `Blocks of the ${chainLabel(alias)}${alias === 'c-chain' ? ', atomic' : ''}`,
      icon: BlockIcon,
      to: paths.primaryBlocks(network, alias),
      page: 'primaryBlocks' as const,
    })),
    { label: 'Settings', icon: SettingsIcon, to: paths.settings() },
  ]
  const profile = useProfile()
  const offered = sections.filter((place) => profile === undefined || isOfferedPlace(profile, place))
  return [...groups.flatMap(({ places }) => places), ...offered]
}

/** A result that the browser finds by itself. */
export type OwnResult = {
  readonly group: 'Your labels' | 'Pages' | 'Metrics'
  readonly id: string
  readonly title: string
  readonly detail?: string
  readonly icon: Icon
  readonly path: string
  readonly isExact: boolean
}

/** The rank of a title for a lower-case text: equal, prefix, or containing its words; undefined without a match. */
function rankOf(title: string, needle: string): number | undefined {
  const full = title.toLowerCase()
  if (full === needle) return 0
  if (full.startsWith(needle)) return 1
  const words = full.split(/[^\p{L}\p{N}]+/u)
  const wanted = needle.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  return wanted.length > 0 && wanted.every((want) => words.some((word) => word.startsWith(want)))
    ? 2
    : undefined
}

const ranked = (results: readonly Omit<OwnResult, 'isExact'>[], needle: string): OwnResult[] =>
  results
    .flatMap((result) => {
      const rank = rankOf(result.title, needle)
      return rank === undefined ? [] : [{ rank, result: { ...result, isExact: rank === 0 } }]
    })
    .toSorted((left, right) => left.rank - right.rank)
    .slice(0, max)
    .map(({ result }) => result)

/** Private labels, pages and metrics that match a text; none for an empty text. */
export function useOwnResults(text: string): OwnResult[] {
  const pages = usePages()
  const named = useStore(labels)
  const { chainId } = useCurrentChain()
  const network = useCurrentNetwork()
  const needle = text.trim().toLowerCase()
  if (needle === '') return []
  const pathOfAddress = (address: string): string => {
    if (address.startsWith('NodeID-')) return paths.validator(network, address)
    if (!address.startsWith('0x')) return paths.wallet(network, address)
    return chainId === undefined ? paths.search({ q: address }) : paths.address(chainId, address)
  }
  const own = Object.entries(named)
    .filter(([address, name]) => name.toLowerCase().includes(needle) || address.toLowerCase() === needle)
    .slice(0, max)
    .map(([address, name]): OwnResult => ({
      group: 'Your labels',
      id: `label:${address}`,
      title: name,
      detail: shorten(address),
      icon: WalletIcon,
      path: pathOfAddress(address),
      isExact: name.toLowerCase() === needle,
    }))
  const places = pages.map(({ label, icon, to }) => ({
    group: 'Pages' as const,
    id: `page:${label}`,
    title: label,
    icon,
    path: to,
  }))
  const ofChain = Object.entries(chainId === undefined ? {} : metricCatalogue).map(([name, { title }]) => ({
    group: 'Metrics' as const,
    id: `metric:${name}`,
    title,
    detail: 'Metric of the chain',
    icon: ChartIcon,
    path: paths.metric(chainId ?? '', name),
  }))
  const ofNetwork = Object.entries(networkMetricCatalogue).map(([name, { title }]) => ({
    group: 'Metrics' as const,
    id: `network-metric:${name}`,
    title,
    detail: 'Metric of the primary network',
    icon: ChartIcon,
    path: paths.networkMetric(network, name),
  }))
  return [...own, ...ranked(places, needle), ...ranked([...ofChain, ...ofNetwork], needle)]
}
