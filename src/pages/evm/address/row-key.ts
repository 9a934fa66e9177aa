const keys = new WeakMap<object, string>()
let last = 0

/**
 * A key for a row without a unique field: items of a batch may be equal, and so may two calls of one transaction. A
 * row object keeps its key.
 */
export function rowKey(row: object): string {
  const known = keys.get(row)
  if (known !== undefined) return known
  last += 1
  const key = `row-${last}`
  keys.set(row, key)
  return key
}
