import type { Database } from '../../store/database.ts'
import { transferLogs } from '../../store/evm/transfer-logs.ts'
import type { Spread } from './reputation.ts'

/** Transfers that are looked at, from each end of a token's history. */
const looked = 5_000

/** A transfer of ERC-20 as the index logs_token finds it. */
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
 * How an ERC-20 token was handed out, by its first and its last 5,000 transfers: an airdrop shows in the first
 * ones, a campaign that goes on in the last. Bounded, however often the token moved.
 */
export async function readSpread(database: Database, chain: number, token: Buffer): Promise<Spread> {
  const [row] = await database.unsafe<{ nothing: number; at_once: number }[]>(statement, [chain, token])
  if (!row) throw new Error('a count has no row')
  return { zeroValueRecipients: row.nothing, mostPaidAtOnce: row.at_once }
}
