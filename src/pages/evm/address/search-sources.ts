/** Where a text stands in the sources. */
export type SourceHit = { readonly path: string; readonly line: number; readonly text: string }

/** Hits that are listed; more of them are only counted. */
export const maxHits = 100

/** The longest part of a line that is shown. */
const maxShown = 200

/** The lines of the files that contain a text, whatever its case, in order: at most `maxHits`, and how many there are. */
export function searchSources(
  sources: readonly { readonly path: string; readonly content: string }[],
  text: string,
): { readonly hits: readonly SourceHit[]; readonly count: number } {
  const wanted = text.trim().toLowerCase()
  const hits: SourceHit[] = []
  let count = 0
  if (wanted === '') return { hits, count }
  for (const { path, content } of sources)
    for (const [index, line] of content.split('\n').entries()) {
      const at = line.toLowerCase().indexOf(wanted)
      if (at === -1) continue
      count += 1
      if (hits.length === maxHits) continue
      // A minified file is one line: shown is the part around the text.
      const from = Math.max(0, at + wanted.length - maxShown)
      hits.push({ path, line: index + 1, text: line.slice(from, from + maxShown).trim() })
    }
  return { hits, count }
}
