import { listed } from '../../lib/listed.ts'
import { plural } from '../../lib/text.ts'
import { watchKinds, type Watched, type WatchKind } from '../../lib/storage/watch-list.ts'

const nouns: Readonly<Record<WatchKind, readonly [one: string, many: string]>> = {
  address: ['address', 'addresses'],
  wallet: ['address', 'addresses'],
  validator: ['validator', 'validators'],
  l1Validator: ['L1 validator', 'L1 validators'],
  token: ['token', 'tokens'],
}

/** What a list holds, in words: “2 addresses, 1 validator and 1 token”; “nothing” for an empty one. */
export function countedWatched(list: readonly Watched[]): string {
  const counts = new Map<string, { count: number; one: string; many: string }>()
  for (const kind of watchKinds) {
    const [one, many] = nouns[kind]
    const count = list.filter((entry) => entry.kind === kind).length + (counts.get(many)?.count ?? 0)
    if (count > 0) counts.set(many, { count, one, many })
  }
  const words = [...counts.values()].map(({ count, one, many }) => `${count} ${plural(count, one, many)}`)
  return listed(words) || 'nothing'
}
