import { z } from 'zod'
import { keyList } from '../sql-literals.ts'
import { bytes, query } from '../read.ts'
import { txPlace, type TxPlace } from './read-primary.ts'

const cycleRow = txPlace.extend({
  staking_tx: bytes,
  /** The transaction that ended the period. */
  tx_id: bytes,
  start_ts: z.bigint(),
  end_ts: z.bigint(),
  weight: z.string(),
  potential_reward: z.string(),
  outcome: z.enum(['renewed', 'rewarded', 'unrewarded']),
  /** The paid and the restaked amounts, of the validator's own reward and of its delegators' rewards. */
  reward: z.string(),
  delegation_reward: z.string(),
  restaked: z.string(),
  restaked_delegation: z.string(),
})
/** A finished period of an auto-renewed validator. Amounts are text, times Unix seconds. */
export type CycleRow = Readonly<z.output<typeof cycleRow>>

const shown = `
  c.height, c.index, c.staking_tx, t.id as tx_id, c.start_ts, c.end_ts, c.weight, c.potential_reward, c.outcome,
  c.reward, c.delegation_reward, c.restaked, c.restaked_delegation`

/** The finished periods of a node's auto-renewed validators before a position, latest first. */
export const readCycles = query(cycleRow, (chain: number, node: Buffer, before: TxPlace, limit: number) => [
  `select ${shown} from staking_cycles c
   join primary_transactions t on t.chain = c.chain and t.height = c.height and t.index = c.index
   where c.chain = $1 and c.node = $2 and (c.height, c.index) < ($3, $4)
   order by c.height desc, c.index desc limit $5`,
  [chain, node, before.height, before.index, limit],
])

/** The periods that these transactions ended. */
export const readCyclesOf = query(cycleRow, (chain: number, transactions: readonly Buffer[]) => [
  `select ${shown} from primary_transactions t
   join staking_cycles c on c.chain = t.chain and c.height = t.height and c.index = t.index
   where t.chain = $1 and t.id = any($2::text::bytea[])`,
  [chain, keyList(transactions)],
])
