const keys = new WeakMap<object, string>()
let last = 0

/**
 * A key for a row that nothing in it tells apart from another: the items of a batch may be alike, and so may
 * two calls of one transaction. The same row keeps its key as long as it lives.
 */
export function rowKey(row: object): string {
  const known = keys.get(row)
  if (known !== undefined) return known
  last += 1
  const key = `row-${last}`
  keys.set(row, key)
  return key
}
