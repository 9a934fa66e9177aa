import { z } from 'zod'
import { primarySubnetId } from '../../primary/chains.ts'
import { bytes, query, queryOne } from '../read.ts'
import { keyList, pairLists } from '../sql-literals.ts'

const validationRow = z.strictObject({
  node: bytes,
  tx_id: bytes,
  height: z.bigint(),
  ended_height: z.bigint().nullable(),
  start_ts: z.bigint(),
  end_ts: z.bigint(),
  shares: z.number().nullable(),
  compound_shares: z.number().nullable(),
  next_period: z.bigint().nullable(),
})
/** A validation of the primary network, with the heights between which it was in force. */
export type ValidationRow = Readonly<z.output<typeof validationRow>>

/** All validations of nodes on the primary network, oldest first. */
export const readValidations = query(validationRow, (chain: number, nodes: readonly Buffer[]) => [
  `select node, tx_id, height, ended_height, start_ts, end_ts, shares, compound_shares, next_period from stakers
   where chain = $1 and node = any($2::text::bytea[]) and not is_delegator and subnet = $3 order by height, index`,
  [chain, keyList(nodes), primarySubnetId],
])

/** The samples of validations between two times, and the last one before, oldest first. */
export const readSamples = query(
  z.strictObject({ tx_id: bytes, ts: z.bigint(), uptime: z.number(), connected: z.boolean() }),
  (
    chain: number,
    validations: readonly { readonly node: Buffer; readonly tx_id: Buffer }[],
    from: number,
    to: number,
  ) => [
    `select s.tx_id, s.ts, s.uptime::float8 as uptime, s.connected
     from unnest($2::text::bytea[], $3::text::bytea[]) as asked (node, tx_id)
     cross join lateral (
       select coalesce(max(ts), $4) as ts from uptime_samples
       where chain = $1 and node = asked.node and tx_id = asked.tx_id and ts <= $4) first
     join uptime_samples s on s.chain = $1 and s.node = asked.node and s.tx_id = asked.tx_id
       and s.ts >= first.ts and s.ts <= $5
     order by s.ts`,
    [chain, ...pairLists(validations.map(({ node, tx_id: txId }) => [node, txId])), from, to],
  ],
)

/** When nodes of L1 validators appeared among the peers and disappeared, oldest first. */
export const readPeerConnections = query(
  z.strictObject({ node: bytes, ts: z.bigint(), connected: z.boolean() }),
  (chain: number, nodes: readonly Buffer[], to: number) => [
    `select node, ts, connected from peer_connections
     where chain = $1 and node = any($2::text::bytea[]) and ts <= $3 order by ts`,
    [chain, keyList(nodes), to],
  ],
)

/** The versions that nodes said they run, oldest first. */
export const readVersions = query(
  z.strictObject({ node: bytes, ts: z.bigint(), version: z.string() }),
  (chain: number, nodes: readonly Buffer[], to: number) => [
    `select node, ts, version from peer_versions
     where chain = $1 and node = any($2::text::bytea[]) and ts <= $3 order by ts`,
    [chain, keyList(nodes), to],
  ],
)

/** The stakes of nodes on the primary network, delegations included, with the heights between which they counted. */
export const readStakesOf = query(
  z.strictObject({
    node: bytes,
    weight: z.string(),
    height: z.bigint(),
    ended_height: z.bigint().nullable(),
  }),
  (chain: number, nodes: readonly Buffer[]) => [
    `select node, weight::text, height, ended_height from stakers
     where chain = $1 and node = any($2::text::bytea[]) and subnet = $3 order by height, index`,
    [chain, keyList(nodes), primarySubnetId],
  ],
)

/** The blocks that nodes proposed between two heights, and the last one before, lowest first. */
export const readProposed = query(
  z.strictObject({ node: bytes, height: z.bigint() }),
  (chain: number, nodes: readonly Buffer[], from: number, to: number) => [
    `select asked.node, b.height from unnest($2::text::bytea[]) as asked (node)
     cross join lateral (
       select coalesce(max(height), 0) as height from primary_blocks
       where chain = $1 and proposer_node = asked.node and height <= $3) first
     join primary_blocks b on b.chain = $1 and b.proposer_node = asked.node
       and b.height >= first.height and b.height <= $4
     order by b.height`,
    [chain, keyList(nodes), from, to],
  ],
)

const l1Row = z.strictObject({ validation_id: bytes, node: bytes, subnet: bytes })
/** An L1 validator, whatever became of it. */
export type L1IdentityRow = Readonly<z.output<typeof l1Row>>

/** All L1 validators of L1s, those that were removed included. */
export const readL1OfSubnets = query(l1Row, (chain: number, subnets: readonly Buffer[]) => [
  `select validation_id, node, subnet from l1_validators where chain = $1 and subnet = any($2::text::bytea[])`,
  [chain, keyList(subnets)],
])

/** What changed L1 validators up to a height, in order. */
export const readL1ChangesUpTo = query(
  z.strictObject({
    validation_id: bytes,
    height: z.bigint(),
    weight: z.string(),
    end_fee: z.string().nullable(),
  }),
  (chain: number, validations: readonly Buffer[], height: number) => [
    `select validation_id, height, weight::text, end_fee::text from l1_validator_changes
     where validation_id = any($2::text::bytea[]) and chain = $1 and height <= $3 order by height, index`,
    [chain, keyList(validations), height],
  ],
)

/** The rounds of a time after one, in order. */
export const readRoundsAfter = query(
  z.strictObject({ round: z.bigint(), ts: z.bigint(), facts: z.unknown() }),
  (from: number, to: number, after: bigint, limit: number) => [
    `select round, ts, facts from watch_rounds where ts >= $1 and ts <= $2 and round > $3 order by round limit $4`,
    [from, to, after, limit],
  ],
)

/** How many rounds a time has, and which are the first and the last. */
export const readRoundSpan = queryOne(
  z.strictObject({
    count: z.bigint(),
    first_round: z.bigint().nullable(),
    last_round: z.bigint().nullable(),
    first_ts: z.bigint().nullable(),
    last_ts: z.bigint().nullable(),
  }),
  (from: number, to: number) => [
    `select count(*), min(round) as first_round, max(round) as last_round, min(ts) as first_ts, max(ts) as last_ts
     from watch_rounds where ts >= $1 and ts <= $2`,
    [from, to],
  ],
  (row) => {
    if (!row) throw new Error('a count has no row')
    return row
  },
)
