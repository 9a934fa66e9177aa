import type { AssetInput, AssetOutput, Owner, TransferOutput } from './outputs.ts'
import type { BaseFields, Signed, UnknownTx } from './transactions.ts'

/** Who stakes how much, from when to when (Unix seconds). */
export type StakingTerms = {
  readonly nodeId: Uint8Array
  readonly start: bigint
  readonly end: bigint
  readonly weight: bigint
}

/** A BLS key (48 bytes) with the proof that its owner has it (96 bytes). */
export type ProofOfPossession = { readonly publicKey: Uint8Array; readonly proof: Uint8Array }

/** Who holds something of an L1 validator: `threshold` of the addresses, at any time. */
export type L1Owner = { readonly threshold: number; readonly addresses: readonly Uint8Array[] }

/** A validator that a conversion makes; `nodeId` is as long as the transaction says. */
export type ConvertedValidator = {
  readonly nodeId: Uint8Array
  readonly weight: bigint
  readonly balance: bigint
  readonly signer: ProofOfPossession
  readonly remainingBalanceOwner: L1Owner
  readonly deactivationOwner: L1Owner
}

type Based<Type extends string, Fields = unknown> = {
  readonly type: Type
  readonly base: BaseFields
} & Fields
type Stake = { readonly stake: readonly AssetOutput<TransferOutput>[] }
type Authorised = { readonly authority: readonly number[] }

/** What a P-chain transaction says, by its type. */
export type PUnsigned =
  | Based<'AddValidatorTx', Stake & { terms: StakingTerms; rewardsOwner: Owner; shares: number }>
  | Based<'AddSubnetValidatorTx', Authorised & { terms: StakingTerms; subnetId: Uint8Array }>
  | Based<'AddDelegatorTx', Stake & { terms: StakingTerms; rewardsOwner: Owner }>
  | Based<
      'CreateChainTx',
      Authorised & {
        subnetId: Uint8Array
        chainName: string
        vmId: Uint8Array
        fxIds: readonly Uint8Array[]
        genesis: Uint8Array
      }
    >
  | Based<'CreateSubnetTx', { owner: Owner }>
  | Based<'ImportTx', { sourceChain: Uint8Array; importedInputs: readonly AssetInput[] }>
  | Based<'ExportTx', { destinationChain: Uint8Array; exportedOutputs: readonly AssetOutput[] }>
  | { readonly type: 'AdvanceTimeTx'; readonly time: bigint }
  | { readonly type: 'RewardValidatorTx'; readonly stakingTxId: Uint8Array }
  | Based<'RemoveSubnetValidatorTx', Authorised & { nodeId: Uint8Array; subnetId: Uint8Array }>
  | Based<'TransformSubnetTx', Authorised & ElasticTerms & { subnetId: Uint8Array }>
  | Based<
      'AddPermissionlessValidatorTx',
      Stake & {
        terms: StakingTerms
        subnetId: Uint8Array
        signer: ProofOfPossession | undefined
        rewardsOwner: Owner
        delegationRewardsOwner: Owner
        shares: number
      }
    >
  | Based<
      'AddPermissionlessDelegatorTx',
      Stake & { terms: StakingTerms; subnetId: Uint8Array; rewardsOwner: Owner }
    >
  | Based<'TransferSubnetOwnershipTx', Authorised & { subnetId: Uint8Array; owner: Owner }>
  | Based<'BaseTx'>
  | Based<
      'ConvertSubnetToL1Tx',
      Authorised & {
        subnetId: Uint8Array
        managerChainId: Uint8Array
        managerAddress: Uint8Array
        validators: readonly ConvertedValidator[]
      }
    >
  | Based<'RegisterL1ValidatorTx', { balance: bigint; proof: Uint8Array; message: Uint8Array }>
  | Based<'SetL1ValidatorWeightTx', { message: Uint8Array }>
  | Based<'IncreaseL1ValidatorBalanceTx', { validationId: Uint8Array; balance: bigint }>
  | Based<'DisableL1ValidatorTx', Authorised & { validationId: Uint8Array }>
  | Based<
      'AddAutoRenewedValidatorTx',
      Stake & {
        nodeId: Uint8Array
        signer: ProofOfPossession | undefined
        rewardsOwner: Owner
        delegationRewardsOwner: Owner
        validatorAuthority: Owner
        shares: number
        autoCompoundShares: number
        period: bigint
      }
    >
  | Based<
      'SetAutoRenewedValidatorConfigTx',
      Authorised & { stakingTxId: Uint8Array; autoCompoundShares: number; period: bigint }
    >
  | { readonly type: 'RewardAutoRenewedValidatorTx'; readonly stakingTxId: Uint8Array; readonly time: bigint }

/** The rules of an elastic subnet. Durations in seconds, rates and shares in millionths. */
export type ElasticTerms = {
  readonly assetId: Uint8Array
  readonly initialSupply: bigint
  readonly maximumSupply: bigint
  readonly minConsumptionRate: bigint
  readonly maxConsumptionRate: bigint
  readonly minValidatorStake: bigint
  readonly maxValidatorStake: bigint
  readonly minStakeDuration: number
  readonly maxStakeDuration: number
  readonly minDelegationFee: number
  readonly minDelegatorStake: bigint
  readonly maxValidatorWeightFactor: number
  readonly uptimeRequirement: number
}

/** A signed P-chain transaction. */
export type PTx = Signed<PUnsigned | UnknownTx>
