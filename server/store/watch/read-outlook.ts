import { z } from 'zod'
import { primarySubnetId } from '../../primary/chains.ts'
import { expectedFees } from '../network/read-validators.ts'
import { bytes, query, queryOne } from '../read.ts'

/** The present delegations of a validation, those that end first first. */
export const readDelegationsOf = query(
  z.strictObject({
    tx_id: bytes,
    weight: z.string(),
    end_ts: z.bigint(),
  }),
  (chain: number, validation: Buffer) => [
    `select tx_id, weight::text, end_ts from stakers
     where chain = $1 and validator_tx = $2 and ended_ts is null order by end_ts, tx_id`,
    [chain, validation],
  ],
)

/** The fees that a validation may expect from its delegations, those that ended included, as the chain reckons them. */
export const readExpectedFees = queryOne(
  z.strictObject({ amount: z.string() }),
  (chain: number, validation: Buffer) => [
    `select fees.amount::text as amount from stakers s cross join lateral (${expectedFees('s', '$1')}) fees
   where s.chain = $1 and s.tx_id = $2`,
    [chain, validation],
  ],
)

/** The blocks that are counted at most: two to three days of the public networks. */
const maxBlocks = 100_000

/**
 * The latest P-Chain blocks of a time with a known proposer, how many a node proposed, and its share of the stake now.
 * Undefined where no proposer is known.
 */
export const readProposals = queryOne(
  z.strictObject({
    blocks: z.bigint(),
    proposed: z.bigint(),
    weight: z.string(),
    total: z.string(),
    first_ts: z.bigint(),
    last_ts: z.bigint().nullable(),
  }),
  (chain: number, node: Buffer, from: number) => [
    `with stake as materialized (
       select coalesce(sum(weight + delegated) filter (where node = $2), 0) as weight,
         coalesce(sum(weight + delegated), 0) as total
       from stakers where chain = $1 and not is_delegator and ended_ts is null and subnet = $4)
     select count(*) as blocks, count(*) filter (where proposer_node = $2) as proposed,
       max(stake.weight)::text as weight, max(stake.total)::text as total, min(b.ts) as first_ts,
       max(b.ts) filter (where proposer_node = $2) as last_ts
     from stake, primary_blocks b
     where b.chain = $1 and b.height > (select max(height) from primary_blocks where chain = $1) - ${maxBlocks}
       and b.ts >= $3 and b.proposer_node is not null
     having count(*) > 0`,
    [chain, node, from, primarySubnetId],
  ],
)
