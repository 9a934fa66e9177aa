import { type Hex, fromRlp, keccak256, toRlp } from 'viem'
import { MethodError } from './local.ts'

/** The number of header members that every block has. */
const minHeader = 15

/** Why bytes are not a block, in the words of Go's RLP decoder; undefined when they may be one. */
function blockFault(bytes: Hex): string | undefined {
  const first = Number.parseInt(bytes.slice(2, 4), 16)
  if (Number.isNaN(first)) return 'EOF'
  if (first < 0xc0) return 'rlp: expected List'
  const longBy = Math.max(0, first - 0xf7)
  const length = longBy === 0 ? first - 0xc0 : Number.parseInt(bytes.slice(4, 4 + 2 * longBy), 16)
  const there = (bytes.length - 4) / 2 - longBy
  if (!(length <= there)) return 'rlp: value size exceeds available input length'
  if (length === 0) return 'rlp: end of list'
  return length < there ? 'rlp: input contains more than one value' : undefined
}

/** The hash of the block with these bytes. Throws `MethodError` with the node's message when they are not a block. */
export function hashOfBlock(bytes: Hex): Hex {
  const undecodable = (why: string): MethodError => new MethodError(`could not decode block: ${why}`)
  const fault = blockFault(bytes)
  if (fault !== undefined) throw undecodable(fault)
  let header: unknown
  try {
    ;[header] = fromRlp(bytes, 'hex') as readonly unknown[]
  } catch {
    throw undecodable('rlp: element is larger than containing list')
  }
  if (!Array.isArray(header)) throw undecodable('rlp: expected List')
  if (header.length < minHeader) {
    throw undecodable('rlp: too few elements for customtypes.HeaderSerializable')
  }
  return keccak256(toRlp(header as Hex[]))
}
