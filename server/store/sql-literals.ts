// Lists are bound as one PostgreSQL array literal instead of a parameter for each item, so that a statement stays the
// same for any number of them. Statements cast them: `$1::text::bytea[]`.

/** A list of integers. */
export function numberList(items: readonly (number | bigint)[]): string {
  return `{${items.join(',')}}`
}

/**
 * A list of bytes. If the planner may scan the whole table, for example without statistics, use
 * `in (select unnest(…))`: with `= any(…)` the cast is evaluated for every row.
 */
export function bytesList(items: readonly Uint8Array[]): string {
  return byteaList(items.map((item) => `0x${Buffer.from(item).toString('hex')}`))
}

/**
 * A list of bytes to find rows by: each once, because a join with a list that repeats a key repeats its rows. Lists that
 * stand side by side, or whose places count, are `bytesList`.
 */
export function keyList(keys: readonly Uint8Array[]): string {
  return byteaList([...new Set(keys.map((key) => `0x${Buffer.from(key).toString('hex')}`))])
}

/** Two lists side by side to find rows by pairs of keys: each pair once, like `keyList`. */
export function pairLists(pairs: readonly (readonly [Uint8Array, Uint8Array])[]): [string, string] {
  const distinct = [
    ...new Map(
      pairs.map((pair) => [pair.map((key) => Buffer.from(key).toString('hex')).join(), pair]),
    ).values(),
  ]
  return [bytesList(distinct.map(([first]) => first)), bytesList(distinct.map(([, second]) => second))]
}

/** A list of bytes from 0x texts. */
export function byteaList(texts: readonly string[]): string {
  return `{${texts.map((text) => String.raw`"\\x${text.slice(2)}"`).join(',')}}`
}

/** A list of texts. */
export function textList(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
}

/** A text as part of a LIKE pattern: its metacharacters stand for themselves. */
export const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
