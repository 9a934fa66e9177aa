import { useLocation } from 'react-router'
import { useCurrentChain, useCurrentNetwork } from '../../api/current.ts'
import {
  BlockIcon,
  ChainsIcon,
  ChartIcon,
  CodeIcon,
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
import { paths } from '../../paths.ts'

export type Place = {
  label: string
  icon: Icon
  to: string
  /** Other paths that belong to it. */ also?: RegExp
}

/** The rooms of the dashboard, in the rail's order, for the chain in use. */
export function usePlaces(): { main: Place[]; settings: Place } {
  const { chainId } = useCurrentChain()
  const network = useCurrentNetwork()
  const ofChain = (path: (id: string) => string): string =>
    chainId === undefined ? paths.chains() : path(chainId)
  return {
    main: [
      { label: 'Overview', icon: OverviewIcon, to: paths.overview() },
      { label: 'Chains', icon: ChainsIcon, to: paths.chains(), also: /^\/chain\/[^/]+$/ },
      { label: 'Metrics', icon: ChartIcon, to: ofChain(paths.metrics), also: /^\/chain\/[^/]+\/metrics/ },
      { label: 'Blocks', icon: BlockIcon, to: ofChain(paths.blocks), also: /^\/chain\/[^/]+\/block/ },
      {
        label: 'Transactions',
        icon: TransactionIcon,
        to: ofChain(paths.transactions),
        also: /^\/chain\/[^/]+\/t(x|ransactions)/,
      },
      { label: 'Validators', icon: ValidatorIcon, to: paths.validators(network) },
      { label: 'Vertices', icon: VertexIcon, to: paths.vertices(network) },
      { label: 'Addresses', icon: WalletIcon, to: paths.addresses(), also: /^\/chain\/[^/]+\/address/ },
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

/** The links of the rail, as words or as icons with their names in tooltips. */
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
