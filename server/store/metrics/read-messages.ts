import { z } from 'zod'
import { pTxTypeIds } from '../../../protocol/primary/transaction-types.ts'
import { chainsParameter, forChains, readChains, refuseLost } from '../chain-reads.ts'
import type { Queryable } from '../database.ts'
import { bytes, read } from '../read.ts'
import { numberList } from '../sql-literals.ts'

export type MessageDirection = 'sent' | 'delivered'

/** The `direction` column of `cross_chain_messages`. */
const codes: Readonly<Record<MessageDirection, number>> = { sent: 0, delivered: 1 }

const bucket = z.object({ place: z.number(), messages: z.bigint() })

/**
 * The number of messages of an EVM chain between each two consecutive times (Unix seconds, ascending, the later one
 * not included).
 */
export async function readMessageCounts(
  database: Queryable,
  chain: bigint,
  times: readonly number[],
  direction: MessageDirection,
): Promise<bigint[]> {
  const rows = await read(
    database,
    bucket,
    `select width_bucket(ts, (select $2::text::bigint[])) as place, count(*) as messages
     from cross_chain_messages
     where chain = $1 and direction = $3 and ts >= $4::bigint and ts < $5::bigint group by 1`,
    [chain, numberList(times), codes[direction], times[0] ?? 0, times.at(-1) ?? 0],
  )
  const counts = times.slice(1).map(() => 0n)
  for (const { place, messages } of rows) counts[place - 1] = messages
  return counts
}

const pair = z.object({
  place: z.number(),
  /** The EVM chain id; null for the P-Chain. */
  chain: z.bigint().nullable(),
  /** The blockchain at the other end; null if it is not known. */
  peer: bytes.nullable(),
  messages: z.bigint(),
})
/** How many messages a chain and another one exchanged in the period at `place`, counted from 1. */
export type PairRow = Readonly<z.output<typeof pair>>

/** The transactions of the P-Chain by which it lets its validators sign a message to an L1, and takes one of an L1. */
const pTypes: Readonly<Record<MessageDirection, readonly number[]>> = {
  sent: [pTxTypeIds.ConvertSubnetToL1Tx, pTxTypeIds.RegisterL1ValidatorTx, pTxTypeIds.SetL1ValidatorWeightTx],
  delivered: [pTxTypeIds.RegisterL1ValidatorTx, pTxTypeIds.SetL1ValidatorWeightTx],
}

const ofEvm = forChains(
  ({ among }) => `
  select width_bucket(ts, (select $2::text::bigint[])) as place, chain, peer, count(*) as messages
  from cross_chain_messages
  where ${among('chain')} and direction = $3 and ts >= $4::bigint and ts < $5::bigint group by 1, 2, 3`,
)

/**
 * The L1 that a transaction is about is that of its conversion or of its validation, and the chain of the L1's manager
 * is at the other end: the P-Chain takes messages of no other.
 */
const ofPChain = `
  select width_bucket(t.ts, (select $2::text::bigint[])) as place, null::bigint as chain, s.manager_chain as peer, count(*) as messages
  from primary_transactions t
  left join (
    select conversion_tx as tx, subnet from subnets where chain = $1 and conversion_tx is not null
    union
    select c.tx_id, v.subnet from l1_validator_changes c join l1_validators v on v.validation_id = c.validation_id
    where c.chain = $1 and c.index >= 0) about on about.tx = t.id
  left join subnets s on s.chain = $1 and s.subnet = about.subnet
  where t.chain = $1 and t.type = any($3::text::smallint[]) and t.type in (35, 36, 37)
    and t.ts >= $4::bigint and t.ts < $5::bigint
  group by 1, 3`

/** The messages of some EVM chains and of the P-Chain (its key) in consecutive periods, by pair of chains. */
export async function readMessagePairs(
  database: Queryable,
  chains: readonly bigint[],
  pChain: number,
  direction: MessageDirection,
  boundaries: readonly number[],
): Promise<PairRow[]> {
  const time = [boundaries[0] ?? 0, boundaries.at(-1) ?? 0]
  const list = numberList(boundaries)
  const rows = await Promise.all([
    readChains(
      database,
      chains,
      (scope) =>
        read(database, pair, ofEvm[scope.form], [chainsParameter(scope), list, codes[direction], ...time]),
      refuseLost,
    ),
    read(database, pair, ofPChain, [pChain, list, numberList(pTypes[direction]), ...time]),
  ])
  return rows.flat()
}
