import { safeText } from '../../charts/safe-text.ts'

export { safeText }

/** A long value as its first eight and last six characters: `0x12345678…abcdef`. The 0x does not count. */
export function shorten(value: string, head = 8, tail = 6): string {
  const prefix = value.startsWith('0x') ? 2 : 0
  return value.length <= prefix + head + tail + 1
    ? value
    : `${value.slice(0, prefix + head)}…${value.slice(-tail)}`
}

/** `1 block`, `2 blocks`. The count is given formatted. */
export function plural(count: number | bigint | string, word: string, many = `${word}s`): string {
  return String(count) === '1' ? word : many
}

/** Text of the service as a sentence: it ends with a mark, which its own may have already. */
export const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

/** A label as a part of a sentence: `Token URI` is `token URI`; an abbreviation keeps its capitals. */
export const inSentence = (label: string): string =>
  /^\p{Lu}[\p{Lu}\d]/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)

/** The name of a method from its signature: `transfer(address,uint256)` is `transfer`. */
export function methodLabel(name: string | undefined, selector: string | undefined): string {
  const bare = name?.split('(')[0]
  if (bare) return safeText(bare, 32)
  return selector && selector !== '0x' ? selector.slice(0, 10) : ''
}

/** The font of a value of any kind: monospaced for hex, ids and JSON, that of the page for words and figures. */
export const faceOf = (text: string): string =>
  /^(0x|NodeID-|[[{"])|^(?=.*[A-Za-z])\w{26,}$/.test(text) ? 'font-mono text-mono' : ''
