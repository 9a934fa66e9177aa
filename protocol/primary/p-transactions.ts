import { CodecError, Reader } from '../codec/reader.ts'
import {
  blob,
  type Codec,
  fixed,
  id,
  list,
  type Of,
  shortId,
  struct,
  text,
  u32,
  u64,
  u8,
  union,
} from '../codec/schema.ts'
import { assetInput, assetOutputs, authority, pAssetOutput, typedOwner } from './outputs.ts'
import { pTxTypeIds as types } from './transaction-types.ts'
import { baseOf, type Signed, SignedCodec, type UnknownTx } from './transactions.ts'

/** The codec's type ids of a validator's BLS key: none, or one with its proof. */
export const signerTypeIds = { none: 27, bls: 28 } as const

const proofSize = 96
/** A BLS key (48 bytes) with its proof of possession (96 bytes). */
const proofOfPossession = struct({ publicKey: fixed(48), proof: fixed(proofSize) })
export type ProofOfPossession = Of<typeof proofOfPossession>

/** A validator's BLS key preceded by its type id; undefined if it has none. */
const signer: Codec<ProofOfPossession | undefined> = {
  minBytes: 4,
  read(reader) {
    const at = reader.offset
    const type = reader.u32()
    if (type === signerTypeIds.none) return undefined
    if (type !== signerTypeIds.bls) throw new CodecError(`signer type ${type} is unknown`, at)
    return proofOfPossession.read(reader)
  },
  write(writer, value) {
    writer.u32(value === undefined ? signerTypeIds.none : signerTypeIds.bls)
    if (value !== undefined) proofOfPossession.write(writer, value)
  },
}

/** Node, start, end (Unix seconds) and weight of a stake. */
const terms = struct({ nodeId: shortId, start: u64, end: u64, weight: u64 })
export type StakingTerms = Of<typeof terms>

/** The owner of an L1 validator's remaining balance, or of the right to end it: `threshold` of the addresses. */
export const l1Owner = struct({ threshold: u32, addresses: list(shortId) })
export type L1Owner = Of<typeof l1Owner>

/** A validator created by a conversion. */
const convertedValidator = struct({
  nodeId: blob,
  weight: u64,
  balance: u64,
  signer: proofOfPossession,
  remainingBalanceOwner: l1Owner,
  deactivationOwner: l1Owner,
})
export type ConvertedValidator = Of<typeof convertedValidator>

/** The rules of an elastic subnet. Durations in seconds, rates and shares in millionths. */
const elasticTerms = {
  assetId: id,
  initialSupply: u64,
  maximumSupply: u64,
  minConsumptionRate: u64,
  maxConsumptionRate: u64,
  minValidatorStake: u64,
  maxValidatorStake: u64,
  minStakeDuration: u32,
  maxStakeDuration: u32,
  minDelegationFee: u32,
  minDelegatorStake: u64,
  maxValidatorWeightFactor: u8,
  uptimeRequirement: u32,
}

const base = baseOf('P')
const stake = list(pAssetOutput)
const subnetId = id
const rewardsOwner = typedOwner
const delegationRewardsOwner = typedOwner
/** The share of the rewards that is restaked, in millionths, and the length of the next cycle in seconds. */
const renewal = { autoCompoundShares: u32, period: u64 }

/** The unsigned transactions of the P-Chain, by type. Fields are in byte order. */
export const pUnsigned = union('P-Chain transaction', {
  AddValidatorTx: [types.AddValidatorTx, { base, terms, stake, rewardsOwner, shares: u32 }],
  AddSubnetValidatorTx: [types.AddSubnetValidatorTx, { base, terms, subnetId, authority }],
  AddDelegatorTx: [types.AddDelegatorTx, { base, terms, stake, rewardsOwner }],
  CreateChainTx: [
    types.CreateChainTx,
    { base, subnetId, chainName: text, vmId: id, fxIds: list(id), genesis: blob, authority },
  ],
  CreateSubnetTx: [types.CreateSubnetTx, { base, owner: typedOwner }],
  ImportTx: [types.ImportTx, { base, sourceChain: id, importedInputs: list(assetInput('P')) }],
  ExportTx: [types.ExportTx, { base, destinationChain: id, exportedOutputs: list(assetOutputs.P) }],
  AdvanceTimeTx: [types.AdvanceTimeTx, { time: u64 }],
  RewardValidatorTx: [types.RewardValidatorTx, { stakingTxId: id }],
  RemoveSubnetValidatorTx: [types.RemoveSubnetValidatorTx, { base, nodeId: shortId, subnetId, authority }],
  TransformSubnetTx: [types.TransformSubnetTx, { base, subnetId, ...elasticTerms, authority }],
  AddPermissionlessValidatorTx: [
    types.AddPermissionlessValidatorTx,
    { base, terms, subnetId, signer, stake, rewardsOwner, delegationRewardsOwner, shares: u32 },
  ],
  AddPermissionlessDelegatorTx: [
    types.AddPermissionlessDelegatorTx,
    { base, terms, subnetId, stake, rewardsOwner },
  ],
  TransferSubnetOwnershipTx: [
    types.TransferSubnetOwnershipTx,
    { base, subnetId, authority, owner: typedOwner },
  ],
  BaseTx: [types.BaseTx, { base }],
  ConvertSubnetToL1Tx: [
    types.ConvertSubnetToL1Tx,
    {
      base,
      subnetId,
      managerChainId: id,
      managerAddress: blob,
      validators: list(convertedValidator),
      authority,
    },
  ],
  RegisterL1ValidatorTx: [
    types.RegisterL1ValidatorTx,
    { base, balance: u64, proof: fixed(proofSize), message: blob },
  ],
  SetL1ValidatorWeightTx: [types.SetL1ValidatorWeightTx, { base, message: blob }],
  IncreaseL1ValidatorBalanceTx: [
    types.IncreaseL1ValidatorBalanceTx,
    { base, validationId: id, balance: u64 },
  ],
  DisableL1ValidatorTx: [types.DisableL1ValidatorTx, { base, validationId: id, authority }],
  AddAutoRenewedValidatorTx: [
    types.AddAutoRenewedValidatorTx,
    {
      base,
      nodeId: blob,
      signer,
      stake,
      rewardsOwner,
      delegationRewardsOwner,
      validatorAuthority: typedOwner,
      shares: u32,
      ...renewal,
    },
  ],
  SetAutoRenewedValidatorConfigTx: [
    types.SetAutoRenewedValidatorConfigTx,
    { base, stakingTxId: id, authority, ...renewal },
  ],
  RewardAutoRenewedValidatorTx: [types.RewardAutoRenewedValidatorTx, { stakingTxId: id, time: u64 }],
})
/** The unsigned transaction of one type. */
export type PUnsigned = Of<typeof pUnsigned>

/** The signed transactions of the P-Chain. */
export const pTx = new SignedCodec('P', pUnsigned)
/** A signed P-Chain transaction. */
export type PTx = Signed<PUnsigned | UnknownTx>

/** Decodes one transaction without a codec version; an unknown type becomes `UNKNOWN`. */
export function decodePTx(bytes: Uint8Array): PTx {
  return pTx.readLast(new Reader(bytes))
}
