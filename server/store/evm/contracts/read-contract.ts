import { byteaList } from '../../sql-literals.ts'
import type { Queryable } from '../../database.ts'
import { columnsOf, digits, flag, height, hex, integer, rowOf, type RowOf } from '../../json-rows.ts'
import { lastBlock, lastIndex, maxRows, query, read } from '../../read.ts'
import { readByPartition } from '../read-address-partitions.ts'

/** The position of a creation: its block, its transaction, and its order among that transaction's calls. */
type CreationPlace = { readonly number: bigint; readonly tx: number; readonly ordinal: number }

const creation = {
  number: height('c.number'),
  tx: integer('c.tx_index'),
  ordinal: integer('c.ordinal'),
  address: hex('c.address'),
  deployer: hex('c.deployer'),
  origin: hex('c.origin'),
  ts: integer('b.ts'),
  txHash: hex('t.hash'),
}
const creationRow = rowOf(creation)
/**
 * One creation. `origin` signed the transaction; `deployer` created the contract and is either `origin` or a
 * contract.
 */
export type Creation = RowOf<typeof creation>

/** The heights of the statements about an address, by which partitions are left out as in read-address-native.ts. */
const heights = 'number >= $7 and number < $2 + 1'
const placed = (within: string): string => `
  cross join lateral (select ts from blocks where chain = $1 and number = c.number and ${within} limit 1) b
  cross join lateral (
    select hash from transactions
    where chain = $1 and number = c.number and ${within} and index = c.tx_index limit 1) t`

const latestFirst = 'order by number desc, tx_index desc, ordinal desc'

const creationsOf = (rows: string, within: string): string => `
  select ${columnsOf(creation)} from (${rows}) c ${placed(within)}
  order by c.number desc, c.tx_index desc, c.ordinal desc`

const before = '(number, tx_index, ordinal) < ($2, $3, $4)'

/**
 * The ERC number of the contract at `address` (an SQL expression): the interface that it declares by ERC-165, otherwise
 * the kind of most of its transfers, as in read-token.ts; null if it is not a token.
 */
const kindOf = (address: string): string => `coalesce(
    (select interface from token_facts where chain = $1 and token = ${address} limit 1),
    (select t.kind from tokens t
     cross join lateral (
       select cum_transfers from token_blocks
       where chain = $1 and token = t.token and kind = t.kind
       order by number desc limit 1) totals
     where t.chain = $1 and t.token = ${address}
     order by totals.cum_transfers desc, t.first_block, t.kind limit 1))`

/** The kinds that a list of creations can be narrowed to. */
type CreatedKind = 20 | 721 | 1155 | 'other'
const isOfKind = (kind: CreatedKind | undefined): string =>
  kind === undefined ? '' : `and ${kindOf('contracts.address')} ${kind === 'other' ? 'is null' : `= ${kind}`}`

const chainStatement = (kind?: CreatedKind): string =>
  creationsOf(
    `select * from (
       select * from contracts where chain = $1 and ${before} ${isOfKind(kind)} ${latestFirst} limit ${maxRows}) range
     ${latestFirst} limit $5`,
    'number <= $2',
  )

const deployerStatement = (kind?: CreatedKind): string => {
  const branches = ['deployer', 'origin'].map(
    (role) => `
    (select * from (
       select * from contracts
       where chain = $1 and ${role} = $6 and ${before} and ${heights} ${isOfKind(kind)}
       ${latestFirst} limit ${maxRows}) range
     ${latestFirst} limit $5)`,
  )
  return creationsOf(
    `select distinct on (number, tx_index, ordinal) * from (${branches.join(' union all ')}) either
     ${latestFirst} limit $5`,
    heights,
  )
}

const contractStatement = creationsOf(
  `select * from contracts where chain = $1 and address = $6 and ${before} and ${heights} ${latestFirst} limit $5`,
  heights,
)

/**
 * Creations before a position, latest first: of the whole chain, or those that an address made itself or in
 * transactions that it signed; of any kind or one. `limit` is at most 101.
 */
export function readCreations(
  database: Queryable,
  chain: bigint,
  deployer: Buffer | undefined,
  past: CreationPlace,
  limit: number,
  kind?: CreatedKind,
): Promise<Creation[]> {
  const place = [chain, past.number, past.tx, past.ordinal, limit]
  return deployer
    ? readOfAddress(database, deployerStatement(kind), chain, deployer, past, limit)
    : read(database, creationRow, chainStatement(kind), place)
}

const wholeChain = { from: 0n, before: lastBlock }
const beforeAll: CreationPlace = { number: lastBlock, tx: lastIndex, ordinal: lastIndex }

function readOfAddress(
  database: Queryable,
  statement: string,
  chain: bigint,
  address: Buffer,
  past: CreationPlace,
  limit: number,
): Promise<Creation[]> {
  const list = { chain, address, range: wholeChain, past, last: { tx: lastIndex, ordinal: lastIndex } }
  return readByPartition(database, list, limit, ({ number, tx, ordinal }, from, left) =>
    read(database, creationRow, statement, [chain, number, tx, ordinal, left, address, from]),
  )
}

/** The latest creation of a contract; undefined for other addresses. */
export async function readCreation(
  database: Queryable,
  chain: bigint,
  address: Buffer,
): Promise<Creation | undefined> {
  const [row] = await readOfAddress(database, contractStatement, chain, address, beforeAll, 1)
  return row
}

const kind = { token: hex('asked.token'), kind: integer('asked.kind') }
const kindRow = rowOf(kind)
const kindsStatement = `
  select ${columnsOf(kind)}
  from (select token, ${kindOf('listed.token')} as kind from unnest($2::text::bytea[]) as listed (token)) asked
  where asked.kind is not null`

/** The ERC number (20, 721 or 1155) of those addresses that are token contracts. */
export const readTokenKinds = query(
  kindRow,
  (chain: bigint, addresses: readonly string[]) =>
    addresses.length > 0 ? [kindsStatement, [chain, byteaList(addresses)]] : undefined,
  (rows): ReadonlyMap<string, number> => new Map(rows.map(({ token, kind }) => [token, kind])),
)

/** The transactions of one contract that are counted. */
const maxCounted = 2_000

const use = {
  address: hex('asked.address'),
  transactionCount: digits('latest.transactions'),
  callerCount: digits('latest.callers'),
  isCapped: flag(`latest.transactions = ${maxCounted}`),
}
const useRow = rowOf(use)

/** The first block of the seconds ($n) before the time of the chain's head. */
const firstBlockWithin = (seconds: string): string => `
  select number from blocks
  where chain = $1 and ts > (select ts from blocks where chain = $1 order by number desc limit 1) - ${seconds}::bigint
  order by ts, number limit 1`

// By the index of what an address received, the newest first: a contract that is called all the time costs no more.
const useStatement = `
  select ${columnsOf(use)}
  from unnest($2::text::bytea[]) as asked (address)
  cross join lateral (
    select count(*) as transactions, count(distinct sender) as callers from (
      select sender from transactions
      where chain = $1 and coalesce(recipient, created) = asked.address and recipient is not null
        and number >= (${firstBlockWithin('$3')})
      order by number desc, index desc limit ${maxCounted}) received) latest`

/** How much contracts were used in the given seconds before the head's time: at most the latest 2,000 transactions each. */
export const readRecentUse = query(
  useRow,
  (chain: bigint, addresses: readonly string[], seconds: number) =>
    addresses.length > 0 ? [useStatement, [chain, byteaList(addresses), seconds]] : undefined,
  (rows) => new Map(rows.map(({ address, ...counts }) => [address, counts])),
)

/** The addresses with the most use among which contracts are looked for: others are accounts that were paid. */
const maxUsed = 1_000

const used = {
  ...creation,
  transactionCount: digits('used.transactions'),
  callerCount: digits('used.callers'),
  isCapped: flag('used.is_capped'),
}
const usedRow = rowOf(used)
/** A contract's latest creation, with its use. */
export type UsedContract = RowOf<typeof used>

const useOrders = { transactionCount: 'transactions', callerCount: 'callers' } as const

const usedStatement = (order: keyof typeof useOrders, kind?: CreatedKind): string => `
  with latest as (
    select recipient, sender from transactions
    where chain = $1 and recipient is not null and number >= (${firstBlockWithin('$2')})
    order by number desc, index desc limit $3),
  used as (
    select recipient, count(*) as transactions, count(distinct sender) as callers,
      sum(count(*)) over () >= $3 as is_capped
    from latest group by recipient order by ${useOrders[order]} desc, recipient limit ${maxUsed})
  select ${columnsOf(used)} from used
  cross join lateral (
    select * from contracts where chain = $1 and address = used.recipient ${isOfKind(kind)}
    ${latestFirst} limit 1) c ${placed('true')}
  where $5::text is null or encode(c.deployer, 'hex') = $5 or encode(c.origin, 'hex') = $5
  order by used.${useOrders[order]} desc, used.recipient limit $4`

/** What {@link readUsedContracts} ranks by, and what it is narrowed to. */
type UseRanking = {
  readonly order: keyof typeof useOrders
  /** Seconds before the head's time. */
  readonly seconds: number
  /** The newest transactions of these seconds that are counted. */
  readonly maxCounted: number
  readonly kind?: CreatedKind | undefined
  readonly creator?: Buffer | undefined
  /** All if absent. */
  readonly limit?: number | undefined
}

/**
 * The contracts that were used in the seconds before the head's time, the most used first; with the same count in the
 * order of their addresses. `isCapped` if older transactions of these seconds were not counted. At most 1,000.
 */
export const readUsedContracts = query(usedRow, (chain: bigint, ranking: UseRanking) => [
  usedStatement(ranking.order, ranking.kind),
  [
    chain,
    ranking.seconds,
    ranking.maxCounted,
    ranking.limit ?? maxUsed,
    ranking.creator?.toString('hex') ?? null,
  ],
])

/** An address with the number of contracts that it created and its latest creation. */
const deployers = {
  address: hex('d.deployer'),
  contractCount: digits('d.count'),
  lastBlock: digits('d.last_block'),
  lastTimestamp: integer('b.ts'),
}
const deployerRow = rowOf(deployers)

const deployersStatement = `
  select ${columnsOf(deployers)}
  from (
    select deployer, count(*) as count, max(number) as last_block from contracts
    where chain = $1 and number >= (${firstBlockWithin('$2')})
    group by deployer
    order by count(*) desc, max(number) desc, deployer
    limit 100) d
  cross join lateral (select ts from blocks where chain = $1 and number = d.last_block limit 1) b
  order by d.count desc, d.last_block desc, d.deployer`

/**
 * The 100 addresses that created the most contracts in the given seconds before the head's time, highest
 * count first.
 */
export const readDeployers = query(deployerRow, (chain: bigint, seconds: number) => [
  deployersStatement,
  [chain, seconds],
])
