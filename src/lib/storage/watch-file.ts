import { maxWatched, watchedOf, watchList, withMore, type Watched } from './watch-list.ts'

/** The version of the file's format. */
const version = 1

/** The watch list as the text of a file, newest first: `{ version, watched: [{ kind, place, id }] }`. */
export const exportWatchList = (): string =>
  `${JSON.stringify({ version, watched: watchList.get() }, null, 2)}\n`

/** The entries of a file. Throws with a sentence that names the first one that does not fit. */
function readList(content: object): Watched[] {
  const list: unknown = Reflect.get(content, 'watched')
  if (!Array.isArray(list)) throw new Error('The file has no list "watched". Nothing was imported.')
  if (list.length > maxWatched)
    throw new Error(
      `"watched" has ${list.length} entries; at most ${maxWatched} can be imported. Nothing was imported.`,
    )
  return list.map((entry: unknown, index) => {
    const found = watchedOf(entry)
    if (found !== undefined) return found
    const shown = (JSON.stringify(entry) ?? '').slice(0, 80)
    throw new Error(
      `Entry ${index + 1} of "watched" is not an address, validator or token with its chain or network: ${shown}. Nothing was imported.`,
    )
  })
}

/**
 * Adds the entries of a file to the watch list and returns those that were new. What is watched already keeps its
 * place; the rest follows in the order of the file. Throws with a sentence for the person, and changes nothing, when
 * any part of it does not fit.
 */
export function importWatchList(text: string): readonly Watched[] {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new Error('The file is not JSON. Nothing was imported.')
  }
  if (typeof content !== 'object' || content === null || !('version' in content))
    throw new Error('The file has no watch list: export one here first. Nothing was imported.')
  if (content.version !== version)
    throw new Error(
      `The file has version ${JSON.stringify(content.version)}; only version ${version} can be imported. Nothing was imported.`,
    )
  const before = watchList.get()
  const after = withMore(before, readList(content), 'last')
  if (after.length > maxWatched)
    throw new Error(`The watch list holds at most ${maxWatched} entries. Nothing was imported.`)
  watchList.set(after)
  return after.slice(before.length)
}
