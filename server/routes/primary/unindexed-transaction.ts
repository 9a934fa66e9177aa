import { z } from 'zod'
import { nodeAliasOf, type PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { decodeAtomicTx } from '../../../protocol/primary/atomic.ts'
import { cb58, fromCheckedHex } from '../../../protocol/ids/text.ts'
import {
  type AssetInput,
  type AssetOutput,
  decodeUtxo,
  outputTypeIds,
  type UtxoReference,
} from '../../../protocol/primary/outputs.ts'
import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import { decodePTx } from '../../../protocol/primary/p-transactions.ts'
import { decodeXTx, operationOutputs } from '../../../protocol/primary/x-transactions.ts'
import type { Nodes } from '../../node/nodes.ts'
import { primaryChainKey } from '../../primary/chains.ts'
import type { ServedChain, ServedNetwork } from '../../primary/served-network.ts'
import type { NetworkView } from './context.ts'
import type { StakedOutput, UnindexedTx } from './transaction-fields.ts'
import { askKnown, decoded, outputRow, placeOf, type Side } from './unindexed.ts'

// A transaction of the P-, X- or C-Chain that is not indexed, as the network's node has it: what it spends and makes by its
// own bytes. The indexer applies the same (server/indexer/primary/p-effects.ts, x-effects.ts), with what follows from
// history; scripts/public-network.long.test.ts compares the two.

type Made = AssetOutput & { readonly destination?: Uint8Array; readonly staked?: true }
/** An input of an operation has neither asset nor amount. */
type Spent = (AssetInput | UtxoReference) & { readonly source?: Uint8Array }

type Flow = {
  readonly id: Uint8Array
  readonly typeId: number
  /** In the order of their indices. */
  readonly made: readonly Made[]
  readonly spent: readonly Spent[]
}

const exported = (outputs: readonly AssetOutput[], destination: Uint8Array): Made[] =>
  outputs.map((each) => ({ ...each, destination }))
const imported = (inputs: readonly AssetInput[], source: Uint8Array): Spent[] =>
  inputs.map((each) => ({ ...each, source }))

function pFlow(bytes: Uint8Array): Flow {
  const { id, typeId, unsigned } = decodePTx(bytes)
  if (!('base' in unsigned)) return { id, typeId, made: [], spent: [] }
  const { inputs, outputs } = unsigned.base
  return {
    id,
    typeId,
    made: [
      ...outputs,
      ...(unsigned.type === 'ExportTx' ? exported(unsigned.exportedOutputs, unsigned.destinationChain) : []),
      ...('stake' in unsigned ? unsigned.stake.map((each) => ({ ...each, staked: true as const })) : []),
    ],
    spent: [
      ...inputs,
      ...(unsigned.type === 'ImportTx' ? imported(unsigned.importedInputs, unsigned.sourceChain) : []),
    ],
  }
}

function xFlow(bytes: Uint8Array): Flow {
  const { id, typeId, unsigned } = decodeXTx(bytes)
  if (unsigned.type === 'UNKNOWN') return { id, typeId, made: [], spent: [] }
  const made: Made[] = [...unsigned.base.outputs]
  const spent: Spent[] = [...unsigned.base.inputs]
  if (unsigned.type === 'CreateAssetTx')
    for (const { outputs } of unsigned.states)
      made.push(...outputs.map((output) => ({ assetId: id, output })))
  if (unsigned.type === 'OperationTx')
    for (const { assetId, references, operation } of unsigned.operations) {
      spent.push(...references)
      made.push(...operationOutputs(operation).map((output) => ({ assetId, output })))
    }
  if (unsigned.type === 'ImportTx') spent.push(...imported(unsigned.importedInputs, unsigned.sourceChain))
  if (unsigned.type === 'ExportTx')
    made.push(...exported(unsigned.exportedOutputs, unsigned.destinationChain))
  return { id, typeId, made, spent }
}

function cFlow(bytes: Uint8Array): Flow {
  const { id, typeId, unsigned } = decodeAtomicTx(bytes)
  return unsigned.type === 'ImportTx'
    ? { id, typeId, made: [], spent: imported(unsigned.importedInputs, unsigned.sourceChain) }
    : { id, typeId, made: exported(unsigned.exportedOutputs, unsigned.destinationChain), spent: [] }
}

const flows = { P: pFlow, X: xFlow, C: cFlow } as const
const methods = { P: 'platform.getTx', X: 'avm.getTx', C: 'avax.getAtomicTx' } as const

type NodeTx = Flow & { readonly bytes: Uint8Array }

/** A transaction of the node by its id; undefined if it does not have it. */
async function txOf(
  nodes: Nodes,
  network: ServedNetwork,
  chainAlias: ChainAlias,
  id: string,
): Promise<NodeTx | undefined> {
  const client = nodes.ofNetwork(network.config, chainAlias)
  const params = { txID: id, encoding: 'hex' }
  const found = await askKnown(client, z.object({ tx: z.string() }), methods[chainAlias], params)
  if (!found) return undefined
  return decoded(client, 'a transaction', () => {
    // Stored without the codec version.
    const bytes = fromCheckedHex(found.tx).subarray(2)
    return { bytes, ...flows[chainAlias](bytes) }
  })
}

/** Whether the network's node has a transaction of a chain. Throws NodeUnavailable. */
export const hasTransaction = async (nodes: Nodes, chain: ServedChain, id: string): Promise<boolean> =>
  (await txOf(nodes, chain, nodeAliasOf[chain.alias], id)) !== undefined

/** The most transactions that are asked for, for what one spends. */
const maxSources = 64

/** The outputs of a transaction by their indices, with those that the end of a stake made. */
async function outputsOf(
  nodes: Nodes,
  network: ServedNetwork,
  chainAlias: ChainAlias,
  id: string,
): Promise<ReadonlyMap<number, AssetOutput>> {
  const tx = await txOf(nodes, network, chainAlias, id)
  const outputs = new Map<number, AssetOutput>(tx?.made.entries())
  if (chainAlias !== 'P' || tx?.made.every(({ staked }) => !staked) !== false) return outputs
  const client = nodes.ofNetwork(network.config, 'P')
  const schema = z.object({ utxos: z.array(z.string()).nullish() })
  const paid = await askKnown(client, schema, 'platform.getRewardUTXOs', { txID: id, encoding: 'hex' })
  for (const text of paid?.utxos ?? []) {
    const utxo = decoded(client, 'a reward', () => decodeUtxo(fromCheckedHex(text), 'P'))
    outputs.set(utxo.outputIndex, utxo)
  }
  return outputs
}

/** What an input says of the output that it spends: not its owners. */
function bareRow(side: Side, spent: Spent): StakedOutput {
  const { assetId = new Uint8Array(32), amount = 0n, stakeableLocktime = 0n } = spent as Partial<AssetInput>
  return {
    ...placeOf(side, spent),
    asset: Buffer.from(assetId),
    amount: amount.toString(),
    type: outputTypeIds.TRANSFER,
    threshold: 0,
    locktime: '0',
    stakeable_locktime: stakeableLocktime.toString(),
    owner: null,
    owners: null,
    group_id: null,
    payload: null,
    staked_from: null,
  }
}

/**
 * A transaction that is not indexed, from the network's node; undefined if that does not have it. The owners of what it
 * spends are those of the outputs, which the node is asked for. Throws NodeUnavailable.
 */
export async function unindexedPrimaryTransaction(
  nodes: Nodes,
  chain: ServedChain,
  view: NetworkView,
  txHash: string,
): Promise<UnindexedTx | undefined> {
  const tx = await txOf(nodes, chain, nodeAliasOf[chain.alias], txHash)
  if (!tx) return undefined
  const aliasOf = (blockchainId: Uint8Array | undefined): PrimaryChainAlias =>
    (blockchainId && view.aliasOf(blockchainId)) ?? chain.alias
  const keyOf = (blockchainId: Uint8Array | undefined): number =>
    primaryChainKey(chain.id, aliasOf(blockchainId))
  const emitted = tx.made.map((made, outputIndex): StakedOutput => {
    const side = { home: keyOf(made.destination), chain: chain.key }
    return {
      ...outputRow(side, { ...made, txId: tx.id, outputIndex }),
      staked_from: made.staked ? 0n : null,
    }
  })
  const sources = new Map<string, ReturnType<typeof outputsOf>>()
  const consumed = tx.spent.map(async (spent): Promise<StakedOutput> => {
    const side = { home: chain.key, chain: keyOf(spent.source) }
    const source = nodeAliasOf[aliasOf(spent.source)]
    const { txId, outputIndex } = spent
    const id = cb58(txId)
    const key = `${source} ${id}`
    if (!sources.has(key) && sources.size < maxSources) sources.set(key, outputsOf(nodes, chain, source, id))
    const output = (await sources.get(key))?.get(outputIndex)
    if (!output) return bareRow(side, spent)
    return { ...outputRow(side, { ...output, txId, outputIndex }), staked_from: null }
  })
  return {
    id: Buffer.from(tx.id),
    type: tx.typeId,
    bytes: Buffer.from(tx.bytes),
    emitted,
    consumed: await Promise.all(consumed),
  }
}
