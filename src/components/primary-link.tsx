import { formatInteger } from '../lib/amounts.ts'
import { chainAlias, chainLabel, primaryNetworkId } from '../lib/primary-chains.ts'
import { paths } from '../lib/paths.ts'
import { CopyButton } from './copy-button.tsx'
import { Hash } from './hash.tsx'
import { Link } from './link.tsx'

type Shown = {
  network: string
  /** Shows the whole id. */
  full?: boolean
  copy?: boolean
}

/** A transaction of the P-, X- or C-chain; `chain` is an alias such as `p-chain`. */
export function PrimaryTxLink({
  chain,
  txHash,
  network,
  ...shown
}: Shown & { chain: string; txHash: string }) {
  return (
    <Hash
      value={txHash}
      name="transaction id"
      to={paths.primaryTransaction(network, chain, txHash)}
      {...shown}
    />
  )
}

/** A block of the P-, X- or C-chain by its height. */
export function PrimaryBlockLink({
  chain,
  height,
  network,
}: {
  chain: string
  height: string
  network: string
}) {
  return (
    <Link to={paths.primaryBlock(network, chain, height)} className="link" data-value={height}>
      {formatInteger(height)}
    </Link>
  )
}

/** A subnet by the `name` of its blockchains if it is known, else by its id; the Primary Network by its name. */
export function SubnetLink({
  subnetId,
  network,
  name,
  full = false,
  copy = false,
}: Shown & { subnetId: string; name?: string | undefined }) {
  if (subnetId !== primaryNetworkId)
    return (
      <Hash
        value={subnetId}
        name="subnet id"
        to={paths.subnet(network, subnetId)}
        label={name}
        full={full}
        copy={copy}
      />
    )
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <Link to={paths.network(network)} className="link" title={subnetId} data-value={subnetId.toLowerCase()}>
        Primary Network
      </Link>
      {copy && <CopyButton text={subnetId} name="subnet id" />}
    </span>
  )
}

/** A blockchain by its `name` if it is known, else by its id; the three of the primary network by their names. */
export function BlockchainLink({
  blockchainId,
  network,
  name,
  full = false,
  copy = false,
}: Shown & { blockchainId: string; name?: string | undefined }) {
  const alias = chainAlias(blockchainId)
  if (alias === undefined)
    return (
      <Hash
        value={blockchainId}
        name="blockchain id"
        to={paths.blockchain(network, blockchainId)}
        label={name}
        full={full}
        copy={copy}
      />
    )
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <Link
        to={paths.primaryBlocks(network, alias)}
        className="link"
        title={blockchainId}
        data-value={blockchainId.toLowerCase()}
      >
        {chainLabel(alias)}
      </Link>
      {copy && <CopyButton text={blockchainId} name="blockchain id" />}
    </span>
  )
}
