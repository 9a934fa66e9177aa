import type { LakeColumn } from '../tables.ts'

/**
 * The tables of the P- and the X-chain with their columns in order. `number` is the height of the block whose
 * application made the row, and rows are sorted by it: a range holds what its blocks did, and nothing of it changes
 * later. `height` and the index beside it are the place of the transaction, as the PostgreSQL tables have it. The two
 * differ for what the block after a proposal decides: rewards, and before Banff also stakes.
 *
 * What ends later than it begins has two tables: a UTXO is spent by a row of `spends`, a stake ends by one of
 * `stake_ends`.
 */

const proposer = [
  // The wrapper around the block. Null before proposers, and where the node has no index.
  ['proposer_id', 'id?'],
  ['proposer_parent_id', 'id?'],
  ['proposer_node', 'node?'],
  ['proposer_p_height', 'height?'],
  ['proposer_ts', 'seconds?'],
] as const satisfies readonly LakeColumn[]

const block = [
  ['number', 'height'],
  ['ts', 'seconds'],
  ['id', 'id'],
  ['parent_id', 'id'],
  // The codec's type id.
  ['type', 'small'],
  ['size', 'integer'],
  ['tx_count', 'integer'],
] as const satisfies readonly LakeColumn[]

const common = {
  transactions: [
    ['number', 'height'],
    ['index', 'integer'],
    ['ts', 'seconds'],
    ['id', 'id'],
    // The codec's type id.
    ['type', 'small'],
    // The signed transaction as its block has it, without the codec's version.
    ['bytes', 'hex'],
  ],
  /** UTXOs that transactions of this chain made. */
  utxos: [
    ['number', 'height'],
    ['height', 'height'],
    // -1 for the coins of the P-chain's genesis.
    ['tx_index', 'integer'],
    ['output_index', 'integer'],
    ['ts', 'seconds'],
    ['tx_id', 'id'],
    ['utxo_id', 'id'],
    // The chain where it can be spent: P, X or C. Another one than its own for exports.
    ['home', 'id'],
    ['asset', 'id'],
    // 0 for NFTs and for outputs that only mint.
    ['amount', 'word'],
    // The codec's type id, inside a stakeable lock.
    ['type', 'small'],
    ['threshold', 'integer'],
    ['locktime', 'word'],
    ['stakeable_locktime', 'word'],
    ['owners', 'addresses'],
    ['group_id', 'gas?'],
    ['payload', 'hex?'],
    // Of stake outputs: the period as the transaction planned it.
    ['staked_from', 'seconds?'],
    ['staked_until', 'seconds?'],
    // 1 VALIDATOR, 2 DELEGATOR, 3 VALIDATOR_FEE; null if it is not a reward.
    ['reward_type', 'small?'],
  ],
  /** UTXOs that transactions of this chain spent, those that other chains made included. */
  spends: [
    ['number', 'height'],
    ['height', 'height'],
    ['tx_index', 'integer'],
    ['input', 'integer'],
    ['ts', 'seconds'],
    ['tx_id', 'id'],
    ['utxo_id', 'id'],
    // The chain that made it: P, X or C.
    ['source', 'id'],
  ],
} as const satisfies Record<string, readonly LakeColumn[]>

const place = [
  ['number', 'height'],
  ['height', 'height'],
  ['index', 'integer'],
] as const satisfies readonly LakeColumn[]

const pTables = {
  blocks: [
    ...block,
    // Each after the block: supply in nAVAX, fees of L1 validators since their start, validators that pay them, excess.
    ['supply', 'word'],
    ['accrued_fees', 'word'],
    ['active_l1_validators', 'integer'],
    ['l1_excess', 'word'],
    ...proposer,
  ],
  ...common,
  /** Validations and delegations, by their staking transactions. */
  stakes: [
    ...place,
    ['ts', 'seconds'],
    ['tx_id', 'id'],
    ['is_delegator', 'boolean'],
    ['subnet', 'id'],
    ['node', 'node'],
    ['weight', 'word'],
    ['start_ts', 'seconds'],
    // As planned.
    ['end_ts', 'seconds'],
    // Millionths of the delegators' rewards.
    ['shares', 'integer?'],
    ['bls_key', 'hex?'],
    ['bls_proof', 'hex?'],
    // The validation that a delegation belongs to.
    ['validator_tx', 'id?'],
    ['reward_addresses', 'addresses'],
    ['delegation_reward_addresses', 'addresses'],
  ],
  /** What became of them, once they ended. `index` is -1 where the chain's time alone ended one. */
  stake_ends: [
    ...place,
    ['ts', 'seconds'],
    // The staking transaction.
    ['tx_id', 'id'],
    ['ended_tx', 'id?'],
    // rewarded, unrewarded or removed.
    ['outcome', 'id'],
    // The period and the weight, which auto-renewed validators change: those of the last period.
    ['start_ts', 'seconds'],
    ['end_ts', 'seconds'],
    ['weight', 'word'],
    // By the formula, before a delegator's fee.
    ['potential_reward', 'word?'],
    // What was paid to the staker, and to a validator from its delegators.
    ['reward', 'word?'],
    ['delegation_reward', 'word?'],
  ],
  /** What was paid at the end of a staking period. */
  rewards: [
    ...place,
    ['ordinal', 'small'],
    ['ts', 'seconds'],
    ['staking_tx', 'id'],
    ['node', 'node'],
    // As in `utxos.reward_type`.
    ['type', 'small'],
    ['amount', 'word'],
    ['output_index', 'integer'],
    ['utxo_id', 'id'],
    ['addresses', 'addresses'],
  ],
  /** Finished periods of auto-renewed validators. */
  staking_cycles: [
    ...place,
    ['ts', 'seconds'],
    ['staking_tx', 'id'],
    ['node', 'node'],
    ['start_ts', 'seconds'],
    ['end_ts', 'seconds'],
    ['weight', 'word'],
    ['potential_reward', 'word?'],
    // renewed, rewarded or unrewarded.
    ['outcome', 'id'],
    ['reward', 'word'],
    ['delegation_reward', 'word'],
    ['restaked', 'word'],
    ['restaked_delegation', 'word'],
  ],
} as const satisfies Record<string, readonly LakeColumn[]>

const xTables = {
  blocks: [...block, ['merkle_root', 'id'], ...proposer],
  /** What the chain accepted before it became a chain of blocks; number -1. */
  vertices: [
    ['number', 'height'],
    // In the node's order of acceptance.
    ['index', 'height'],
    // When the node accepted it.
    ['ts', 'seconds'],
    ['id', 'id'],
    ['height', 'height'],
    ['parents', 'ids'],
    ['transactions', 'ids'],
    ['size', 'integer'],
    ['is_stop', 'boolean'],
  ],
  ...common,
  assets: [
    ...place,
    ['ts', 'seconds'],
    ['asset', 'id'],
    ['name', 'text'],
    ['symbol', 'text'],
    ['denomination', 'small'],
    ['is_nft', 'boolean'],
    ['is_variable', 'boolean'],
  ],
} as const satisfies Record<string, readonly LakeColumn[]>

/** The layouts by chain. */
const primaryTables = { P: pTables, X: xTables } as const
/** The chains of the primary network that a lake has. */
export type PrimaryLakeChain = keyof typeof primaryTables

/** The tables of a chain with their columns, by name. */
export const layoutOf = (chainAlias: PrimaryLakeChain): Readonly<Record<string, readonly LakeColumn[]>> =>
  primaryTables[chainAlias]
