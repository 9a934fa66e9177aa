import { FatalError } from '../errors.ts'
import type { Batch, TxRecord } from './batch.ts'
import { utxoIdOf } from './codec/ids.ts'
import type { AssetInput, AssetOutput, Owner } from './codec/outputs.ts'
import type { PTx, PUnsigned } from './codec/p-transactions.ts'
import type { Place, Staker } from './model.ts'
import { convertSubnet, disableL1, increaseL1, type Refund, registerL1, setL1Weight } from './p-l1.ts'
import { addStaker, endStaker, type StakingFields } from './p-stakers.ts'
import { elasticOf, primarySubnet, type PState } from './p-state.ts'
import { keyOf } from './rows.ts'
import { recoverGenesisUtxo, type StakePeriod, utxoRow } from './utxos.ts'

/** What a transaction needs besides itself. */
export type Effects = {
  readonly state: PState
  readonly batch: Batch
  readonly genesisTime: number
}

/** Inputs and outputs of a transaction: what makes a page of transactions heavy. */
export function utxoCountOf(unsigned: PUnsigned): number {
  if (!('base' in unsigned)) return 0
  const { inputs, outputs } = unsigned.base
  const more =
    'importedInputs' in unsigned
      ? unsigned.importedInputs.length
      : 'exportedOutputs' in unsigned
        ? unsigned.exportedOutputs.length
        : 'stake' in unsigned
          ? unsigned.stake.length
          : 0
  return inputs.length + outputs.length + more
}

/** Carries out a transaction that was accepted. */
export function carryOut(effects: Effects, tx: PTx, place: Place): void {
  const { unsigned } = tx
  if (unsigned.type === 'UNKNOWN') {
    throw new FatalError(
      `transaction ${keyOf(tx.id)} has the type ${tx.typeId}, whose effects this version does not know: use a newer one`,
    )
  }
  const record = effects.batch.record(place, tx.typeId)
  const flow = new Flow(effects, tx, place, record)
  if ('base' in unsigned) {
    flow.spend(unsigned.base.inputs)
    flow.make(unsigned.base.outputs)
  }
  applyType(effects, flow, tx, unsigned, place, record)
}

function applyType(
  effects: Effects,
  flow: Flow,
  tx: PTx,
  unsigned: PUnsigned,
  place: Place,
  record: TxRecord,
): void {
  const { state, batch } = effects
  switch (unsigned.type) {
    case 'ImportTx':
      flow.spend(unsigned.importedInputs)
      return
    case 'ExportTx':
      flow.make(unsigned.exportedOutputs, homeOf(state, unsigned.destinationChain))
      return
    case 'AddValidatorTx':
    case 'AddDelegatorTx':
    case 'AddSubnetValidatorTx':
    case 'AddPermissionlessValidatorTx':
    case 'AddPermissionlessDelegatorTx':
      stakeOf(effects, flow, tx, unsigned, place, record)
      return
    case 'CreateSubnetTx': {
      const subnet = {
        ...place,
        subnet: keyOf(tx.id),
        owner: unsigned.owner,
        elastic: undefined,
        conversion: undefined,
      }
      state.subnets.set(subnet.subnet, subnet)
      batch.subnet(subnet, true)
      note(record, unsigned.owner)
      return
    }
    case 'TransferSubnetOwnershipTx': {
      const subnet = subnetOf(state, unsigned.subnetId)
      note(record, subnet.owner)
      subnet.owner = unsigned.owner
      batch.subnet(subnet)
      note(record, unsigned.owner)
      return
    }
    case 'TransformSubnetTx': {
      const subnet = subnetOf(state, unsigned.subnetId)
      subnet.elastic = elasticOf(tx)
      batch.subnet(subnet)
      return
    }
    case 'CreateChainTx':
      addBlockchain(batch, state.rules.chain, tx, unsigned, place)
      return
    case 'RemoveSubnetValidatorTx': {
      const staker = removable(state, unsigned)
      endStaker(state, batch, staker, { ...place, txId: tx.id, hasIndex: true }, 'removed')
      return
    }
    case 'ConvertSubnetToL1Tx':
      convertSubnet(state, batch, tx, unsigned, place)
      for (const each of unsigned.validators) {
        note(record, each.remainingBalanceOwner)
        note(record, each.deactivationOwner)
      }
      return
    case 'RegisterL1ValidatorTx':
      registerL1(state, batch, tx, unsigned, place)
      return
    case 'SetL1ValidatorWeightTx':
      flow.refund(setL1Weight(state, batch, tx, unsigned, place))
      return
    case 'IncreaseL1ValidatorBalanceTx':
      increaseL1(state, batch, tx, unsigned, place)
      return
    case 'DisableL1ValidatorTx':
      flow.refund(disableL1(state, batch, tx, unsigned, place))
      return
    case 'BaseTx':
      return
    case 'AddAutoRenewedValidatorTx':
    case 'SetAutoRenewedValidatorConfigTx':
    case 'RewardAutoRenewedValidatorTx':
    case 'AdvanceTimeTx':
    case 'RewardValidatorTx':
      throw new FatalError(`${unsigned.type} stands in a block where this version does not expect it`)
  }
}

function note(record: TxRecord, owner: { readonly addresses: readonly Uint8Array[] } | undefined): void {
  for (const address of owner?.addresses ?? []) record.addresses.add(keyOf(address))
}

function subnetOf(state: PState, id: Uint8Array) {
  const subnet = state.subnets.get(keyOf(id))
  if (!subnet) throw new FatalError(`subnet ${keyOf(id)} is changed and was never made`)
  return subnet
}

function removable(
  state: PState,
  { subnetId, nodeId }: { subnetId: Uint8Array; nodeId: Uint8Array },
): Staker {
  const [staker] = state.validators.get(keyOf(subnetId) + keyOf(nodeId)) ?? []
  if (!staker)
    throw new FatalError(`node ${keyOf(nodeId)} is removed from a subnet that it does not validate`)
  return staker
}

/** Where exported outputs can be spent. */
function homeOf(state: PState, destination: Uint8Array): number {
  const key = keyOf(destination)
  if (key === state.rules.xId) return state.rules.xChain
  if (key === state.rules.cId) return state.rules.cChain
  throw new FatalError(`chain ${key} is none that the P-chain shares memory with`)
}

type StakingTx = Extract<PUnsigned, { terms: unknown }>

function stakeOf(
  effects: Effects,
  flow: Flow,
  tx: PTx,
  unsigned: StakingTx,
  place: Place,
  record: TxRecord,
): void {
  const { state, batch } = effects
  const startsNow = place.ts >= state.rules.upgrades.durango
  const fields = stakingFields(unsigned, startsNow ? place.ts : Number(unsigned.terms.start))
  note(record, fields.rewardsOwner)
  note(record, fields.delegationRewardsOwner)
  if ('stake' in unsigned) {
    flow.make(unsigned.stake, undefined, { stakedFrom: fields.start, stakedUntil: fields.end })
  }
  addStaker(state, batch, tx, place, fields, startsNow)
}

/** What a staking transaction says, whatever its type. */
export function stakingFields(unsigned: StakingTx, start: number): StakingFields {
  const { nodeId, weight, end } = unsigned.terms
  return {
    isDelegator: unsigned.type === 'AddDelegatorTx' || unsigned.type === 'AddPermissionlessDelegatorTx',
    subnet: 'subnetId' in unsigned ? keyOf(unsigned.subnetId) : primarySubnet,
    node: nodeId,
    weight,
    start,
    end: Number(end),
    ...('shares' in unsigned && { shares: unsigned.shares }),
    ...('signer' in unsigned && { signer: unsigned.signer }),
    ...('rewardsOwner' in unsigned && { rewardsOwner: unsigned.rewardsOwner }),
    // Before there were two owners, one was both.
    ...('delegationRewardsOwner' in unsigned
      ? { delegationRewardsOwner: unsigned.delegationRewardsOwner }
      : unsigned.type === 'AddValidatorTx' && { delegationRewardsOwner: unsigned.rewardsOwner }),
  }
}

/** The row of a new blockchain; that of an EVM chain tells its number in its genesis. */
export function addBlockchain(
  batch: Batch,
  chain: number,
  tx: PTx,
  unsigned: Extract<PUnsigned, { type: 'CreateChainTx' }>,
  { height, index, ts }: Place,
): void {
  const { subnetId, vmId, chainName, genesis } = unsigned
  const id = evmChainIdOf(genesis)
  batch.add('blockchains', [chain, height, index, ts, tx.id, subnetId, vmId, chainName, genesis, id])
}

function evmChainIdOf(genesis: Uint8Array): bigint | undefined {
  // JSON that is no genesis of an EVM chain, and what is no JSON, has no number.
  if (genesis[0] !== 0x7b) return undefined
  try {
    const parsed: unknown = JSON.parse(Buffer.from(genesis).toString('utf8'))
    const config = (parsed as { config?: unknown }).config
    const id =
      typeof config === 'object' && config !== null && 'chainId' in config ? config.chainId : undefined
    return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? BigInt(id) : undefined
  } catch {
    return undefined
  }
}

/** The outputs that a transaction makes one after the other, and what it spends. */
class Flow {
  private readonly effects: Effects
  private readonly tx: PTx
  private readonly place: Place
  private readonly record: TxRecord
  private nextOutput = 0
  private nextInput = 0

  constructor(effects: Effects, tx: PTx, place: Place, record: TxRecord) {
    this.effects = effects
    this.tx = tx
    this.place = place
    this.record = record
  }

  spend(inputs: readonly AssetInput[]): void {
    const { state, batch, genesisTime } = this.effects
    for (const input of inputs) {
      const number = this.nextInput
      this.nextInput += 1
      const spend = { ...this.place, chain: state.rules.chain, input: number, txId: this.tx.id }
      batch.spend(utxoIdOf(input.txId, input.outputIndex), spend, this.record, () =>
        recoverGenesisUtxo(this.tx, input, number, spend, genesisTime),
      )
    }
  }

  make(outputs: readonly AssetOutput[], home?: number, period?: StakePeriod): void {
    const { state, batch } = this.effects
    const { chain } = state.rules
    const origin = { ...this.place, chain, home: home ?? chain, txId: this.tx.id }
    for (const output of outputs) {
      batch.create(utxoRow(origin, this.nextOutput, output, period), this.record)
      this.nextOutput += 1
    }
  }

  /** What is given back lies behind the transaction's own outputs. */
  refund(refund: Refund | undefined): void {
    if (!refund) return
    const owner: Owner = { locktime: 0n, ...refund.owner }
    const { avaxAsset: assetId } = this.effects.state.rules
    const output = { type: 'TRANSFER', amount: refund.amount, stakeableLocktime: 0n, owner } as const
    this.make([{ assetId, output }])
  }
}
