import { cChainIds } from '../lib/c-chains.ts'
import { labels } from '../lib/storage/labels.ts'
import { bareAddress } from '../lib/primary-chains.ts'
import { paths } from '../lib/paths.ts'
import { Address } from './address.tsx'
import { CopyButton } from './copy-button.tsx'
import { useStore } from './hooks.ts'
import { IdLink } from './id-link.tsx'
import { Identicon } from './identicon.tsx'

/** The C-Chain's EVM chain ID by network. */
const evmChainIds: Readonly<Record<string, string>> = { ...cChainIds, testnet: cChainIds.fuji }

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
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      {!small && <Identicon value={bare} />}
      <IdLink
        value={bare}
        to={paths.wallet(network, bare)}
        called={label}
        full={full}
        short={shortWallet(bare, small ? 4 : 6)}
        className={copy ? '' : 'self-baseline'}
        {...(small && { font: 'font-mono text-xs' })}
      />
      {label !== undefined && full && <span className="truncate text-muted">{label}</span>}
      {copy && <CopyButton text={bare} name="address" />}
    </span>
  )
}
