/**
 * The rows of the primary network's tables (server/store/schema/) in memory. Ids are keys: hex without 0x.
 */

/** Position and time of a transaction. */
export type Place = { readonly height: number; readonly index: number; readonly ts: number }

/** The input that spends a UTXO. */
export type Spend = Place & {
  readonly chain: number
  readonly input: number
  readonly txId: Uint8Array
}

export const rewardTypes = { validator: 1, delegator: 2, validatorFee: 3 } as const

export type UtxoRow = Place & {
  readonly chain: number
  readonly outputIndex: number
  readonly txId: Uint8Array
  readonly utxoId: Uint8Array
  readonly home: number
  readonly assetId: Uint8Array
  readonly amount: bigint
  readonly type: number
  readonly threshold: number
  readonly locktime: bigint
  readonly stakeableLocktime: bigint
  readonly owners: readonly Uint8Array[]
  readonly groupId: number | undefined
  readonly payload: Uint8Array | undefined
  readonly stakedFrom: number | undefined
  readonly stakedUntil: number | undefined
  readonly rewardType: number | undefined
  spent: Spend | undefined
}

/** A row of `stakers`, with the additional state that the chain's rules need. */
export type Staker = {
  readonly height: number
  readonly index: number
  readonly txId: string
  /** The codec's type id of the staking transaction. */
  readonly typeId: number
  readonly isDelegator: boolean
  readonly subnet: string
  readonly node: string
  weight: bigint
  start: number
  end: number
  readonly shares: number | undefined
  readonly blsKey: Uint8Array | undefined
  readonly blsProof: Uint8Array | undefined
  readonly validatorTx: string | undefined
  readonly rewardAddresses: readonly Uint8Array[]
  readonly delegationRewardAddresses: readonly Uint8Array[]
  /** Undefined until the period begins, and for validators without rewards. */
  potentialReward: bigint | undefined
  /** Whether the period has begun. */
  isCurrent: boolean
  delegatorCount: number
  delegated: bigint
  ended: (Place & { readonly txId: Uint8Array | undefined; readonly hasIndex: boolean }) | undefined
  outcome: 'rewarded' | 'unrewarded' | 'removed' | undefined
  reward: bigint | undefined
  delegationReward: bigint | undefined
  /** Only for an auto-renewed validator; the period above is then the current or the last one. */
  readonly renewal: Renewal | undefined
}

/** The renewal settings and accrued rewards of an auto-renewed validator (ACP-236). Amounts in nAVAX. */
export type Renewal = {
  /** Share of the period's rewards that is restaked, in millionths. */
  compoundShares: number
  /** Length of the next period in seconds; 0: the validator leaves at the end of this one. */
  nextPeriod: number
  /** Who may change both settings. */
  readonly authorityAddresses: readonly Uint8Array[]
  /** Restaked rewards, its own and those from its delegators: part of its weight, paid out when it leaves. */
  accrued: bigint
  accruedFees: bigint
  /** Its share of the rewards of delegations that ended in this period. */
  pendingFees: bigint
}

/** A row of `subnets`, and the reward rules of an elastic subnet. */
export type Subnet = Place & {
  readonly subnet: string
  owner:
    | { readonly threshold: number; readonly locktime: bigint; readonly addresses: readonly Uint8Array[] }
    | undefined
  elastic:
    | {
        readonly transformTx: Uint8Array
        readonly assetId: Uint8Array
        readonly cap: bigint
        readonly minRate: bigint
        readonly maxRate: bigint
        supply: bigint
      }
    | undefined
  conversion:
    | {
        readonly txId: Uint8Array
        readonly ts: number
        readonly chain: Uint8Array
        readonly address: Uint8Array
      }
    | undefined
}

/** A row of `l1_validators`. */
export type L1Validator = Place & {
  readonly ordinal: number
  readonly validationId: string
  readonly txId: Uint8Array
  readonly subnet: string
  readonly node: Uint8Array
  readonly blsKey: Uint8Array
  readonly remainingOwner: { readonly threshold: number; readonly addresses: readonly Uint8Array[] }
  readonly deactivationOwner: { readonly threshold: number; readonly addresses: readonly Uint8Array[] }
  weight: bigint
  minNonce: bigint
  /** The accrued fees at which the balance is exhausted; undefined while inactive. */
  endFee: bigint | undefined
  removedTs: number | undefined
}
