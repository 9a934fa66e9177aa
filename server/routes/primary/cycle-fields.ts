import type { ValidationCycle } from '../../../contract/primary/fields.ts'
import type { Texts } from '../../primary/texts.ts'
import type { CycleRow } from '../../store/primary/read-cycles.ts'

/** A finished period of an auto-renewed validator (contract/primary/fields.ts). */
export function cycleFields(row: CycleRow, texts: Texts): ValidationCycle {
  return {
    txHash: texts.id(row.staking_tx),
    startTimestamp: Number(row.start_ts),
    endTimestamp: Number(row.end_ts),
    amountStaked: row.weight,
    outcome: row.outcome,
    rewardTxHash: texts.id(row.tx_id),
    potentialRewardAmount: row.potential_reward,
    validationRewardAmount: row.reward,
    delegationRewardAmount: row.delegation_reward,
    restakedValidationRewardAmount: row.restaked,
    restakedDelegationRewardAmount: row.restaked_delegation,
  }
}
