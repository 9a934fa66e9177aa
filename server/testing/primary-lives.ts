import type { Database } from '../store/database.ts'
import { xTypeIds } from '../../protocol/primary/outputs.ts'
import { fujiKeys, idBytes, insertPrimary, shortBytes } from './primary-rows.ts'

/** The random life of a test's UTXO. Times are Unix seconds. */
export type Life = {
  readonly name: string
  readonly chain: number
  readonly home: number
  readonly height: number
  readonly position: number
  readonly made: number
  readonly spent: number | null
  readonly amount: bigint
  readonly asset: string
  /** The codec's type id: 7 is an amount, 11 an NFT; the others are minting rights. */
  readonly type: number
  readonly locktime: number
  readonly stakeable: number
  readonly staked: { readonly from: number; readonly until: number } | null
  readonly owners: readonly string[]
}

/** A seeded generator of numbers below a bound. */
export function randomFrom(seed: number): (bound: number) => number {
  let state = seed >>> 0
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

export const livesStart = 1_700_000_000
/** A block of each chain every ten seconds. */
const blockTime = 10
const blocks = 100
export const livesEnd = livesStart + blocks * blockTime
export const people = ['ann', 'ben', 'cat', 'dan', 'eve']

/** Random lives with every kind of lock, stake, export and shared ownership, on all three chains. */
export function randomLives(seed: number, count: number): Life[] {
  const random = randomFrom(seed)
  const keys = Object.values(fujiKeys)
  return Array.from({ length: count }, (_, number): Life => {
    const chain = keys[random(3)] ?? fujiKeys.p
    const home = random(4) === 0 ? (keys[random(3)] ?? chain) : chain
    const height = random(blocks)
    const made = livesStart + height * blockTime
    const later = (): number => made + random(600)
    const isP = chain === fujiKeys.p
    const type = chain === fujiKeys.x ? ([7, 7, 7, 6, 10, 11, 15][random(7)] ?? 7) : 7
    const from = made + (random(2) === 0 ? 0 : random(200))
    const staked = isP && home === chain && random(3) === 0 ? { from, until: from + random(300) } : null
    const owners = [...new Set(Array.from({ length: 1 + random(3) }, () => people[random(5)] ?? 'ann'))]
    return {
      name: `life ${number}`,
      chain,
      home,
      height,
      position: number,
      made,
      // A stake can't be spent before it is returned.
      spent: random(2) === 0 ? null : Math.max(later(), staked?.until ?? 0),
      amount: type === 7 ? BigInt(1 + random(1_000)) : 0n,
      asset: random(3) === 0 ? 'coin' : 'avax',
      type,
      locktime: random(4) === 0 ? later() : 0,
      stakeable: isP && random(4) === 0 ? later() : 0,
      staked,
      owners,
    }
  })
}

/** Writes blocks of all three chains, and the rows that the indexer would write for the lives. */
export async function insertLives(database: Database, lives: readonly Life[]): Promise<void> {
  for (const chain of Object.values(fujiKeys)) {
    await insertPrimary(
      database,
      'primary_blocks',
      Array.from({ length: blocks + 1 }, (_, height) => ({
        chain,
        height,
        ts: livesStart + height * blockTime,
        id: idBytes(`block ${chain} ${height}`),
        parent_id: idBytes(`block ${chain} ${height - 1}`),
      })),
    )
  }
  await insertPrimary(
    database,
    'utxos',
    lives.map((life) => ({
      chain: life.chain,
      height: life.height,
      tx_index: life.position,
      output_index: life.position % 5,
      ts: life.made,
      tx_id: idBytes(`tx of ${life.name}`),
      utxo_id: idBytes(life.name),
      home: life.home,
      asset: idBytes(life.asset),
      amount: life.amount,
      type: life.type,
      locktime: life.locktime,
      stakeable_locktime: life.stakeable,
      owner: shortBytes(life.owners[0] ?? ''),
      owners: life.owners.length > 1 ? life.owners.map(shortBytes) : null,
      group_id: life.type === xTypeIds.nftMintOutput || life.type === xTypeIds.nftTransferOutput ? 1 : null,
      staked_from: life.staked?.from ?? null,
      staked_until: life.staked?.until ?? null,
      spent_chain: life.spent === null ? null : life.home,
      spent_ts: life.spent,
      spent_height: life.spent === null ? null : 1,
      spent_index: life.spent === null ? null : life.position,
      spent_input: life.spent === null ? null : 0,
      spent_tx: life.spent === null ? null : idBytes(`spender of ${life.name}`),
    })),
  )
  await insertPrimary(
    database,
    'utxo_co_owners',
    lives.flatMap((life) =>
      life.owners.slice(1).map((owner) => ({
        address: shortBytes(owner),
        home: life.home,
        chain: life.chain,
        height: life.height,
        tx_index: life.position,
        output_index: life.position % 5,
      })),
    ),
  )
}
