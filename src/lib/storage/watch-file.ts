import { mostWatched, oldValidator, watchedOf, watchList, withMore, type Watched } from './watch-list.ts'

/** The version of the file's format. */
const version = 2

/** The watch list as the text of a file, newest first: `{ version, watched: [{ kind, place, id }] }`. */
export const exportWatchList = (): string =>
  `${JSON.stringify({ version, watched: watchList.get() }, null, 2)}\n`

/** An address of version 1: `{ chainId, address }`, or `{ network, address }` of a wallet. */
function addressOfFile(entry: unknown): Watched | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const { chainId, network, address } = entry as Record<string, unknown>
  return chainId === undefined
    ? watchedOf({ kind: 'wallet', place: network, id: address })
    : watchedOf({ kind: 'address', place: chainId, id: address })
}

/** Reads one list of the file. Throws with a sentence that names the first entry that does not fit. */
function readList(
  content: object,
  name: string,
  what: string,
  read: (entry: unknown) => Watched | undefined,
): Watched[] {
  const list: unknown = Reflect.get(content, name)
  if (!Array.isArray(list)) throw new Error(`The file has no list "${name}". Nothing was imported.`)
  if (list.length > mostWatched)
    throw new Error(
      `"${name}" has ${list.length} entries; at most ${mostWatched} can be imported. Nothing was imported.`,
    )
  return list.map((entry: unknown, index) => {
    const found = read(entry)
    if (found !== undefined) return found
    const shown = (JSON.stringify(entry) ?? '').slice(0, 80)
    throw new Error(`Entry ${index + 1} of "${name}" is not ${what}: ${shown}. Nothing was imported.`)
  })
}

const readers: Readonly<Record<string, (content: object) => Watched[]>> = {
  1: (content) => [
    ...readList(content, 'addresses', 'an address with its chain or network', addressOfFile),
    ...readList(content, 'validators', 'a node id with its network', oldValidator),
  ],
  2: (content) =>
    readList(content, 'watched', 'an address, validator or token with its chain or network', watchedOf),
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
  const read = typeof content.version === 'number' ? readers[content.version] : undefined
  if (read === undefined)
    throw new Error(
      `The file has version ${JSON.stringify(content.version)}; only versions 1 and 2 can be imported. Nothing was imported.`,
    )
  const before = watchList.get()
  const after = withMore(before, read(content), 'last')
  if (after.length > mostWatched)
    throw new Error(`The watch list holds at most ${mostWatched} entries. Nothing was imported.`)
  watchList.set(after)
  return after.slice(before.length)
}
