import type { ReactNode } from 'react'
import { formatInteger } from '../lib/amounts.ts'
import { chainAlias, chainLabel, isPrimaryNetwork } from '../lib/primary-chains.ts'
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

/** A transaction of the P-, X- or C-Chain; `chain` is an alias such as `p-chain`. */
export function PrimaryTxLink({
  chain,
  txHash,
  network,
  ...shown
}: Shown & { chain: string; txHash: string }) {
  return (
    <Hash
      value={txHash}
      name="transaction ID"
      to={paths.primaryTransaction(network, chain, txHash)}
      {...shown}
    />
  )
}

/** A block of the P-, X- or C-Chain by its height. */
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

/** A part of the primary network, by a name that everyone knows. */
function KnownLink({
  id,
  what,
  to,
  copy = false,
  children,
}: Pick<Shown, 'copy'> & { id: string; what: string; to: string; children: ReactNode }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <Link to={to} className="link" title={id} data-value={id.toLowerCase()}>
        {children}
      </Link>
      {copy && <CopyButton text={id} name={what} />}
    </span>
  )
}

type Named = Shown & { name?: string | undefined }

/** A subnet by the `name` of its blockchains if it is known, else by its id; the Primary Network by its name. */
export function SubnetLink({ subnetId, network, name, ...shown }: Named & { subnetId: string }) {
  if (isPrimaryNetwork(subnetId))
    return (
      <KnownLink id={subnetId} what="subnet ID" to={paths.network(network)} {...shown}>
        Primary Network
      </KnownLink>
    )
  return (
    <Hash value={subnetId} name="subnet ID" to={paths.subnet(network, subnetId)} label={name} {...shown} />
  )
}

/** A blockchain by its `name` if it is known, else by its id; the three of the primary network by their names. */
export function BlockchainLink({ blockchainId, network, name, ...shown }: Named & { blockchainId: string }) {
  const alias = chainAlias(blockchainId)
  if (alias !== undefined)
    return (
      <KnownLink id={blockchainId} what="blockchain ID" to={paths.primaryBlocks(network, alias)} {...shown}>
        {chainLabel(alias)}
      </KnownLink>
    )
  return (
    <Hash
      value={blockchainId}
      name="blockchain ID"
      to={paths.blockchain(network, blockchainId)}
      label={name}
      {...shown}
    />
  )
}
