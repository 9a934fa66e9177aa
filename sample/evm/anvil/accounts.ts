import type { Hex } from 'viem'
import { lower } from '../../kernel/hex.ts'
import type { RpcClient } from './rpc.ts'

/** The accounts that a node signs for, by index. */
export type Accounts = {
  /** The indices, in order, of those addresses that are accounts of the node. Addresses in lower case. */
  placesOf(addresses: Iterable<string>): number[]
  addressOf(place: number): string
  /** The numbers of transactions that these accounts have sent. */
  noncesOf(places: readonly number[]): Promise<number[]>
  /**
   * Throws when an account has sent another number of transactions than expected: a dropped one blocks all later
   * ones.
   */
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
        throw new Error(
          `account ${index} has sent ${count} transactions; expected ${String(expected[index])}`,
        )
      }
    },
  }
}
