const invalid = -1
/** What a hex digit is worth as the first and as the second of a byte; below zero when it is none. */
const first = new Int16Array(256).fill(invalid)
const second = new Int16Array(256).fill(invalid)
for (let value = 0; value < 16; value += 1) {
  for (const digit of [value.toString(16), value.toString(16).toUpperCase()]) {
    first[digit.charCodeAt(0)] = value << 4
    second[digit.charCodeAt(0)] = value
  }
}

/** Characters from which on the platform's own decoder is worth its call and the copy of the text. */
const long = 256

/**
 * Writes the bytes of 0x text, digits of either case, and says whether it was hex throughout: when it was not,
 * what was written is undefined. A block is mostly addresses and words: for texts that short a call into
 * the platform, and the copy of the text that it wants, cost more than reading the digits.
 */
export function writeHex(bytes: Buffer, text: string, at: number): boolean {
  const { length } = text
  if (length % 2 !== 0) return false
  if (length > long) return bytes.write(text.slice(2), at, 'hex') === length / 2 - 1
  let all = 0
  for (let from = 2, to = at; from < length; from += 2, to += 1) {
    const high = text.charCodeAt(from)
    const low = text.charCodeAt(from + 1)
    const value = (first[high] ?? invalid) | (second[low] ?? invalid)
    all |= value
    bytes[to] = value
  }
  return all >= 0
}
