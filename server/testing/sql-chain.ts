import { addressOf, hashOf, seedChain, transactionHash, type SeedBlock } from './chain-rows.ts'
import type { Database } from '../store/database.ts'

/** The chain of the tests of SQL. */
export const sqlChain = 43113
export const token = addressOf('token')
export const [alice, bob] = [addressOf('alice'), addressOf('bob')]
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const topicOf = (address: string): string => `0x${'0'.repeat(24)}${address.slice(2)}`

/** More than 128 bits hold. */
export const huge = 2n ** 200n

const transfer = (value: bigint) => ({
  address: token,
  topics: [transferTopic, topicOf(alice), topicOf(bob)],
  data: `0x${word(value)}`,
})

/** Six blocks, an hour apart from 2026-01-01 on; block n has n transactions, whose values are 10^18 times their place. */
export const sqlBlocks: readonly SeedBlock[] = Array.from({ length: 6 }, (_, number) => ({
  number,
  ts: 1_767_225_600 + 3_600 * number,
  txs: Array.from({ length: number }, (_tx, index) => ({
    from: index % 2 === 0 ? alice : bob,
    to: token,
    value: BigInt(index) * 10n ** 18n,
    status: number === 5 && index === 4 ? (0 as const) : (1 as const),
    logs: index === 0 ? [transfer(number === 5 ? huge : BigInt(number) * 1_000n)] : [],
  })),
}))

/** Writes the chain to the store. */
export const seedSqlChain = (database: Database): Promise<void> =>
  seedChain(database, { chain: sqlChain, blocks: sqlBlocks })

export const sqlGenesis = hashOf('genesis')
export const sqlTransaction = (number: number, index: number): string => {
  const block = sqlBlocks[number]
  if (!block) throw new RangeError(`there is no block ${number}`)
  return transactionHash(sqlChain, block, index)
}
