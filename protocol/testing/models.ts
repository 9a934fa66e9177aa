import * as fc from 'fast-check'
import { fromCheckedHex } from '../ids/text.ts'
import type { AtomicUnsigned } from '../primary/atomic.ts'
import recorded from '../fixtures/recorded.json' with { type: 'json' }
import { decodePGenesis } from '../primary/genesis.ts'
import type { AssetInput, AssetOutput, Output, Owner, TransferOutput as Amount } from '../primary/outputs.ts'
import type { L1Owner, ProofOfPossession, PUnsigned, StakingTerms } from '../primary/p-transactions.ts'
import type { BaseFields } from '../primary/transactions.ts'
import type { XUnsigned } from '../primary/x-transactions.ts'

/** Random transactions in this project's format. */
const bytes = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((each) => new Uint8Array(each))
const id = bytes(32)
const address = bytes(20)
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const few = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { maxLength: 3 })
const blob = fc.uint8Array({ maxLength: 40 }).map((each) => new Uint8Array(each))
const indices = few(u32)

const owner: fc.Arbitrary<Owner> = fc.record({ locktime: u64, threshold: u32, addresses: few(address) })
const l1Owner: fc.Arbitrary<L1Owner> = fc.record({ threshold: u32, addresses: few(address) })
const amount = (locked: boolean): fc.Arbitrary<Amount> =>
  fc.record({
    type: fc.constant('TRANSFER' as const),
    amount: u64,
    stakeableLocktime: locked ? fc.oneof(fc.constant(0n), u64) : fc.constant(0n),
    owner,
  })
const outputs = (locked: boolean): fc.Arbitrary<AssetOutput<Amount>[]> =>
  few(fc.record({ assetId: id, output: amount(locked) }))
const inputs = (locked: boolean): fc.Arbitrary<AssetInput[]> =>
  few(
    fc.record({
      txId: id,
      outputIndex: u32,
      assetId: id,
      amount: u64,
      stakeableLocktime: locked ? fc.oneof(fc.constant(0n), u64) : fc.constant(0n),
      signatureIndices: indices,
    }),
  )
const baseOf = (locked: boolean): fc.Arbitrary<BaseFields> =>
  fc.record({
    networkId: u32,
    blockchainId: id,
    outputs: outputs(locked),
    inputs: inputs(locked),
    memo: blob,
  })
const base = baseOf(true)
const stake = outputs(true)
const terms: fc.Arbitrary<StakingTerms> = fc.record({ nodeId: address, start: u64, end: u64, weight: u64 })
/** avalanchejs checks that keys and proofs match, which those of the genesis do. */
const proofs = decodePGenesis(fromCheckedHex(recorded.genesis.hex)).validators.flatMap(({ unsigned }) =>
  unsigned.type === 'AddPermissionlessValidatorTx' && unsigned.signer ? [unsigned.signer] : [],
)
const proof: fc.Arbitrary<ProofOfPossession> = fc.constantFrom(...proofs)
const text = fc.string({ maxLength: 20 })

function of<Type extends string, Fields>(
  type: Type,
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
) {
  return fc.record({ type: fc.constant(type), ...fields }) as fc.Arbitrary<{ type: Type } & Fields>
}

/** All types that avalanchejs exports a class for: all except RewardValidatorTx, which recordings cover. */
export const pModel: fc.Arbitrary<PUnsigned> = fc.oneof(
  of('AddValidatorTx', { base, terms, stake, rewardsOwner: owner, shares: u32 }),
  of('AddSubnetValidatorTx', { base, terms, subnetId: id, authority: indices }),
  of('AddDelegatorTx', { base, terms, stake, rewardsOwner: owner }),
  of('CreateChainTx', {
    base,
    subnetId: id,
    chainName: text,
    vmId: id,
    fxIds: few(id),
    genesis: blob,
    authority: indices,
  }),
  of('CreateSubnetTx', { base, owner }),
  of('ImportTx', { base, sourceChain: id, importedInputs: inputs(true) }),
  of('ExportTx', { base, destinationChain: id, exportedOutputs: outputs(true) }),
  of('AdvanceTimeTx', { time: u64 }),
  of('RemoveSubnetValidatorTx', { base, nodeId: address, subnetId: id, authority: indices }),
  of('TransformSubnetTx', {
    base,
    subnetId: id,
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
    maxValidatorWeightFactor: fc.integer({ min: 0, max: 255 }),
    uptimeRequirement: u32,
    authority: indices,
  }),
  of('AddPermissionlessValidatorTx', {
    base,
    terms,
    subnetId: id,
    signer: fc.option(proof, { nil: undefined }),
    stake,
    rewardsOwner: owner,
    delegationRewardsOwner: owner,
    shares: u32,
  }),
  of('AddPermissionlessDelegatorTx', { base, terms, subnetId: id, stake, rewardsOwner: owner }),
  of('TransferSubnetOwnershipTx', { base, subnetId: id, authority: indices, owner }),
  of('BaseTx', { base }),
  of('ConvertSubnetToL1Tx', {
    base,
    subnetId: id,
    managerChainId: id,
    managerAddress: blob,
    validators: few(
      fc.record({
        nodeId: blob,
        weight: u64,
        balance: u64,
        signer: proof,
        remainingBalanceOwner: l1Owner,
        deactivationOwner: l1Owner,
      }),
    ),
    authority: indices,
  }),
  of('RegisterL1ValidatorTx', { base, balance: u64, proof: proof.map((each) => each.proof), message: blob }),
  of('SetL1ValidatorWeightTx', { base, message: blob }),
  of('IncreaseL1ValidatorBalanceTx', { base, validationId: id, balance: u64 }),
  of('DisableL1ValidatorTx', { base, validationId: id, authority: indices }),
  of('AddAutoRenewedValidatorTx', {
    base,
    nodeId: address,
    signer: proof,
    stake,
    rewardsOwner: owner,
    delegationRewardsOwner: owner,
    validatorAuthority: owner,
    shares: u32,
    autoCompoundShares: u32,
    period: u64,
  }),
  of('SetAutoRenewedValidatorConfigTx', {
    base,
    stakingTxId: id,
    authority: indices,
    autoCompoundShares: u32,
    period: u64,
  }),
  of('RewardAutoRenewedValidatorTx', { stakingTxId: id, time: u64 }),
)

const xBase = baseOf(false)
const xState: fc.Arbitrary<Output> = fc.oneof(amount(false), of('MINT', { owner }))

/** The X-Chain transactions that avalanchejs exports a class for. */
export const xModel: fc.Arbitrary<XUnsigned> = fc.oneof(
  of('BaseTx', { base: xBase }),
  of('CreateAssetTx', {
    base: xBase,
    name: text,
    symbol: text,
    denomination: fc.integer({ min: 0, max: 255 }),
    states: few(fc.record({ fxIndex: u32, outputs: few(xState) })),
  }),
  of('ImportTx', { base: xBase, sourceChain: id, importedInputs: inputs(false) }),
  of('ExportTx', { base: xBase, destinationChain: id, exportedOutputs: outputs(false) }),
)

const evmOutput = { address, amount: u64, assetId: id }

/** The atomic transactions of the C-Chain. */
export const atomicModel: fc.Arbitrary<AtomicUnsigned> = fc.oneof(
  of('ImportTx', {
    networkId: u32,
    blockchainId: id,
    sourceChain: id,
    importedInputs: inputs(false),
    evmOutputs: few(fc.record(evmOutput)),
  }),
  of('ExportTx', {
    networkId: u32,
    blockchainId: id,
    destinationChain: id,
    evmInputs: few(fc.record({ ...evmOutput, nonce: u64 })),
    exportedOutputs: outputs(false),
  }),
)

/** The signatures of a transaction: a list per input. */
export const signatures = few(few(bytes(65)))
