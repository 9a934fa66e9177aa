import { useEffect, useRef, useState, type FocusEvent } from 'react'
import { useLocation } from 'react-router'
import {
  hasPage,
  networkOfPath,
  offers,
  primaryChainOfPath,
  useCurrentChain,
  useCurrentNetwork,
  useProfile,
} from '../../api/current.ts'
import {
  BellIcon,
  BlockIcon,
  ChainsIcon,
  ChartIcon,
  CodeIcon,
  CoinsIcon,
  ContractIcon,
  DatabaseIcon,
  NetworkIcon,
  OverviewIcon,
  ServerIcon,
  SignatureIcon,
  SubnetIcon,
  TransactionIcon,
  ValidatorIcon,
  VertexIcon,
  WalletIcon,
  type Icon,
} from '../../components/icons.ts'
import { Link } from '../../components/link.tsx'
import { useStore } from '../../components/hooks.ts'
import { moveFocus } from '../../lib/arrow-keys.ts'
import { navCounts, subjectPlace } from '../../lib/nav.ts'
import type { Profile } from '../../../contract/profile.ts'
import type { PageName } from '../../../contract/pages.ts'
import { paths } from '../../lib/paths.ts'

export type Place = {
  label: string
  icon: Icon
  to: string
  /** The paths that belong to it, besides its own. */
  also?: RegExp
  /** Its page: a profile that lacks it does not list it. */
  page?: PageName
  /** An operation without which its page has nothing to show. */
  needs?: string
}

type PlaceGroup = { title: string; places: Place[] }

type ChainPlaces = Record<'metrics' | 'blocks' | 'transactions' | 'tokens' | 'contracts', string>

/** The targets of a chain's navigation links: the current EVM chain, or the primary network's chain in the path. */
function useChainPlaces(): ChainPlaces {
  const { pathname } = useLocation()
  const { chainId } = useCurrentChain()
  const network = useCurrentNetwork()
  const ofChain = (path: (id: string) => string): string =>
    chainId === undefined ? paths.chains() : path(chainId)
  const ofEvm = {
    metrics: ofChain(paths.metrics),
    blocks: ofChain(paths.blocks),
    transactions: ofChain(paths.transactions),
    tokens: ofChain(paths.tokens),
    contracts: ofChain(paths.contracts),
  }
  if (networkOfPath(pathname) === undefined) return ofEvm
  const chain = primaryChainOfPath(pathname) ?? 'p-chain'
  return {
    ...ofEvm,
    blocks: paths.primaryBlocks(network, chain),
    transactions: paths.primaryTransactions(network, chain),
  }
}

/** Whether a profile has what a link leads to. */
export const isOfferedPlace = (profile: Profile, { needs, page }: Place): boolean =>
  (needs === undefined || offers(profile, needs)) && (page === undefined || hasPage(profile, page))

/** The sections of the dashboard in navigation order, for the current chain and network, that the profile offers. */
export function usePlaces(): PlaceGroup[] {
  const network = useCurrentNetwork()
  const of = useChainPlaces()
  const profile = useProfile()
  const isPrimary = networkOfPath(useLocation().pathname) !== undefined
  const hasSubnets = profile === undefined || hasPage(profile, 'subnets')
  const groups: PlaceGroup[] = [
    {
      title: 'Explore',
      places: [
        { label: 'Overview', icon: OverviewIcon, to: paths.overview() },
        { label: 'Chains', icon: ChainsIcon, to: paths.chains(), also: /^\/chain\/[^/]+$/ },
        {
          label: 'Blocks',
          icon: BlockIcon,
          to: of.blocks,
          page: isPrimary ? 'primaryBlocks' : 'blocks',
          also: /^\/(chain|networks\/[^/]+)\/[^/]+\/blocks?(\/|$)/,
        },
        {
          label: 'Transactions',
          icon: TransactionIcon,
          to: of.transactions,
          page: isPrimary ? 'primaryTransactions' : 'transactions',
          also: /^\/(chain|networks\/[^/]+)\/[^/]+\/t(x|ransactions)(\/|$)/,
        },
        {
          label: 'Tokens',
          icon: CoinsIcon,
          to: of.tokens,
          also: /^\/chain\/[^/]+\/(tokens?|nfts?)(\/|$)/,
          page: 'tokens',
        },
        {
          label: 'Contracts',
          icon: ContractIcon,
          to: of.contracts,
          also: /^\/chain\/[^/]+\/(contracts|hot)$/,
          page: 'contracts',
        },
      ],
    },
    {
      title: 'Measure',
      places: [
        {
          label: 'Metrics',
          icon: ChartIcon,
          to: of.metrics,
          page: 'metrics',
          also: /^\/(chain|networks)\/[^/]+\/metrics(\/|$)/,
        },
        { label: 'SQL', icon: DatabaseIcon, to: paths.sql(), page: 'sql' },
      ],
    },
    {
      title: 'Stake',
      places: [
        {
          label: 'Primary network',
          icon: NetworkIcon,
          to: paths.network(network),
          also: /^\/networks\/[^/]+(\/addresses\/|$)/,
        },
        {
          label: 'Validators',
          icon: ValidatorIcon,
          to: paths.validators(network),
          page: 'validators',
          also: /^\/networks\/[^/]+\/(l1-)?validators(\/|$)/,
        },
        {
          label: 'Subnets and L1s',
          icon: SubnetIcon,
          to: hasSubnets ? paths.subnets(network) : paths.blockchains(network),
          page: hasSubnets ? 'subnets' : 'blockchains',
          also: /^\/networks\/[^/]+\/(subnets|blockchains)(\/|$)/,
        },
        {
          label: 'Vertices',
          icon: VertexIcon,
          to: paths.vertices(network),
          page: 'vertices',
          also: /^\/networks\/[^/]+\/vertices(\/|$)/,
        },
      ],
    },
    {
      title: 'Watch',
      places: [
        { label: 'Watch list', icon: WalletIcon, to: paths.watchList() },
        {
          label: 'Alarms',
          icon: BellIcon,
          to: paths.alarms(),
          also: /^\/(alarms|fleets)(\/|$)/,
          needs: 'getWatchSummary',
        },
      ],
    },
    {
      title: 'Tools',
      places: [
        { label: 'Signatures', icon: SignatureIcon, to: paths.signatures(), page: 'signatures' },
        { label: 'Node', icon: ServerIcon, to: paths.node() },
        { label: 'API', icon: CodeIcon, to: paths.docs() },
      ],
    },
  ]
  return groups.map(({ title, places }) => ({
    title,
    places: places.filter((place) => profile === undefined || isOfferedPlace(profile, place)),
  }))
}

/** The label of the navigation link that a page belongs to: its own, or what the page says about its subject. */
function placeOf(places: readonly Place[], pathname: string, said: string | undefined): string | undefined {
  const found = places.find(({ to }) => to === pathname) ?? places.find(({ also }) => also?.test(pathname))
  return found?.label ?? said
}

type Size = 'full' | 'icons'

type ItemProps = {
  place: Place
  size: Size
  here: boolean
  /** Whether Tab stops here. One link of the navigation is a tab stop; arrow keys reach the others. */
  stop: boolean
  onGo?: (() => void) | undefined
}

function Item({ place, size, here, stop, onGo }: ItemProps) {
  const Shape = place.icon
  const count = useStore(navCounts, (all) => all[place.label])
  return (
    <li>
      <Link
        to={place.to}
        aria-current={here ? 'page' : undefined}
        tabIndex={stop ? 0 : -1}
        data-place={place.label}
        {...(size === 'icons' && { title: place.label })}
        onClick={onGo}
        className={`relative flex h-8 items-center gap-3 rounded-base px-3 ${size === 'icons' ? 'w-10 justify-center px-0' : ''} ${
          here ? 'bg-accent-soft font-strong text-accent' : 'text-muted hover:bg-hover hover:text-text'
        }`}
      >
        <Shape />
        <span className={size === 'icons' ? 'sr-only' : 'truncate'}>{place.label}</span>
        {count ? (
          <span
            className={`rounded-full bg-bad-soft text-xs text-bad ${size === 'icons' ? 'absolute top-0 right-0 px-1 leading-4' : 'px-1.5'}`}
          >
            {count}
          </span>
        ) : null}
      </Link>
    </li>
  )
}

/**
 * The navigation links in groups, as text or as icons with tooltips. They are a single tab stop, so that a table is
 * not twenty stops away; arrow keys, Home and End move between them.
 */
export function NavList({ size, onGo }: { size: Size; onGo?: () => void }) {
  const groups = usePlaces()
  const location = useLocation()
  const [moved, setMoved] = useState<{ label: string; at: string }>()
  const all = groups.flatMap(({ places }) => places)
  const here = placeOf(all, location.pathname, useStore(subjectPlace))
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    // In a low window the list scrolls: the current link must not be beyond its edge.
    const link = bar.current?.querySelector('[aria-current]')
    if (here !== undefined) link?.scrollIntoView({ block: 'nearest' })
  }, [here])
  // The link chosen by arrow keys stays the tab stop until the page changes.
  const stop = (moved?.at === location.key ? moved.label : undefined) ?? here ?? all[0]?.label

  const onFocus = (event: FocusEvent<HTMLElement>): void => {
    const label = event.target.closest<HTMLElement>('[data-place]')?.dataset['place']
    if (label !== undefined) setMoved({ label, at: location.key })
  }
  const item = (place: Place) => (
    <Item
      key={place.label}
      place={place}
      size={size}
      here={place.label === here}
      stop={place.label === stop}
      onGo={onGo}
    />
  )
  return (
    // Keys are handled by one listener on the list.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <nav
      ref={bar}
      aria-label="Main"
      onKeyDown={(event) => moveFocus(event, '[data-place]', 'down')}
      onFocus={onFocus}
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto"
    >
      {groups.map(({ title, places }, place) => (
        <div key={title}>
          <p
            id={`rail-${size}-${title}`}
            className={size === 'icons' ? 'sr-only' : 'px-3 pb-1 text-xs text-muted'}
          >
            {title}
          </p>
          <ul
            aria-labelledby={`rail-${size}-${title}`}
            className={`flex flex-col ${size === 'icons' && place > 0 ? 'border-t border-line pt-3' : ''}`}
          >
            {places.map(item)}
          </ul>
        </div>
      ))}
    </nav>
  )
}
