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
  transfer: [7, transfer],
  stakeable: [22, struct({ until: u64, output: tagged('output', { transfer: [7, transfer] }) })],
})
/** Outputs as X knows them: money, the right to mint it, NFTs, properties. */
export const xOutput = tagged('output', {
  mint: [6, owner],
  transfer: [7, transfer],
  nftMint: [10, struct({ group: u32, ...ownerShape })],
  nft: [11, struct({ group: u32, payload: blob, ...ownerShape })],
  propertyMint: [15, owner],
  property: [16, owner],
})
/** Any output of any chain. `stakeable` may be staked before `until`, Unix seconds, but not spent. */
export type Output = Of<typeof pOutput> | Of<typeof xOutput>

const input = struct({ amount: u64, signers: list(u32) })
const pInput = tagged('input', {
  transfer: [5, input],
  stakeable: [21, struct({ until: u64, input: tagged('input', { transfer: [5, input] }) })],
})
const plainInput = tagged('input', { transfer: [5, input] })

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
  secp: [9, struct({ signatures: list(fixed(65)) })],
  nft: [14, struct({ signatures: list(fixed(65)) })],
  property: [19, struct({ signatures: list(fixed(65)) })],
})
export type Credential = Of<typeof credential>

const pBase = { networkId: u32, chainId: id32, outs: list(pOut), ins: list(pIn), memo: blob }
const xBase = { networkId: u32, chainId: id32, outs: list(xOut), ins: list(plainIn), memo: blob }

const validator = { nodeId: address, start: whole, end: whole, weight: u64 }
const typedOwner = tagged('owner', { owner: [11, owner] })
const auth = tagged('authorisation', { input: [10, struct({ signers: list(u32) })] })

/** A BLS key and the proof that its secret is known, hex. */
const proof = struct({ publicKey: fixed(48), proof: fixed(96) })
export type Proof = Of<typeof proof>
const signer = tagged('signer', { none: [27, struct({})], bls: [28, proof] })

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

/** The transactions of the P-chain, named as hosted.md names them; 40 to 42 as the node names them. */
export const pUnsigned = tagged('transaction', {
  AddValidatorTx: [12, struct({ ...pBase, ...validator, stake: list(pOut), owner: typedOwner, shares: u32 })],
  AddSubnetValidatorTx: [13, struct({ ...pBase, ...validator, subnetId: id32, auth })],
  AddDelegatorTx: [14, struct({ ...pBase, ...validator, stake: list(pOut), owner: typedOwner })],
  CreateChainTx: [
    15,
    struct({ ...pBase, subnetId: id32, name: text, vmId: id32, fxIds: list(id32), genesis: blob, auth }),
  ],
  CreateSubnetTx: [16, struct({ ...pBase, owner: typedOwner })],
  ImportTx: [17, struct({ ...pBase, source: id32, imported: list(pIn) })],
  ExportTx: [18, struct({ ...pBase, destination: id32, exported: list(pOut) })],
  AdvanceTimeTx: [19, struct({ time: whole })],
  RewardValidatorTx: [20, struct({ stakerTxId: id32 })],
  RemoveSubnetValidatorTx: [23, struct({ ...pBase, nodeId: address, subnetId: id32, auth })],
  TransformSubnetTx: [
    24,
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
    25,
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
    26,
    struct({ ...pBase, ...validator, subnetId: id32, stake: list(pOut), owner: typedOwner }),
  ],
  TransferSubnetOwnershipTx: [33, struct({ ...pBase, subnetId: id32, auth, owner: typedOwner })],
  BaseTx: [34, struct(pBase)],
  ConvertSubnetToL1Tx: [
    35,
    struct({
      ...pBase,
      subnetId: id32,
      managerChainId: id32,
      managerAddress: hexBlob,
      validators: list(l1Member),
      auth,
    }),
  ],
  RegisterL1ValidatorTx: [36, struct({ ...pBase, balance: u64, proof: fixed(96), message: blob })],
  SetL1ValidatorWeightTx: [37, struct({ ...pBase, message: blob })],
  IncreaseL1ValidatorBalanceTx: [38, struct({ ...pBase, validationId: id32, balance: u64 })],
  DisableL1ValidatorTx: [39, struct({ ...pBase, validationId: id32, auth })],
  AddAutoRenewedValidatorTx: [
    40,
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
  SetAutoRenewedValidatorConfigTx: [41, struct({ ...pBase, stakerTxId: id32, auth, ...renewalShape })],
  RewardAutoRenewedValidatorTx: [42, struct({ stakerTxId: id32, time: whole })],
})
export type PUnsigned = Of<typeof pUnsigned>

const signersShape = { signers: list(u32) }
/** What an OperationTx does to minting rights, NFTs and properties. */
const operation = tagged('operation', {
  mint: [8, struct({ ...signersShape, mintOwner: owner, transfer })],
  nftMint: [12, struct({ ...signersShape, group: u32, payload: blob, owners: list(owner) })],
  nftTransfer: [13, struct({ ...signersShape, group: u32, payload: blob, ...ownerShape })],
  propertyMint: [17, struct({ ...signersShape, mintOwner: owner, owner })],
  propertyBurn: [18, struct(signersShape)],
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
  BaseTx: [0, struct(xBase)],
  CreateAssetTx: [1, createAsset],
  OperationTx: [2, struct({ ...xBase, operations: list(transferableOperation) })],
  ImportTx: [3, struct({ ...xBase, source: id32, imported: list(plainIn) })],
  ExportTx: [4, struct({ ...xBase, destination: id32, exported: list(xOut) })],
})
export type XUnsigned = Of<typeof xUnsigned>

const evmOut = struct({ address, amount: u64, asset: id32 })
const evmIn = struct({ address, amount: u64, asset: id32, nonce: u64 })
export type EvmOut = Of<typeof evmOut>
export type EvmIn = Of<typeof evmIn>

export const cOut = struct(transferable(tagged('output', { transfer: [7, transfer] })))
export const cUnsigned = tagged('transaction', {
  ImportTx: [
    0,
    struct({ networkId: u32, chainId: id32, source: id32, imported: list(plainIn), evmOuts: list(evmOut) }),
  ],
  ExportTx: [
    1,
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
