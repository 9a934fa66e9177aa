import { z } from 'zod'
import { keyList, numberList } from '../sql-literals.ts'
import type { Queryable } from '../database.ts'
import { type Placeholders, bytes, named, query, readNamed } from '../read.ts'
import { pastAllHeights, type Order, type TxPlace } from './read-primary.ts'

const utxoRow = z.strictObject({
  chain: z.number(),
  height: z.bigint(),
  tx_index: z.number(),
  output_index: z.number(),
  ts: z.bigint(),
  tx_id: bytes,
  utxo_id: bytes,
  home: z.number(),
  asset: bytes,
  amount: z.string(),
  type: z.number(),
  threshold: z.number(),
  locktime: z.string(),
  stakeable_locktime: z.string(),
  owner: bytes.nullable(),
  owners: z.array(bytes).nullable(),
  group_id: z.bigint().nullable(),
  payload: bytes.nullable(),
  staked_from: z.bigint().nullable(),
  staked_until: z.bigint().nullable(),
  reward_type: z.number().nullable(),
  spent_height: z.bigint().nullable(),
  spent_input: z.number().nullable(),
  spent_ts: z.bigint().nullable(),
  spent_tx: bytes.nullable(),
})
/** A UTXO from creation to spending (server/store/schema/primary-utxos.ts). Amounts and locktimes are text. */
export type UtxoRow = Readonly<z.output<typeof utxoRow>>

const columns = `
  u.chain, u.height, u.tx_index, u.output_index, u.ts, u.tx_id, u.utxo_id, u.home, u.asset, u.amount, u.type, u.threshold,
  u.locktime, u.stakeable_locktime, u.owner, u.owners, u.group_id, u.payload, u.staked_from, u.staked_until,
  u.reward_type, u.spent_height, u.spent_input, u.spent_ts, u.spent_tx`

/** A UTXO of a transaction: `place` is the transaction's index in the requested list, from 1. */
const txUtxoRow = utxoRow.extend({ place: z.bigint(), consumed: z.boolean() })

const ofTransactions = `
  with asked as (
    select * from unnest($2::text::bigint[], $3::text::integer[]) with ordinality as asked (height, index, place))
  select * from (
    select asked.place, false as consumed, ${columns} from asked
    cross join lateral (
      select * from utxos where chain = $1 and height = asked.height and tx_index = asked.index) u
    union all
    select asked.place, true, ${columns} from asked
    cross join lateral (
      select * from utxos
      where spent_chain = $1 and spent_height = asked.height and spent_index = asked.index) u
  ) either
  order by place, consumed, case when consumed then spent_input else output_index end`

/** The outputs and inputs of transactions: outputs by index, inputs in the order of the transaction. */
export const readTxUtxos = query(txUtxoRow, (chain: number, places: readonly TxPlace[]) => [
  ofTransactions,
  [chain, numberList(places.map(({ height }) => height)), numberList(places.map(({ index }) => index))],
])

/**
 * The position in a list of UTXOs: by time first, because the UTXOs of a chain are created by several chains.
 */
type UtxoPlace = {
  readonly ts: bigint
  readonly chain: number
  readonly height: bigint
  readonly txIndex: number
  readonly outputIndex: number
}

export const utxoPlaceOf = (row: UtxoRow): UtxoPlace => ({
  ts: row.ts,
  chain: row.chain,
  height: row.height,
  txIndex: row.tx_index,
  outputIndex: row.output_index,
})

/** The position before every UTXO in this order. */
export const utxoStart = {
  asc: { ts: -1n, chain: 0, height: -2n, txIndex: -1, outputIndex: -1 },
  desc: {
    ts: pastAllHeights,
    chain: 32_767,
    height: pastAllHeights,
    txIndex: 2_147_483_647,
    outputIndex: 2_147_483_647,
  },
} as const satisfies Record<Order, UtxoPlace>

/**
 * The UTXOs that a chain's list contains: those on it, those exported to it, and those that it exported.
 * Pairs of the chain where a UTXO can be spent and the chain where it was created.
 */
export function utxoSides(chain: number, network: readonly number[]): { home: number; chain: number }[] {
  const others = network.filter((key) => key !== chain)
  return [
    ...network.map((from) => ({ home: chain, chain: from })),
    ...others.map((home) => ({ home, chain })),
  ]
}

// One index range per owner and side, starting at the height that the scan has reached there.
const ofAddresses = (order: Order) =>
  named(
    (
      $: Placeholders<
        keyof UtxoPlace | 'addresses' | 'homes' | 'chains' | 'includeSpent' | 'asset' | 'limit'
      >,
    ) => {
      const [over, reach] = order === 'asc' ? ['>', '>='] : ['<', '<=']
      const sort = `order by height ${order}, tx_index ${order}, output_index ${order}`
      const unwanted = `(${$.includeSpent} or spent_ts is null) and (${$.asset}::bytea is null or asset = ${$.asset}::bytea)`
      const started = `
    height ${reach} sides.start and (ts, chain, height, tx_index, output_index) ${over} (${$.ts}, ${$.chain}, ${$.height}, ${$.txIndex}, ${$.outputIndex})`
      return `
  with sides as (
    select home, chain, ${
      order === 'asc'
        ? `coalesce((select height from primary_blocks b where b.chain = pair.chain and b.ts < ${$.ts}
             order by b.ts desc, b.height desc limit 1), -1)`
        : `coalesce((select height from primary_blocks b where b.chain = pair.chain and b.ts > ${$.ts}
             order by b.ts, b.height limit 1), 9223372036854775807)`
    } as start
    from unnest(${$.homes}::text::smallint[], ${$.chains}::text::smallint[]) as pair (home, chain)
  ), owners as (select address from unnest(${$.addresses}::text::bytea[]) as asked (address)
  ), keys as (
    select u.* from owners cross join sides cross join lateral (
      select chain, height, tx_index, output_index, ts from utxos
      where owner = owners.address and home = sides.home and chain = sides.chain and ${started} and ${unwanted}
      ${sort} limit ${$.limit}) u
    union
    select u.* from owners cross join sides cross join lateral (
      select u.chain, u.height, u.tx_index, u.output_index, u.ts
      from utxo_co_owners c
      cross join lateral (
        select * from utxos where chain = c.chain and height = c.height and tx_index = c.tx_index
          and output_index = c.output_index limit 1) u
      where c.address = owners.address and c.home = sides.home and c.chain = sides.chain
        and c.height ${reach} sides.start
        and (u.ts, u.chain, u.height, u.tx_index, u.output_index) ${over} (${$.ts}, ${$.chain}, ${$.height}, ${$.txIndex}, ${$.outputIndex})
        and (${$.includeSpent} or u.spent_ts is null) and (${$.asset}::bytea is null or u.asset = ${$.asset}::bytea)
      order by c.height ${order}, c.tx_index ${order}, c.output_index ${order} limit ${$.limit}) u
  ), page as (
    select * from keys
    order by ts ${order}, chain ${order}, height ${order}, tx_index ${order}, output_index ${order} limit ${$.limit}
  )
  select ${columns} from page cross join lateral (
    select * from utxos where chain = page.chain and height = page.height and tx_index = page.tx_index
      and output_index = page.output_index limit 1) u
  order by u.ts ${order}, u.chain ${order}, u.height ${order}, u.tx_index ${order}, u.output_index ${order}`
    },
  )
const ofAddressesIn = { asc: ofAddresses('asc'), desc: ofAddresses('desc') }

/** The UTXOs after a position that one of the addresses owns or co-owns, each once, in order of creation. */
export function readUtxosOfAddresses(
  database: Queryable,
  addresses: readonly Buffer[],
  sides: readonly { readonly home: number; readonly chain: number }[],
  filter: { readonly includeSpent: boolean; readonly asset: Buffer | undefined },
  past: UtxoPlace,
  order: Order,
  limit: number,
): Promise<UtxoRow[]> {
  return readNamed(database, utxoRow, ofAddressesIn[order], {
    addresses: keyList(addresses),
    homes: numberList(sides.map(({ home }) => home)),
    chains: numberList(sides.map(({ chain }) => chain)),
    ...past,
    includeSpent: filter.includeSpent,
    asset: filter.asset ?? null,
    limit,
  })
}
