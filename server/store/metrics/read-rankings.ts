import { z } from 'zod'
import type { BlockRange } from '../evm/read-blocks.ts'
import { query, queryOne } from '../read.ts'

/** The orders of a ranking, as the contract names them. */
type CallOrder = 'gasUsed' | 'transactionCount' | 'callerCount'
type TokenOrder = 'transferCount' | 'holderCount'

const calls = {
  transactions: z.bigint(),
  failed: z.bigint(),
  gas: z.string(),
  fees: z.string(),
  callers: z.bigint(),
  /** The same of all rows, ranked or not. */
  all_rows: z.bigint(),
  all_transactions: z.string(),
  all_gas: z.string(),
}
const rankedContract = z.strictObject({ address: z.string(), ...calls })
/** A selector (0x text) with the calls of it. */
const rankedMethod = z.strictObject({ selector: z.string(), contracts: z.bigint(), ...calls })
/** A called address (0x text) with its calls. Fees are in the smallest unit. */
export type RankedContractRow = Readonly<z.output<typeof rankedContract>>

const callColumns: Readonly<Record<CallOrder, string>> = {
  gasUsed: 'sum(gas)',
  transactionCount: 'sum(txs)',
  callerCount: 'callers',
}

const sums = `
  sum(txs)::bigint as transactions, sum(failed)::bigint as failed, sum(gas)::text as gas, sum(fees)::text as fees,
  count(*) over () as all_rows, (sum(sum(txs)) over ())::text as all_transactions,
  (sum(sum(gas)) over ())::text as all_gas`

/*
 * Blocks are stored in order, so a range is a part of the primary key. Distinct callers cannot be added up over
 * hours, so sums by hour would need a row for each contract and caller: of a million transactions, nearly as many
 * as calls (docs/metrics.md, Rankings).
 */
const called = (keys: string): string => `
  select ${keys}, count(*) as txs, count(*) filter (where status = 0) as failed, sum(gas_used) as gas,
    sum(gas_used * gas_price) as fees
  from transactions
  where chain = $1 and number >= $2 and number < $3 and recipient is not null and length(input) >= 4
  group by ${keys.replaceAll(/ as \w+/g, '')}`

/** The called addresses of a range of blocks, the first in the order first. */
export const readRankedContracts = query(
  rankedContract,
  (chain: bigint, { from, before }: BlockRange, order: CallOrder, limit: number) => [
    `select '0x' || encode(recipient, 'hex') as address, count(*) as callers, ${sums}
     from (${called('recipient, sender')}) pairs group by recipient
     order by ${callColumns[order]} desc, recipient limit $4`,
    [chain, from, before, limit],
  ],
)

/** The called methods of a range of blocks, the first in the order first. */
export const readRankedMethods = query(
  rankedMethod,
  (chain: bigint, { from, before }: BlockRange, order: CallOrder, limit: number) => [
    `select '0x' || encode(selector, 'hex') as selector, count(distinct sender) as callers,
       count(distinct recipient) as contracts, ${sums}
     from (${called('substring(input from 1 for 4) as selector, recipient, sender')}) pairs group by selector
     order by ${callColumns[order]} desc, pairs.selector limit $4`,
    [chain, from, before, limit],
  ],
)

/** A token (0x text) with its movements and the addresses whose balance of it changed. */
const rankedToken = z.strictObject({
  token: z.string(),
  kind: z.literal([20, 721, 1155]),
  transfers: z.bigint(),
  holders: z.bigint(),
  all_rows: z.bigint(),
  all_transfers: z.string(),
})

const tokenColumns: Readonly<Record<TokenOrder, string>> = {
  transferCount: 'transfers',
  holderCount: 'holders',
}

/** The tokens that moved in a range of blocks, the first in the order first. */
export const readRankedTokens = query(
  rankedToken,
  (chain: bigint, { from, before }: BlockRange, order: TokenOrder, limit: number) => [
    `with moved as (
       select token, kind, max(cum_transfers) as reached from token_blocks
       where chain = $1 and number >= $2 and number < $3 group by token, kind),
     counted as (
       select token, kind, reached - coalesce((
         select cum_transfers from token_blocks b
         where b.chain = $1 and b.token = moved.token and b.kind = moved.kind and b.number < $2
         order by b.number desc limit 1), 0) as transfers
       from moved),
     active as (
       select token, kind, count(distinct address) as holders from balances
       where chain = $1 and number >= $2 and number < $3 and token_id = -1 group by token, kind)
     select '0x' || encode(token, 'hex') as token, kind, transfers, coalesce(holders, 0) as holders,
       count(*) over () as all_rows, (sum(transfers) over ())::text as all_transfers
     from counted left join active using (token, kind)
     order by ${tokenColumns[order]} desc, counted.token, kind limit $4`,
    [chain, from, before, limit],
  ],
)

const changed = z.strictObject({ changes: z.bigint() })

/** The changes of token balances in a range of blocks, which a ranking of tokens reads; at most `max` are counted. */
export const readBalanceChangeCount = queryOne(
  changed,
  (chain: bigint, { from, before }: BlockRange, max: number) => [
    `select count(*) as changes from (
     select 1 from balances where chain = $1 and number >= $2 and number < $3 and token_id = -1 limit $4) read`,
    [chain, from, before, max],
  ],
  (row) => row?.changes ?? 0n,
)

const counted = z.strictObject({ transactions: z.bigint() })

/** The number of transactions in a range of blocks: the difference of two running sums. */
export const readTransactionCount = queryOne(
  counted,
  (chain: bigint, { from, before }: BlockRange) => [
    `select coalesce((
       select cum_txs from blocks where chain = $1 and number < $3 order by number desc limit 1), 0)
     - coalesce((
       select cum_txs from blocks where chain = $1 and number < $2 order by number desc limit 1), 0) as transactions`,
    [chain, from, before],
  ],
  (row) => row?.transactions ?? 0n,
)
