import { signerTypeIds } from '../../../protocol/primary/p-transactions.ts'
import { typeIds, xTypeIds } from '../../../protocol/primary/outputs.ts'
import { cTxTypeIds, pTxTypeIds, xTxTypeIds } from '../../../protocol/primary/transaction-types.ts'
import type { Of } from './wire.ts'
import { blob, fixed, hexBlob, list, struct, tagged, text, u32, u64, u8, whole } from './wire.ts'

export const id32 = fixed(32)
export const address = fixed(20)

const ownerShape = { locktime: u64, threshold: u32, addresses: list(address) }
const owner = struct(ownerShape)
/** Who holds an output or an office. Addresses rise and are unique. */
export type Owner = Of<typeof owner>

const transfer = struct({ amount: u64, ...ownerShape })
export type Transfer = Of<typeof transfer>

const pOutput = tagged('output', {
  transfer: [typeIds.transferOutput, transfer],
  stakeable: [
    typeIds.stakeableLockOut,
    struct({ until: u64, output: tagged('output', { transfer: [typeIds.transferOutput, transfer] }) }),
  ],
})
/** Outputs as X knows them: money, the right to mint it, NFTs, properties. */
export const xOutput = tagged('output', {
  mint: [typeIds.mintOutput, owner],
  transfer: [typeIds.transferOutput, transfer],
  nftMint: [xTypeIds.nftMintOutput, struct({ group: u32, ...ownerShape })],
  nft: [xTypeIds.nftTransferOutput, struct({ group: u32, payload: blob, ...ownerShape })],
  propertyMint: [xTypeIds.propertyMintOutput, owner],
  property: [xTypeIds.propertyOwnedOutput, owner],
})
/** Any output of any chain. `stakeable` may be staked before `until`, Unix seconds, but not spent. */
export type Output = Of<typeof pOutput> | Of<typeof xOutput>

const input = struct({ amount: u64, signers: list(u32) })
const pInput = tagged('input', {
  transfer: [typeIds.transferInput, input],
  stakeable: [
    typeIds.stakeableLockIn,
    struct({ until: u64, input: tagged('input', { transfer: [typeIds.transferInput, input] }) }),
  ],
})
const plainInput = tagged('input', { transfer: [typeIds.transferInput, input] })

function transferable<T>(output: T): { asset: typeof id32; output: T } {
  return { asset: id32, output }
}
const outpointShape = { txId: id32, index: u32 }
const outpoint = struct(outpointShape)
export type Outpoint = Of<typeof outpoint>

export const pOut = struct(transferable(pOutput))
export const xOut = struct(transferable(xOutput))
const pIn = struct({ ...outpointShape, asset: id32, input: pInput })
const plainIn = struct({ ...outpointShape, asset: id32, input: plainInput })
export type POut = Of<typeof pOut>
export type XOut = Of<typeof xOut>
export type PIn = Of<typeof pIn>
export type PlainIn = Of<typeof plainIn>

const credential = tagged('credential', {
  secp: [typeIds.credential, struct({ signatures: list(fixed(65)) })],
  nft: [xTypeIds.nftCredential, struct({ signatures: list(fixed(65)) })],
  property: [xTypeIds.propertyCredential, struct({ signatures: list(fixed(65)) })],
})
export type Credential = Of<typeof credential>

const pBase = { networkId: u32, chainId: id32, outs: list(pOut), ins: list(pIn), memo: blob }
const xBase = { networkId: u32, chainId: id32, outs: list(xOut), ins: list(plainIn), memo: blob }

const validator = { nodeId: address, start: whole, end: whole, weight: u64 }
const typedOwner = tagged('owner', { owner: [typeIds.owners, owner] })
const auth = tagged('authorisation', { input: [typeIds.ownedInput, struct({ signers: list(u32) })] })

/** A BLS key and the proof that its secret is known, hex. */
const proof = struct({ publicKey: fixed(48), proof: fixed(96) })
export type Proof = Of<typeof proof>
const signer = tagged('signer', { none: [signerTypeIds.none, struct({})], bls: [signerTypeIds.bls, proof] })

const l1Owner = struct({ threshold: u32, addresses: list(address) })
const l1Member = struct({
  nodeId: hexBlob,
  weight: u64,
  balance: u64,
  signer: proof,
  remainingBalanceOwner: l1Owner,
  deactivationOwner: l1Owner,
})
export type L1Member = Of<typeof l1Member>

/** What becomes of a cycle's rewards, in millionths that are staked again, and how many seconds the next one takes. */
const renewalShape = { compoundShares: u32, period: whole }

/** The transactions of the P-chain, by the names of the hosted data API; 40 to 42 by the node's names. */
export const pUnsigned = tagged('transaction', {
  AddValidatorTx: [
    pTxTypeIds.AddValidatorTx,
    struct({ ...pBase, ...validator, stake: list(pOut), owner: typedOwner, shares: u32 }),
  ],
  AddSubnetValidatorTx: [
    pTxTypeIds.AddSubnetValidatorTx,
    struct({ ...pBase, ...validator, subnetId: id32, auth }),
  ],
  AddDelegatorTx: [
    pTxTypeIds.AddDelegatorTx,
    struct({ ...pBase, ...validator, stake: list(pOut), owner: typedOwner }),
  ],
  CreateChainTx: [
    pTxTypeIds.CreateChainTx,
    struct({ ...pBase, subnetId: id32, name: text, vmId: id32, fxIds: list(id32), genesis: blob, auth }),
  ],
  CreateSubnetTx: [pTxTypeIds.CreateSubnetTx, struct({ ...pBase, owner: typedOwner })],
  ImportTx: [pTxTypeIds.ImportTx, struct({ ...pBase, source: id32, imported: list(pIn) })],
  ExportTx: [pTxTypeIds.ExportTx, struct({ ...pBase, destination: id32, exported: list(pOut) })],
  AdvanceTimeTx: [pTxTypeIds.AdvanceTimeTx, struct({ time: whole })],
  RewardValidatorTx: [pTxTypeIds.RewardValidatorTx, struct({ stakerTxId: id32 })],
  RemoveSubnetValidatorTx: [
    pTxTypeIds.RemoveSubnetValidatorTx,
    struct({ ...pBase, nodeId: address, subnetId: id32, auth }),
  ],
  TransformSubnetTx: [
    pTxTypeIds.TransformSubnetTx,
    struct({
      ...pBase,
      subnetId: id32,
      asset: id32,
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
      auth,
    }),
  ],
  AddPermissionlessValidatorTx: [
    pTxTypeIds.AddPermissionlessValidatorTx,
    struct({
      ...pBase,
      ...validator,
      subnetId: id32,
      signer,
      stake: list(pOut),
      validationOwner: typedOwner,
      delegationOwner: typedOwner,
      shares: u32,
    }),
  ],
  AddPermissionlessDelegatorTx: [
    pTxTypeIds.AddPermissionlessDelegatorTx,
    struct({ ...pBase, ...validator, subnetId: id32, stake: list(pOut), owner: typedOwner }),
  ],
  TransferSubnetOwnershipTx: [
    pTxTypeIds.TransferSubnetOwnershipTx,
    struct({ ...pBase, subnetId: id32, auth, owner: typedOwner }),
  ],
  BaseTx: [pTxTypeIds.BaseTx, struct(pBase)],
  ConvertSubnetToL1Tx: [
    pTxTypeIds.ConvertSubnetToL1Tx,
    struct({
      ...pBase,
      subnetId: id32,
      managerChainId: id32,
      managerAddress: hexBlob,
      validators: list(l1Member),
      auth,
    }),
  ],
  RegisterL1ValidatorTx: [
    pTxTypeIds.RegisterL1ValidatorTx,
    struct({ ...pBase, balance: u64, proof: fixed(96), message: blob }),
  ],
  SetL1ValidatorWeightTx: [pTxTypeIds.SetL1ValidatorWeightTx, struct({ ...pBase, message: blob })],
  IncreaseL1ValidatorBalanceTx: [
    pTxTypeIds.IncreaseL1ValidatorBalanceTx,
    struct({ ...pBase, validationId: id32, balance: u64 }),
  ],
  DisableL1ValidatorTx: [pTxTypeIds.DisableL1ValidatorTx, struct({ ...pBase, validationId: id32, auth })],
  AddAutoRenewedValidatorTx: [
    pTxTypeIds.AddAutoRenewedValidatorTx,
    struct({
      ...pBase,
      nodeId: hexBlob,
      signer,
      stake: list(pOut),
      validationOwner: typedOwner,
      delegationOwner: typedOwner,
      authority: typedOwner,
      shares: u32,
      ...renewalShape,
    }),
  ],
  SetAutoRenewedValidatorConfigTx: [
    pTxTypeIds.SetAutoRenewedValidatorConfigTx,
    struct({ ...pBase, stakerTxId: id32, auth, ...renewalShape }),
  ],
  RewardAutoRenewedValidatorTx: [
    pTxTypeIds.RewardAutoRenewedValidatorTx,
    struct({ stakerTxId: id32, time: whole }),
  ],
})
export type PUnsigned = Of<typeof pUnsigned>

const signersShape = { signers: list(u32) }
/** What an OperationTx does to minting rights, NFTs and properties. */
const operation = tagged('operation', {
  mint: [typeIds.mintOperation, struct({ ...signersShape, mintOwner: owner, transfer })],
  nftMint: [
    xTypeIds.nftMintOperation,
    struct({ ...signersShape, group: u32, payload: blob, owners: list(owner) }),
  ],
  nftTransfer: [
    xTypeIds.nftTransferOperation,
    struct({ ...signersShape, group: u32, payload: blob, ...ownerShape }),
  ],
  propertyMint: [xTypeIds.propertyMintOperation, struct({ ...signersShape, mintOwner: owner, owner })],
  propertyBurn: [xTypeIds.propertyBurnOperation, struct(signersShape)],
})
const transferableOperation = struct({ asset: id32, outpoints: list(outpoint), operation })
export type XOperation = Of<typeof transferableOperation>
const initialState = struct({ fx: u32, outputs: list(xOutput) })

const createAssetShape = {
  ...xBase,
  name: text,
  symbol: text,
  denomination: u8,
  states: list(initialState),
}
/** A CreateAssetTx without its type id, as X's genesis holds it. */
export const createAsset = struct(createAssetShape)
export type CreateAsset = Of<typeof createAsset>

export const xUnsigned = tagged('transaction', {
  BaseTx: [xTxTypeIds.BaseTx, struct(xBase)],
  CreateAssetTx: [xTxTypeIds.CreateAssetTx, createAsset],
  OperationTx: [xTxTypeIds.OperationTx, struct({ ...xBase, operations: list(transferableOperation) })],
  ImportTx: [xTxTypeIds.ImportTx, struct({ ...xBase, source: id32, imported: list(plainIn) })],
  ExportTx: [xTxTypeIds.ExportTx, struct({ ...xBase, destination: id32, exported: list(xOut) })],
})
export type XUnsigned = Of<typeof xUnsigned>

const evmOut = struct({ address, amount: u64, asset: id32 })
const evmIn = struct({ address, amount: u64, asset: id32, nonce: u64 })
export type EvmOut = Of<typeof evmOut>
export type EvmIn = Of<typeof evmIn>

export const cOut = struct(transferable(tagged('output', { transfer: [typeIds.transferOutput, transfer] })))
export const cUnsigned = tagged('transaction', {
  ImportTx: [
    cTxTypeIds.ImportTx,
    struct({ networkId: u32, chainId: id32, source: id32, imported: list(plainIn), evmOuts: list(evmOut) }),
  ],
  ExportTx: [
    cTxTypeIds.ExportTx,
    struct({ networkId: u32, chainId: id32, destination: id32, evmIns: list(evmIn), exported: list(cOut) }),
  ],
})
export type CUnsigned = Of<typeof cUnsigned>

/** A transaction with its credentials. */
const credentials = list(credential)
export const pTx = struct({ unsigned: pUnsigned, credentials })
export const xTx = struct({ unsigned: xUnsigned, credentials })
export const cTx = struct({ unsigned: cUnsigned, credentials })
export type PTx = Of<typeof pTx>
export type XTx = Of<typeof xTx>
export type CTx = Of<typeof cTx>

export const pUtxo = struct({ ...outpointShape, asset: id32, output: pOutput })
export const xUtxo = struct({ ...outpointShape, asset: id32, output: xOutput })
