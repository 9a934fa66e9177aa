import { z } from 'zod'
import type { PrimaryBlock } from '../../../contract/primary/blocks.ts'
import { nodeAliasOf } from '../../../contract/primary/chains.ts'
import { CodecError } from '../../../protocol/codec/reader.ts'
import {
  addressText,
  cb58,
  fromCheckedHex,
  fromHex,
  idOfText,
  TextFormError,
} from '../../../protocol/ids/text.ts'
import { utxoIdOf } from '../../../protocol/native/hashes.ts'
import { decode } from '../../../protocol/codec/schema.ts'
import {
  type AssetOutput,
  decodeUtxo,
  outputTypeIds,
  pAssetOutput,
  type UtxoReference,
} from '../../../protocol/primary/outputs.ts'
import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import { decodePBlock } from '../../../protocol/primary/p-blocks.ts'
import { decodeXBlock } from '../../../protocol/primary/x-blocks.ts'
import { askFor } from '../../node/ask-for.ts'
import type { NodeClient } from '../../node/client.ts'
import { NodeRefusal, NodeUnavailable } from '../../node/failures.ts'
import type { Nodes } from '../../node/nodes.ts'
import { ifKnown } from '../../node/state.ts'
import type { Queryable } from '../../store/database.ts'
import { primaryChainOf } from '../../primary/chains.ts'
import type { ServedChain, ServedNetwork } from '../../primary/served-network.ts'
import { buckets, type BalanceRow, type Bucket } from '../../store/primary/read-balances.ts'
import { readAssets } from '../../store/primary/read-primary.ts'
import { utxoSides } from '../../store/primary/read-utxos.ts'
import { blockTypeOf } from './block-type.ts'
import { AssetBook, type NetworkView } from './context.ts'
import { amountOf, isNft, type OutputRow } from './utxo-fields.ts'

// What the chains of the primary network are now, from the network's node, while the index is not at its head: blocks, UTXOs
// and balances; network/unindexed.ts has validators, subnets and blockchains. What only history tells is left out.

/** What nodes call the services of the chains in methods. */
const services = { P: 'platform', X: 'avm', C: 'avax' } as const satisfies Record<ChainAlias, string>

/** Decodes what a node gave as bytes. Throws a NodeUnavailable if they are not what was asked for. */
export function decoded<Read>(client: NodeClient, what: string, read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    if (error instanceof CodecError || error instanceof TextFormError)
      throw new NodeUnavailable(client.chainName, 'malformed', `${what}: ${error.message}`)
    throw error
  }
}

/** An answer of the node; undefined if it refuses, which is how it says that it does not have something. */
export async function askKnown<Read>(
  client: NodeClient,
  schema: z.ZodType<Read>,
  method: string,
  params: object,
): Promise<Read | undefined> {
  try {
    return await askFor(client, schema, method, [params])
  } catch (error) {
    if (error instanceof NodeRefusal) return undefined
    throw error
  }
}

/** The view of a network with the id of AVAX, which a network that is not indexed yet has from its node. */
export async function withAvax(nodes: Nodes, view: NetworkView): Promise<NetworkView> {
  if (view.avax) return view
  const client = nodes.ofNetwork(view.network.config, 'P')
  const answer = await askFor(client, z.object({ assetID: z.string() }), 'platform.getStakingAssetID', [{}])
  return answer
    ? { ...view, avax: decoded(client, 'AVAX', () => Buffer.from(idOfText(answer.assetID))) }
    : view
}

const description = z.object({ name: z.string(), symbol: z.string(), denomination: z.coerce.number().int() })

/** The most assets whose names the node is asked for. */
const maxDescribed = 64

/** The names of assets, as `openAssets` has them; the X-Chain of the node has those that the index does not have. */
export async function openCurrentAssets(
  nodes: Nodes,
  database: Queryable,
  view: NetworkView,
  assets: readonly Buffer[],
): Promise<AssetBook> {
  const each = [...new Map(assets.map((asset) => [asset.toString('hex'), asset])).values()]
  const stored = each.length === 0 ? [] : await readAssets(database, each)
  const isKnown = (asset: Buffer): boolean =>
    view.avax?.equals(asset) === true || stored.some((row) => row.asset.equals(asset))
  const client = nodes.ofNetwork(view.network.config, 'X')
  const described = await Promise.all(
    each
      .filter((asset) => !isKnown(asset))
      .slice(0, maxDescribed)
      .map(async (asset) => {
        const params = { assetID: view.texts.id(asset) }
        const told = await ifKnown(askKnown(client, description, 'avm.getAssetDescription', params))
        return told ? [{ asset, ...told, is_nft: false, is_variable: false }] : []
      }),
  )
  return new AssetBook(view, [...stored, ...described.flat()])
}

const blockAnswer = z.object({ block: z.string() })

/**
 * A block of the P- or X-Chain that is not indexed; undefined if the node does not have it, or if its bytes do not tell its
 * time, as those of the P-Chain before Banff. Throws NodeUnavailable.
 */
export async function unindexedPrimaryBlock(
  nodes: Nodes,
  chain: ServedChain,
  view: NetworkView,
  blockId: string,
): Promise<PrimaryBlock | undefined> {
  const { alias } = chain
  // The atomic side of the C-Chain has the blocks of its EVM side, which are answered there.
  if (alias === 'c-chain') return undefined
  const client = nodes.ofNetwork(chain.config, nodeAliasOf[alias])
  const service = services[nodeAliasOf[alias]]
  const isHeight = /^\d{1,16}$/.test(blockId)
  const wanted = blockId.startsWith('0x') ? cb58(fromHex(blockId)) : blockId
  const found = isHeight
    ? await askKnown(client, blockAnswer, `${service}.getBlockByHeight`, { height: wanted, encoding: 'hex' })
    : await askKnown(client, blockAnswer, `${service}.getBlock`, { blockID: wanted, encoding: 'hex' })
  if (!found) return undefined
  const block = decoded(client, 'a block', () => {
    const bytes = fromCheckedHex(found.block)
    if (alias === 'x-chain') return { ...decodeXBlock(bytes), proposal: undefined }
    return decodePBlock(bytes)
  })
  const { texts } = view
  const id = texts.id(block.id)
  if (isHeight ? BigInt(block.height) !== BigInt(wanted) : id !== wanted)
    throw new NodeUnavailable(client.chainName, 'malformed', `it gave another block than ${blockId}`)
  if (block.time === undefined) return undefined
  const transactions = [...block.transactions, ...(block.proposal ? [block.proposal] : [])]
  return {
    blockNumber: String(block.height),
    blockHash: id,
    parentHash: texts.id(block.parentId),
    blockTimestamp: block.time,
    blockType: blockTypeOf(alias, block.typeId),
    txCount: transactions.length,
    transactions: transactions.map((tx) => texts.id(tx.id)),
    blockSizeBytes: block.bytes.length,
    isIndexed: false,
  }
}

/** The most UTXOs that a node gives at once, and how many answers are read at most. */
const utxosAtOnce = 1_024
const maxAnswers = 16

const nodeUtxos = z.object({
  utxos: z.array(z.string()).nullish(),
  endIndex: z.object({ address: z.string(), utxo: z.string() }).optional(),
})

/** A pair of chains: where a UTXO can be spent, and where it was made. */
export type Side = { readonly home: number; readonly chain: number }

/** Where an output is, and by which ids. */
export const placeOf = (side: Side, { txId, outputIndex }: UtxoReference) => ({
  ...side,
  tx_id: Buffer.from(txId),
  output_index: outputIndex,
  utxo_id: Buffer.from(utxoIdOf(txId, outputIndex)),
})

/** The row of an output without its history. */
export function outputRow(
  side: Side,
  { txId, outputIndex, assetId, output }: UtxoReference & AssetOutput,
): OutputRow {
  const owners = output.owner.addresses.map((each) => Buffer.from(each))
  return {
    ...placeOf(side, { txId, outputIndex }),
    asset: Buffer.from(assetId),
    amount: output.type === 'TRANSFER' ? output.amount.toString() : '0',
    type: outputTypeIds[output.type],
    threshold: output.owner.threshold,
    locktime: output.owner.locktime.toString(),
    stakeable_locktime: output.type === 'TRANSFER' ? output.stakeableLocktime.toString() : '0',
    owner: owners[0] ?? null,
    owners: owners.length > 1 ? owners : null,
    group_id: 'groupId' in output ? BigInt(output.groupId) : null,
    payload: 'payload' in output ? Buffer.from(output.payload) : null,
  }
}

const textsOf = ({ config }: ServedNetwork, chainAlias: ChainAlias, addresses: readonly Buffer[]): string[] =>
  addresses.map((each) => `${chainAlias}-${addressText(each, config.prefix)}`)

/** The UTXOs of addresses that were made on one chain and can be spent on another. */
async function utxosOf(
  nodes: Nodes,
  network: ServedNetwork,
  side: Side,
  addresses: readonly Buffer[],
): Promise<OutputRow[]> {
  const home = nodeAliasOf[primaryChainOf(side.home).alias]
  const client = nodes.ofNetwork(network.config, home)
  const found = new Map<string, OutputRow>()
  let startIndex: unknown
  for (let answers = 1; ; answers += 1) {
    const params = {
      addresses: textsOf(network, home, addresses),
      limit: utxosAtOnce,
      encoding: 'hex',
      ...(side.home !== side.chain && { sourceChain: nodeAliasOf[primaryChainOf(side.chain).alias] }),
      ...(startIndex !== undefined && { startIndex }),
    }
    const answer = await askFor(client, nodeUtxos, `${services[home]}.getUTXOs`, [params])
    const page = answer?.utxos ?? []
    for (const text of page) {
      const row = outputRow(
        side,
        decoded(client, 'a UTXO', () => decodeUtxo(fromCheckedHex(text), home)),
      )
      found.set(row.utxo_id.toString('hex'), row)
    }
    if (page.length < utxosAtOnce) return [...found.values()]
    if (answers === maxAnswers)
      throw new NodeUnavailable(client.chainName, 'tooLarge', `more than ${maxAnswers} answers of UTXOs`)
    startIndex = answer?.endIndex
  }
}

/** What the list of a chain's UTXOs consists of; on the C-Chain only what is between it and another one. */
export const sidesOf = (chain: ServedChain): Side[] =>
  utxoSides(chain.key, [chain.p, chain.x, chain.c]).filter(
    (side) => chain.alias !== 'c-chain' || side.home !== side.chain,
  )

/** The UTXOs of addresses on, to and from a chain now, stakes left out, by their ids. Throws NodeUnavailable. */
export async function currentUtxos(
  nodes: Nodes,
  chain: ServedChain,
  addresses: readonly Buffer[],
): Promise<OutputRow[]> {
  const rows = await Promise.all(sidesOf(chain).map((side) => utxosOf(nodes, chain, side, addresses)))
  return rows.flat().toSorted((left, right) => Buffer.compare(left.utxo_id, right.utxo_id))
}

const nodeStake = z.object({ stakedOutputs: z.array(z.string()).nullish() })

/** What addresses stake on the P-Chain now, as rows without ids. */
async function currentStakes(
  nodes: Nodes,
  network: ServedNetwork,
  addresses: readonly Buffer[],
): Promise<OutputRow[]> {
  const client = nodes.ofNetwork(network.config, 'P')
  const params = { addresses: textsOf(network, 'P', addresses), encoding: 'hex' }
  const answer = await askFor(client, nodeStake, 'platform.getStake', [params])
  const nowhere = { txId: new Uint8Array(32), outputIndex: 0 }
  return (answer?.stakedOutputs ?? []).map((text) => {
    // An output with the codec version.
    const output = decoded(client, 'a stake', () => decode(pAssetOutput, fromCheckedHex(text)))
    return outputRow({ home: network.p, chain: network.p }, { ...nowhere, ...output })
  })
}

/** The balances of addresses on a chain at a time that is now, in Unix seconds. Throws NodeUnavailable. */
export async function currentBalances(
  nodes: Nodes,
  chain: ServedChain,
  addresses: readonly Buffer[],
  now: number,
): Promise<BalanceRow[]> {
  const [utxos, stakes] = await Promise.all([
    currentUtxos(nodes, chain, addresses),
    chain.alias === 'p-chain' ? currentStakes(nodes, chain, addresses) : [],
  ])
  const isLocked = (row: OutputRow): boolean => BigInt(row.locktime) > BigInt(now)
  const isStakeLocked = (row: OutputRow): boolean =>
    isLocked(row) || BigInt(row.stakeable_locktime) > BigInt(now)
  const bucketOf = (row: OutputRow): Bucket => {
    if (row.home !== row.chain) return isLocked(row) ? 'atomicLocked' : 'atomicUnlocked'
    if (isLocked(row)) return 'lockedPlatform'
    return isStakeLocked(row) ? 'lockedStakeable' : 'unlockedUnstaked'
  }
  const sums = new Map<string, BalanceRow>()
  const add = (row: OutputRow, bucket: Bucket): void => {
    const key = [bucket, row.home, row.chain, row.asset.toString('hex'), isNft(row)].join(' ')
    const sum = sums.get(key)
    sums.set(key, {
      bucket: buckets.indexOf(bucket),
      home: row.home,
      chain: row.chain,
      asset: row.asset,
      is_nft: isNft(row),
      amount: (BigInt(sum?.amount ?? 0) + amountOf(row)).toString(),
      utxo_count: (sum?.utxo_count ?? 0n) + 1n,
    })
  }
  // As in the index, only amounts and NFTs are a balance.
  for (const row of utxos.filter((each) => isNft(each) || each.type === outputTypeIds.TRANSFER))
    add(row, bucketOf(row))
  for (const row of stakes) add(row, isStakeLocked(row) ? 'lockedStaked' : 'unlockedStaked')
  return [...sums.values()]
}
