import { bloomOfReceipts, type Bloom } from './bloom.ts'
import { hex, integer, object, quantity, refuse, type JsonObject } from '../../../kernel/json.ts'
import { encodeReceipts } from './roots.ts'

/**
 * What the header of a block says that was accepted before it was executed (ACP-194). Its receipts root and
 * its bloom are not those of its own receipts, but of all blocks that it settles: those above the height that
 * its parent names, up to its own. Blocks from before that rule settle themselves.
 */
export type Settlement = {
  /** The highest block that is settled. */
  readonly height: number
  readonly receiptsRoot: string
  readonly logsBloom: string
  /** The block's own receipts, which a later block settles, and the gas that they come to. */
  readonly receipts: BlockReceipts
  readonly gasUsed: number
}

/** What the receipts of one block add to the root and the bloom of the block that settles it. */
export type BlockReceipts = {
  /** Undefined when one of them has a type that we can't encode: then the bloom alone is checked. */
  readonly encoded: readonly Uint8Array[] | undefined
  readonly bloom: Bloom
  /** Bytes in memory. */
  readonly size: number
}

/** A chain settles within seconds; more unsettled blocks than these are no such chain. */
const mostUnsettled = 10_000
const settledFields = ['settledHeight', 'settledGasUnix', 'settledGasNumerator', 'settledExcess'] as const

type Parts = {
  header: JsonObject
  transactions: readonly JsonObject[]
  receipts: readonly JsonObject[]
}

/**
 * What a C-chain block settles, and its own receipts; undefined when its header says nothing of that. Throws a
 * refusal when the receipts can't be those of the block: another type, gas that does not add up or is more than
 * a limit, a price above what a transaction offers.
 */
export function readSettlement(number: number, parts: Parts): Settlement | undefined {
  const { header, receipts } = parts
  // No other header is hashed with these fields: there they would prove nothing.
  if (header['extDataHash'] === undefined || header['settledHeight'] === undefined) return undefined
  // A genesis block may have them too, but all zero: it settles itself.
  if (settledFields.every((name) => integer(header[name], name) === 0)) return undefined
  const height = integer(header['settledHeight'], 'the settled height')
  if (height >= number || number - height > mostUnsettled) {
    throw refuse(`block ${number}: it can't be that it settles block ${height}`)
  }
  return {
    height,
    receiptsRoot: hex(header['receiptsRoot'], 'the receipts root', 32),
    logsBloom: hex(header['logsBloom'], 'the bloom', 256),
    receipts: toBlockReceipts(receipts),
    gasUsed: checkPossible(number, parts),
  }
}

/** What the transactions of a block used. The header has the sum of their limits, and of the gas of atomic ones. */
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

/** What receipts add to a root and a bloom; they have what is hashed of a receipt at least. */
export function toBlockReceipts(receipts: readonly JsonObject[]): BlockReceipts {
  const encoded = encodeReceipts(receipts)
  const bloom = bloomOfReceipts(receipts)
  const size = (encoded ?? []).reduce((sum, { length }) => sum + length, bloom.length)
  return { encoded, bloom, size }
}
