import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import { columnsOf, type CatalogueColumn, type Table } from '../columns.ts'

type PrimaryTable = Table & {
  /** Columns that the lake leaves out: they follow from other rows, or change later. */
  readonly notInLake?: readonly string[]
  /** Columns that only one chain has. */
  readonly ofOneChain?: { readonly P?: readonly string[]; readonly X?: readonly string[] }
}

const ts = ['seconds', 'Unix seconds of its block'] as const
/** The place of a transaction. */
const place = { height: ['height', 'of its transaction'], index: ['integer', 'place in the block'] } as const
const txPlace = {
  height: ['height', 'of the transaction that made it; 0 for the genesis'],
  // -1 for the coins of the P-Chain's genesis.
  tx_index: ['integer', 'place of the transaction in the block'],
} as const

/** A validation or delegation as its transaction began it. */
const stake = {
  tx_id: ['id', 'of the staking transaction'],
  is_delegator: ['boolean', ''],
  subnet: ['id', ''],
  node: ['node', ''],
  weight: ['word', 'stake'],
  start_ts: ['seconds', ''],
  end_ts: ['seconds', 'as planned'],
  // Millionths of the delegators' rewards.
  shares: ['integer?'],
  bls_key: ['hex?'],
  bls_proof: ['hex?'],
  validator_tx: ['id?', 'the validation that a delegation belongs to'],
  reward_addresses: ['addresses'],
  delegation_reward_addresses: ['addresses'],
} as const

/** How one ended. */
const stakeEnd = {
  outcome: ['text?', 'rewarded, unrewarded or removed'],
  // What was paid, over all periods.
  reward: ['word?', 'paid to the staker'],
  delegation_reward: ['word?', 'paid to a validator from its delegators'],
} as const

/**
 * The one catalogue of the columns of the primary network's tables that blocks write to, by their names in PostgreSQL: the
 * rows that are copied into it (indexer/primary/batch), the lake's files (lake/primary/tables.ts), the tables of SQL
 * (sql/primary-tables.ts) and exports follow from it.
 *
 * `height` and the index beside it are the place of the transaction that made a row.
 */
export const primaryTables = {
  primary_blocks: {
    key: ['height'],
    columns: {
      height: ['height', ''],
      ts,
      id: ['id', ''],
      parent_id: ['id', ''],
      // The codec's type id; null on the C-Chain.
      type: ['small?'],
      size: ['integer', 'bytes'],
      tx_count: ['integer', 'transactions in it'],
      // Each after the block.
      supply: ['word?', 'nAVAX after the block, with the rewards of running periods'],
      accrued_fees: ['word?', 'nAVAX that an L1 validator would have paid since the first one'],
      active_l1_validators: ['integer?', 'L1 validators that pay fees, after the block'],
      l1_excess: ['word?'],
      merkle_root: ['id?'],
      // The wrapper around the block. Null before proposers, and where the node has no index.
      proposer_id: ['id?'],
      proposer_parent_id: ['id?'],
      proposer_node: ['node?', 'null before proposers, and without the node’s index'],
      proposer_p_height: ['height?'],
      proposer_ts: ['seconds?'],
    },
    notStored: ['merkle_root'],
    notInLake: ['height'],
    ofOneChain: {
      P: ['supply', 'accrued_fees', 'active_l1_validators', 'l1_excess'],
      X: ['merkle_root'],
    },
  },
  primary_transactions: {
    key: ['height', 'index'],
    columns: {
      height: ['height', 'of its block'],
      index: ['integer', 'place in the block'],
      ts,
      id: ['id', ''],
      // The codec's type id.
      type: ['small'],
      // The signed transaction as its block has it, without the codec's version.
      bytes: ['hex'],
      // Inputs and outputs.
      utxo_count: ['integer'],
    },
    notInLake: ['height', 'utxo_count'],
  },
  primary_address_transactions: {
    key: ['address', 'height', 'index'],
    columns: { address: ['address'], ...place, type: ['small'], ts },
  },
  /** UTXOs, by the chain whose transactions made them. */
  utxos: {
    key: ['height', 'tx_index', 'output_index'],
    columns: {
      ...txPlace,
      output_index: ['integer', ''],
      ts,
      tx_id: ['id', 'that made it'],
      utxo_id: ['id', ''],
      home: ['chain', 'where it can be spent: P, X or C; another chain than its own for exports'],
      asset: ['id', ''],
      amount: ['word', 'in the asset’s smallest unit; 0 for NFTs'],
      // The codec's type id, inside a stakeable lock.
      type: ['small'],
      threshold: ['integer', 'how many of its owners must sign'],
      locktime: ['word', 'Unix seconds; 0 if it is not locked'],
      stakeable_locktime: ['word', 'Unix seconds until which it can only be staked'],
      // PostgreSQL has the first owner apart, and the list only of several.
      owner: ['address?'],
      owners: ['addresses?', 'any of them; list_contains(owners, ’…’)'],
      group_id: ['gas?'],
      payload: ['hex?'],
      // Of stake outputs: the period as the transaction planned it.
      staked_from: ['seconds?'],
      staked_until: ['seconds?'],
      // 1 VALIDATOR, 2 DELEGATOR, 3 VALIDATOR_FEE; null if it is not a reward.
      reward_type: ['small?'],
      spent_chain: ['chain?'],
      spent_height: ['height?', 'null if it is unspent; of the chain where it was spent'],
      spent_index: ['integer?'],
      spent_input: ['integer?'],
      spent_ts: ['seconds?', 'null if it is unspent'],
      spent_tx: ['id?', ''],
    },
    // Files never change: the lake has what spent a UTXO as a row of `spends`.
    notInLake: ['owner', 'spent_chain', 'spent_height', 'spent_index', 'spent_input', 'spent_ts', 'spent_tx'],
  },
  utxo_co_owners: {
    key: ['address', 'home', 'height', 'tx_index', 'output_index'],
    columns: { address: ['address'], home: ['chain'], ...txPlace, output_index: ['integer'] },
  },
  /** Validations and delegations. */
  stakers: {
    key: ['height', 'index'],
    columns: {
      height: ['height', 'of the staking transaction; 0 for the genesis'],
      index: ['integer', 'place in the block'],
      ...stake,
      potential_reward: ['word?', 'before a delegator’s fee'],
      delegator_count: ['integer'],
      delegated: ['word'],
      ended_height: ['height?'],
      ended_index: ['integer?'],
      ended_ts: ['seconds?', 'null while it is in force'],
      ended_tx: ['id?'],
      ...stakeEnd,
      // Of auto-renewed validators.
      compound_shares: ['integer?'],
      next_period: ['seconds?'],
      authority_addresses: ['addresses?'],
      accrued_reward: ['word?'],
      accrued_delegation_reward: ['word?'],
      pending_delegation_reward: ['word?'],
    },
  },
  /** Finished periods of auto-renewed validators. */
  staking_cycles: {
    key: ['height', 'index'],
    columns: {
      height: ['height', 'of the transaction that ended the period'],
      index: ['integer', 'place in the block'],
      ts,
      staking_tx: ['id', ''],
      node: ['node', ''],
      start_ts: ['seconds', ''],
      end_ts: ['seconds', ''],
      weight: ['word', 'stake'],
      potential_reward: ['word', ''],
      outcome: ['text', 'renewed, rewarded or unrewarded'],
      reward: ['word', 'paid to the staker'],
      delegation_reward: ['word', 'paid to it from its delegators'],
      restaked: ['word', 'of its own reward'],
      restaked_delegation: ['word', 'of what it gets from its delegators'],
    },
  },
  /** What was paid at the end of a staking period. */
  rewards: {
    key: ['height', 'index', 'ordinal'],
    columns: {
      height: ['height', 'of the transaction that rewards'],
      index: ['integer', 'place in the block'],
      ordinal: ['small', 'place among the rewards of the transaction'],
      ts,
      staking_tx: ['id', ''],
      node: ['node', ''],
      // As in `utxos.reward_type`.
      type: ['small'],
      amount: ['word', ''],
      output_index: ['integer'],
      utxo_id: ['id'],
      addresses: ['addresses'],
    },
  },
  reward_owners: {
    key: ['address', 'height', 'index', 'ordinal'],
    columns: { address: ['address'], ...place, ordinal: ['small'] },
  },
  subnets: {
    key: ['height', 'index'],
    columns: {
      ...place,
      ts,
      subnet: ['id'],
      owner_threshold: ['integer?'],
      owner_locktime: ['word?'],
      owner_addresses: ['addresses?'],
      transform_tx: ['id?'],
      staking_asset: ['id?'],
      supply: ['word?'],
      conversion_tx: ['id?'],
      conversion_ts: ['seconds?'],
      manager_chain: ['id?'],
      manager_address: ['hex?'],
    },
  },
  blockchains: {
    key: ['height', 'index'],
    columns: {
      ...place,
      ts,
      blockchain_id: ['id'],
      subnet: ['id'],
      vm: ['id'],
      name: ['text'],
      genesis: ['hex'],
      evm_chain_id: ['word?'],
    },
  },
  l1_validators: {
    key: ['height', 'index', 'ordinal'],
    columns: {
      ...place,
      ordinal: ['integer'],
      ts,
      validation_id: ['id'],
      tx_id: ['id'],
      subnet: ['id'],
      node: ['node'],
      bls_key: ['hex'],
      remaining_owner_threshold: ['integer'],
      remaining_owner_addresses: ['addresses'],
      deactivation_owner_threshold: ['integer'],
      deactivation_owner_addresses: ['addresses'],
      weight: ['word'],
      min_nonce: ['word'],
      end_fee: ['word?'],
      removed_ts: ['seconds?'],
    },
  },
  l1_validator_changes: {
    key: ['validation_id', 'height', 'index'],
    columns: {
      height: ['height', 'of the block that changed it'],
      index: ['integer', 'place of the transaction in the block; -1 if its balance was used up'],
      ts,
      validation_id: ['id', ''],
      tx_id: ['id?'],
      type: ['small?'],
      weight: ['word', 'after the change; 0 once it is removed'],
      balance_change: ['difference', 'paid in; negative for what was given back'],
      balance: ['word'],
      end_fee: ['word?', 'accrued_fees of p_blocks at which its balance is used up; null while inactive'],
    },
  },
  assets: {
    key: ['height', 'index'],
    columns: {
      height: ['height', 'of the transaction that made it; -1 in a vertex'],
      index: ['integer', 'place in the block'],
      ts,
      asset: ['id', ''],
      name: ['text', ''],
      symbol: ['text', ''],
      denomination: ['small', 'decimals of its unit'],
      is_nft: ['boolean', ''],
      is_variable: ['boolean', 'whether more of it can be minted'],
    },
  },
  /** What the X-Chain accepted before it became a chain of blocks. */
  vertices: {
    key: ['index'],
    columns: {
      // In the node's order of acceptance.
      index: ['height'],
      // When the node accepted it.
      ts,
      id: ['id'],
      height: ['height'],
      parents: ['ids'],
      transactions: ['ids'],
      size: ['integer'],
      is_stop: ['boolean'],
    },
  },
  odd_history: {
    key: ['height', 'index', 'kind', 'detail'],
    columns: { ...place, kind: ['text'], detail: ['text'] },
  },
} as const satisfies Record<string, PrimaryTable>

export type PrimaryTableName = keyof typeof primaryTables
export const primaryTableNames = Object.keys(primaryTables) as PrimaryTableName[]

/**
 * Tables of the lake alone. Its files never change, so that what ends later than it begins has two: a UTXO is spent by a
 * row of `spends`, a stake ends by one of `stake_ends`.
 */
export const primaryLakeTables = {
  /** UTXOs that transactions of this chain spent, those that other chains made included. */
  spends: {
    key: ['height', 'tx_index', 'input'],
    columns: {
      ...txPlace,
      input: ['integer'],
      ts,
      tx_id: ['id'],
      utxo_id: ['id'],
      // The chain that made it.
      source: ['chain'],
    },
  },
  /** Validations and delegations, by their staking transactions. */
  stakes: { key: ['height', 'index'], columns: { ...place, ts, ...stake } },
  /** What became of them, once they ended. `index` is -1 where the chain's time alone ended one. */
  stake_ends: {
    key: ['height', 'index', 'tx_id'],
    columns: {
      ...place,
      ts,
      tx_id: stake.tx_id,
      ended_tx: ['id?'],
      outcome: ['text'],
      // The period and the weight, which auto-renewed validators change: those of the last period.
      start_ts: stake.start_ts,
      end_ts: stake.end_ts,
      weight: stake.weight,
      // By the formula, before a delegator's fee.
      potential_reward: ['word?'],
      reward: stakeEnd.reward,
      delegation_reward: stakeEnd.delegation_reward,
    },
  },
} as const satisfies Record<string, PrimaryTable>

/** The columns that a chain has of a table. */
export function columnsOfChain(table: PrimaryTable, chainAlias: ChainAlias): CatalogueColumn[] {
  const ofOthers = Object.entries(table.ofOneChain ?? {}).flatMap(([of, names]) =>
    of === chainAlias ? [] : names,
  )
  return columnsOf(table).filter(({ name }) => !ofOthers.includes(name))
}

/** The columns that the lake of a chain has of a table. */
export const lakeColumnsOf = (table: PrimaryTable, chainAlias: 'P' | 'X'): CatalogueColumn[] =>
  columnsOfChain(table, chainAlias).filter(({ name }) => table.notInLake?.includes(name) !== true)
