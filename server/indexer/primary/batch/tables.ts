import type { L1Validator, Staker, Subnet, UtxoRow } from './model.ts'
import { bytesOfKey, type Cell, columnsOf } from './rows.ts'

/** The columns of every table that blocks write to. */
export const tableColumns = {
  primary_blocks: columnsOf(
    'chain int2, height int8, ts int8, id bytea, parent_id bytea, type int2, size int4, tx_count int4, supply numeric, accrued_fees numeric, active_l1_validators int4, l1_excess numeric, proposer_id bytea, proposer_parent_id bytea, proposer_node bytea, proposer_p_height int8, proposer_ts int8',
  ),
  primary_transactions: columnsOf(
    'chain int2, height int8, index int4, ts int8, id bytea, type int2, bytes bytea, utxo_count int4',
  ),
  primary_address_transactions: columnsOf(
    'address bytea, chain int2, height int8, index int4, type int2, ts int8',
  ),
  utxos: columnsOf(
    'chain int2, height int8, tx_index int4, output_index int4, ts int8, tx_id bytea, utxo_id bytea, home int2, asset bytea, amount numeric, type int2, threshold int4, locktime numeric, stakeable_locktime numeric, owner bytea, owners bytea[], group_id int8, payload bytea, staked_from int8, staked_until int8, reward_type int2, spent_chain int2, spent_height int8, spent_index int4, spent_input int4, spent_ts int8, spent_tx bytea',
  ),
  utxo_co_owners: columnsOf(
    'address bytea, home int2, chain int2, height int8, tx_index int4, output_index int4',
  ),
  stakers: columnsOf(
    'chain int2, height int8, index int4, tx_id bytea, is_delegator bool, subnet bytea, node bytea, weight numeric, start_ts int8, end_ts int8, shares int4, bls_key bytea, bls_proof bytea, validator_tx bytea, reward_addresses bytea[], delegation_reward_addresses bytea[], potential_reward numeric, delegator_count int4, delegated numeric, ended_height int8, ended_index int4, ended_ts int8, ended_tx bytea, outcome text, reward numeric, delegation_reward numeric, compound_shares int4, next_period int8, authority_addresses bytea[], accrued_reward numeric, accrued_delegation_reward numeric, pending_delegation_reward numeric',
  ),
  staking_cycles: columnsOf(
    'chain int2, height int8, index int4, ts int8, staking_tx bytea, node bytea, start_ts int8, end_ts int8, weight numeric, potential_reward numeric, outcome text, reward numeric, delegation_reward numeric, restaked numeric, restaked_delegation numeric',
  ),
  rewards: columnsOf(
    'chain int2, height int8, index int4, ordinal int2, ts int8, staking_tx bytea, node bytea, type int2, amount numeric, output_index int4, utxo_id bytea, addresses bytea[]',
  ),
  reward_owners: columnsOf('address bytea, chain int2, height int8, index int4, ordinal int2'),
  subnets: columnsOf(
    'chain int2, height int8, index int4, ts int8, subnet bytea, owner_threshold int4, owner_locktime numeric, owner_addresses bytea[], transform_tx bytea, staking_asset bytea, supply numeric, conversion_tx bytea, conversion_ts int8, manager_chain bytea, manager_address bytea',
  ),
  blockchains: columnsOf(
    'chain int2, height int8, index int4, ts int8, blockchain_id bytea, subnet bytea, vm bytea, name text, genesis bytea, evm_chain_id numeric',
  ),
  l1_validators: columnsOf(
    'chain int2, height int8, index int4, ordinal int4, ts int8, validation_id bytea, tx_id bytea, subnet bytea, node bytea, bls_key bytea, remaining_owner_threshold int4, remaining_owner_addresses bytea[], deactivation_owner_threshold int4, deactivation_owner_addresses bytea[], weight numeric, min_nonce numeric, end_fee numeric, removed_ts int8',
  ),
  l1_validator_changes: columnsOf(
    'validation_id bytea, chain int2, height int8, index int4, ts int8, tx_id bytea, type int2, weight numeric, balance_change numeric, balance numeric, end_fee numeric',
  ),
  assets: columnsOf(
    'chain int2, height int8, index int4, ts int8, asset bytea, name text, symbol text, denomination int2, is_nft bool, is_variable bool',
  ),
  vertices: columnsOf(
    'chain int2, index int8, ts int8, id bytea, height int8, parents bytea[], transactions bytea[], size int4, is_stop bool',
  ),
  odd_history: columnsOf('chain int2, height int8, index int4, kind text, detail text'),
} as const

export type BatchTable = keyof typeof tableColumns

/** The row of a UTXO. */
export function utxoCells(row: UtxoRow): Cell[] {
  const { spent } = row
  return [
    row.chain,
    row.height,
    row.index,
    row.outputIndex,
    row.ts,
    row.txId,
    row.utxoId,
    row.home,
    row.assetId,
    row.amount,
    row.type,
    row.threshold,
    row.locktime,
    row.stakeableLocktime,
    row.owners[0],
    row.owners.length > 1 ? row.owners : null,
    row.groupId,
    row.payload,
    row.stakedFrom,
    row.stakedUntil,
    row.rewardType,
    spent?.chain,
    spent?.height,
    spent?.index,
    spent?.input,
    spent?.ts,
    spent?.txId,
  ]
}

/** The row of a staker. */
export function stakerCells(chain: number, row: Staker): Cell[] {
  return [
    chain,
    row.height,
    row.index,
    bytesOfKey(row.txId),
    row.isDelegator,
    bytesOfKey(row.subnet),
    bytesOfKey(row.node),
    row.weight,
    row.start,
    row.end,
    row.shares,
    row.blsKey,
    row.blsProof,
    row.validatorTx === undefined ? null : bytesOfKey(row.validatorTx),
    row.rewardAddresses,
    row.delegationRewardAddresses,
    row.potentialReward,
    row.delegatorCount,
    row.delegated,
    row.ended?.height,
    row.ended?.hasIndex ? row.ended.index : null,
    row.ended?.ts,
    row.ended?.txId,
    row.outcome,
    row.reward,
    row.delegationReward,
    row.renewal?.compoundShares,
    row.renewal?.nextPeriod,
    row.renewal?.authorityAddresses,
    row.renewal?.accrued,
    row.renewal?.accruedFees,
    row.renewal?.pendingFees,
  ]
}

/** The row of a subnet. */
export function subnetCells(chain: number, row: Subnet): Cell[] {
  const { owner, elastic, conversion } = row
  return [
    chain,
    row.height,
    row.index,
    row.ts,
    bytesOfKey(row.subnet),
    owner?.threshold,
    owner?.locktime,
    owner?.addresses,
    elastic?.transformTx,
    elastic?.assetId,
    elastic?.supply,
    conversion?.txId,
    conversion?.ts,
    conversion?.chain,
    conversion?.address,
  ]
}

/** The row of an L1 validator. */
export function l1Cells(chain: number, row: L1Validator): Cell[] {
  return [
    chain,
    row.height,
    row.index,
    row.ordinal,
    row.ts,
    bytesOfKey(row.validationId),
    row.txId,
    bytesOfKey(row.subnet),
    row.node,
    row.blsKey,
    row.remainingOwner.threshold,
    row.remainingOwner.addresses,
    row.deactivationOwner.threshold,
    row.deactivationOwner.addresses,
    row.weight,
    row.minNonce,
    row.endFee,
    row.removedTs,
  ]
}
