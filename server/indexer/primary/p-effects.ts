import { FatalError } from '../../kernel/errors.ts'
import { cb58, nodeIdText } from '../../../protocol/ids/text.ts'
import type { RowSink, Exported, TxRecord } from './batch/batch.ts'
import type { AssetOutput, Owner } from '../../../protocol/primary/outputs.ts'
import type { PTx, PUnsigned } from '../../../protocol/primary/p-transactions.ts'
import { Flow, type Recover } from './batch/flow.ts'
import type { Place, Subnet } from './batch/model.ts'
import { convertSubnet, disableL1, increaseL1, type Refund, registerL1, setL1Weight } from './p-l1.ts'
import { configureRenewal, renewedFields } from './p-renewals.ts'
import { addStaker, endStaker, type StakingFields } from './p-stakers.ts'
import { elasticOf, primarySubnet, type PState } from './p-state.ts'
import { keyOf } from './batch/rows.ts'
import { recoverGenesisUtxo, recoverImportedUtxo, type Strays } from './batch/utxos.ts'

/** The context in which transactions are applied. */
export type Effects = {
  readonly state: PState
  readonly batch: RowSink
  readonly genesisTime: number
  readonly strays: Strays
}

/** Number of inputs and outputs of a transaction, which determines the size of a page of transactions. */
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

/** Applies an accepted transaction. */
export function applyPTx(effects: Effects, tx: PTx, place: Place): void {
  const { unsigned } = tx
  if (unsigned.type === 'UNKNOWN') {
    throw new FatalError(
      `transaction ${keyOf(tx.id)} has the type ${tx.typeId}, whose effects this version does not know: use a newer one`,
    )
  }
  const record = effects.batch.record(place, tx.typeId)
  const { state, batch } = effects
  const flow = new Flow({ chain: state.rules.chain, batch, txId: tx.id, place, record })
  if ('base' in unsigned) {
    flow.spend(unsigned.base.inputs, genesisInputs(effects, tx))
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
      flow.spend(unsigned.importedInputs, importedInputs(effects, tx, unsigned.sourceChain, place))
      return
    case 'ExportTx': {
      const home = homeOf(state, unsigned.destinationChain)
      if (home === undefined)
        batch.odd(place, 'otherChain', `it exports to ${cb58(unsigned.destinationChain)}`)
      else flow.make(unsigned.exportedOutputs, home)
      return
    }
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
      if (!state.subnets.has(subnet.subnet)) {
        state.subnets.set(subnet.subnet, subnet)
        batch.subnet(subnet, true)
      }
      note(record, unsigned.owner)
      return
    }
    case 'TransferSubnetOwnershipTx': {
      const subnet = subnetOf(effects, unsigned.subnetId, place)
      note(record, unsigned.owner)
      if (!subnet) return
      note(record, subnet.owner)
      subnet.owner = unsigned.owner
      batch.subnet(subnet)
      return
    }
    case 'TransformSubnetTx': {
      const subnet = subnetOf(effects, unsigned.subnetId, place)
      if (!subnet) return
      subnet.elastic = elasticOf(tx)
      batch.subnet(subnet)
      return
    }
    case 'CreateChainTx':
      addBlockchain(batch, state.rules.chain, tx, unsigned, place)
      return
    case 'RemoveSubnetValidatorTx': {
      const [staker] = state.validators.get(keyOf(unsigned.subnetId) + keyOf(unsigned.nodeId)) ?? []
      if (!staker) {
        batch.odd(
          place,
          'noTarget',
          `${nodeIdText(unsigned.nodeId)} does not validate ${cb58(unsigned.subnetId)}`,
        )
        return
      }
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
      refund(state, flow, setL1Weight(state, batch, tx, unsigned, place))
      return
    case 'IncreaseL1ValidatorBalanceTx':
      increaseL1(state, batch, tx, unsigned, place)
      return
    case 'DisableL1ValidatorTx':
      refund(state, flow, disableL1(state, batch, tx, unsigned, place))
      return
    case 'BaseTx':
      return
    case 'AddAutoRenewedValidatorTx':
      note(record, unsigned.validatorAuthority)
      addStake(effects, flow, tx, unsigned.stake, place, record, renewedFields(unsigned, place.ts), true)
      return
    case 'SetAutoRenewedValidatorConfigTx':
      configureRenewal(state, batch, record, place, unsigned)
      return
    case 'RewardAutoRenewedValidatorTx':
    case 'AdvanceTimeTx':
    case 'RewardValidatorTx':
      batch.odd(place, 'misplaced', `${unsigned.type} is not a proposal`)
  }
}

/** Refunds come after the transaction's own outputs. */
function refund(state: PState, flow: Flow, refund: Refund | undefined): void {
  if (!refund) return
  const owner: Owner = { locktime: 0n, ...refund.owner }
  const output = { type: 'TRANSFER', amount: refund.amount, stakeableLocktime: 0n, owner } as const
  flow.make([{ assetId: state.rules.avaxAsset, output }])
}

/** Recovers genesis UTXOs that are not in the known genesis. */
export function genesisInputs({ genesisTime }: Effects, tx: PTx): Recover {
  return (input, number, spend) => recoverGenesisUtxo(tx, input, number, spend, genesisTime)
}

/**
 * UTXOs from chains that are not indexed are recovered from the input; those from indexed chains will arrive.
 */
function importedInputs(
  { state, batch, strays }: Effects,
  tx: PTx,
  source: Uint8Array,
  place: Place,
): Recover | Exported {
  const chain = homeOf(state, source) ?? state.rules.chain
  if (chain === state.rules.chain) batch.odd(place, 'otherChain', `it imports from ${cb58(source)}`)
  else if (state.rules.followed.has(keyOf(source))) return { exportedBy: chain }
  return (input, number, spend) => recoverImportedUtxo(tx, input, number, spend, chain, strays)
}

function note(record: TxRecord, owner: { readonly addresses: readonly Uint8Array[] } | undefined): void {
  for (const address of owner?.addresses ?? []) record.addresses.add(keyOf(address))
}

/** The subnet that a transaction changes; undefined if nobody made it. */
function subnetOf({ state, batch }: Effects, id: Uint8Array, place: Place): Subnet | undefined {
  const subnet = state.subnets.get(keyOf(id))
  if (!subnet) batch.odd(place, 'noTarget', `subnet ${cb58(id)}`)
  return subnet
}

/** The key of a chain that shares memory with the P-Chain; undefined for other chains. */
function homeOf(state: PState, destination: Uint8Array): number | undefined {
  const key = keyOf(destination)
  if (key === state.rules.xId) return state.rules.xChain
  return key === state.rules.cId ? state.rules.cChain : undefined
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
  const startsNow = place.ts >= effects.state.rules.upgrades.durango
  const fields = stakingFields(unsigned, startsNow ? place.ts : Number(unsigned.terms.start))
  addStake(effects, flow, tx, 'stake' in unsigned ? unsigned.stake : [], place, record, fields, startsNow)
}

function addStake(
  { state, batch }: Effects,
  flow: Flow,
  tx: PTx,
  stake: readonly AssetOutput[],
  place: Place,
  record: TxRecord,
  fields: StakingFields,
  startsNow: boolean,
): void {
  note(record, fields.rewardsOwner)
  note(record, fields.delegationRewardsOwner)
  flow.make(stake, undefined, { stakedFrom: fields.start, stakedUntil: fields.end })
  addStaker(state, batch, tx, place, fields, startsNow)
}

/** The common fields of all staking transactions. */
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
    // Older transactions have one owner for both kinds of rewards.
    ...('delegationRewardsOwner' in unsigned
      ? { delegationRewardsOwner: unsigned.delegationRewardsOwner }
      : unsigned.type === 'AddValidatorTx' && { delegationRewardsOwner: unsigned.rewardsOwner }),
  }
}

/** Adds the row of a new blockchain. An EVM chain's genesis contains its chain id. */
export function addBlockchain(
  batch: RowSink,
  chain: number,
  tx: PTx,
  unsigned: Extract<PUnsigned, { type: 'CreateChainTx' }>,
  { height, index, ts }: Place,
): void {
  const { subnetId, vmId, chainName, genesis } = unsigned
  const id = evmChainIdOf(genesis)
  batch.once('blockchains', tx.id, [chain, height, index, ts, tx.id, subnetId, vmId, chainName, genesis, id])
}

function evmChainIdOf(genesis: Uint8Array): bigint | undefined {
  // A genesis that is not JSON, or not that of an EVM chain, has no chain id.
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
