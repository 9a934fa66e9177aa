/** The longest text decoded from a contract's answer, in bytes; the store's limits are far lower. */
const longestText = 4_096

/** The bytes of an `eth_call` result; undefined if it is not hex text. */
export function bytesOfAnswer(result: unknown): Buffer | undefined {
  if (typeof result !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(result)) return undefined
  return Buffer.from(result.slice(2), 'hex')
}

/**
 * Decodes a text returned by a contract: an ABI string, or zero-padded bytes32 as returned by old tokens.
 * Invalid UTF-8 becomes U+FFFD. Undefined for an answer that is neither. Reads at most `longest` bytes.
 */
export function readText(answer: Buffer, longest = longestText): string | undefined {
  const text = readString(answer)
  if (text) return text.subarray(0, longest).toString('utf8')
  if (answer.length !== 32) return undefined
  const end = answer.indexOf(0)
  // Only zero padding may follow the text.
  if (end !== -1 && answer.subarray(end).some((byte) => byte !== 0)) return undefined
  return answer.subarray(0, end === -1 ? 32 : end).toString('utf8')
}

/** The bytes of an ABI string; undefined unless offset and length lie within the answer. */
function readString(answer: Buffer): Buffer | undefined {
  const offset = readSize(answer, 0)
  if (offset === undefined) return undefined
  const length = readSize(answer, offset)
  if (length === undefined || offset + 32 + length > answer.length) return undefined
  return answer.subarray(offset + 32, offset + 32 + length)
}

/** A word that is small enough for a size or offset. */
function readSize(answer: Buffer, at: number): number | undefined {
  const word = readWord(answer, at)
  return word !== undefined && word <= 0x7fff_ffffn ? Number(word) : undefined
}

/** The uint256 at an offset; undefined if the answer is too short. */
export function readWord(answer: Buffer, at = 0): bigint | undefined {
  if (answer.length < at + 32) return undefined
  return BigInt(`0x${answer.subarray(at, at + 32).toString('hex')}`)
}

/** A uint8 such as decimals(); undefined for anything above 255. */
export function readSmall(answer: Buffer): number | undefined {
  const word = readWord(answer)
  return word !== undefined && word <= 255n ? Number(word) : undefined
}

/** A bool; undefined for a word that is neither 0 nor 1. */
export function readFlag(answer: Buffer): boolean | undefined {
  const word = readWord(answer)
  return word === 0n || word === 1n ? word === 1n : undefined
}
