import type { PrimaryChainAlias } from '../../contract/primary/chains.ts'
import { type AtomicTx, decodeAtomicTx, type EvmOutput } from '../../protocol/primary/atomic.ts'
import { convertedValidationId } from '../../protocol/native/hashes.ts'
import type { Credential, Owner, UtxoReference } from '../../protocol/primary/outputs.ts'
import { decodePTx } from '../../protocol/primary/p-transactions.ts'
import type { ProofOfPossession, PTx } from '../../protocol/primary/p-transactions.ts'
import { decodeL1Message } from '../../protocol/warp/l1-messages.ts'
import { decodeXTx, type XTx } from '../../protocol/primary/x-transactions.ts'

/**
 * The contents of a transaction besides its UTXOs, read from its bytes; fields that its type does not have
 * are absent.
 */
export type TransactionDetails = {
  readonly memo?: Uint8Array
  readonly sourceChain?: Uint8Array
  readonly destinationChain?: Uint8Array
  readonly nodeId?: Uint8Array
  readonly subnetId?: Uint8Array
  /** Unix seconds as in the bytes; the chain may set another start. */
  readonly terms?: { readonly start: bigint; readonly end: bigint }
  /** In millionths. */
  readonly shares?: number
  readonly rewardAddresses?: readonly Uint8Array[]
  readonly signer?: ProofOfPossession
  readonly owner?: Owner
  readonly stakingTxId?: Uint8Array
  /** The settings of an auto-renewed validator: millionths, seconds, and who may change them. */
  readonly renewal?: {
    readonly compoundShares: number
    readonly period: bigint
    readonly authority?: Owner
  }
  readonly manager?: { readonly chainId: Uint8Array; readonly address: Uint8Array }
  readonly chain?: { readonly name: string; readonly vmId: Uint8Array; readonly genesis: Uint8Array }
  /** The L1 validations that it creates or changes. */
  readonly validations: readonly Uint8Array[]
  /** nAVAX that it adds to L1 validators' balances. */
  readonly l1Balance: bigint
  readonly evmInputs: readonly (EvmOutput & { readonly signatures: readonly Uint8Array[] })[]
  readonly evmOutputs: readonly EvmOutput[]
  /** The signatures of its inputs, by `referenceKey`. */
  readonly signatures: ReadonlyMap<string, readonly Uint8Array[]>
}

/** The key of an output: the id of its transaction and its index. */
export const referenceKey = (txId: Uint8Array, outputIndex: number): string =>
  `${Buffer.from(txId).toString('hex')}:${outputIndex}`

/** Reads the details of a transaction from its stored bytes. Throws CodecError. */
export function readTransactionDetails(alias: PrimaryChainAlias, bytes: Uint8Array): TransactionDetails {
  if (alias === 'p-chain') return ofP(decodePTx(bytes))
  return alias === 'x-chain' ? ofX(decodeXTx(bytes)) : ofAtomic(decodeAtomicTx(bytes))
}

const nothing = {
  validations: [],
  l1Balance: 0n,
  evmInputs: [],
  evmOutputs: [],
  signatures: new Map<string, readonly Uint8Array[]>(),
} satisfies TransactionDetails

/**
 * Credentials are in the order of the signed inputs; the credential of an operation signs for all its inputs.
 */
function signaturesOf(
  signed: readonly (readonly UtxoReference[])[],
  credentials: readonly Credential[],
): Map<string, readonly Uint8Array[]> {
  const found = new Map<string, readonly Uint8Array[]>()
  for (const [index, references] of signed.entries()) {
    const signatures = credentials[index]?.signatures ?? []
    for (const { txId, outputIndex } of references) found.set(referenceKey(txId, outputIndex), signatures)
  }
  return found
}

const optionalMemo = (memo: Uint8Array): Pick<TransactionDetails, 'memo'> =>
  memo.length === 0 ? {} : { memo }

function ofP({ id, unsigned, credentials }: PTx): TransactionDetails {
  if (unsigned.type === 'UNKNOWN') return nothing
  if (unsigned.type === 'AdvanceTimeTx') return nothing
  if (unsigned.type === 'RewardValidatorTx' || unsigned.type === 'RewardAutoRenewedValidatorTx') {
    return { ...nothing, stakingTxId: unsigned.stakingTxId }
  }
  const inputs = [...unsigned.base.inputs, ...(unsigned.type === 'ImportTx' ? unsigned.importedInputs : [])]
  const common = {
    ...nothing,
    ...optionalMemo(unsigned.base.memo),
    signatures: signaturesOf(
      inputs.map((input) => [input]),
      credentials,
    ),
  }
  switch (unsigned.type) {
    case 'AddValidatorTx':
    case 'AddDelegatorTx':
    case 'AddPermissionlessValidatorTx':
    case 'AddPermissionlessDelegatorTx':
    case 'AddSubnetValidatorTx':
      return {
        ...common,
        nodeId: unsigned.terms.nodeId,
        terms: unsigned.terms,
        ...('subnetId' in unsigned && { subnetId: unsigned.subnetId }),
        ...('shares' in unsigned && { shares: unsigned.shares }),
        ...('rewardsOwner' in unsigned && { rewardAddresses: unsigned.rewardsOwner.addresses }),
        ...('signer' in unsigned && unsigned.signer && { signer: unsigned.signer }),
      }
    case 'AddAutoRenewedValidatorTx':
      return {
        ...common,
        nodeId: unsigned.nodeId,
        shares: unsigned.shares,
        rewardAddresses: unsigned.rewardsOwner.addresses,
        ...(unsigned.signer && { signer: unsigned.signer }),
        renewal: {
          compoundShares: unsigned.autoCompoundShares,
          period: unsigned.period,
          authority: unsigned.validatorAuthority,
        },
      }
    case 'SetAutoRenewedValidatorConfigTx':
      return {
        ...common,
        stakingTxId: unsigned.stakingTxId,
        renewal: { compoundShares: unsigned.autoCompoundShares, period: unsigned.period },
      }
    case 'CreateChainTx': {
      const { chainName, genesis, subnetId, vmId } = unsigned
      return { ...common, subnetId, chain: { name: chainName, vmId, genesis } }
    }
    case 'CreateSubnetTx':
      // The subnet id is the id of the creating transaction.
      return { ...common, subnetId: id, owner: unsigned.owner }
    case 'TransferSubnetOwnershipTx':
      return { ...common, subnetId: unsigned.subnetId, owner: unsigned.owner }
    case 'ImportTx':
      return { ...common, sourceChain: unsigned.sourceChain }
    case 'ExportTx':
      return { ...common, destinationChain: unsigned.destinationChain }
    case 'RemoveSubnetValidatorTx':
      return { ...common, nodeId: unsigned.nodeId, subnetId: unsigned.subnetId }
    case 'TransformSubnetTx':
      return { ...common, subnetId: unsigned.subnetId }
    case 'ConvertSubnetToL1Tx':
      return {
        ...common,
        subnetId: unsigned.subnetId,
        manager: { chainId: unsigned.managerChainId, address: unsigned.managerAddress },
        validations: unsigned.validators.map((_, index) => convertedValidationId(unsigned.subnetId, index)),
        l1Balance: unsigned.validators.reduce((sum, { balance }) => sum + balance, 0n),
      }
    case 'RegisterL1ValidatorTx':
      return {
        ...common,
        validations: [decodeL1Message(unsigned.message).validationId],
        l1Balance: unsigned.balance,
      }
    case 'SetL1ValidatorWeightTx':
      return { ...common, validations: [decodeL1Message(unsigned.message).validationId] }
    case 'IncreaseL1ValidatorBalanceTx':
      return { ...common, validations: [unsigned.validationId], l1Balance: unsigned.balance }
    case 'DisableL1ValidatorTx':
      return { ...common, validations: [unsigned.validationId] }
    case 'BaseTx':
      return common
  }
}

function ofX({ unsigned, credentials }: XTx): TransactionDetails {
  if (unsigned.type === 'UNKNOWN') return nothing
  const inputs: (readonly UtxoReference[])[] = unsigned.base.inputs.map((input) => [input])
  if (unsigned.type === 'ImportTx') inputs.push(...unsigned.importedInputs.map((input) => [input]))
  if (unsigned.type === 'OperationTx') inputs.push(...unsigned.operations.map((each) => each.references))
  return {
    ...nothing,
    ...optionalMemo(unsigned.base.memo),
    signatures: signaturesOf(inputs, credentials),
    ...(unsigned.type === 'ImportTx' && { sourceChain: unsigned.sourceChain }),
    ...(unsigned.type === 'ExportTx' && { destinationChain: unsigned.destinationChain }),
  }
}

function ofAtomic({ unsigned, credentials }: AtomicTx): TransactionDetails {
  if (unsigned.type === 'ImportTx') {
    return {
      ...nothing,
      sourceChain: unsigned.sourceChain,
      evmOutputs: unsigned.evmOutputs,
      signatures: signaturesOf(
        unsigned.importedInputs.map((input) => [input]),
        credentials,
      ),
    }
  }
  return {
    ...nothing,
    destinationChain: unsigned.destinationChain,
    evmInputs: unsigned.evmInputs.map((input, index) => ({
      ...input,
      signatures: credentials[index]?.signatures ?? [],
    })),
  }
}
