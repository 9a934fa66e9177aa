import { Refusal, rpcCodes } from './errors.ts'

/** Methods whose first parameter is a filter with a range of blocks. */
export const rangedMethods: ReadonlySet<string> = new Set(['eth_getLogs', 'eth_newFilter'])

// Nodes match field names case-insensitively, so any other spelling is refused: it could hide a range.
const fields: ReadonlySet<string> = new Set(['address', 'blockHash', 'fromBlock', 'toBlock', 'topics'])
const heads: ReadonlySet<string> = new Set(['accepted', 'finalized', 'latest', 'pending', 'safe'])

/**
 * Throws a Refusal for a filter that spans more than `max` blocks, both ends counted. `head` returns the
 * node's height; it is called only when the filter's own numbers do not decide.
 */
export async function checkLogRange(
  params: unknown,
  max: number,
  head: () => Promise<bigint>,
): Promise<void> {
  const filter: unknown = Array.isArray(params) ? params[0] : undefined
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) {
    throw invalid('the first parameter must be a filter')
  }
  const unknownField = Object.keys(filter).find((key) => !fields.has(key))
  if (unknownField !== undefined) throw invalid(`unknown field ${unknownField.slice(0, 64)} of the filter`)
  const { blockHash, fromBlock, toBlock } = filter as Record<string, unknown>
  // A hash means one block; the node refuses a hash together with a range.
  if (blockHash !== undefined && blockHash !== null && fromBlock == null && toBlock == null) return
  const from = readBound(fromBlock, 'fromBlock')
  const to = readBound(toBlock, 'toBlock')
  if (from === to) return
  if (typeof from === 'bigint' && typeof to === 'bigint' && to - from < BigInt(max)) return
  const height = await head()
  const resolve = (bound: bigint | 'head'): bigint => (bound === 'head' || bound > height ? height : bound)
  const [begin, end] = [resolve(from), resolve(to)]
  if (end - begin < BigInt(max)) return
  throw new Refusal(
    rpcCodes.general,
    `requested too many blocks from ${begin} to ${end}, maximum is set to ${max}`,
  )
}

function readBound(value: unknown, field: string): bigint | 'head' {
  if (value === undefined || value === null) return 'head'
  if (value === 'earliest') return 0n
  if (typeof value === 'string' && heads.has(value)) return 'head'
  if (typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value)) return BigInt(value)
  throw invalid(`${field} must be a block number in hex or a tag`)
}

function invalid(detail: string): Refusal {
  return new Refusal(rpcCodes.invalidParams, `invalid argument 0: ${detail}`)
}
