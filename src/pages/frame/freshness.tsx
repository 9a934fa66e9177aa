import type { ComponentType } from 'react'
import { useLocation } from 'react-router'
import { pages } from '../../../contract/pages.ts'
import {
  chainOfPath,
  networkOfPath,
  primaryChainOfPath,
  useCurrentChain,
  useCurrentNetwork,
  useFollowed,
} from '../../api/current.ts'
import { usePrimaryFollowed, usePrimaryStatus } from '../../api/network/overview.ts'
import { useStore } from '../../components/hooks.ts'
import { lazy } from '../../components/lazy.ts'
import { Link } from '../../components/link.tsx'
import { LazyExtra } from '../../components/part.tsx'
import { pillStyles } from '../../components/pill.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { feedDetail, feedName, feedSentence } from '../../lib/feed-words.ts'
import { isFarBehind, type Feed, type Followed } from '../../lib/freshness.ts'
import { paths } from '../../lib/paths.ts'
import { chainLabel, chainToName } from '../../lib/primary-chains.ts'
import { settings } from '../../lib/storage/settings.ts'
import { formatAge, type Zone } from '../../lib/time.ts'
import { stateOfFeed } from '../shared/feed-look.ts'
import { useFeed } from '../shared/use-feed.ts'

const ChainNotice = lazy(() => import('./chain-notice.tsx'), 'ChainNotice')
const AllNotices = lazy(() => import('./all-notices.tsx'), 'AllNotices')

type Props = {
  followed: Followed | undefined
  /** The chain's id, or `network/chain`; empty while it is unknown. */
  chain: string
  /** The path of a block's page. */
  to: (height: string) => string
}

/** One word for narrow places; a live chain shows its icon only, as all do where the switcher would have no room. */
const shortNames: Readonly<Record<Feed['kind'], string>> = {
  live: '',
  unknown: '',
  catchingUp: 'Behind',
  late: 'Late',
  lost: 'Lost',
  stopped: 'Stopped',
}

function wordsOf(feed: Feed, followed: Followed | undefined, now: number, zone: Zone): string {
  const { indexedBlock, indexedTimestamp } = followed ?? {}
  // The clock of the chain may be a little ahead of this one, but no block comes from the future.
  const head =
    indexedBlock === undefined || indexedTimestamp === undefined
      ? ''
      : `block ${formatInteger(indexedBlock)} · ${formatAge(Math.min(indexedTimestamp, now), now)}`
  if (feed.kind === 'unknown') return head
  const detail = feed.kind === 'live' && !feed.quiet ? head : feedDetail(feed, followed, now, zone)
  return detail === '' ? feedName(feed) : `${feedName(feed)} · ${detail}`
}

/** Whether the page shows a chain's current state, by icon, text and colour; links to its head. */
function FreshnessLink({ followed, chain, to }: Props) {
  const { feed, now } = useFeed(followed, chain)
  const zone = useStore(settings, (all) => all.zone)
  const head = followed?.indexedBlock
  const words = wordsOf(feed, followed, now, zone)
  const calm = feed.kind === 'live' || feed.kind === 'unknown'
  const name = calm ? '' : feedName(feed)
  const title = feedSentence(feed, followed, now, zone)
  const { icon: Shape, tone } = pillStyles[stateOfFeed(feed)]
  const look = `reach flex h-8 min-w-0 items-center gap-1.5 rounded-base text-xs whitespace-nowrap lg:min-w-44 ${
    calm ? 'text-muted hover:text-text' : `${tone} px-2`
  }`
  const content = (
    <>
      {Shape && <Shape size={14} className={calm ? 'text-ok' : ''} />}
      <span className="max-w-80 truncate max-md:sr-only">
        {name}
        {/* A tablet's bar keeps its room for the search. */}
        <span className={calm ? '' : 'max-lg:sr-only'}>{words.slice(name.length)}</span>
      </span>
      <span aria-hidden="true" className="max-[359px]:hidden md:hidden">
        {shortNames[feed.kind]}
      </span>
      <span className="sr-only">. {title}</span>
    </>
  )
  if (head === undefined)
    return (
      <span className={look} title={title}>
        {content}
      </span>
    )
  return (
    <Link to={to(head)} className={look} title={title}>
      {content}
    </Link>
  )
}

/** What is shown of a chain that is, or is not, at its head. */
type View = { of: ComponentType<Props> }

function OfChain({ of: Shown }: View) {
  const { chainId = '' } = useCurrentChain()
  const followed = useFollowed(chainId === '' ? undefined : chainId)
  return <Shown followed={followed} chain={chainId} to={(height) => paths.block(chainId, height)} />
}

/** Of the primary network's chain in the path; by default one that has stopped, or else the P-Chain. */
function OfNetwork({ of: Shown }: View) {
  const { pathname } = useLocation()
  const network = useCurrentNetwork()
  const statuses = usePrimaryStatus(network)
  const chain = primaryChainOfPath(pathname) ?? chainToName(statuses ?? [])
  const followed = usePrimaryFollowed(network, chain)
  return (
    <Shown
      followed={followed}
      chain={`${network}/${chain}`}
      to={(height) => paths.primaryBlock(network, chain, height)}
    />
  )
}

/** The freshness of the current chain. */
export function Freshness() {
  const { pathname } = useLocation()
  return networkOfPath(pathname) === undefined ? (
    <OfChain of={FreshnessLink} />
  ) : (
    <OfNetwork of={FreshnessLink} />
  )
}

/** Nothing for a chain near its head, or the page would jump with every few blocks. */
function Notice({ followed, chain }: Props) {
  const { feed, now } = useFeed(followed, chain)
  if (!isFarBehind(feed)) return null
  const label = chainLabel(chain.split('/')[1] ?? '')
  return (
    <LazyExtra>
      <ChainNotice feed={feed} followed={followed} names={label === undefined ? [] : [label]} now={now} />
    </LazyExtra>
  )
}

/** The beginnings of pages that list what all chains have: what they show is as far as these are. */
const ofAllChains = [pages.sql.path, pages.watchList.path, pages.fleets.path, pages.alarms.path]

/** What every page of a chain that is not at its head begins with: how far it is indexed, or why it has stopped. */
export function Standing() {
  const { pathname } = useLocation()
  if (ofAllChains.some((path) => pathname === path || pathname.startsWith(`${path}/`)))
    return (
      <LazyExtra>
        <AllNotices />
      </LazyExtra>
    )
  if (networkOfPath(pathname) !== undefined) return <OfNetwork of={Notice} />
  return chainOfPath(pathname) === undefined ? null : <OfChain of={Notice} />
}
