import { labels } from '../lib/storage/labels.ts'
import { bareAddress } from '../lib/primary-chains.ts'
import { paths } from '../lib/paths.ts'
import { Address } from './address.tsx'
import { CopyButton } from './copy-button.tsx'
import { useStore } from './hooks.ts'
import { Cut } from './cut.tsx'
import { Identicon } from './identicon.tsx'
import { Link } from './link.tsx'

/** The C-Chain's EVM chain id by network. */
const evmChainIds: Readonly<Record<string, string>> = { mainnet: '43114', fuji: '43113', testnet: '43113' }

/** A bech32 address with its prefix and the rest shortened to its first and last `kept` characters. */
function shortWallet(address: string, kept: number): string {
  const at = address.indexOf('1') + 1
  return address.length <= at + 2 * kept + 1
    ? address
    : `${address.slice(0, at + kept)}…${address.slice(-kept)}`
}

type Props = {
  /** Bech32, with or without `P-` or `X-`; or the 0x address of an import or export on the C-Chain. */
  address: string
  network: string
  /** Shows the whole address; it wraps if necessary. */
  full?: boolean
  copy?: boolean
  /** For narrow places: smaller, shorter, without identicon. */
  small?: boolean
}

/** An address of the P- or X-Chain: identicon, private label, else shortened; links to its page. */
export function WalletAddress({ address, network, full = false, copy = false, small = false }: Props) {
  const bare = bareAddress(address)
  const label = useStore(labels, (all) => all[bare.toLowerCase()])
  const evmChain = evmChainIds[network]
  if (bare.startsWith('0x') && evmChain !== undefined)
    return <Address address={bare} chainId={evmChain} full={full} copy={copy} />
  const named = label !== undefined && !full
  const short = shortWallet(bare, small ? 4 : 6)
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      {!small && <Identicon value={bare} />}
      <Link
        to={paths.wallet(network, bare)}
        className={`link min-w-0 ${named ? '' : `font-mono ${small ? 'text-xs' : 'text-mono'}`} ${full ? 'break-all' : named ? 'truncate' : 'inline-flex'} ${copy ? '' : 'self-baseline'}`}
        title={label === undefined ? bare : `${label} · ${bare}`}
        {...(!named && !full && { 'aria-label': short })}
        data-value={bare.toLowerCase()}
      >
        {named ? label : full ? bare : <Cut value={bare} short={short} />}
      </Link>
      {label !== undefined && full && <span className="truncate text-muted">{label}</span>}
      {copy && <CopyButton text={bare} name="address" />}
    </span>
  )
}
