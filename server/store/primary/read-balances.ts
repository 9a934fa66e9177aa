import { z } from 'zod'
import { keyList, numberList } from '../sql-literals.ts'
import type { Queryable } from '../database.ts'
import { bytes, named, readNamed, type Placeholders } from '../read.ts'
import { typeIds, xTypeIds } from '../../../protocol/primary/outputs.ts'

/** The bucket of an amount at a time; docs/primary.md defines each. */
export const buckets = [
  'unlockedUnstaked',
  'unlockedStaked',
  'lockedPlatform',
  'lockedStakeable',
  'lockedStaked',
  'pendingStaked',
  'atomicUnlocked',
  'atomicLocked',
] as const
export type Bucket = (typeof buckets)[number]

const balanceRow = z.strictObject({
  bucket: z.number(),
  home: z.number(),
  chain: z.number(),
  asset: bytes,
  is_nft: z.boolean(),
  amount: z.string(),
  utxo_count: z.bigint(),
})
/** An asset's amount in a bucket. `home` is the chain where it can be spent, `chain` where it was created. */
export type BalanceRow = Readonly<z.output<typeof balanceRow>>

type Params = Placeholders<'addresses' | 'chain' | 'others' | 'lyingToo' | 'time' | 'stakeTime' | 'lockTime'>

// Times are bigint and locktimes numeric: each is compared with a parameter of its own type, to avoid a cast
// per row.
const locked = ($: Params): string => `u.locktime > ${$.lockTime}::numeric`
const stakeLocked = ($: Params): string =>
  `(u.locktime > ${$.lockTime}::numeric or u.stakeable_locktime > ${$.lockTime}::numeric)`

// Only these types hold a balance: amounts, and NFTs of the X-Chain, each of which counts as one.
const counted = ($: Params): string => `
  u.ts <= ${$.time}::bigint and (u.spent_ts is null or u.spent_ts > ${$.time}::bigint) and u.type in (${typeIds.transferOutput}, ${xTypeIds.nftTransferOutput})`

const bucketOf = ($: Params): string => `
  case
    when u.home <> u.chain then case when ${locked($)} then 7 else 6 end
    when u.staked_until > ${$.stakeTime}::bigint then
      case when u.staked_from > ${$.stakeTime}::bigint then 5 when ${stakeLocked($)} then 4 else 1 end
    when ${locked($)} then 2
    when u.stakeable_locktime > ${$.lockTime}::numeric then 3
    else 0
  end`

// Every UTXO has exactly one first owner, so it is found once by that column; UTXOs found there are excluded
// from the list of other owners. The first part is an index-only scan.
const statement = named(
  ($: Params) => `
  select bucket, home, chain, asset, is_nft, sum(amount)::text as amount, count(*) as utxo_count
  from (
    select ${bucketOf($)} as bucket, u.home, u.chain, u.asset, u.type = ${xTypeIds.nftTransferOutput} as is_nft,
      case when u.type = ${xTypeIds.nftTransferOutput} then 1 else u.amount end as amount
    from (
      select ts, spent_ts, asset, amount, locktime, stakeable_locktime, staked_from, staked_until, type, home, chain
      from utxos where owner = any(${$.addresses}::text::bytea[]) and home = ${$.chain}
      union all
      select ts, spent_ts, asset, amount, locktime, stakeable_locktime, staked_from, staked_until, type, home, chain
      from utxos where owner = any(${$.addresses}::text::bytea[]) and home = any(${$.others}::text::smallint[]) and chain = ${$.chain}
      union all
      select w.ts, w.spent_ts, w.asset, w.amount, w.locktime, w.stakeable_locktime, w.staked_from, w.staked_until,
        w.type, w.home, w.chain
      from (
        select distinct chain, height, tx_index, output_index from utxo_co_owners
        where address = any(${$.addresses}::text::bytea[])
          and (home = ${$.chain} or (home = any(${$.others}::text::smallint[]) and chain = ${$.chain}))) c
      cross join lateral (
        select * from utxos where chain = c.chain and height = c.height and tx_index = c.tx_index
          and output_index = c.output_index limit 1) w
      where not w.owner = any(${$.addresses}::text::bytea[])
    ) u
    where ${counted($)} and (${$.lyingToo} or u.home <> u.chain)
  ) each
  group by bucket, home, chain, asset, is_nft`,
)

/** The time of a balance: UTXOs and locks as of `time`, stakes as of `stakeTime` (Unix seconds). */
type BalanceMoment = { readonly time: number; readonly stakeTime: number }

/**
 * The balances of the addresses on a chain at a time, counting each UTXO once: UTXOs on the chain, UTXOs
 * exported to it and not yet imported, and UTXOs exported from it and not yet imported. `others` are the
 * other chains of the network. `atomicOnly` returns only the last two.
 */
export function readBalances(
  database: Queryable,
  chain: number,
  others: readonly number[],
  addresses: readonly Buffer[],
  moment: BalanceMoment,
  atomicOnly: boolean,
): Promise<BalanceRow[]> {
  return readNamed(database, balanceRow, statement, {
    addresses: keyList(addresses),
    chain,
    others: numberList(others),
    lyingToo: !atomicOnly,
    time: moment.time,
    stakeTime: moment.stakeTime,
    lockTime: moment.time,
  })
}

const unlockRow = z.strictObject({
  free_at: z.string(),
  kind: z.number(),
  home: z.number(),
  asset: bytes,
  /** For a stake, its transaction; empty for locked amounts. */
  stake_tx: bytes,
  amount: z.string(),
  utxo_count: z.bigint(),
  first_tx: bytes,
})
/** An amount that becomes spendable at a time. */
type UnlockRow = Readonly<z.output<typeof unlockRow>>

/** The kinds of UnlockRow: locked, locked except for staking, staked. */
export const unlockKind = { platform: 0, stakeable: 1, staking: 2 } as const

// Unspent amounts that are not spendable at a time, with the end and the reason. If a lock lasts at least as
// long as the stake, the lock is the reason.
const unlockStatement = named(
  ($: Placeholders<'addresses' | 'chains' | 'time' | 'stakeTime' | keyof UnlockPlace | 'limit'>) => `
  with owned as (
    select ts, spent_ts, asset, amount, locktime, stakeable_locktime, staked_from, staked_until, type, home, chain,
      height, tx_index, output_index
    from utxos where owner = any(${$.addresses}::text::bytea[]) and home = any(${$.chains}::text::smallint[])
    union all
    select w.ts, w.spent_ts, w.asset, w.amount, w.locktime, w.stakeable_locktime, w.staked_from, w.staked_until, w.type,
      w.home, w.chain, w.height, w.tx_index, w.output_index
    from (
      select distinct chain, height, tx_index, output_index from utxo_co_owners
      where address = any(${$.addresses}::text::bytea[]) and home = any(${$.chains}::text::smallint[])) c
    cross join lateral (
      select * from utxos where chain = c.chain and height = c.height and tx_index = c.tx_index
        and output_index = c.output_index limit 1) w
    where not w.owner = any(${$.addresses}::text::bytea[])
  ), bound as (
    select *,
      greatest(locktime, stakeable_locktime, case when staked_until > ${$.stakeTime}::bigint then staked_until else 0 end) as free_at
    from owned
    where spent_ts is null and type = ${typeIds.transferOutput}
      and (locktime > ${$.time}::numeric or stakeable_locktime > ${$.time}::numeric or staked_until > ${$.stakeTime}::bigint)
  ), named as (
    select free_at, home, asset, amount, chain, height, tx_index,
      case when locktime = free_at then 0 when stakeable_locktime = free_at then 1 else 2 end as kind,
      (select tx_id from utxos t where t.chain = bound.chain and t.height = bound.height
         and t.tx_index = bound.tx_index and t.output_index = bound.output_index limit 1) as tx_id
    from bound
  )
  select free_at::text as free_at, kind, home, asset, stake_tx, sum(amount)::text as amount, count(*) as utxo_count,
    (array_agg(tx_id order by height, tx_index))[1] as first_tx
  from (select *, case when kind = 2 then tx_id else ''::bytea end as stake_tx from named) each
  group by free_at, kind, home, asset, stake_tx
  having (free_at, kind, home, asset, stake_tx) > (${$.free_at}::numeric, ${$.kind}::integer, ${$.home}::smallint, ${$.asset}::bytea, ${$.stake_tx}::bytea)
  order by each.free_at, kind, home, asset, stake_tx
  limit ${$.limit}`,
)

/** The position in a list of unlocks. */
type UnlockPlace = Pick<UnlockRow, 'free_at' | 'kind' | 'home' | 'asset' | 'stake_tx'>

/** The position before every unlock. */
export const beforeAllUnlocks: UnlockPlace = {
  free_at: '-1',
  kind: -1,
  home: -1,
  asset: Buffer.alloc(0),
  stake_tx: Buffer.alloc(0),
}

/** The amounts of the addresses that are not spendable at a time, after a position, earliest unlock first. */
export function readUnlocks(
  database: Queryable,
  chains: readonly number[],
  addresses: readonly Buffer[],
  moment: BalanceMoment,
  past: UnlockPlace,
  limit: number,
): Promise<UnlockRow[]> {
  return readNamed(database, unlockRow, unlockStatement, {
    addresses: keyList(addresses),
    chains: numberList(chains),
    time: moment.time,
    stakeTime: moment.stakeTime,
    free_at: past.free_at,
    kind: past.kind,
    home: past.home,
    asset: past.asset,
    stake_tx: past.stake_tx,
    limit,
  })
}
