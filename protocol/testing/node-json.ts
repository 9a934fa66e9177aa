import { addressText, cb58, hexText, nodeIdText } from '../ids/text.ts'
import type { AssetInput, AssetOutput, Credential, Output, Owner } from '../primary/outputs.ts'
import type { PBlock } from '../primary/p-blocks.ts'
import type { ProofOfPossession, PTx, PUnsigned } from '../primary/p-types.ts'
import type { XBlock } from '../primary/x-blocks.ts'
import type { XTx, XUnsigned } from '../primary/x-transactions.ts'
import type { BaseFields } from '../primary/transactions.ts'

/** The JSON form in which a node of the local network shows what we decoded: to compare with recordings. */
type Form = Record<string, unknown>

const prefix = 'local'
/** Ids of feature extensions, as recorded. */
const secpFx = 'spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ'
const nftFx = 'qd2U4HDWUvMrVUeTcCHp6xH3Qpnn1XbU5MDdnBoiifFqvgXwT'
const propertyFx = 'rXJsCSEYXg2TehWxCEEGj6JU2PWKTkd6cBdNLjoe2SpsKD9cy'
const fxOf = { secp: secpFx, nft: nftFx, property: propertyFx }

type Letter = 'P' | 'X'

function owner(letter: Letter, { addresses, locktime, threshold }: Owner): Form {
  return {
    addresses: addresses.map((address) => `${letter}-${addressText(address, prefix)}`),
    locktime: Number(locktime),
    threshold,
  }
}

function output(letter: Letter, made: Output): Form {
  if (made.type === 'TRANSFER') return { ...owner(letter, made.owner), amount: Number(made.amount) }
  if (made.type === 'NFT_MINT') return { ...owner(letter, made.owner), groupID: made.groupId }
  return owner(letter, made.owner)
}

function outputs(letter: Letter, all: readonly AssetOutput[]): Form[] {
  return all.map((each) => ({
    assetID: cb58(each.assetId),
    fxID: secpFx,
    output: output(letter, each.output),
  }))
}

function inputs(all: readonly AssetInput[]): Form[] {
  return all.map((each) => ({
    txID: cb58(each.txId),
    outputIndex: each.outputIndex,
    assetID: cb58(each.assetId),
    fxID: secpFx,
    input: { amount: Number(each.amount), signatureIndices: each.signatureIndices },
  }))
}

function base(letter: Letter, fields: BaseFields): Form {
  return {
    networkID: fields.networkId,
    blockchainID: cb58(fields.blockchainId),
    outputs: outputs(letter, fields.outputs),
    inputs: inputs(fields.inputs),
    memo: hexText(fields.memo),
  }
}

const authority = (signatureIndices: readonly number[]): Form => ({ signatureIndices })
const signer = ({ publicKey, proof }: ProofOfPossession): Form => ({
  publicKey: hexText(publicKey),
  proofOfPossession: hexText(proof),
})
const holder = ({ threshold, addresses }: { threshold: number; addresses: readonly Uint8Array[] }): Form => ({
  threshold,
  addresses: addresses.map(cb58),
})

function pUnsigned(tx: PUnsigned): Form {
  const fields = 'base' in tx ? base('P', tx.base) : {}
  const terms =
    'terms' in tx
      ? {
          validator: {
            nodeID: nodeIdText(tx.terms.nodeId),
            start: Number(tx.terms.start),
            end: Number(tx.terms.end),
            weight: Number(tx.terms.weight),
          },
        }
      : {}
  const subnet = 'subnetId' in tx ? { subnetID: cb58(tx.subnetId) } : {}
  const stake = 'stake' in tx ? { stake: outputs('P', tx.stake) } : {}
  const all = { ...fields, ...terms, ...subnet, ...stake }
  switch (tx.type) {
    case 'AddSubnetValidatorTx':
      // The subnet stands inside the validator.
      return {
        ...fields,
        validator: { ...terms.validator, ...subnet },
        subnetAuthorization: authority(tx.authority),
      }
    case 'CreateChainTx':
      return {
        ...all,
        chainName: tx.chainName,
        vmID: cb58(tx.vmId),
        fxIDs: tx.fxIds.map(cb58),
        genesisData: Buffer.from(tx.genesis).toString('base64'),
        subnetAuthorization: authority(tx.authority),
      }
    case 'CreateSubnetTx':
      return { ...all, owner: owner('P', tx.owner) }
    case 'ImportTx':
      return { ...all, sourceChain: cb58(tx.sourceChain), importedInputs: inputs(tx.importedInputs) }
    case 'ExportTx':
      return {
        ...all,
        destinationChain: cb58(tx.destinationChain),
        exportedOutputs: outputs('P', tx.exportedOutputs),
      }
    case 'RewardValidatorTx':
      return { txID: cb58(tx.stakingTxId) }
    case 'RemoveSubnetValidatorTx':
      return { ...all, nodeID: nodeIdText(tx.nodeId), subnetAuthorization: authority(tx.authority) }
    case 'AddPermissionlessValidatorTx':
      return {
        ...all,
        ...(tx.signer && { signer: signer(tx.signer) }),
        validationRewardsOwner: owner('P', tx.rewardsOwner),
        delegationRewardsOwner: owner('P', tx.delegationRewardsOwner),
        shares: tx.shares,
      }
    case 'AddPermissionlessDelegatorTx':
      return { ...all, rewardsOwner: owner('P', tx.rewardsOwner) }
    case 'TransferSubnetOwnershipTx':
      return { ...all, subnetAuthorization: authority(tx.authority), newOwner: owner('P', tx.owner) }
    case 'BaseTx':
      return all
    case 'ConvertSubnetToL1Tx':
      return {
        ...all,
        chainID: cb58(tx.managerChainId),
        address: hexText(tx.managerAddress),
        validators: tx.validators.map((each) => ({
          nodeID: hexText(each.nodeId),
          weight: Number(each.weight),
          balance: Number(each.balance),
          signer: signer(each.signer),
          remainingBalanceOwner: holder(each.remainingBalanceOwner),
          deactivationOwner: holder(each.deactivationOwner),
        })),
        subnetAuthorization: authority(tx.authority),
      }
    case 'RegisterL1ValidatorTx':
      return {
        ...all,
        balance: Number(tx.balance),
        proofOfPossession: [...tx.proof],
        message: hexText(tx.message),
      }
    case 'SetL1ValidatorWeightTx':
      return { ...all, message: hexText(tx.message) }
    case 'IncreaseL1ValidatorBalanceTx':
      return { ...all, validationID: cb58(tx.validationId), balance: Number(tx.balance) }
    case 'DisableL1ValidatorTx':
      return { ...all, validationID: cb58(tx.validationId), disableAuthorization: authority(tx.authority) }
    default:
      throw new Error(`no recording shows ${tx.type} in JSON`)
  }
}

function xUnsigned(tx: XUnsigned): Form {
  const fields = base('X', tx.base)
  switch (tx.type) {
    case 'BaseTx':
      return fields
    case 'ImportTx':
      return { ...fields, sourceChain: cb58(tx.sourceChain), importedInputs: inputs(tx.importedInputs) }
    case 'ExportTx':
      return {
        ...fields,
        destinationChain: cb58(tx.destinationChain),
        exportedOutputs: outputs('X', tx.exportedOutputs),
      }
    case 'CreateAssetTx':
      return {
        ...fields,
        name: tx.name,
        symbol: tx.symbol,
        denomination: tx.denomination,
        initialStates: tx.states.map(({ fxIndex, outputs }) => ({
          fxIndex,
          fxID: [secpFx, nftFx, propertyFx][fxIndex],
          outputs: outputs.map((each) => output('X', each)),
        })),
      }
    default:
      throw new Error(`no recording shows ${tx.type} in JSON`)
  }
}

const signatures = (credential: Credential): Form => ({ signatures: credential.signatures.map(hexText) })

/** A P-chain transaction as platform.getTx shows it. */
export function pTxForm(tx: PTx): Form {
  if (tx.unsigned.type === 'UNKNOWN') throw new Error('an unknown transaction has no JSON form')
  return {
    unsignedTx: pUnsigned(tx.unsigned),
    credentials: tx.credentials.map(signatures),
    id: cb58(tx.id),
  }
}

/** An X-chain transaction as avm.getTx shows it. */
export function xTxForm(tx: XTx): Form {
  if (tx.unsigned.type === 'UNKNOWN') throw new Error('an unknown transaction has no JSON form')
  return {
    unsignedTx: xUnsigned(tx.unsigned),
    credentials: tx.credentials.map((each) => ({ fxID: fxOf[each.kind], credential: signatures(each) })),
    id: cb58(tx.id),
  }
}

/** A P-chain block as platform.getBlockByHeight shows it. */
export function pBlockForm(block: PBlock): Form {
  const lists = block.type === 'BanffProposalBlock' || block.kind === 'standard'
  return {
    ...(block.time !== undefined && { time: block.time }),
    parentID: cb58(block.parentId),
    height: block.height,
    id: cb58(block.id),
    ...(lists && { txs: block.transactions.map(pTxForm) }),
    ...(block.proposal && { tx: pTxForm(block.proposal) }),
  }
}

/** An X-chain block as avm.getBlockByHeight shows it. */
export function xBlockForm(block: XBlock): Form {
  return {
    parentID: cb58(block.parentId),
    height: block.height,
    time: block.time,
    merkleRoot: cb58(block.merkleRoot),
    txs: block.transactions.map(xTxForm),
    id: cb58(block.id),
  }
}
