import { bloomOfReceipts, type Bloom } from './bloom.ts'
import { hex, integer, object, quantity, refuse, type JsonObject } from '../../../kernel/json.ts'
import { encodeReceipts } from './roots.ts'

/**
 * The settlement part of the header of a block that was accepted before it was executed (ACP-194). Its
 * receipts root and bloom cover not its own receipts but those of all blocks that it settles: the blocks
 * above its parent's settled height, up to its own. Blocks from before that rule settle themselves.
 */
export type Settlement = {
  /** The highest settled block. */
  readonly height: number
  readonly receiptsRoot: string
  readonly logsBloom: string
  /** The block's own receipts, which a later block settles, and their total gas. */
  readonly receipts: BlockReceipts
  readonly gasUsed: number
}

/** The contribution of one block's receipts to the root and the bloom of the block that settles it. */
export type BlockReceipts = {
  /** Undefined if a receipt has an unknown type; then only the bloom is checked. */
  readonly encoded: readonly Uint8Array[] | undefined
  readonly bloom: Bloom
  /** Size in memory, in bytes. */
  readonly size: number
}

/** A chain settles within seconds, so a larger number of unsettled blocks must be an error. */
const maxUnsettled = 10_000
const settledFields = ['settledHeight', 'settledGasUnix', 'settledGasNumerator', 'settledExcess'] as const

type Parts = {
  header: JsonObject
  transactions: readonly JsonObject[]
  receipts: readonly JsonObject[]
}

/**
 * The settlement of a C-Chain block and its own receipts; undefined if its header has no settlement fields.
 * Throws a refusal if the receipts cannot belong to the block: a wrong type, gas that does not add up or
 * exceeds a limit, or a price above a transaction's maximum.
 */
export function readSettlement(number: number, parts: Parts): Settlement | undefined {
  const { header, receipts } = parts
  const height = readSettledHeight(number, header)
  if (height === undefined) return undefined
  return {
    height,
    receiptsRoot: hex(header['receiptsRoot'], 'the receipts root', 32),
    logsBloom: hex(header['logsBloom'], 'the bloom', 256),
    receipts: toBlockReceipts(receipts),
    gasUsed: checkPossible(number, parts),
  }
}

/**
 * Gas used by the block's transactions. The header only has the sum of their limits and the gas of atomic
 * transactions.
 */
function checkPossible(number: number, { header, transactions, receipts }: Parts): number {
  let total = 0
  for (const [index, receipt] of receipts.entries()) {
    const name = `block ${number}: receipt ${index}`
    const transaction = object(transactions[index], 'a transaction')
    if (receipt['type'] !== transaction['type']) throw refuse(`${name} has another type than its transaction`)
    const used = integer(receipt['gasUsed'], 'gas used')
    total += used
    if (integer(receipt['cumulativeGasUsed'], 'cumulative gas used') !== total) {
      throw refuse(`${name} has gas that does not add up`)
    }
    if (used > integer(transaction['gas'], 'a gas limit')) throw refuse(`${name} used more than its limit`)
    const offered = quantity(transaction['maxFeePerGas'] ?? transaction['gasPrice'], 'a gas price')
    if (quantity(receipt['effectiveGasPrice'], 'a gas price') > offered) {
      throw refuse(`${name} paid more than its transaction offers`)
    }
  }
  if (total > integer(header['gasUsed'], 'the gas used')) {
    throw refuse(`block ${number}: its receipts used more gas than its header allows for`)
  }
  return total
}

/** The height up to which a C-Chain block settles; undefined if its header has no settlement fields. */
export function readSettledHeight(number: number, header: JsonObject): number | undefined {
  // No other header format hashes these fields, so there they would prove nothing.
  if (header['extDataHash'] === undefined || header['settledHeight'] === undefined) return undefined
  // A genesis block may also have them, all zero: it settles itself.
  if (settledFields.every((name) => integer(header[name], name) === 0)) return undefined
  const height = integer(header['settledHeight'], 'the settled height')
  if (height >= number || number - height > maxUnsettled) {
    throw refuse(`block ${number}: it can't be that it settles block ${height}`)
  }
  return height
}

/** The encoding and the bloom of receipts, which must at least have the hashed fields. */
export function toBlockReceipts(receipts: readonly JsonObject[]): BlockReceipts {
  const encoded = encodeReceipts(receipts)
  const bloom = bloomOfReceipts(receipts)
  const size = (encoded ?? []).reduce((sum, { length }) => sum + length, bloom.length)
  return { encoded, bloom, size }
}
