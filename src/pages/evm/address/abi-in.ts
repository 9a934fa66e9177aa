/** The ABI in a text: a list, or an artifact of a compiler with the key `abi`; else what is wrong with it, as a sentence. */
export function abiIn(text: string): unknown[] | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'The ABI is not JSON.'
  }
  const list = Array.isArray(value) ? (value as unknown[]) : (value as { abi?: unknown } | null)?.abi
  return Array.isArray(list) && list.length > 0
    ? list
    : 'The ABI is not a list, and has no key “abi” with one.'
}
