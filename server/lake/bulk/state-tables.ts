import { keyOrder, type Fold } from './folds.ts'
import type { Columns } from './rows.ts'

/** A table of the ordered state: its columns behind `chain`, and the fold that it is read from. */
type StateTable = {
  readonly table: string
  readonly columns: Columns
  readonly fold: Fold
  /** What follows `select … from`, in key order. `final` is the height up to which blocks are final. */
  source(final: number): string
}

export const stateTables: readonly StateTable[] = [
  {
    table: 'seen',
    columns: { role: 'smallint', address: 'bytes', hour_ts: 'bigint', first_block: 'bigint' },
    fold: 'hours',
    // An hour that a later one replaced is kept only if a reorg may delete the later one.
    source: (final) => `(
      select role, address, hour as hour_ts, number as first_block from hours
      qualify coalesce(lead(number) over (partition by role, address order by hour) > ${final}, true))
      order by role, address, hour_ts`,
  },
  {
    table: 'balances',
    columns: {
      address: 'bytes',
      kind: 'smallint',
      token: 'bytes',
      token_id: 'numeric',
      number: 'bigint',
      balance: 'numeric',
    },
    fold: 'balances',
    source: () => `balances order by ${keyOrder}`,
  },
  {
    table: 'holders',
    columns: { token: 'bytes', kind: 'smallint', address: 'bytes', balance: 'numeric', peak: 'numeric' },
    fold: 'holders',
    source: () => 'holders order by token, kind, address',
  },
  {
    table: 'token_blocks',
    columns: {
      token: 'bytes',
      kind: 'smallint',
      number: 'bigint',
      supply: 'numeric',
      holders: 'bigint',
      cum_transfers: 'bigint',
    },
    fold: 'token_blocks',
    source: () => 'token_blocks order by token, kind, number',
  },
  {
    table: 'tokens',
    columns: {
      token: 'bytes',
      kind: 'smallint',
      first_block: 'bigint',
      holders: 'bigint',
      last_block: 'bigint',
    },
    fold: 'token_blocks',
    source: () => `(
      select token, kind, min(number) as first_block, arg_max(holders, number) as holders, max(number) as last_block
      from token_blocks group by token, kind)
      order by token, kind`,
  },
  {
    table: 'nfts',
    columns: { token: 'bytes', kind: 'smallint', token_id: 'numeric', first_block: 'bigint' },
    fold: 'token_blocks',
    source: () => `(
      select token, kind, token_id, min(number) as first_block
      from token_transfers where kind <> 20 group by token, kind, token_id)
      order by token, kind, length(token_id), token_id`,
  },
]
