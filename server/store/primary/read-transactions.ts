import { z } from 'zod'
import { keyList, numberList } from '../sql-literals.ts'
import type { Queryable } from '../database.ts'
import { type Placeholders, bytes, named, query, queryOne, readNamed } from '../read.ts'
import { oddColumn, oddRows } from './odd-history.ts'
import { txPlace, type HeightRange, type Order, type TxPlace } from './read-primary.ts'

const placedTx = txPlace.extend({ utxo_count: z.number() })
/** A transaction of a page: its position, and its number of inputs and outputs. */
export type PlacedTx = Readonly<z.output<typeof placedTx>>

/** The transactions to list; filters are by the codec's type ids and by Unix seconds, exclusive. */
type TxFilter = {
  readonly range: HeightRange
  /** Type ids; `others` adds all types that are not in `known`. Undefined: every type. */
  readonly types: { readonly ids: readonly number[]; readonly others: boolean } | undefined
  readonly known: readonly number[]
  readonly after: number | undefined
  readonly before: number | undefined
}

/** A page; `horizon` is where the scan continues if it has not read everything. */
type TxWalk = { readonly rows: readonly PlacedTx[]; readonly horizon: TxPlace | undefined }

const past = { asc: '>', desc: '<' } as const
const sorted = (order: Order): string => `order by height ${order}, index ${order}`

const everything = (order: Order): string => `
  select height, index, utxo_count from primary_transactions
  where chain = $1 and (height, index) ${past[order]} ($2, $3) ${sorted(order)} limit $4`
const everythingIn = { asc: everything('asc'), desc: everything('desc') }

/** The transactions of a chain after a position, in order. */
export const readTxPlaces = query(placedTx, (chain: number, from: TxPlace, order: Order, limit: number) => [
  everythingIn[order],
  [chain, from.height, from.index, limit],
])

type FilterName =
  | 'chain'
  | 'height'
  | 'index'
  | 'from'
  | 'before'
  | 'everyType'
  | 'types'
  | 'others'
  | 'known'
  | 'afterTime'
  | 'beforeTime'

const wanted = ($: Placeholders<FilterName>, row: string): string => `
  (${$.everyType} or ${row}.type = any(${$.types}::text::smallint[]) or (${$.others} and not ${row}.type = any(${$.known}::text::smallint[])))
  and ${row}.ts > ${$.afterTime} and ${row}.ts < ${$.beforeTime}`

/** What a walk reads: the keys that were asked for, and the rows of one of them. */
type Walked<Name extends string> = {
  readonly asked: ($: Placeholders<FilterName | Name>) => string
  readonly table: string
  readonly ofAsked: string
}

// One seek per key finds its next rows. The result is complete up to the nearest end of a key with more rows; after it,
// rows may be missing.
const walkIn = <Name extends string>({ asked, table, ofAsked }: Walked<Name>, order: Order) =>
  named(
    ($: Placeholders<FilterName | Name | 'lookAt' | 'limit'>) => `
  with recursive ${asked($)}, scanned as materialized (
    select s.* from asked
    cross join lateral (
      select height, index, type, ts, row_number() over (${sorted(order)}) as place
      from ${table}
      where ${ofAsked} and chain = ${$.chain} and (height, index) ${past[order]} (${$.height}, ${$.index})
        and height >= ${$.from} and height < ${$.before}
      ${sorted(order)} limit ${$.lookAt}) s
  ), horizon as (
    select height, index from scanned where place = ${$.lookAt}
    ${sorted(order)} limit 1
  ), found as (
    select distinct height, index from scanned
    where ${wanted($, 'scanned')}
      and not exists (select from horizon h where (scanned.height, scanned.index) ${past[order]} (h.height, h.index))
    ${sorted(order)} limit ${$.limit}
  )
  select f.height, f.index, t.utxo_count, h.height as horizon_height, h.index as horizon_index
  from (values (1)) as one (row)
  left join horizon h on true
  left join found f on true
  left join lateral (
    select utxo_count from primary_transactions
    where chain = ${$.chain} and height = f.height and index = f.index limit 1) t on true
  order by f.height ${order}, f.index ${order}`,
  )

const ofAddresses: Walked<'addresses'> = {
  asked: ($) => `asked as (select * from unnest(${$.addresses}::text::bytea[]) as one (address))`,
  table: 'primary_address_transactions',
  ofAsked: 'address = asked.address',
}
const ofAddressesIn = { asc: walkIn(ofAddresses, 'asc'), desc: walkIn(ofAddresses, 'desc') }

// The types that a chain has are few: the index is read from one to the next.
const ofTypes: Walked<never> = {
  asked: ($) => `stored as (
    select min(type) as type from primary_transactions where chain = ${$.chain}
    union all
    select (select min(type) from primary_transactions where chain = ${$.chain} and type > stored.type)
    from stored where type is not null
  ), asked as (
    select type from stored
    where ${$.everyType} or type = any(${$.types}::text::smallint[])
      or (${$.others} and not type = any(${$.known}::text::smallint[])))`,
  table: 'primary_transactions',
  ofAsked: 'type = asked.type',
}
const ofTypesIn = { asc: walkIn(ofTypes, 'asc'), desc: walkIn(ofTypes, 'desc') }

const walkRow = z.strictObject({
  height: z.bigint().nullable(),
  index: z.number().nullable(),
  utxo_count: z.number().nullable(),
  horizon_height: z.bigint().nullable(),
  horizon_index: z.number().nullable(),
})

/**
 * The transactions after a position that involve one of the addresses, each once, in order. Reads about
 * `lookAt` rows of the addresses, and at least `limit` of each.
 */
export async function readAddressTxPlaces(
  database: Queryable,
  chain: number,
  addresses: readonly Buffer[],
  filter: TxFilter,
  from: TxPlace,
  order: Order,
  limit: number,
  lookAt: number,
): Promise<TxWalk> {
  return walked(
    await readNamed(database, walkRow, ofAddressesIn[order], {
      chain,
      addresses: keyList(addresses),
      height: from.height,
      index: from.index,
      ...filterParameters(filter),
      lookAt: Math.max(Math.ceil(lookAt / addresses.length), limit),
      limit,
    }),
  )
}

/** The transactions of a chain after a position that fit a filter, in order. Reads about `lookAt` rows, as above. */
export async function readTypeTxPlaces(
  database: Queryable,
  chain: number,
  filter: TxFilter,
  from: TxPlace,
  order: Order,
  limit: number,
  lookAt: number,
): Promise<TxWalk> {
  const types = filter.types === undefined || filter.types.others ? filter.known : filter.types.ids
  return walked(
    await readNamed(database, walkRow, ofTypesIn[order], {
      chain,
      height: from.height,
      index: from.index,
      ...filterParameters(filter),
      lookAt: Math.max(Math.ceil(lookAt / Math.max(1, types.length)), limit),
      limit,
    }),
  )
}

function walked(rows: readonly z.output<typeof walkRow>[]): TxWalk {
  const [first] = rows
  return {
    rows: rows.flatMap(({ height, index, utxo_count }) =>
      height === null || index === null ? [] : [{ height, index, utxo_count: utxo_count ?? 0 }],
    ),
    horizon:
      first?.horizon_height == null || first.horizon_index === null
        ? undefined
        : { height: first.horizon_height, index: first.horizon_index },
  }
}

function filterParameters({ range, types, known, after, before }: TxFilter) {
  return {
    from: range.from,
    before: range.before,
    everyType: types === undefined,
    types: numberList(types?.ids ?? []),
    others: types?.others === true,
    known: numberList(known),
    afterTime: after ?? -1,
    beforeTime: before ?? Number.MAX_SAFE_INTEGER,
  }
}

const ofValidation = (order: Order) =>
  named(
    ($: Placeholders<FilterName | 'validation' | 'addresses' | 'limit'>) => `
  select t.height, t.index, t.utxo_count
  from l1_validator_changes c
  cross join lateral (
    select * from primary_transactions where chain = ${$.chain} and height = c.height and index = c.index limit 1) t
  where c.validation_id = ${$.validation} and c.chain = ${$.chain} and c.index >= 0
    and (c.height, c.index) ${past[order]} (${$.height}, ${$.index}) and c.height >= ${$.from} and c.height < ${$.before}
    and (${$.addresses}::text::bytea[] is null or exists (
      select from primary_address_transactions a
      where a.address = any(${$.addresses}::text::bytea[]) and a.chain = ${$.chain} and a.height = c.height and a.index = c.index))
    and ${wanted($, 't')}
  order by c.height ${order}, c.index ${order} limit ${$.limit}`,
  )
const ofValidationIn = { asc: ofValidation('asc'), desc: ofValidation('desc') }

/**
 * The transactions after a position that changed an L1 validator and, if addresses are given, involve one of
 * them.
 */
export function readValidationTxPlaces(
  database: Queryable,
  chain: number,
  validation: Buffer,
  addresses: readonly Buffer[] | undefined,
  filter: TxFilter,
  from: TxPlace,
  order: Order,
  limit: number,
): Promise<PlacedTx[]> {
  return readNamed(database, placedTx, ofValidationIn[order], {
    chain,
    validation,
    addresses: addresses ? keyList(addresses) : null,
    height: from.height,
    index: from.index,
    ...filterParameters(filter),
    limit,
  })
}

const ofSubnet = (order: Order) =>
  named(
    ($: Placeholders<FilterName | 'subnet' | 'limit'>) => `
  with changed as (
    select height, index from subnets where chain = ${$.chain} and subnet = ${$.subnet}
    union
    select t.height, t.index from subnets s
    join primary_transactions t on t.chain = s.chain and t.id in (s.conversion_tx, s.transform_tx)
    where s.chain = ${$.chain} and s.subnet = ${$.subnet}
    union
    select height, index from blockchains where chain = ${$.chain} and subnet = ${$.subnet}
    union
    select height, index from stakers where chain = ${$.chain} and subnet = ${$.subnet}
    union
    select c.height, c.index from l1_validators v
    join l1_validator_changes c on c.validation_id = v.validation_id and c.chain = v.chain and c.index >= 0
    where v.chain = ${$.chain} and v.subnet = ${$.subnet}
  )
  select t.height, t.index, t.utxo_count from changed c
  cross join lateral (
    select * from primary_transactions where chain = ${$.chain} and height = c.height and index = c.index limit 1) t
  where (c.height, c.index) ${past[order]} (${$.height}, ${$.index}) and c.height >= ${$.from} and c.height < ${$.before}
    and ${wanted($, 't')}
  order by c.height ${order}, c.index ${order} limit ${$.limit}`,
  )
const ofSubnetIn = { asc: ofSubnet('asc'), desc: ofSubnet('desc') }

/** The transactions after a position that created or changed a subnet, its chains or its validators. */
export function readSubnetTxPlaces(
  database: Queryable,
  chain: number,
  subnet: Buffer,
  filter: TxFilter,
  from: TxPlace,
  order: Order,
  limit: number,
): Promise<PlacedTx[]> {
  return readNamed(database, placedTx, ofSubnetIn[order], {
    chain,
    subnet,
    height: from.height,
    index: from.index,
    ...filterParameters(filter),
    limit,
  })
}

const txRow = txPlace.extend({
  ts: z.bigint(),
  id: bytes,
  type: z.number(),
  bytes: bytes,
  block_id: bytes.nullable(),
  odd: oddRows,
})
/** A transaction with its block. `block_id` is null for a transaction in a vertex. */
export type TxRow = Readonly<z.output<typeof txRow>>

const txColumns = `t.height, t.index, t.ts, t.id, t.type, t.bytes, b.id as block_id, ${oddColumn('t.index')} as odd`

/** The transactions at these positions, in their order. */
export const readTxRows = query(txRow, (chain: number, places: readonly TxPlace[]) => [
  `select ${txColumns}
   from unnest($2::text::bigint[], $3::text::integer[]) with ordinality as asked (height, index, place)
   cross join lateral (
     select * from primary_transactions where chain = $1 and height = asked.height and index = asked.index limit 1) t
   left join lateral (select id from primary_blocks where chain = $1 and height = t.height limit 1) b on true
   order by asked.place`,
  [chain, numberList(places.map(({ height }) => height)), numberList(places.map(({ index }) => index))],
])

/** The transaction with an id. Of one that was accepted again, the first place counts, as for nodes. */
export const readTxById = queryOne(txRow, (chain: number, id: Buffer) => [
  `select ${txColumns} from primary_transactions t
   left join primary_blocks b on b.chain = t.chain and b.height = t.height
   where t.id = $2 and t.chain = $1
   order by t.height, t.index limit 1`,
  [chain, id],
])

const txStakerRow = z.strictObject({
  tx_id: bytes,
  node: bytes,
  subnet: bytes,
  start_ts: z.bigint(),
  end_ts: z.bigint(),
  potential_reward: z.string().nullable(),
  reward_addresses: z.array(bytes),
  ended_tx: bytes.nullable(),
  outcome: z.string().nullable(),
})
/** The result of a staking transaction, for answers about it and about the transaction that ended it. */
export type TxStakerRow = Readonly<z.output<typeof txStakerRow>>

/** The stakers that these transactions created. */
export const readTxStakers = query(txStakerRow, (ids: readonly Buffer[]) => [
  `select tx_id, node, subnet, start_ts, end_ts, potential_reward, reward_addresses, ended_tx, outcome
   from stakers where tx_id = any($1::text::bytea[])`,
  [keyList(ids)],
])

const txValidationRow = txPlace.extend({
  validation_id: bytes,
  weight: z.string(),
  balance: z.string(),
  balance_change: z.string(),
  subnet: bytes,
  node: bytes,
  bls_key: bytes,
})
/** The effect of a transaction on an L1 validator. */
export type TxValidationRow = Readonly<z.output<typeof txValidationRow>>

/** The changes of these validations at these heights, each once. */
export const readTxValidations = query(
  txValidationRow,
  (chain: number, validations: readonly Buffer[], heights: readonly bigint[]) => [
    `select c.validation_id, c.height, c.index, c.weight, c.balance, c.balance_change, v.subnet, v.node, v.bls_key
     from unnest($2::text::bytea[]) as asked (validation_id)
     join l1_validator_changes c on c.validation_id = asked.validation_id and c.chain = $1
       and c.height = any($3::text::bigint[]) and c.index >= 0
     join l1_validators v on v.validation_id = c.validation_id`,
    [chain, keyList(validations), numberList(heights)],
  ],
)
