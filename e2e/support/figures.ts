/*
 * A second implementation of the pages' number formats: the dashboard groups with a pattern and rounds integers,
 * these
 * functions use the platform's own formatter.
 */
/** A whole number with thousands separators. */
export const integer = (value: bigint | number | string): string => BigInt(value).toLocaleString('en-US')

/** The exact decimal text of an amount in the smallest unit, without separators. */
export function plain(raw: bigint, decimals: number): string {
  const digits = raw.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** The exact decimal text of an amount in the smallest unit, with separators. */
export function exact(raw: bigint, decimals: number): string {
  const [whole = '0', fraction] = plain(raw, decimals).split('.')
  return fraction === undefined ? integer(whole) : `${integer(whole)}.${fraction}`
}

/** A hash or address as its first eight and last six digits. */
export const short = (value: string): string => `${value.slice(0, 10)}…${value.slice(-6)}`

/** Unix seconds as `2025-11-03 14:05:06 UTC`. */
export const utc = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** The rows of a CSV text (RFC 4180), without its heading line. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [[]]
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy
  for (let match = cells.exec(text); match !== null && match[0] !== ''; match = cells.exec(text)) {
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] !== ',' && cells.lastIndex < text.length) rows.push([])
  }
  return rows.slice(1)
}
