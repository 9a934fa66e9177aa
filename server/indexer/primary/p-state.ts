import type { Database, Queryable } from '../../store/database.ts'
import { FatalError } from '../../kernel/errors.ts'
import { decodePTx } from '../../../protocol/primary/p-transactions.ts'
import type { PTx } from '../../../protocol/primary/p-transactions.ts'
import { pBlockTypeIds, pTxTypeIds } from '../../../protocol/primary/transaction-types.ts'
import type { L1FeeRules } from '../../../protocol/primary/l1-fees.ts'
import type { L1Validator, Place, Renewal, Staker, Subnet } from './batch/model.ts'
import { bytesOfKey, keyOf } from './batch/rows.ts'
import { keysOfList } from './batch/spends.ts'

/** Activation times of the P-Chain's upgrades, in Unix seconds (info.upgrades). */
export type Upgrades = {
  readonly cortina: number
  readonly durango: number
  readonly etna: number
  /** Infinity if the node does not report it. */
  readonly helicon: number
}

/** Constants of a chain. */
export type PRules = {
  readonly chain: number
  readonly xChain: number
  readonly cChain: number
  /** The ids of the X- and the C-Chain, as keys. */
  readonly xId: string
  readonly cId: string
  readonly avaxAsset: Uint8Array
  /** Ids, as keys, of the network's other indexed chains. */
  readonly followed: ReadonlySet<string>
  readonly upgrades: Upgrades
  readonly l1Fees: L1FeeRules
}

/** A proposal that the child block decides. */
type Proposal = { readonly tx: PTx; readonly place: Place }

/** The subnet id of the primary network. */
export const primarySubnet = '0'.repeat(64)

/** The state that the rules of the P-Chain need to apply the next block; everything else is in the store. */
export class PState {
  readonly rules: PRules
  height = -1
  id = ''
  time = 0
  supply = 0n
  accruedFees = 0n
  l1Excess = 0n
  activeL1 = 0
  proposal: Proposal | undefined
  /** Stakers whose period has not ended, by staking transaction. */
  readonly stakers = new Map<string, Staker>()
  /** The validators among them, by subnet and node; the current one before a pending one. */
  readonly validators = new Map<string, Staker[]>()
  readonly subnets = new Map<string, Subnet>()
  /** L1 validators that are not removed, by validation id. */
  readonly l1 = new Map<string, L1Validator>()
  /** Stakers whose period begins or ends by chain time alone. */
  readonly timed = new Set<Staker>()
  /**
   * The earliest time at which a staker changes, and the lowest accrued fees at which an L1 validator
   * changes.
   */
  nextChange = Infinity
  nextEndFee: bigint | undefined

  constructor(rules: PRules) {
    this.rules = rules
  }

  addStaker(staker: Staker): void {
    this.stakers.set(staker.txId, staker)
    this.watch(staker)
    if (staker.isDelegator) return
    const key = staker.subnet + staker.node
    const list = this.validators.get(key)
    if (list) list.push(staker)
    else this.validators.set(key, [staker])
  }

  dropStaker(staker: Staker): void {
    this.stakers.delete(staker.txId)
    this.timed.delete(staker)
    if (staker.isDelegator) return
    const key = staker.subnet + staker.node
    const left = (this.validators.get(key) ?? []).filter((each) => each !== staker)
    if (left.length > 0) this.validators.set(key, left)
    else this.validators.delete(key)
  }

  /** Tracks the staker if chain time alone changes it. */
  watch(staker: Staker): void {
    const isPermissioned = staker.typeId === pTxTypeIds.AddSubnetValidatorTx
    if (staker.isCurrent && !isPermissioned) {
      this.timed.delete(staker)
      return
    }
    this.timed.add(staker)
    this.nextChange = Math.min(this.nextChange, staker.isCurrent ? staker.end : staker.start)
  }

  /** Tracks the accrued fees at which the validator's balance is exhausted. */
  watchL1({ endFee }: L1Validator): void {
    if (endFee === undefined) return
    if (this.nextEndFee === undefined || endFee < this.nextEndFee) this.nextEndFee = endFee
  }

  /** The validation to which a delegation until `end` belongs. */
  validatorFor(subnet: string, node: string, end: number): Staker | undefined {
    const list = this.validators.get(subnet + node) ?? []
    return list.find((each) => each.end >= end) ?? list[0]
  }

  supplyOf(subnet: string): bigint {
    if (subnet === primarySubnet) return this.supply
    const elastic = this.subnets.get(subnet)?.elastic
    if (!elastic) throw new FatalError(`subnet ${subnet} pays rewards and was never transformed`)
    return elastic.supply
  }
}

type BlockRow = {
  height: bigint
  id: Buffer
  ts: bigint
  type: number
  supply: string
  accrued_fees: string
  active_l1_validators: number
  l1_excess: string
}

/** Blocks whose child decides their transaction. */
const proposalTypes: readonly number[] = [
  pBlockTypeIds.ApricotProposalBlock,
  pBlockTypeIds.BanffProposalBlock,
]

/** Loads the state from the store; it is empty before the genesis. */
export async function loadPState(sql: Database, rules: PRules): Promise<PState> {
  const state = new PState(rules)
  const { chain } = rules
  const [last] = await sql<BlockRow[]>`
    select height, id, ts, type, supply, accrued_fees, active_l1_validators, l1_excess
    from primary_blocks where chain = ${chain} order by height desc limit 1`
  if (!last) return state
  state.height = Number(last.height)
  state.id = keyOf(last.id)
  state.time = Number(last.ts)
  state.supply = BigInt(last.supply)
  state.accruedFees = BigInt(last.accrued_fees)
  state.activeL1 = last.active_l1_validators
  state.l1Excess = BigInt(last.l1_excess)
  if (proposalTypes.includes(last.type)) state.proposal = await loadProposal(sql, chain, state.height)
  await loadSubnets(sql, state)
  await loadStakers(sql, state)
  await loadL1(sql, state)
  return state
}

async function loadProposal(sql: Queryable, chain: number, height: number): Promise<Proposal> {
  const [row] = await sql<{ index: number; ts: bigint; bytes: Buffer }[]>`
    select index, ts, bytes from primary_transactions
    where chain = ${chain} and height = ${height} order by index desc limit 1`
  if (!row) throw new FatalError(`the proposal of block ${height} is not in the store`)
  return { tx: decodePTx(row.bytes), place: { height, index: row.index, ts: Number(row.ts) } }
}

type StakerRow = {
  height: bigint
  index: number
  type: number
  tx_id: Buffer
  is_delegator: boolean
  subnet: Buffer
  node: Buffer
  weight: string
  start_ts: bigint
  end_ts: bigint
  shares: number | null
  bls_key: Buffer | null
  bls_proof: Buffer | null
  validator_tx: Buffer | null
  reward_addresses: string
  delegation_reward_addresses: string
  potential_reward: string | null
  delegator_count: number
  delegated: string
  reward: string | null
  delegation_reward: string | null
  compound_shares: number | null
  next_period: bigint | null
  authority_addresses: string | null
  accrued_reward: string | null
  accrued_delegation_reward: string | null
  pending_delegation_reward: string | null
}

async function loadStakers(sql: Queryable, state: PState): Promise<void> {
  const rows = await sql<StakerRow[]>`
    select s.height, s.index, t.type, s.tx_id, is_delegator, subnet, node, weight, start_ts, end_ts, shares,
      bls_key, bls_proof, validator_tx, reward_addresses::text, delegation_reward_addresses::text,
      potential_reward, delegator_count, delegated, reward, delegation_reward, compound_shares, next_period,
      authority_addresses::text, accrued_reward, accrued_delegation_reward, pending_delegation_reward
    from stakers s join primary_transactions t using (chain, height, index)
    where s.chain = ${state.rules.chain} and s.ended_ts is null
    order by s.potential_reward is null, s.height, s.index`
  for (const row of rows) state.addStaker(stakerOf(row, state.time))
}

function stakerOf(row: StakerRow, time: number): Staker {
  const start = Number(row.start_ts)
  const isPermissioned = row.type === pTxTypeIds.AddSubnetValidatorTx
  return {
    height: Number(row.height),
    index: row.index,
    txId: keyOf(row.tx_id),
    typeId: row.type,
    isDelegator: row.is_delegator,
    subnet: keyOf(row.subnet),
    node: keyOf(row.node),
    weight: BigInt(row.weight),
    start,
    end: Number(row.end_ts),
    shares: row.shares ?? undefined,
    blsKey: row.bls_key ?? undefined,
    blsProof: row.bls_proof ?? undefined,
    validatorTx: row.validator_tx ? keyOf(row.validator_tx) : undefined,
    rewardAddresses: keysOfList(row.reward_addresses).map(bytesOfKey),
    delegationRewardAddresses: keysOfList(row.delegation_reward_addresses).map(bytesOfKey),
    potentialReward: row.potential_reward === null ? undefined : BigInt(row.potential_reward),
    isCurrent: isPermissioned ? start <= time : row.potential_reward !== null,
    delegatorCount: row.delegator_count,
    delegated: BigInt(row.delegated),
    ended: undefined,
    outcome: undefined,
    reward: row.reward === null ? undefined : BigInt(row.reward),
    delegationReward: row.delegation_reward === null ? undefined : BigInt(row.delegation_reward),
    renewal: renewalOf(row),
  }
}

function renewalOf(row: StakerRow): Renewal | undefined {
  if (row.compound_shares === null) return undefined
  return {
    compoundShares: row.compound_shares,
    nextPeriod: Number(row.next_period),
    authorityAddresses: keysOfList(row.authority_addresses ?? '').map(bytesOfKey),
    accrued: BigInt(row.accrued_reward ?? 0),
    accruedFees: BigInt(row.accrued_delegation_reward ?? 0),
    pendingFees: BigInt(row.pending_delegation_reward ?? 0),
  }
}

async function loadSubnets(sql: Queryable, state: PState): Promise<void> {
  const rows = await sql<
    {
      height: bigint
      index: number
      ts: bigint
      subnet: Buffer
      owner_threshold: number | null
      owner_locktime: string | null
      owner_addresses: string | null
      transform: Buffer | null
      transform_tx: Buffer | null
      supply: string | null
      conversion_tx: Buffer | null
      conversion_ts: bigint | null
      manager_chain: Buffer | null
      manager_address: Buffer | null
    }[]
  >`
    select s.height, s.index, s.ts, subnet, owner_threshold, owner_locktime, owner_addresses::text,
      t.bytes as transform, transform_tx, supply, conversion_tx, conversion_ts, manager_chain, manager_address
    from subnets s left join primary_transactions t on t.id = s.transform_tx and t.chain = s.chain
    where s.chain = ${state.rules.chain}`
  for (const row of rows) {
    const { conversion_tx: txId, manager_chain: chain, manager_address: address } = row
    state.subnets.set(keyOf(row.subnet), {
      height: Number(row.height),
      index: row.index,
      ts: Number(row.ts),
      subnet: keyOf(row.subnet),
      owner:
        row.owner_threshold === null
          ? undefined
          : {
              threshold: row.owner_threshold,
              locktime: BigInt(row.owner_locktime ?? 0),
              addresses: keysOfList(row.owner_addresses ?? '').map(bytesOfKey),
            },
      elastic: row.transform ? elasticOf(decodePTx(row.transform), BigInt(row.supply ?? 0)) : undefined,
      conversion:
        txId && chain && address ? { txId, ts: Number(row.conversion_ts), chain, address } : undefined,
    })
  }
}

/** The rules of an elastic subnet, from the transaction that transformed it. */
export function elasticOf(tx: PTx, supply?: bigint): NonNullable<Subnet['elastic']> {
  const { unsigned } = tx
  if (unsigned.type !== 'TransformSubnetTx')
    throw new FatalError('a subnet was transformed by a transaction of another type')
  return {
    transformTx: tx.id,
    assetId: unsigned.assetId,
    cap: unsigned.maximumSupply,
    minRate: unsigned.minConsumptionRate,
    maxRate: unsigned.maxConsumptionRate,
    supply: supply ?? unsigned.initialSupply,
  }
}

async function loadL1(sql: Queryable, state: PState): Promise<void> {
  const rows = await sql<
    {
      height: bigint
      index: number
      ordinal: number
      ts: bigint
      validation_id: Buffer
      tx_id: Buffer
      subnet: Buffer
      node: Buffer
      bls_key: Buffer
      remaining_owner_threshold: number
      remaining_owner_addresses: string
      deactivation_owner_threshold: number
      deactivation_owner_addresses: string
      weight: string
      min_nonce: string
      end_fee: string | null
    }[]
  >`
    select height, index, ordinal, ts, validation_id, tx_id, subnet, node, bls_key, remaining_owner_threshold,
      remaining_owner_addresses::text, deactivation_owner_threshold, deactivation_owner_addresses::text,
      weight, min_nonce, end_fee
    from l1_validators where chain = ${state.rules.chain} and weight > 0`
  for (const row of rows) {
    const validator: L1Validator = {
      height: Number(row.height),
      index: row.index,
      ordinal: row.ordinal,
      ts: Number(row.ts),
      validationId: keyOf(row.validation_id),
      txId: row.tx_id,
      subnet: keyOf(row.subnet),
      node: row.node,
      blsKey: row.bls_key,
      remainingOwner: {
        threshold: row.remaining_owner_threshold,
        addresses: keysOfList(row.remaining_owner_addresses).map(bytesOfKey),
      },
      deactivationOwner: {
        threshold: row.deactivation_owner_threshold,
        addresses: keysOfList(row.deactivation_owner_addresses).map(bytesOfKey),
      },
      weight: BigInt(row.weight),
      minNonce: BigInt(row.min_nonce),
      endFee: row.end_fee === null ? undefined : BigInt(row.end_fee),
      removedTs: undefined,
    }
    state.l1.set(validator.validationId, validator)
    state.watchL1(validator)
  }
}
