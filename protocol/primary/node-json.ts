import { Reader, UnknownTypeError } from '../codec/reader.ts'
import { addressText, cb58, hexText, nodeIdText } from '../ids/text.ts'
import type { AssetInput, AssetOutput, Credential, Output, Owner } from './outputs.ts'
import { decodePBlock, type PBlock } from './p-blocks.ts'
import {
  decodePTx,
  type L1Owner,
  type ProofOfPossession,
  type PTx,
  type PUnsigned,
} from './p-transactions.ts'
import type { BaseFields } from './transactions.ts'
import { decodeXBlock } from './x-blocks.ts'
import {
  type AssetOperation,
  decodeXTx,
  type XOperation,
  type XTx,
  type XUnsigned,
} from './x-transactions.ts'

/** avalanchego's JSON of transactions and blocks. 64-bit integers are bigints. */
export type NodeJson = Readonly<Record<string, unknown>>

/** The format of addresses: the chain's alias and the network's prefix. */
export type AddressForm = { readonly alias: string; readonly prefix: string }

/** The ids of the feature extensions. */
export const fxIds = {
  secp: 'spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ',
  nft: 'qd2U4HDWUvMrVUeTcCHp6xH3Qpnn1XbU5MDdnBoiifFqvgXwT',
  property: 'rXJsCSEYXg2TehWxCEEGj6JU2PWKTkd6cBdNLjoe2SpsKD9cy',
} as const

const fxOfIndex = [fxIds.secp, fxIds.nft, fxIds.property]

const fxOfOutput: Record<Output['type'], string> = {
  TRANSFER: fxIds.secp,
  MINT: fxIds.secp,
  NFT_MINT: fxIds.nft,
  NFT_TRANSFER: fxIds.nft,
  PROPERTY_MINT: fxIds.property,
  PROPERTY_OWNED: fxIds.property,
}

const fxOfOperation: Record<XOperation['type'], string> = {
  MINT: fxIds.secp,
  NFT_MINT: fxIds.nft,
  NFT_TRANSFER: fxIds.nft,
  PROPERTY_MINT: fxIds.property,
  PROPERTY_BURN: fxIds.property,
}

const indices = (signatureIndices: readonly number[]): NodeJson => ({ signatureIndices })

function owner({ addresses, locktime, threshold }: Owner, { alias, prefix }: AddressForm): NodeJson {
  return { addresses: addresses.map((each) => `${alias}-${addressText(each, prefix)}`), locktime, threshold }
}

function output(made: Output, form: AddressForm): NodeJson {
  const owned = owner(made.owner, form)
  switch (made.type) {
    case 'TRANSFER': {
      const { amount, stakeableLocktime: locktime } = made
      return locktime === 0n ? { ...owned, amount } : { locktime, output: { ...owned, amount } }
    }
    case 'NFT_MINT':
      return { ...owned, groupID: made.groupId }
    case 'NFT_TRANSFER':
      return { ...owned, groupID: made.groupId, payload: hexText(made.payload) }
    default:
      return owned
  }
}

function outputs(all: readonly AssetOutput[], form: AddressForm): NodeJson[] {
  return all.map((each) => ({
    assetID: cb58(each.assetId),
    fxID: fxOfOutput[each.output.type],
    output: output(each.output, form),
  }))
}

function inputs(all: readonly AssetInput[]): NodeJson[] {
  return all.map(({ txId, outputIndex, assetId, amount, stakeableLocktime: locktime, signatureIndices }) => {
    const input = { amount, signatureIndices }
    return {
      txID: cb58(txId),
      outputIndex,
      assetID: cb58(assetId),
      fxID: fxIds.secp,
      input: locktime === 0n ? input : { locktime, input },
    }
  })
}

function baseJson(base: BaseFields, form: AddressForm): NodeJson {
  return {
    networkID: base.networkId,
    blockchainID: cb58(base.blockchainId),
    outputs: outputs(base.outputs, form),
    inputs: inputs(base.inputs),
    memo: hexText(base.memo),
  }
}

type Imported = { readonly sourceChain: Uint8Array; readonly importedInputs: readonly AssetInput[] }
type Exported = { readonly destinationChain: Uint8Array; readonly exportedOutputs: readonly AssetOutput[] }

const imported = ({ sourceChain, importedInputs }: Imported): NodeJson => ({
  sourceChain: cb58(sourceChain),
  importedInputs: inputs(importedInputs),
})

const exported = ({ destinationChain, exportedOutputs }: Exported, form: AddressForm): NodeJson => ({
  destinationChain: cb58(destinationChain),
  exportedOutputs: outputs(exportedOutputs, form),
})

function signer(proof: ProofOfPossession | undefined): NodeJson {
  return proof ? { publicKey: hexText(proof.publicKey), proofOfPossession: hexText(proof.proof) } : {}
}

/** Owners inside an L1's messages: no locktime, and addresses without a chain. */
const l1Owner = ({ threshold, addresses }: L1Owner): NodeJson => ({
  threshold,
  addresses: addresses.map(cb58),
})

function pUnsigned(tx: PUnsigned, form: AddressForm): NodeJson {
  if (tx.type === 'AdvanceTimeTx') return { time: tx.time }
  if (tx.type === 'RewardValidatorTx') return { txID: cb58(tx.stakingTxId) }
  if (tx.type === 'RewardAutoRenewedValidatorTx') return { txID: cb58(tx.stakingTxId), timestamp: tx.time }
  const common = {
    ...baseJson(tx.base, form),
    ...('terms' in tx && {
      validator: {
        nodeID: nodeIdText(tx.terms.nodeId),
        start: tx.terms.start,
        end: tx.terms.end,
        weight: tx.terms.weight,
        // Nodes put the subnet of a permissioned validator into its terms.
        ...(tx.type === 'AddSubnetValidatorTx' && { subnetID: cb58(tx.subnetId) }),
      },
    }),
    ...('subnetId' in tx && tx.type !== 'AddSubnetValidatorTx' && { subnetID: cb58(tx.subnetId) }),
    ...('stake' in tx && { stake: outputs(tx.stake, form) }),
    ...('authority' in tx &&
      tx.type !== 'DisableL1ValidatorTx' &&
      tx.type !== 'SetAutoRenewedValidatorConfigTx' && { subnetAuthorization: indices(tx.authority) }),
  }
  switch (tx.type) {
    case 'AddValidatorTx':
      return { ...common, rewardsOwner: owner(tx.rewardsOwner, form), shares: tx.shares }
    case 'AddDelegatorTx':
    case 'AddPermissionlessDelegatorTx':
      return { ...common, rewardsOwner: owner(tx.rewardsOwner, form) }
    case 'CreateChainTx':
      return {
        ...common,
        chainName: tx.chainName,
        vmID: cb58(tx.vmId),
        fxIDs: tx.fxIds.map(cb58),
        genesisData: Buffer.from(tx.genesis).toString('base64'),
      }
    case 'CreateSubnetTx':
      return { ...common, owner: owner(tx.owner, form) }
    case 'ImportTx':
      return { ...common, ...imported(tx) }
    case 'ExportTx':
      return { ...common, ...exported(tx, form) }
    case 'RemoveSubnetValidatorTx':
      return { ...common, nodeID: nodeIdText(tx.nodeId) }
    case 'TransformSubnetTx': {
      const { type: _type, base: _base, subnetId: _subnet, assetId, authority: _authority, ...terms } = tx
      return { ...common, assetID: cb58(assetId), ...terms }
    }
    case 'AddPermissionlessValidatorTx':
      return {
        ...common,
        signer: signer(tx.signer),
        validationRewardsOwner: owner(tx.rewardsOwner, form),
        delegationRewardsOwner: owner(tx.delegationRewardsOwner, form),
        shares: tx.shares,
      }
    case 'TransferSubnetOwnershipTx':
      return { ...common, newOwner: owner(tx.owner, form) }
    case 'AddSubnetValidatorTx':
    case 'BaseTx':
      return common
    case 'ConvertSubnetToL1Tx':
      return {
        ...common,
        chainID: cb58(tx.managerChainId),
        address: hexText(tx.managerAddress),
        validators: tx.validators.map((each) => ({
          nodeID: hexText(each.nodeId),
          weight: each.weight,
          balance: each.balance,
          signer: signer(each.signer),
          remainingBalanceOwner: l1Owner(each.remainingBalanceOwner),
          deactivationOwner: l1Owner(each.deactivationOwner),
        })),
      }
    case 'RegisterL1ValidatorTx':
      return {
        ...common,
        balance: tx.balance,
        // Here the node has a fixed-size array, which Go encodes as a list of numbers.
        proofOfPossession: [...tx.proof],
        message: hexText(tx.message),
      }
    case 'SetL1ValidatorWeightTx':
      return { ...common, message: hexText(tx.message) }
    case 'IncreaseL1ValidatorBalanceTx':
      return { ...common, validationID: cb58(tx.validationId), balance: tx.balance }
    case 'DisableL1ValidatorTx':
      return { ...common, validationID: cb58(tx.validationId), disableAuthorization: indices(tx.authority) }
    case 'AddAutoRenewedValidatorTx':
      return {
        ...common,
        nodeID: hexText(tx.nodeId),
        signer: signer(tx.signer),
        validationRewardsOwner: owner(tx.rewardsOwner, form),
        delegationRewardsOwner: owner(tx.delegationRewardsOwner, form),
        validatorAuthority: owner(tx.validatorAuthority, form),
        delegationShares: tx.shares,
        autoCompoundRewardShares: tx.autoCompoundShares,
        period: tx.period,
      }
    case 'SetAutoRenewedValidatorConfigTx':
      return {
        ...common,
        txID: cb58(tx.stakingTxId),
        auth: indices(tx.authority),
        autoCompoundRewardShares: tx.autoCompoundShares,
        period: tx.period,
      }
  }
}

function operationJson({ assetId, references, operation }: AssetOperation, form: AddressForm): NodeJson {
  return {
    assetID: cb58(assetId),
    inputIDs: references.map(({ txId, outputIndex }) => ({ txID: cb58(txId), outputIndex })),
    fxID: fxOfOperation[operation.type],
    operation: operationFields(operation, form),
  }
}

function operationFields(operation: XOperation, form: AddressForm): NodeJson {
  const signed = indices(operation.signatureIndices)
  switch (operation.type) {
    case 'MINT':
      return {
        mintInput: signed,
        mintOutput: owner(operation.mintOwner, form),
        transferOutput: output(operation.output, form),
      }
    case 'NFT_MINT':
      return {
        mintInput: signed,
        groupID: operation.groupId,
        payload: hexText(operation.payload),
        outputs: operation.owners.map((each) => owner(each, form)),
      }
    case 'NFT_TRANSFER':
      return { input: signed, output: output(operation.output, form) }
    case 'PROPERTY_MINT':
      return {
        mintInput: signed,
        mintOutput: owner(operation.mintOwner, form),
        ownedOutput: owner(operation.owner, form),
      }
    case 'PROPERTY_BURN':
      return signed
  }
}

function xUnsigned(tx: XUnsigned, form: AddressForm): NodeJson {
  const common = baseJson(tx.base, form)
  switch (tx.type) {
    case 'BaseTx':
      return common
    case 'CreateAssetTx':
      return {
        ...common,
        name: tx.name,
        symbol: tx.symbol,
        denomination: tx.denomination,
        initialStates: tx.states.map((state) => ({
          fxIndex: state.fxIndex,
          fxID: fxOfIndex[state.fxIndex],
          outputs: state.outputs.map((each) => output(each, form)),
        })),
      }
    case 'OperationTx':
      return { ...common, operations: tx.operations.map((each) => operationJson(each, form)) }
    case 'ImportTx':
      return { ...common, ...imported(tx) }
    case 'ExportTx':
      return { ...common, ...exported(tx, form) }
  }
}

const signatures = (credential: Credential): NodeJson => ({ signatures: credential.signatures.map(hexText) })

function pTx({ id, typeId, unsigned, credentials }: PTx, form: AddressForm): NodeJson {
  if (unsigned.type === 'UNKNOWN') throw new UnknownTypeError(`transaction type ${typeId} is unknown`, 0)
  return {
    unsignedTx: pUnsigned(unsigned, form),
    credentials: credentials.map(signatures),
    id: cb58(id),
  }
}

function xTx({ id, typeId, unsigned, credentials }: XTx, form: AddressForm): NodeJson {
  if (unsigned.type === 'UNKNOWN') throw new UnknownTypeError(`transaction type ${typeId} is unknown`, 0)
  return {
    unsignedTx: xUnsigned(unsigned, form),
    credentials: credentials.map((each) => ({ fxID: fxIds[each.kind], credential: signatures(each) })),
    id: cb58(id),
  }
}

/** A transaction's bytes without the codec's version. */
function withoutVersion(bytes: Uint8Array): Uint8Array {
  const reader = new Reader(bytes)
  reader.version()
  return reader.rest()
}

/** platform.getTx's JSON of a signed transaction with its codec version. Throws CodecError. */
export function pTxJson(bytes: Uint8Array, form: AddressForm): NodeJson {
  return pTx(decodePTx(withoutVersion(bytes)), form)
}

/** avm.getTx's JSON of a signed transaction with its codec version. Throws CodecError. */
export function xTxJson(bytes: Uint8Array, form: AddressForm): NodeJson {
  return xTx(decodeXTx(withoutVersion(bytes)), form)
}

/** platform.getBlock's JSON of a block. Throws CodecError. */
export function pBlockJson(bytes: Uint8Array, form: AddressForm): NodeJson {
  const block: PBlock = decodePBlock(bytes)
  const { type, kind, time, parentId, height, id, transactions, proposal } = block
  const txs = (): NodeJson[] => transactions.map((each) => pTx(each, form))
  const single = proposal ?? (kind === 'atomic' ? transactions[0] : undefined)
  return {
    ...(time !== undefined && { time }),
    ...(type === 'BanffProposalBlock' && { txs: txs() }),
    parentID: cb58(parentId),
    height,
    id: cb58(id),
    ...(kind === 'standard' && { txs: txs() }),
    ...(single && { tx: pTx(single, form) }),
  }
}

/** avm.getBlock's JSON of a block. Throws CodecError. */
export function xBlockJson(bytes: Uint8Array, form: AddressForm): NodeJson {
  const { parentId, height, time, merkleRoot, transactions, id } = decodeXBlock(bytes)
  return {
    parentID: cb58(parentId),
    height,
    time,
    merkleRoot: cb58(merkleRoot),
    // The node writes null for the empty list of the first block, which it has created instead of parsed.
    txs: transactions.length === 0 ? null : transactions.map((each) => xTx(each, form)),
    id: cb58(id),
  }
}
