import { maxWatched, watchedOf, watchList, withMore, type Watched, type WatchKind } from './watch-list.ts'

/** Where an id without its own place belongs: the chain of `0x…`, the network of a validator or wallet. */
export type Place = { readonly chainId: string | undefined; readonly network: string }

/**
 * A line that was not taken, counted from 1, and the first part of it that is to blame: it was not understood, or its
 * checksum does not match.
 */
export type Unread = {
  readonly line: number
  readonly text: string
  readonly part: string
  readonly checksum?: true
}

/** Whether the checksum of an id or address is right; the text is as it was pasted. */
type HasChecksum = (kind: WatchKind, text: string) => boolean

/** What pasted text holds: the entries in its order, and the lines that were not understood. */
type Lines = { readonly entries: readonly Watched[]; readonly unread: readonly Unread[] }

/** The networks whose bech32 addresses name them. Other prefixes belong to the network that is shown. */
const networkOfPrefix = new Map([
  ['avax', 'mainnet'],
  ['fuji', 'fuji'],
])

const kindOfPage: Readonly<Record<string, WatchKind>> = {
  address: 'address',
  token: 'token',
  addresses: 'wallet',
  validators: 'validator',
  'l1-validators': 'l1Validator',
}

const linkForm = /\/(?:chain|networks)\/(?<place>\w+)\/(?<page>[\w-]+)\/(?<id>[\w-]+)\/?(?:[?#].*)?$/

/** The subject of a link to a page of the dashboard. */
function readLink(link: string): Watched | undefined {
  const { place, page = '', id } = linkForm.exec(link)?.groups ?? {}
  return watchedOf({ kind: kindOfPage[page], place, id })
}

function readPart(part: string, { chainId, network }: Place): Watched | undefined {
  if (part.includes('/')) return readLink(part)
  if (part.startsWith('NodeID-')) return watchedOf({ kind: 'validator', place: network, id: part })
  if (/^0x/i.test(part)) return watchedOf({ kind: 'address', place: chainId, id: part.replace('0X', '0x') })
  // A wallet is kept without the chain's letter: P-fuji1… and X-fuji1… are one address.
  const bare = part.replace(/^[PXC]-/, '')
  const place = networkOfPrefix.get(bare.slice(0, bare.lastIndexOf('1'))) ?? network
  return (
    watchedOf({ kind: 'wallet', place, id: bare }) ??
    watchedOf({ kind: 'l1Validator', place: network, id: part })
  )
}

/**
 * Reads pasted text line by line: EVM addresses, P-, X- and C-Chain bech32 addresses, NodeIDs, validation IDs of L1s
 * and links to pages of the dashboard, any mix, several of them on a line apart by spaces, commas or semicolons. A
 * line is taken only as a whole: with one part that is not understood, or whose checksum does not match, nothing of it
 * is.
 */
export function readWatchLines(text: string, place: Place, hasChecksum: HasChecksum): Lines {
  const entries: Watched[] = []
  const unread: Unread[] = []
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const parts = line.split(/[\s,;]+/).filter((part) => part !== '')
    const found = parts.map((part) => readPart(part, place))
    const isMistyped = found.map((entry, at) => {
      const part = parts[at] ?? ''
      return entry !== undefined && !hasChecksum(entry.kind, linkForm.exec(part)?.groups?.['id'] ?? part)
    })
    const wrong = found.findIndex((entry, at) => entry === undefined || isMistyped[at])
    if (wrong >= 0)
      unread.push({
        line: index + 1,
        text: line,
        part: parts[wrong] ?? '',
        ...(isMistyped[wrong] === true && { checksum: true }),
      })
    else entries.push(...found.filter((entry) => entry !== undefined))
  }
  return { entries, unread }
}

/** Puts entries first on the watch list; returns the new ones, or `full` if the list can't hold them: then none is added. */
export function addWatched(entries: readonly Watched[]): readonly Watched[] | 'full' {
  const before = watchList.get()
  const after = withMore(before, entries, 'first')
  if (after.length > maxWatched) return 'full'
  watchList.set(after)
  return after.slice(0, after.length - before.length)
}
