import {
  type AssetOutput,
  type CodecChain,
  leastSizes,
  readAuthority,
  readTransferOutput,
  readTypedOwner,
  type TransferOutput,
} from './outputs.ts'
import { CodecError, Reader, UnknownTypeError } from '../codec/reader.ts'
import type {
  ConvertedValidator,
  L1Owner,
  ProofOfPossession,
  PTx,
  PUnsigned,
  StakingTerms,
} from './p-types.ts'
import { pTxTypeIds as types } from './transaction-types.ts'
import { readBase, readBounded, readInputs, readOutputs, readSigned } from './transactions.ts'

const chain: CodecChain = 'P'

/** A transaction inside a block. Throws CodecError; of an unknown type, UnknownTypeError. */
export function readPTx(reader: Reader): PTx {
  return readSigned(reader, chain, readPUnsigned)
}

/** A transaction that takes all bytes that are left: an unknown type becomes `UNKNOWN`. */
export function readLastPTx(reader: Reader): PTx {
  return readBounded(reader, chain, readPUnsigned)
}

/** The bytes of one transaction without a codec version: an unknown type becomes `UNKNOWN`. */
export function decodePTx(bytes: Uint8Array): PTx {
  return readLastPTx(new Reader(bytes))
}

function readPUnsigned(reader: Reader, type: number): PUnsigned {
  const at = reader.offset
  const read = readers.get(type)
  if (!read) throw new UnknownTypeError(`P-chain transaction type ${type} is unknown`, at)
  return read(reader)
}

// Fields stand in the order of the bytes: object literals are evaluated in that order.
const readers = new Map<number, (reader: Reader) => PUnsigned>([
  [
    types.AddValidatorTx,
    (reader) => ({
      type: 'AddValidatorTx',
      base: readBase(reader, chain),
      terms: readTerms(reader),
      stake: readStake(reader),
      rewardsOwner: readTypedOwner(reader),
      shares: reader.u32(),
    }),
  ],
  [
    types.AddSubnetValidatorTx,
    (reader) => ({
      type: 'AddSubnetValidatorTx',
      base: readBase(reader, chain),
      terms: readTerms(reader),
      subnetId: reader.id(),
      authority: readAuthority(reader),
    }),
  ],
  [
    types.AddDelegatorTx,
    (reader) => ({
      type: 'AddDelegatorTx',
      base: readBase(reader, chain),
      terms: readTerms(reader),
      stake: readStake(reader),
      rewardsOwner: readTypedOwner(reader),
    }),
  ],
  [
    types.CreateChainTx,
    (reader) => ({
      type: 'CreateChainTx',
      base: readBase(reader, chain),
      subnetId: reader.id(),
      chainName: reader.text(),
      vmId: reader.id(),
      fxIds: reader.list(leastSizes.id, () => reader.id()),
      genesis: reader.blob(),
      authority: readAuthority(reader),
    }),
  ],
  [
    types.CreateSubnetTx,
    (reader) => ({ type: 'CreateSubnetTx', base: readBase(reader, chain), owner: readTypedOwner(reader) }),
  ],
  [
    types.ImportTx,
    (reader) => ({
      type: 'ImportTx',
      base: readBase(reader, chain),
      sourceChain: reader.id(),
      importedInputs: readInputs(reader, chain),
    }),
  ],
  [
    types.ExportTx,
    (reader) => ({
      type: 'ExportTx',
      base: readBase(reader, chain),
      destinationChain: reader.id(),
      exportedOutputs: readOutputs(reader, chain),
    }),
  ],
  [types.AdvanceTimeTx, (reader) => ({ type: 'AdvanceTimeTx', time: reader.u64() })],
  [types.RewardValidatorTx, (reader) => ({ type: 'RewardValidatorTx', stakingTxId: reader.id() })],
  [
    types.RemoveSubnetValidatorTx,
    (reader) => ({
      type: 'RemoveSubnetValidatorTx',
      base: readBase(reader, chain),
      nodeId: reader.shortId(),
      subnetId: reader.id(),
      authority: readAuthority(reader),
    }),
  ],
  [
    types.TransformSubnetTx,
    (reader) => ({
      type: 'TransformSubnetTx',
      base: readBase(reader, chain),
      subnetId: reader.id(),
      assetId: reader.id(),
      initialSupply: reader.u64(),
      maximumSupply: reader.u64(),
      minConsumptionRate: reader.u64(),
      maxConsumptionRate: reader.u64(),
      minValidatorStake: reader.u64(),
      maxValidatorStake: reader.u64(),
      minStakeDuration: reader.u32(),
      maxStakeDuration: reader.u32(),
      minDelegationFee: reader.u32(),
      minDelegatorStake: reader.u64(),
      maxValidatorWeightFactor: reader.u8(),
      uptimeRequirement: reader.u32(),
      authority: readAuthority(reader),
    }),
  ],
  [
    types.AddPermissionlessValidatorTx,
    (reader) => ({
      type: 'AddPermissionlessValidatorTx',
      base: readBase(reader, chain),
      terms: readTerms(reader),
      subnetId: reader.id(),
      signer: readSigner(reader),
      stake: readStake(reader),
      rewardsOwner: readTypedOwner(reader),
      delegationRewardsOwner: readTypedOwner(reader),
      shares: reader.u32(),
    }),
  ],
  [
    types.AddPermissionlessDelegatorTx,
    (reader) => ({
      type: 'AddPermissionlessDelegatorTx',
      base: readBase(reader, chain),
      terms: readTerms(reader),
      subnetId: reader.id(),
      stake: readStake(reader),
      rewardsOwner: readTypedOwner(reader),
    }),
  ],
  [
    types.TransferSubnetOwnershipTx,
    (reader) => ({
      type: 'TransferSubnetOwnershipTx',
      base: readBase(reader, chain),
      subnetId: reader.id(),
      authority: readAuthority(reader),
      owner: readTypedOwner(reader),
    }),
  ],
  [types.BaseTx, (reader) => ({ type: 'BaseTx', base: readBase(reader, chain) })],
  [
    types.ConvertSubnetToL1Tx,
    (reader) => ({
      type: 'ConvertSubnetToL1Tx',
      base: readBase(reader, chain),
      subnetId: reader.id(),
      managerChainId: reader.id(),
      managerAddress: reader.blob(),
      validators: reader.list(leastConverted, () => readConverted(reader)),
      authority: readAuthority(reader),
    }),
  ],
  [
    types.RegisterL1ValidatorTx,
    (reader) => ({
      type: 'RegisterL1ValidatorTx',
      base: readBase(reader, chain),
      balance: reader.u64(),
      proof: reader.fixed(proofSize),
      message: reader.blob(),
    }),
  ],
  [
    types.SetL1ValidatorWeightTx,
    (reader) => ({ type: 'SetL1ValidatorWeightTx', base: readBase(reader, chain), message: reader.blob() }),
  ],
  [
    types.IncreaseL1ValidatorBalanceTx,
    (reader) => ({
      type: 'IncreaseL1ValidatorBalanceTx',
      base: readBase(reader, chain),
      validationId: reader.id(),
      balance: reader.u64(),
    }),
  ],
  [
    types.DisableL1ValidatorTx,
    (reader) => ({
      type: 'DisableL1ValidatorTx',
      base: readBase(reader, chain),
      validationId: reader.id(),
      authority: readAuthority(reader),
    }),
  ],
  [
    types.AddAutoRenewedValidatorTx,
    (reader) => ({
      type: 'AddAutoRenewedValidatorTx',
      base: readBase(reader, chain),
      nodeId: reader.blob(),
      signer: readSigner(reader),
      stake: readStake(reader),
      rewardsOwner: readTypedOwner(reader),
      delegationRewardsOwner: readTypedOwner(reader),
      validatorAuthority: readTypedOwner(reader),
      shares: reader.u32(),
      autoCompoundShares: reader.u32(),
      period: reader.u64(),
    }),
  ],
  [
    types.SetAutoRenewedValidatorConfigTx,
    (reader) => ({
      type: 'SetAutoRenewedValidatorConfigTx',
      base: readBase(reader, chain),
      stakingTxId: reader.id(),
      authority: readAuthority(reader),
      autoCompoundShares: reader.u32(),
      period: reader.u64(),
    }),
  ],
  [
    types.RewardAutoRenewedValidatorTx,
    (reader) => ({ type: 'RewardAutoRenewedValidatorTx', stakingTxId: reader.id(), time: reader.u64() }),
  ],
])

const keySize = 48
const proofSize = 96
/** A converted validator without bytes of a node id and without owners' addresses. */
const leastConverted = 4 + 8 + 8 + keySize + proofSize + 8 + 8

function readTerms(reader: Reader): StakingTerms {
  return { nodeId: reader.shortId(), start: reader.u64(), end: reader.u64(), weight: reader.u64() }
}

function readStake(reader: Reader): AssetOutput<TransferOutput>[] {
  return reader.list(leastSizes.assetOutput, () => readTransferOutput(reader, chain))
}

/** The codec's type ids of a validator's BLS key: none, or one with its proof. */
export const signerTypeIds = { none: 27, bls: 28 } as const

/** A BLS key behind its type id. */
function readSigner(reader: Reader): ProofOfPossession | undefined {
  const at = reader.offset
  const type = reader.u32()
  if (type === signerTypeIds.none) return undefined
  if (type !== signerTypeIds.bls) throw new CodecError(`signer type ${type} is unknown`, at)
  return readProof(reader)
}

function readProof(reader: Reader): ProofOfPossession {
  return { publicKey: reader.fixed(keySize), proof: reader.fixed(proofSize) }
}

/** The owner of something of an L1 validator, without a type id. */
export function readL1Owner(reader: Reader): L1Owner {
  return {
    threshold: reader.u32(),
    addresses: reader.list(leastSizes.address, () => reader.shortId()),
  }
}

function readConverted(reader: Reader): ConvertedValidator {
  return {
    nodeId: reader.blob(),
    weight: reader.u64(),
    balance: reader.u64(),
    signer: readProof(reader),
    remainingBalanceOwner: readL1Owner(reader),
    deactivationOwner: readL1Owner(reader),
  }
}
