import * as z from 'zod/mini'
import { createStoredStore } from './store.ts'

/** What can be watched, in the order of display. `wallet` is an address of the P- and X-Chain. */
export const watchKinds = ['address', 'wallet', 'validator', 'l1Validator', 'token'] as const
export type WatchKind = (typeof watchKinds)[number]

/**
 * Something that the person keeps an eye on. `place` is the chain ID of an EVM address or token, and the network of
 * everything else; EVM addresses are in lower case.
 */
export type Watched = { readonly kind: WatchKind; readonly place: string; readonly id: string }

/** The most entries of the list: a guard against a file that would fill the browser's storage. */
export const maxWatched = 10_000

const chainId = z.string().check(z.regex(/^[0-9A-Za-z]{1,64}$/))
const network = z.enum(['mainnet', 'fuji', 'testnet'])
const evmAddress = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/), z.toLowerCase())
const kindSchema = z.object({ kind: z.enum(watchKinds) })
const onChain = z.object({ place: chainId, id: evmAddress })
const onNetwork = (id: RegExp) => z.object({ place: network, id: z.string().check(z.regex(id)) })
const forms = {
  address: onChain,
  token: onChain,
  wallet: onNetwork(/^[a-z]{1,16}1[02-9ac-hj-np-z]{38}$/),
  validator: onNetwork(/^NodeID-[1-9A-HJ-NP-Za-km-z]{24,34}$/),
  l1Validator: onNetwork(/^[1-9A-HJ-NP-Za-km-z]{37,52}$/),
} as const satisfies Record<WatchKind, z.ZodMiniObject>

/** An entry of a file, of the browser's storage or of pasted text; undefined for anything else. */
export function watchedOf(entry: unknown): Watched | undefined {
  const { data: { kind } = {} } = kindSchema.safeParse(entry)
  const data = kind && forms[kind].safeParse(entry).data
  return data && { kind, ...data }
}

const listSchema = z.array(z.unknown())

/** The watch list, newest first. It never leaves the browser. */
export const watchList = createStoredStore<readonly Watched[]>('ridgeline.watchList', (stored) => {
  const result = listSchema.safeParse(stored)
  return result.success ? result.data.flatMap((entry) => watchedOf(entry) ?? []) : []
})

/** A key that no other entry has. */
export const watchKey = ({ kind, place, id }: Watched): string => `${kind}/${place}/${id}`

/** Whether a list holds an entry. */
export const holds = (list: readonly Watched[], entry: Watched): boolean =>
  list.some((one) => watchKey(one) === watchKey(entry))

/** Puts an entry on the watch list, or takes it off. */
export function toggleWatched(entry: Watched): void {
  watchList.set((list) =>
    holds(list, entry) ? list.filter((one) => watchKey(one) !== watchKey(entry)) : [entry, ...list],
  )
}

/** A list and more entries, each once; those of the list keep their order. */
export function withMore(
  list: readonly Watched[],
  more: readonly Watched[],
  where: 'first' | 'last',
): readonly Watched[] {
  const fresh = new Map(more.map((entry) => [watchKey(entry), entry]))
  for (const entry of list) fresh.delete(watchKey(entry))
  return where === 'first' ? [...fresh.values(), ...list] : [...list, ...fresh.values()]
}
