import { encodeAbiParameters } from 'viem'
import {
  addressOf,
  hashOf,
  type SeedBlock,
  type SeedCall,
  type SeedLog,
  type SeedTransaction,
} from './chain-rows.ts'
import { randomFrom } from './primary-lives.ts'

/** Four people, three tokens and the zero address. A block depends on its height and branch only. */
export const alice = addressOf('alice')
export const people = ['alice', 'bob', 'carol', 'dave'].map(addressOf)
export const tokens = ['coin', 'art', 'items'].map(addressOf)
export const zero = `0x${'0'.repeat(40)}`
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
const word = (text: string): string => `0x${text.slice(2).padStart(64, '0')}`
const uint = { type: 'uint256' } as const
const uints = { type: 'uint256[]' } as const

export type Kind = 'ERC-20' | 'ERC-721' | 'ERC-1155'
/** A transfer of the test, with its log. */
type Made = { kind: Kind; from: string; to: string; tokenId: string; value: string }
export const made = new WeakMap<SeedLog, readonly Made[]>()

/** The log of a transfer: all ids and values for ERC-1155, otherwise the first one. */
export function makeLog(kind: Kind, from: string, to: string, items: readonly [bigint, bigint][]): SeedLog {
  const address = tokens[['ERC-20', 'ERC-721', 'ERC-1155'].indexOf(kind)] ?? ''
  const [id, value] = items[0] ?? [0n, 0n]
  const log: SeedLog =
    kind === 'ERC-20'
      ? {
          address,
          topics: [transferTopic, word(from), word(to)],
          data: encodeAbiParameters([uint], [value]),
        }
      : kind === 'ERC-721'
        ? {
            address,
            topics: [transferTopic, word(from), word(to), word(`0x${id.toString(16)}`)],
            data: '0x',
          }
        : items.length === 1
          ? {
              address,
              topics: [singleTopic, word(alice), word(from), word(to)],
              data: encodeAbiParameters([uint, uint], [id, value]),
            }
          : {
              address,
              topics: [batchTopic, word(alice), word(from), word(to)],
              data: encodeAbiParameters([uints, uints], [items.map(([i]) => i), items.map(([, v]) => v)]),
            }
  const counted: readonly [bigint, bigint][] = kind === 'ERC-1155' ? items : [[id, value]]
  made.set(
    log,
    counted.map(([i, v]) => ({
      kind,
      from,
      to,
      tokenId: kind === 'ERC-20' ? '0' : i.toString(),
      value: kind === 'ERC-721' ? '1' : v.toString(),
    })),
  )
  return log
}

/** A log that names alice like a transfer but is not one. */
function makeImpostor(which: number): SeedLog {
  const dirty = `0x01${word(alice).slice(4)}`
  return [
    { address: tokens[0] ?? '', topics: [transferTopic, word(alice), dirty], data: hashOf('x') },
    { address: tokens[1] ?? '', topics: [transferTopic, word(alice), dirty, hashOf('id')], data: '0x' },
    {
      address: tokens[2] ?? '',
      topics: [batchTopic, word(alice), word(alice), word(alice)],
      data: `0x${'ff'.repeat(96)}`,
    },
    {
      address: tokens[2] ?? '',
      topics: [singleTopic, word(alice), word(alice), word(zero)],
      data: hashOf('short'),
    },
  ][which % 4] as SeedLog
}

/** Up to four transactions with all kinds of transfers and calls between the four people, and false transfers. */
function makeBlock(number: number, branch = 'main'): SeedBlock {
  const random = randomFrom(number * 7_919 + branch.length * 104_729 + branch.charCodeAt(0))
  const someone = (): string => people[random(people.length)] ?? zero
  const txs = Array.from({ length: random(5) }, (): SeedTransaction => {
    const from = someone()
    const logs = Array.from({ length: random(4) }, (): SeedLog => {
      const kind = (['ERC-20', 'ERC-721', 'ERC-1155'] as const)[random(3)] ?? 'ERC-20'
      const items = Array.from({ length: random(4) }, (): [bigint, bigint] => [
        BigInt(random(5)),
        BigInt(random(3)),
      ])
      if (random(6) === 0) return makeImpostor(random(4))
      return makeLog(kind, random(5) === 0 ? zero : someone(), someone(), items)
    })
    const calls = Array.from({ length: random(3) }, (): SeedCall => {
      const type = ['CALL', 'CREATE', 'DELEGATECALL', 'SELFDESTRUCT'][random(4)] ?? 'CALL'
      const failed = type === 'CREATE' && random(2) === 0
      return {
        type,
        sender: someone(),
        recipient: failed ? null : someone(),
        value: BigInt(random(2)),
        reverted: failed,
      }
    })
    if (random(6) === 0) return { from, to: null, created: someone(), logs, calls }
    return { from, to: someone(), logs, calls }
  })
  return { number, ts: 1_700_000_000 + number * 2, branch, txs }
}

/** The blocks of a range of heights. */
export const range = (from: number, before: number, branch?: string): SeedBlock[] =>
  Array.from({ length: before - from }, (_, index) => makeBlock(from + index, branch))
