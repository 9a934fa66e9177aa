import type { Database } from '../../store/database.ts'
import { transferLogs } from '../../store/evm/transfer-logs.ts'
import type { Spread } from './reputation.ts'

/** Transfers that are read from each end of a token's history. */
const looked = 5_000

/** An ERC-20 transfer, matching the index logs_token. */
const shape = `chain = $1 and address = $2 and ${transferLogs['ERC-20']}`

const statement = `
  with ends as materialized (
    (select number, tx_index, index, topic2, data from logs where ${shape}
      order by number, index limit ${looked})
    union
    (select number, tx_index, index, topic2, data from logs where ${shape}
      order by number desc, index desc limit ${looked})
  )
  select
    (select count(distinct topic2) from ends where data = decode(repeat('00', 32), 'hex'))::int as nothing,
    coalesce((select max(paid) from
      (select count(distinct topic2) as paid from ends group by number, tx_index) at_once), 0)::int as at_once`

/**
 * How an ERC-20 token was distributed, from its first and last 5,000 transfers: the first ones show an
 * airdrop, the last ones a continuing campaign. The work is bounded.
 */
export async function readSpread(database: Database, chain: number, token: Buffer): Promise<Spread> {
  const [row] = await database.unsafe<{ nothing: number; at_once: number }[]>(statement, [chain, token])
  if (!row) throw new Error('a count has no row')
  return { zeroValueRecipients: row.nothing, maxPaidAtOnce: row.at_once }
}
