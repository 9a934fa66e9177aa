import { z } from 'zod'
import { keyList, numberList } from '../sql-literals.ts'
import { bytes, query, queryOne } from '../read.ts'
import { sendWarpMessage, warpPrecompile } from '../../../protocol/warp/icm.ts'
import { pTxTypeIds } from '../../../protocol/primary/transaction-types.ts'
import { txPlace, type TxPlace } from '../primary/read-primary.ts'

/** The P-Chain's transactions that its validators sign messages for: the predicate of the index primary_transactions_l1. */
export const l1TxTypes = [
  pTxTypeIds.ConvertSubnetToL1Tx,
  pTxTypeIds.RegisterL1ValidatorTx,
  pTxTypeIds.SetL1ValidatorWeightTx,
].join(', ')

/** A log of the warp precompile: an unsigned message, ABI-encoded in `data`. */
const emittedRow = z.strictObject({
  number: z.bigint(),
  index: z.number(),
  ts: z.bigint(),
  tx_hash: bytes,
  data: bytes,
})
export type EmittedRow = Readonly<z.output<typeof emittedRow>>

const bytesOf = (text: string): string => String.raw`'\x${text.slice(2)}'`
/** SQL for the messages among `logs`: the predicate of the index logs_warp, which serves no other condition. */
export const warpLogs = `address = ${bytesOf(warpPrecompile)} and topic0 = ${bytesOf(sendWarpMessage)}`

const emittedStatement = `
  select l.number, l.index, b.ts, t.hash as tx_hash, l.data
  from (
    select number, index, tx_index, data from logs
    where chain = $1 and (number, index) < ($2, $3)
      and ${warpLogs}
    order by number desc, index desc
    limit $4) l
  cross join lateral (select ts from blocks where chain = $1 and number = l.number limit 1) b
  cross join lateral (
    select hash from transactions where chain = $1 and number = l.number and index = l.tx_index limit 1) t
  order by l.number desc, l.index desc`

// The first one: a transaction may emit several messages.
const emittedByStatement = `
  select l.number, l.index, b.ts, t.hash as tx_hash, l.data
  from (select number, index, hash from transactions where chain = $1 and hash = $2 limit 1) t
  cross join lateral (
    select number, index, data from logs
    where chain = $1 and number = t.number and tx_index = t.index
      and ${warpLogs}
    order by index limit 1) l
  cross join lateral (select ts from blocks where chain = $1 and number = t.number limit 1) b`

/** The message that a transaction of an EVM chain emitted, its first; undefined if there is none. */
export const readEmittedBy = queryOne(emittedRow, (chain: bigint, hash: Buffer) => [
  emittedByStatement,
  [chain, hash],
])

/** The messages that an EVM chain emitted before a log position, latest first. */
export const readEmitted = query(
  emittedRow,
  (chain: bigint, before: { readonly number: bigint; readonly index: number }, limit: number) => [
    emittedStatement,
    [chain, before.number, before.index, limit],
  ],
)

const heights = {
  evm: `select number as height from blocks where chain = $1 and ts <= $2 order by ts desc, number desc limit 1`,
  primary: `select height from primary_blocks where chain = $1 and ts <= $2 order by ts desc, height desc limit 1`,
} as const

/** The height of the last block at or before a time (Unix seconds); undefined if there is none. */
export const readHeightUpTo = queryOne(
  z.strictObject({ height: z.bigint() }),
  (kind: keyof typeof heights, chain: bigint | number, time: number) => [heights[kind], [chain, time]],
  (row) => row?.height,
)

const storedTxRow = txPlace.extend({
  chain: z.number(),
  ts: z.bigint(),
  id: bytes,
  type: z.number(),
  bytes: bytes,
})
/** A transaction of the P- or X-Chain as the store keeps it. */
export type StoredTxRow = Readonly<z.output<typeof storedTxRow>>

const stored = 'chain, height, index, ts, id, type, bytes'

/** The P-Chain's transactions about L1s before a position, latest first (index primary_transactions_l1). */
export const readL1Transactions = query(storedTxRow, (chain: number, before: TxPlace, limit: number) => [
  `select ${stored} from primary_transactions
   where chain = $1 and type in (${l1TxTypes}) and (height, index) < ($2, $3)
   order by height desc, index desc limit $4`,
  [chain, before.height, before.index, limit],
])

/** Transactions by their ids, on the chains with these keys. */
export const readStoredTransactions = query(
  storedTxRow,
  (chains: readonly number[], ids: readonly Uint8Array[]) =>
    ids.length > 0
      ? [
          `select ${stored} from primary_transactions
     where id = any($2::text::bytea[]) and chain = any($1::text::smallint[])`,
          [numberList(chains), keyList(ids)],
        ]
      : undefined,
)

const validationRow = z.strictObject({
  validation_id: bytes,
  tx_id: bytes,
  subnet: bytes,
  ordinal: z.number(),
  weight: z.string(),
  min_nonce: z.string(),
})
/** The state of an L1 validation; `weight` 0 means removed. */
export type ValidationRow = Readonly<z.output<typeof validationRow>>

/** L1 validations by their ids. */
export const readValidations = query(validationRow, (chain: number, ids: readonly Uint8Array[]) =>
  ids.length > 0
    ? [
        `select validation_id, tx_id, subnet, ordinal, weight, min_nonce from l1_validators
     where validation_id = any($2::text::bytea[]) and chain = $1`,
        [chain, keyList(ids)],
      ]
    : undefined,
)

/** A subnet's conversion: its transaction, the chain of its manager, and the subnet that validates that chain. */
const conversionRow = z.strictObject({
  subnet: bytes,
  conversion_tx: bytes.nullable(),
  manager_chain: bytes.nullable(),
  /** Null if the manager's chain was not created by the P-Chain. */
  manager_subnet: bytes.nullable(),
})

/** Subnets by their ids, with their conversions. */
export const readConversions = query(conversionRow, (chain: number, subnets: readonly Uint8Array[]) =>
  subnets.length > 0
    ? [
        `select s.subnet, s.conversion_tx, s.manager_chain, b.subnet as manager_subnet
     from subnets s
     left join blockchains b on b.chain = $1 and b.blockchain_id = s.manager_chain
     where s.chain = $1 and s.subnet = any($2::text::bytea[])`,
        [chain, keyList(subnets)],
      ]
    : undefined,
)

/** A blockchain with the subnet that validates it. */
const chainSubnetRow = z.strictObject({
  blockchain_id: bytes,
  subnet: bytes,
  name: z.string(),
})

/** Blockchains by their ids; those not created by the P-Chain are omitted. */
export const readChainSubnets = query(chainSubnetRow, (chain: number, ids: readonly Uint8Array[]) =>
  ids.length > 0
    ? [
        `select blockchain_id, subnet, name from blockchains
     where chain = $1 and blockchain_id = any($2::text::bytea[])`,
        [chain, keyList(ids)],
      ]
    : undefined,
)
