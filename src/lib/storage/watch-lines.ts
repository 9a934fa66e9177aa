import { addressOf, most, nodeOf } from './watch-lists.ts'
import { watched, type Watched } from './watched-addresses.ts'
import { watchedNodes, type WatchedNode } from './watched-nodes.ts'

/** Where an address without its own network belongs: the chain of `0x…`, the network of a validator or wallet. */
export type Place = { readonly chainId: string | undefined; readonly network: string }

/** A line that was not understood, counted from 1, and the first part of it that is to blame. */
export type Unread = { readonly line: number; readonly text: string; readonly part: string }

/** What pasted text holds: the entries in its order, and the lines that were not understood. */
export type Lines = {
  readonly addresses: readonly Watched[]
  readonly validators: readonly WatchedNode[]
  readonly unread: readonly Unread[]
}

/** The networks whose bech32 addresses name them. Other prefixes belong to the network that is shown. */
const networkOfPrefix = new Map([
  ['avax', 'mainnet'],
  ['fuji', 'fuji'],
])

function readPart(part: string, place: Place): { address?: Watched; node?: WatchedNode } | undefined {
  if (part.startsWith('NodeID-')) {
    const node = nodeOf({ network: place.network, nodeId: part })
    return node && { node }
  }
  if (/^0x/i.test(part)) {
    const address = addressOf({ chainId: place.chainId, address: part.replace('0X', '0x') })
    return address && { address }
  }
  // A wallet is kept without the chain's letter: P-fuji1… and X-fuji1… are one address.
  const bare = part.replace(/^[PXC]-/, '')
  const network = networkOfPrefix.get(bare.slice(0, bare.lastIndexOf('1'))) ?? place.network
  const address = addressOf({ network, address: bare })
  return address && { address }
}

/**
 * Reads pasted text line by line: EVM addresses, P-, X- and C-Chain bech32 addresses and NodeIDs, any mix, several of
 * them on a line apart by spaces, commas or semicolons. A line is taken only as a whole: with one part that is not
 * understood, nothing of it is. Formats are checked, checksums are not.
 */
export function readWatchLines(text: string, place: Place): Lines {
  const addresses: Watched[] = []
  const validators: WatchedNode[] = []
  const unread: Unread[] = []
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const parts = line.split(/[\s,;]+/).filter((part) => part !== '')
    const found = parts.map((part) => readPart(part, place))
    const wrong = found.indexOf(undefined)
    if (wrong >= 0) {
      unread.push({ line: index + 1, text: line, part: parts[wrong] ?? '' })
      continue
    }
    for (const entry of found) {
      if (entry?.address) addresses.push(entry.address)
      if (entry?.node) validators.push(entry.node)
    }
  }
  return { addresses, validators, unread }
}

/** A list with what is new put first, each entry once; what is watched already keeps its place. */
function withNew<T>(list: readonly T[], more: readonly T[], keyOf: (entry: T) => string): readonly T[] {
  const known = new Set(list.map(keyOf))
  const fresh = new Map(more.map((entry) => [keyOf(entry), entry]))
  for (const key of known) fresh.delete(key)
  return fresh.size === 0 ? list : [...fresh.values(), ...list]
}

/** How many entries were new, or `full` when a list would have grown over its cap; then nothing is added. */
export type Added = { readonly addresses: number; readonly validators: number } | 'full'

/** Puts what was read from pasted text on the watch lists. */
export function addWatchLines({ addresses, validators }: Lines): Added {
  const before = { addresses: watched.get(), validators: watchedNodes.get() }
  const after = {
    addresses: withNew(before.addresses, addresses, (one) => `${one.chainId}/${one.address}`),
    validators: withNew(before.validators, validators, (one) => `${one.network}/${one.nodeId}`),
  }
  if (after.addresses.length > most || after.validators.length > most) return 'full'
  watched.set(after.addresses)
  watchedNodes.set(after.validators)
  return {
    addresses: after.addresses.length - before.addresses.length,
    validators: after.validators.length - before.validators.length,
  }
}
