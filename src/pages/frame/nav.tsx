import { useLocation } from 'react-router'
import { networkOfPath, primaryChainOfPath, useCurrentChain, useCurrentNetwork } from '../../api/current.ts'
import {
  BlockIcon,
  ChainsIcon,
  ChartIcon,
  CodeIcon,
  NetworkIcon,
  OverviewIcon,
  ServerIcon,
  SettingsIcon,
  SignatureIcon,
  TransactionIcon,
  ValidatorIcon,
  VertexIcon,
  WalletIcon,
  type Icon,
} from '../../components/icons.ts'
import { Link } from '../../components/link.tsx'
import { paths } from '../../lib/paths.ts'

export type Place = {
  label: string
  icon: Icon
  to: string
  /** Other paths that belong to it. */
  also?: RegExp
}

/** The targets of a chain's navigation links: the current EVM chain, or the primary network's chain in the path. */
function useChainPlaces(): { metrics: string; blocks: string; transactions: string } {
  const { pathname } = useLocation()
  const { chainId } = useCurrentChain()
  const network = useCurrentNetwork()
  const ofChain = (path: (id: string) => string): string =>
    chainId === undefined ? paths.chains() : path(chainId)
  const metrics = ofChain(paths.metrics)
  if (networkOfPath(pathname) === undefined)
    return { metrics, blocks: ofChain(paths.blocks), transactions: ofChain(paths.transactions) }
  const chain = primaryChainOfPath(pathname) ?? 'p-chain'
  return {
    metrics,
    blocks: paths.primaryBlocks(network, chain),
    transactions: paths.primaryTransactions(network, chain),
  }
}

/** The sections of the dashboard in navigation order, for the current chain and network. */
export function usePlaces(): { main: Place[]; settings: Place } {
  const network = useCurrentNetwork()
  const { metrics, blocks, transactions } = useChainPlaces()
  return {
    main: [
      { label: 'Overview', icon: OverviewIcon, to: paths.overview() },
      {
        label: 'Primary network',
        icon: NetworkIcon,
        to: paths.network(network),
        also: /^\/networks\/[^/]+(\/(subnets|blockchains)(\/|$)|$)/,
      },
      { label: 'Chains', icon: ChainsIcon, to: paths.chains(), also: /^\/chain\/[^/]+$/ },
      { label: 'Metrics', icon: ChartIcon, to: metrics, also: /^\/(chain|networks)\/[^/]+\/metrics/ },
      {
        label: 'Blocks',
        icon: BlockIcon,
        to: blocks,
        also: /^\/(chain|networks\/[^/]+)\/[^/]+\/blocks?(\/|$)/,
      },
      {
        label: 'Transactions',
        icon: TransactionIcon,
        to: transactions,
        also: /^\/(chain|networks\/[^/]+)\/[^/]+\/t(x|ransactions)(\/|$)/,
      },
      {
        label: 'Validators',
        icon: ValidatorIcon,
        to: paths.validators(network),
        also: /^\/networks\/[^/]+\/(l1-)?validators/,
      },
      {
        label: 'Vertices',
        icon: VertexIcon,
        to: paths.vertices(network),
        also: /^\/networks\/[^/]+\/vertices/,
      },
      {
        label: 'Addresses',
        icon: WalletIcon,
        to: paths.addresses(),
        also: /^\/(chain\/[^/]+\/address|networks\/[^/]+\/addresses)\//,
      },
      { label: 'Signatures', icon: SignatureIcon, to: paths.signatures() },
      { label: 'Node', icon: ServerIcon, to: paths.node() },
      { label: 'API', icon: CodeIcon, to: paths.api() },
    ],
    settings: { label: 'Settings', icon: SettingsIcon, to: paths.settings() },
  }
}

type Size = 'full' | 'icons'

function Item({ place, size, onGo }: { place: Place; size: Size; onGo?: (() => void) | undefined }) {
  const { pathname } = useLocation()
  const here =
    place.to === '/' ? pathname === '/' : pathname === place.to || place.also?.test(pathname) === true
  const Shape = place.icon
  return (
    <li>
      <Link
        to={place.to}
        aria-current={here ? 'page' : undefined}
        {...(size === 'icons' && { title: place.label })}
        onClick={onGo}
        className={`flex h-9 items-center gap-3 rounded-base px-3 ${size === 'icons' ? 'w-10 justify-center px-0' : ''} ${
          here ? 'bg-accent-soft font-strong text-accent' : 'text-muted hover:bg-hover hover:text-text'
        }`}
      >
        <Shape />
        <span className={size === 'icons' ? 'sr-only' : 'truncate'}>{place.label}</span>
      </Link>
    </li>
  )
}

/** The navigation links, as text or as icons with tooltips. */
export function NavList({ size, onGo }: { size: Size; onGo?: () => void }) {
  const { main, settings } = usePlaces()
  return (
    <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col justify-between gap-4 overflow-y-auto">
      <ul className="flex flex-col gap-0.5">
        {main.map((place) => (
          <Item key={place.label} place={place} size={size} onGo={onGo} />
        ))}
      </ul>
      <ul>
        <Item place={settings} size={size} onGo={onGo} />
      </ul>
    </nav>
  )
}
