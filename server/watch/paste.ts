/** A member as a caller gives it. */
type Given = { readonly id: string; readonly label: string }

const nodeText = /NodeID-[1-9A-HJ-NP-Za-km-z]{24,34}/
const idText = /(?<![1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{43,52}(?![1-9A-HJ-NP-Za-km-z])/

/**
 * The ids in a pasted text, one a line, or several. With one id in a line, the rest of the line is its label, without
 * separators: `gamma: NodeID-…`, `NodeID-…, "gamma"`, a row of CSV.
 */
export function readPaste(text: string): Given[] {
  const found: Given[] = []
  for (const line of text.split(/\r?\n/)) {
    const ids = [...line.matchAll(new RegExp(`${nodeText.source}|${idText.source}`, 'g'))].map(([id]) => id)
    const [only] = ids
    if (ids.length === 1 && only !== undefined) {
      const label = line
        .replace(only, ' ')
        .replaceAll(/["'`]/g, '')
        .replaceAll(/^[\s,;:|=>*#-]+|[\s,;:|=<*-]+$/g, '')
      found.push({ id: only, label: label.replaceAll(/[\s,;|]+/g, ' ').slice(0, 80) })
    } else found.push(...ids.map((id) => ({ id, label: '' })))
  }
  return found
}
