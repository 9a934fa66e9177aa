const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const digits = new Map([...alphabet].map((letter, digit) => [letter.charCodeAt(0), digit]))
/** Base 58 is written five digits at a time: a number below 58⁵, times 2¹⁶, is still exact. */
const group = 5
const groupValue = 58 ** group
/** It is read four digits at a time into words of 24 bits: a word times 58⁴ is still exact. */
const readGroup = 4
const wordBits = 24
const word = 2 ** wordBits

/** Multiplies a number, least significant limb first, by `factor`, and adds `addend`. */
function multiplyAdd(limbs: number[], base: number, factor: number, addend: number): void {
  let carry = addend
  for (let at = 0; at < limbs.length; at += 1) {
    const value = (limbs[at] ?? 0) * factor + carry
    carry = Math.floor(value / base)
    limbs[at] = value - carry * base
  }
  if (carry > 0) limbs.push(carry)
}

/**
 * Encodes bytes in base 58. Ids are in every answer and every index container: processing groups of digits takes
 * a fifth of the time of the general library, which works digit by digit and is the reference in tests.
 */
export function encodeBase58(bytes: Uint8Array): string {
  let zeros = 0
  while (bytes[zeros] === 0) zeros += 1
  const limbs: number[] = []
  for (let at = zeros - ((bytes.length - zeros) % 2); at < bytes.length; at += 2)
    multiplyAdd(limbs, groupValue, 0x1_00_00, (at < zeros ? 0 : (bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0))
  let text = ''
  for (const [at, limb] of limbs.entries()) {
    let letters = ''
    for (let part = limb; part > 0; part = Math.floor(part / 58))
      letters = alphabet.charAt(part % 58) + letters
    text = (at < limbs.length - 1 ? letters.padStart(group, '1') : letters) + text
  }
  return '1'.repeat(zeros) + text
}

/** The bytes of a text in base 58; undefined if it contains another character. */
export function decodeBase58(text: string): Uint8Array | undefined {
  let zeros = 0
  while (text[zeros] === '1') zeros += 1
  const words: number[] = []
  for (let at = 0; at < text.length;) {
    const end = Math.min(at + readGroup, text.length)
    let part = 0
    let factor = 1
    for (; at < end; at += 1) {
      const digit = digits.get(text.charCodeAt(at))
      if (digit === undefined) return undefined
      part = part * 58 + digit
      factor *= 58
    }
    multiplyAdd(words, word, factor, part)
  }
  const top = words.at(-1) ?? 0
  const size = words.length * 3 - (top === 0 ? 0 : top < 0x1_00 ? 2 : top < 0x1_00_00 ? 1 : 0)
  const bytes = new Uint8Array(zeros + size)
  for (let index = 0; index < size; index += 1)
    bytes[bytes.length - 1 - index] = (words[Math.floor(index / 3)] ?? 0) >>> (8 * (index % 3))
  return bytes
}

/** Whether a character is a digit of base 58. */
export const isBase58Digit = (letter: string): boolean => letter.length === 1 && alphabet.includes(letter)

/** The number that base-58 digits represent, leading ones being zeros. */
export const valueOfBase58 = (text: string): bigint =>
  [...text].reduce((value, letter) => value * 58n + BigInt(alphabet.indexOf(letter)), 0n)
