import * as z from 'zod/mini'
import { watched, type Watched } from './watched-addresses.ts'
import { watchedNodes, type WatchedNode } from './watched-nodes.ts'

/** The version of the file's format. */
const version = 1

/** The most entries of one list: a guard against a file that would fill the browser's storage. */
export const most = 10_000

const network = z.enum(['mainnet', 'fuji', 'testnet'])
const account = z.object({
  chainId: z.string().check(z.regex(/^[0-9A-Za-z]{1,64}$/)),
  address: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
})
const wallet = z.object({ network, address: z.string().check(z.regex(/^[a-z]{1,16}1[02-9ac-hj-np-z]{38}$/)) })
const validator = z.object({
  network,
  nodeId: z.string().check(z.regex(/^NodeID-[1-9A-HJ-NP-Za-km-z]{24,34}$/)),
})

/** Both watch lists as the text of a file, newest first: `{ version, addresses, validators }`. */
export function exportWatchLists(): string {
  const addresses = watched
    .get()
    .map(({ chainId, address }) =>
      address.startsWith('0x') ? { chainId, address } : { network: chainId, address },
    )
  return `${JSON.stringify({ version, addresses, validators: watchedNodes.get() }, null, 2)}\n`
}

/** A watched address from an entry of a file or a pasted line; undefined for anything else. */
export function addressOf(entry: unknown): Watched | undefined {
  const onChain = account.safeParse(entry)
  if (onChain.success) return { chainId: onChain.data.chainId, address: onChain.data.address.toLowerCase() }
  const onNetwork = wallet.safeParse(entry)
  return onNetwork.success ? { chainId: onNetwork.data.network, address: onNetwork.data.address } : undefined
}

/** A watched node from an entry of a file or a pasted line; undefined for anything else. */
export function nodeOf(entry: unknown): WatchedNode | undefined {
  const result = validator.safeParse(entry)
  return result.success ? { network: result.data.network, nodeId: result.data.nodeId } : undefined
}

/** Reads one list of the file. Throws with a sentence that names the first entry that does not fit. */
function readList<T>(
  content: object,
  name: string,
  what: string,
  read: (entry: unknown) => T | undefined,
): T[] {
  const list: unknown = Reflect.get(content, name)
  if (!Array.isArray(list)) throw new Error(`The file has no list "${name}". Nothing was imported.`)
  if (list.length > most)
    throw new Error(
      `"${name}" has ${list.length} entries; at most ${most} can be imported. Nothing was imported.`,
    )
  return list.map((entry: unknown, index) => {
    const found = read(entry)
    if (found !== undefined) return found
    const shown = (JSON.stringify(entry) ?? '').slice(0, 80)
    throw new Error(`Entry ${index + 1} of "${name}" is not ${what}: ${shown}. Nothing was imported.`)
  })
}

/** A list and what a file adds to it, each entry once; the list keeps its order, and the rest follows in the file's. */
function merged<T>(list: readonly T[], more: readonly T[], keyOf: (entry: T) => string): readonly T[] {
  const all = new Map([...list, ...more].map((entry) => [keyOf(entry), entry]))
  return [...all.values()]
}

/** How many addresses and validators a file added to the watch lists. */
export type Imported = { readonly addresses: number; readonly validators: number }

/**
 * Adds the watch lists of a file to those kept. What is watched already keeps its place; the rest follows in the
 * order of the file. Throws with a sentence for the person, and changes nothing, when any part of it does not fit.
 */
export function importWatchLists(text: string): Imported {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new Error('The file is not JSON. Nothing was imported.')
  }
  if (typeof content !== 'object' || content === null || !('version' in content))
    throw new Error('The file has no watch lists: export them here first. Nothing was imported.')
  if (content.version !== version)
    throw new Error(
      `The file has version ${JSON.stringify(content.version)}; only version ${version} can be imported. Nothing was imported.`,
    )
  const addresses = readList(content, 'addresses', 'an address with its chain or network', addressOf)
  const validators = readList(content, 'validators', 'a node id with its network', nodeOf)
  const before = { addresses: watched.get().length, validators: watchedNodes.get().length }
  watched.set((list) => merged(list, addresses, (one) => `${one.chainId}/${one.address}`))
  watchedNodes.set((list) => merged(list, validators, (one) => `${one.network}/${one.nodeId}`))
  return {
    addresses: watched.get().length - before.addresses,
    validators: watchedNodes.get().length - before.validators,
  }
}
