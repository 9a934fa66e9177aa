import type { RewardsOf } from '../../../api/network/rewards.ts'

/** What a node earns for itself: the rewards of its own stake, and its fees of delegations. */
export const ownRewards = (nodeId: string): RewardsOf => ({ nodeId, types: ['VALIDATOR', 'VALIDATOR_FEE'] })

/** What the delegators of a node earn. */
export const delegatorRewards = (nodeId: string): RewardsOf => ({ nodeId, types: ['DELEGATOR'] })
