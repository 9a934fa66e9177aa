import { envelopeOf, shortQuantity } from '../indexer/evm/envelope.ts'
import { sameBloom, unionOfBlooms } from '../indexer/evm/verify/bloom.ts'
import { bytesOfHex } from '../indexer/evm/verify/rlp.ts'
import { hex, integer, quantity, type JsonObject } from '../kernel/json.ts'

/**
 * What a block's hash commits to beyond the typed columns. Nodes present some of it in several ways (a field
 * that is null or absent, `v` beside `yParity`, hex with or without leading zeros); it is stored in one form,
 * so that the files do not depend on the node.
 */

/** Header fields with a column of their own, and fields that no hash covers. */
const columnFields = new Set([
  'number',
  'timestamp',
  'hash',
  'parentHash',
  'miner',
  'gasLimit',
  'baseFeePerGas',
  'blockGasCost',
  'difficulty',
  'size',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'extraData',
  'nonce',
  'blockExtraData',
  'transactions',
  'withdrawals',
  'uncles',
  'totalDifficulty',
])

/**
 * The remaining header fields as JSON. `gasUsed` and `logsBloom` are left out where they follow from the
 * receipts, which is everywhere but in blocks that were accepted before they were executed.
 */
export function headerOf(header: JsonObject, receipts: readonly JsonObject[], gasUsed: number): string {
  const fields = Object.entries(header).filter(
    ([name, value]) => !columnFields.has(name) && value !== null && value !== undefined,
  )
  const rest = fields.filter(([name, value]) => {
    if (name === 'gasUsed') return integer(value, 'the gas used') !== gasUsed
    return name !== 'logsBloom' || !isBloomOf(receipts, value)
  })
  return sortedJson(Object.fromEntries(rest))
}

/** Whether a header's bloom is the union of the blooms of its receipts, which their root covers. */
function isBloomOf(receipts: readonly JsonObject[], bloom: unknown): boolean {
  const blooms = receipts.map(({ logsBloom }) => bytesOfHex(hex(logsBloom, 'a bloom', 256)))
  return sameBloom(unionOfBlooms(blooms), hex(bloom, 'the bloom', 256))
}

/** `v` (the y parity of a typed transaction), `r` and `s`; undefined where the node does not list them. */
export function signatureOf(transaction: JsonObject): (string | undefined)[] {
  const isLegacy = Number(transaction['type'] ?? 0) === 0
  const v = isLegacy ? transaction['v'] : (transaction['yParity'] ?? transaction['v'])
  return [
    v === undefined || v === null ? undefined : quantity(v, 'a signature').toString(),
    ...[transaction['r'], transaction['s']].map((part) =>
      typeof part === 'string'
        ? `0x${quantity(part, 'a signature').toString(16).padStart(64, '0')}`
        : undefined,
    ),
  ]
}

/** The fields that few transactions have, as JSON; undefined if there are none. */
export function extraOf(chain: number, transaction: JsonObject, receipt: JsonObject): string | undefined {
  const type = Number(transaction['type'] ?? 0)
  const extra = envelopeOf(transaction)
  const { chainId, gasPrice } = transaction
  if (type > 0 && typeof chainId === 'string' && integer(chainId, 'a chain id') !== chain)
    extra['chainId'] = shortQuantity(chainId)
  if (type < 2 && shortQuantity(gasPrice) !== shortQuantity(receipt['effectiveGasPrice'] ?? gasPrice))
    extra['gasPrice'] = shortQuantity(gasPrice)
  // Receipts from before Byzantium have a state root instead of a status.
  if (receipt['status'] === undefined && typeof receipt['root'] === 'string') extra['root'] = receipt['root']
  return Object.keys(extra).length === 0 ? undefined : sortedJson(extra)
}

/** JSON with the keys of the outer object in order. */
const sortedJson = (fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  )
