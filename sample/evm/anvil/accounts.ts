import type { Hex } from '../../kernel/hex.ts'
import { lower } from '../../kernel/hex.ts'
import type { RpcClient } from './rpc.ts'

/** The accounts that a node signs for, by their places in its list. */
export type Accounts = {
  /** The places of those of these addresses that are accounts of the node, in order. Addresses in lower case. */
  placesOf(addresses: Iterable<string>): number[]
  addressOf(place: number): string
  /** How many transactions the accounts at these places have sent. */
  noncesOf(places: readonly number[]): Promise<number[]>
  /** Throws when an account has not sent as many as expected: one that was dropped leaves all later ones waiting. */
  expectNonces(expected: readonly number[]): Promise<void>
}

/** The accounts of the node behind `rpc`. */
export function createAccounts(rpc: RpcClient, addresses: readonly Hex[]): Accounts {
  const places: ReadonlyMap<string, number> = new Map(addresses.map((each, place) => [lower(each), place]))
  async function noncesOf(wanted: readonly number[]): Promise<number[]> {
    const calls = wanted.map((place) => ({
      method: 'eth_getTransactionCount',
      params: [addresses[place], 'latest'],
    }))
    return (await rpc.batch(calls)).map(Number)
  }

  return {
    placesOf(wanted) {
      const found = [...wanted].flatMap((address) => places.get(address) ?? [])
      return [...new Set(found)].toSorted((a, b) => a - b)
    },
    addressOf: (place) => lower(addresses[place] ?? '0x'),
    noncesOf,
    async expectNonces(expected) {
      for (const [index, count] of (await noncesOf([...expected.keys()])).entries()) {
        if (count === expected[index]) continue
        throw new Error(`account ${index} has sent ${count} transactions, not ${String(expected[index])}`)
      }
    },
  }
}
