import {
  Address,
  avaxSerial,
  avmSerial,
  BigIntPr,
  BlsSignature,
  Byte,
  Bytes,
  Credential,
  evmSerial,
  Id,
  Input,
  Int,
  L1Validator,
  MintOutput,
  NodeId,
  OutputOwners,
  PChainOwner,
  pvmSerial,
  Signature,
  Stringpr,
  TransferableInput,
  TransferableOutput,
  TransferInput,
  TransferOutput,
  utils,
} from '@avalabs/avalanchejs'
import type { AtomicUnsigned } from '../primary/atomic.ts'
import type { AssetInput, AssetOutput, Output, Owner } from '../primary/outputs.ts'
import type { L1Owner, ProofOfPossession, PUnsigned, StakingTerms } from '../primary/p-transactions.ts'
import type { BaseFields } from '../primary/transactions.ts'
import type { XUnsigned } from '../primary/x-transactions.ts'

/** Builds and encodes the same transactions with avalanchejs. */
const toId = (each: Uint8Array) => new Id(each)
const big = (each: bigint) => new BigIntPr(each)
const int = (each: number) => new Int(each)
const addresses = (all: readonly Uint8Array[]) => all.map((each) => new Address(each))
const toOwner = (owner: Owner) =>
  new OutputOwners(big(owner.locktime), int(owner.threshold), addresses(owner.addresses))
const toL1Owner = (owner: L1Owner) => new PChainOwner(int(owner.threshold), addresses(owner.addresses))
const toIndices = (all: readonly number[]) => new Input(all.map(int))

function toOutput({ assetId, output }: AssetOutput) {
  if (output.type !== 'TRANSFER') throw new Error('an amount is expected')
  const plain = new TransferOutput(big(output.amount), toOwner(output.owner))
  const until = output.stakeableLocktime
  const locked = until > 0n ? new pvmSerial.StakeableLockOut(big(until), plain) : plain
  return new TransferableOutput(toId(assetId), locked)
}

function toInput(input: AssetInput) {
  const plain = new TransferInput(big(input.amount), toIndices(input.signatureIndices))
  const until = input.stakeableLocktime
  const locked = until > 0n ? new pvmSerial.StakeableLockIn(big(until), plain) : plain
  const utxo = new avaxSerial.UTXOID(toId(input.txId), int(input.outputIndex))
  return new TransferableInput(utxo, toId(input.assetId), locked)
}

function toBase(fields: BaseFields) {
  return new avaxSerial.BaseTx(
    int(fields.networkId),
    toId(fields.blockchainId),
    fields.outputs.map(toOutput),
    fields.inputs.map(toInput),
    new Bytes(fields.memo),
  )
}

const toTerms = ({ nodeId, start, end, weight }: StakingTerms) =>
  new pvmSerial.Validator(new NodeId(nodeId), big(start), big(end), big(weight))

/** Verifying a proof takes milliseconds, so each is verified once. */
const checkedProofs = new Map<ProofOfPossession, pvmSerial.ProofOfPossession>()

function toProof(each: ProofOfPossession): pvmSerial.ProofOfPossession {
  const made = checkedProofs.get(each) ?? new pvmSerial.ProofOfPossession(each.publicKey, each.proof)
  checkedProofs.set(each, made)
  return made
}

const toSigner = (each: ProofOfPossession | undefined) =>
  each ? new pvmSerial.Signer(toProof(each)) : new pvmSerial.SignerEmpty()

function toPTx(tx: PUnsigned) {
  if (tx.type === 'AdvanceTimeTx') return new pvmSerial.AdvanceTimeTx(big(tx.time))
  if (tx.type === 'RewardAutoRenewedValidatorTx') {
    return new pvmSerial.RewardAutoRenewedValidatorTx(toId(tx.stakingTxId), big(tx.time))
  }
  if (tx.type === 'RewardValidatorTx') throw new Error('avalanchejs exports no RewardValidatorTx')
  const base = toBase(tx.base)
  const subnetTerms = () => {
    if (!('terms' in tx) || !('subnetId' in tx)) throw new Error('no terms')
    return new pvmSerial.SubnetValidator(toTerms(tx.terms), toId(tx.subnetId))
  }
  switch (tx.type) {
    case 'AddValidatorTx':
      return new pvmSerial.AddValidatorTx(
        base,
        toTerms(tx.terms),
        tx.stake.map(toOutput),
        toOwner(tx.rewardsOwner),
        int(tx.shares),
      )
    case 'AddSubnetValidatorTx':
      return new pvmSerial.AddSubnetValidatorTx(base, subnetTerms(), toIndices(tx.authority))
    case 'AddDelegatorTx':
      return new pvmSerial.AddDelegatorTx(
        base,
        toTerms(tx.terms),
        tx.stake.map(toOutput),
        toOwner(tx.rewardsOwner),
      )
    case 'CreateChainTx':
      return new pvmSerial.CreateChainTx(
        base,
        toId(tx.subnetId),
        new Stringpr(tx.chainName),
        toId(tx.vmId),
        tx.fxIds.map(toId),
        new Bytes(tx.genesis),
        toIndices(tx.authority),
      )
    case 'CreateSubnetTx':
      return new pvmSerial.CreateSubnetTx(base, toOwner(tx.owner))
    case 'ImportTx':
      return new pvmSerial.ImportTx(base, toId(tx.sourceChain), tx.importedInputs.map(toInput))
    case 'ExportTx':
      return new pvmSerial.ExportTx(base, toId(tx.destinationChain), tx.exportedOutputs.map(toOutput))
    case 'RemoveSubnetValidatorTx':
      return new pvmSerial.RemoveSubnetValidatorTx(
        base,
        new NodeId(tx.nodeId),
        toId(tx.subnetId),
        toIndices(tx.authority),
      )
    case 'TransformSubnetTx':
      return new pvmSerial.TransformSubnetTx(
        base,
        toId(tx.subnetId),
        toId(tx.assetId),
        big(tx.initialSupply),
        big(tx.maximumSupply),
        big(tx.minConsumptionRate),
        big(tx.maxConsumptionRate),
        big(tx.minValidatorStake),
        big(tx.maxValidatorStake),
        int(tx.minStakeDuration),
        int(tx.maxStakeDuration),
        int(tx.minDelegationFee),
        big(tx.minDelegatorStake),
        new Byte(Uint8Array.of(tx.maxValidatorWeightFactor)),
        int(tx.uptimeRequirement),
        toIndices(tx.authority),
      )
    case 'AddPermissionlessValidatorTx':
      return new pvmSerial.AddPermissionlessValidatorTx(
        base,
        subnetTerms(),
        toSigner(tx.signer),
        tx.stake.map(toOutput),
        toOwner(tx.rewardsOwner),
        toOwner(tx.delegationRewardsOwner),
        int(tx.shares),
      )
    case 'AddPermissionlessDelegatorTx':
      return new pvmSerial.AddPermissionlessDelegatorTx(
        base,
        subnetTerms(),
        tx.stake.map(toOutput),
        toOwner(tx.rewardsOwner),
      )
    case 'TransferSubnetOwnershipTx':
      return new pvmSerial.TransferSubnetOwnershipTx(
        base,
        toId(tx.subnetId),
        toIndices(tx.authority),
        toOwner(tx.owner),
      )
    case 'BaseTx':
      return new pvmSerial.BaseTx(base)
    case 'ConvertSubnetToL1Tx':
      return new pvmSerial.ConvertSubnetToL1Tx(
        base,
        toId(tx.subnetId),
        toId(tx.managerChainId),
        new Bytes(tx.managerAddress),
        tx.validators.map(
          (each) =>
            new L1Validator(
              new Bytes(each.nodeId),
              big(each.weight),
              big(each.balance),
              toProof(each.signer),
              toL1Owner(each.remainingBalanceOwner),
              toL1Owner(each.deactivationOwner),
            ),
        ),
        toIndices(tx.authority),
      )
    case 'RegisterL1ValidatorTx':
      return new pvmSerial.RegisterL1ValidatorTx(
        base,
        big(tx.balance),
        BlsSignature.fromSignatureBytes(tx.proof),
        new Bytes(tx.message),
      )
    case 'SetL1ValidatorWeightTx':
      return new pvmSerial.SetL1ValidatorWeightTx(base, new Bytes(tx.message))
    case 'IncreaseL1ValidatorBalanceTx':
      return new pvmSerial.IncreaseL1ValidatorBalanceTx(base, toId(tx.validationId), big(tx.balance))
    case 'DisableL1ValidatorTx':
      return new pvmSerial.DisableL1ValidatorTx(base, toId(tx.validationId), toIndices(tx.authority))
    case 'AddAutoRenewedValidatorTx':
      if (!tx.signer) throw new Error('a key is wanted')
      return new pvmSerial.AddAutoRenewedValidatorTx(
        base,
        new NodeId(tx.nodeId),
        new pvmSerial.Signer(toProof(tx.signer)),
        tx.stake.map(toOutput),
        toOwner(tx.rewardsOwner),
        toOwner(tx.delegationRewardsOwner),
        toOwner(tx.validatorAuthority),
        int(tx.shares),
        int(tx.autoCompoundShares),
        big(tx.period),
      )
    case 'SetAutoRenewedValidatorConfigTx':
      return new pvmSerial.SetAutoRenewedValidatorConfigTx(
        base,
        toId(tx.stakingTxId),
        toIndices(tx.authority),
        int(tx.autoCompoundShares),
        big(tx.period),
      )
  }
}

function toState(output: Output) {
  if (output.type === 'TRANSFER') return new TransferOutput(big(output.amount), toOwner(output.owner))
  if (output.type === 'MINT') return new MintOutput(toOwner(output.owner))
  throw new Error(`avalanchejs exports no ${output.type}`)
}

function toXTx(tx: XUnsigned) {
  const base = toBase(tx.base)
  switch (tx.type) {
    case 'BaseTx':
      return new avmSerial.BaseTx(base)
    case 'CreateAssetTx':
      return new avmSerial.CreateAssetTx(
        base,
        new Stringpr(tx.name),
        new Stringpr(tx.symbol),
        new Byte(Uint8Array.of(tx.denomination)),
        tx.states.map((each) => new avmSerial.InitialState(int(each.fxIndex), each.outputs.map(toState))),
      )
    case 'ImportTx':
      return new avmSerial.ImportTx(base, toId(tx.sourceChain), tx.importedInputs.map(toInput))
    case 'ExportTx':
      return new avmSerial.ExportTx(base, toId(tx.destinationChain), tx.exportedOutputs.map(toOutput))
    case 'OperationTx':
      throw new Error('avalanchejs exports no operations')
  }
}

function toAtomicTx(tx: AtomicUnsigned) {
  const head = [int(tx.networkId), toId(tx.blockchainId)] as const
  if (tx.type === 'ImportTx') {
    return new evmSerial.ImportTx(
      ...head,
      toId(tx.sourceChain),
      tx.importedInputs.map(toInput),
      tx.evmOutputs.map(
        (each) => new evmSerial.Output(new Address(each.address), big(each.amount), toId(each.assetId)),
      ),
    )
  }
  return new evmSerial.ExportTx(
    ...head,
    toId(tx.destinationChain),
    tx.evmInputs.map(
      (each) =>
        new evmSerial.Input(new Address(each.address), big(each.amount), toId(each.assetId), big(each.nonce)),
    ),
    tx.exportedOutputs.map(toOutput),
  )
}

type Signatures = readonly (readonly Uint8Array[])[]

/** Type id, body and credentials: avalanchejs's own signed transaction omits assets. */
function write(vm: 'PVM' | 'AVM' | 'EVM', tx: Packed, signatures: Signatures): Uint8Array {
  const codec = utils.getManagerForVM(vm).getDefaultCodec()
  const credentials = signatures.map((all) => new Credential(all.map((each) => new Signature(each))))
  return Buffer.concat([
    codec.PackPrefix(tx),
    int(credentials.length).toBytes(),
    ...credentials.map((each) => codec.PackPrefix(each)),
  ])
}

type Packed = Parameters<
  ReturnType<ReturnType<typeof utils.getManagerForVM>['getDefaultCodec']>['PackPrefix']
>[0]

/** The signed bytes without a codec version. */
export const writePTx = (tx: PUnsigned, all: Signatures): Uint8Array => write('PVM', toPTx(tx), all)
export const writeXTx = (tx: XUnsigned, all: Signatures): Uint8Array => write('AVM', toXTx(tx), all)
export const writeAtomicTx = (tx: AtomicUnsigned, all: Signatures): Uint8Array =>
  write('EVM', toAtomicTx(tx), all)
