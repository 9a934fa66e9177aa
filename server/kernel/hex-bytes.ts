const invalid = -1
/** The values of a hex digit as the first and the second of a byte; negative for other characters. */
const first = new Int16Array(256).fill(invalid)
const second = new Int16Array(256).fill(invalid)
for (let value = 0; value < 16; value += 1) {
  for (const digit of [value.toString(16), value.toString(16).toUpperCase()]) {
    first[digit.charCodeAt(0)] = value << 4
    second[digit.charCodeAt(0)] = value
  }
}

/**
 * Length in characters from which the platform's decoder is faster, despite the call and the copy of the
 * text.
 */
const long = 256

/**
 * Writes the bytes of 0x text (digits in either case) and returns whether it was valid hex; if not, the
 * written bytes are unspecified. Blocks consist mostly of addresses and words, for which a native call and
 * its copy of the text cost more than reading the digits.
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
