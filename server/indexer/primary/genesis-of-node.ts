import { addressText } from '../../../protocol/ids/text.ts'
import { FatalError } from '../../kernel/errors.ts'
import { decodeXGenesis } from '../../../protocol/primary/genesis.ts'
import type { Utxo } from '../../../protocol/primary/outputs.ts'
import type { PTx } from '../../../protocol/primary/p-transactions.ts'
import { namedNetwork, publicNetworkIds } from '../../kernel/settings/public-networks.ts'
import type { NetworkConfig } from '../../kernel/settings/config.ts'
import type { PrimaryNode } from './node.ts'
import type { Genesis } from './p-genesis.ts'
import { keyOf } from './batch/rows.ts'

/** Initial supply in nAVAX before rewards: the same on every network. */
const initialSupply = 360_000_000_000_000_000n

/**
 * The genesis as far as a node can reconstruct it: the genesis validators that are still active, the chains,
 * and the unspent UTXOs of all addresses named in them. Spent UTXOs are recovered from their signers. Throws
 * FatalError if the first validators have ended: then the genesis file is required.
 */
export async function genesisOfNode(
  node: PrimaryNode,
  { networkId, prefix }: Pick<NetworkConfig, 'networkId' | 'prefix'>,
  signal: AbortSignal,
): Promise<Genesis> {
  const rewards = new Map<string, bigint>()
  const validators: PTx[] = []
  for (const { txId, reward } of await node.currentValidators(signal)) {
    const tx = await node.pTx(txId, signal)
    if (!isOfGenesis(tx)) continue
    validators.push(tx)
    if (reward !== undefined) rewards.set(keyOf(tx.id), reward)
  }
  const chains: PTx[] = []
  for (const id of await node.blockchains(signal)) {
    const tx = await node.pTx(id, signal)
    if (isOfGenesis(tx)) chains.push(tx)
  }
  const [first] = validators
  if (!first) {
    // The genesis of a public network is built in: a node of it would not have been asked.
    const other = publicNetworkIds.has(networkId)
      ? `${node.host} is not a node of the network ${namedNetwork(networkId)}, but of another with the same ID, because its block 0 is another one: check the node's URL. If it is right, the genesis is needed`
      : 'the genesis is needed'
    throw new FatalError(
      `${other}, and the node cannot tell it, because no validator of it is left: give its bytes as "genesisFile" of the network`,
    )
  }
  const time =
    first.unsigned.type !== 'UNKNOWN' && 'terms' in first.unsigned ? Number(first.unsigned.terms.start) : 0
  const addresses = [...namedBy(validators, chains)].map(
    (each) => `P-${addressText(Buffer.from(each, 'hex'), prefix)}`,
  )
  const utxos: Utxo[] = []
  for (const address of addresses) {
    const owned = await node.pUtxos([address], signal)
    utxos.push(...owned.filter(({ txId }) => txId.every((byte) => byte === 0)))
  }
  const known = new Map(utxos.map((utxo) => [utxo.outputIndex, utxo]))
  return {
    time,
    supply: initialSupply,
    utxos: [...known.values()].toSorted((a, b) => a.outputIndex - b.outputIndex),
    validators,
    chains,
    potentialRewards: rewards,
  }
}

/** Only genesis transactions have neither inputs nor signatures. */
function isOfGenesis({ unsigned, credentials }: PTx): boolean {
  return (
    unsigned.type !== 'UNKNOWN' &&
    'base' in unsigned &&
    unsigned.base.inputs.length === 0 &&
    credentials.length === 0
  )
}

/** All addresses in the genesis transactions, as keys. */
function namedBy(validators: readonly PTx[], chains: readonly PTx[]): Set<string> {
  const named = new Set<string>()
  const add = (addresses: readonly Uint8Array[]): void =>
    addresses.forEach((each) => void named.add(keyOf(each)))
  for (const { unsigned } of validators) {
    if ('rewardsOwner' in unsigned) add(unsigned.rewardsOwner.addresses)
    if ('stake' in unsigned) for (const { output } of unsigned.stake) add(output.owner.addresses)
  }
  for (const { unsigned } of chains) {
    if (unsigned.type !== 'CreateChainTx' || unsigned.fxIds.length === 0) continue
    for (const { transaction } of decodeXGenesis(unsigned.genesis)) {
      if (transaction.unsigned.type !== 'CreateAssetTx') continue
      for (const { outputs } of transaction.unsigned.states)
        for (const { owner } of outputs) add(owner.addresses)
    }
  }
  return named
}
