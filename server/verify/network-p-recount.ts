import { convertedValidationId } from '../../protocol/native/hashes.ts'
import type { PGenesis } from '../../protocol/primary/genesis.ts'
import { feesFor, type L1FeeRules } from '../../protocol/primary/l1-fees.ts'
import type { AssetInput, AssetOutput, Utxo } from '../../protocol/primary/outputs.ts'
import { isDecision, type PBlock } from '../../protocol/primary/p-blocks.ts'
import type { PTx, PUnsigned } from '../../protocol/primary/p-transactions.ts'
import { primaryRewardsAt, restakeOf, rewardOf, splitReward } from '../../protocol/primary/rewards.ts'
import { maxValidatorStake } from '../../protocol/primary/staking-limits.ts'
import { Reader } from '../../protocol/codec/reader.ts'
import { decodeL1Message } from '../../protocol/warp/l1-messages.ts'
import { readUnsigned } from '../../protocol/warp/warp-messages.ts'
import type { NetworkFacts, Stake } from './network-facts.ts'

/** What the node says of its network besides its blocks. */
type PTerms = {
  readonly avax: string
  /** The ids of the X- and the C-Chain in hex. */
  readonly x: string
  readonly durango: number
  readonly etna: number
  readonly helicon: number
  readonly l1Fees: L1FeeRules
  /** The UTXOs that ended a staking period, by the transaction that the node lists them under. */
  readonly rewards: (txId: Uint8Array) => Promise<readonly Utxo[]>
}

type Staker = {
  readonly txId: string
  readonly node: string
  readonly isDelegator: boolean
  readonly order: number
  readonly shares: number
  weight: bigint
  start: number
  end: number
  /** The period that runs; undefined before it begins. */
  stake: Stake | undefined
  renewal:
    { shares: number; period: number; accrued: bigint; accruedFees: bigint; pendingFees: bigint } | undefined
}

type L1 = { weight: bigint; balance: bigint }

/** Bytes as hex digits. */
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
/** The id of the P-Chain and of the primary network in hex. */
export const primary = '0'.repeat(64)

/**
 * Replays the P-Chain with lists and maps only, and notes what happened. It shares the decoders and the formulas of
 * protocol/ with the indexer, and none of its rules.
 */
export class PRecount {
  readonly #facts: NetworkFacts
  readonly #terms: PTerms
  /** Stakers of the primary network that have not ended, and the ids of all others. */
  readonly #stakers = new Map<string, Staker>()
  readonly #l1 = new Map<string, L1>()
  #time: number
  #supply: bigint
  #excess = 0n
  #proposal: PTx | undefined

  constructor(facts: NetworkFacts, terms: PTerms, genesis: PGenesis) {
    this.#facts = facts
    this.#terms = terms
    this.#time = genesis.time
    this.#supply = genesis.supply
    for (const _ of genesis.utxos) facts.add('pUtxo', this.#time)
    for (const tx of genesis.validators) {
      if ('stake' in tx.unsigned) for (const _ of tx.unsigned.stake) facts.add('pUtxo', this.#time)
      this.#addStaker(tx, true)
    }
    for (const _ of genesis.chains) facts.add('blockchain', this.#time)
    this.#note()
  }

  /** Takes the next block. */
  async take(block: PBlock): Promise<void> {
    if (block.time !== undefined) this.#advance(block.time)
    for (const tx of block.transactions) {
      this.#count(tx)
      this.#accept(tx)
    }
    if (block.proposal) this.#count(block.proposal)
    const decided = this.#proposal
    this.#proposal = block.proposal
    if (decided && isDecision(block.kind)) await this.#decide(decided, block.kind === 'commit')
    this.#note()
  }

  #note(): void {
    const l1 = [...this.#l1.values()]
    this.#facts.states.push({
      ts: this.#time,
      supply: this.#supply,
      l1Validators: BigInt(l1.filter(({ weight }) => weight > 0n).length),
      activeL1Validators: BigInt(l1.filter(({ balance }) => balance > 0n).length),
      l1Balances: l1.reduce((sum, { balance }) => sum + balance, 0n),
    })
  }

  #count(tx: PTx): void {
    this.#facts.add('pTx', this.#time)
    this.#facts.add(`pTx ${tx.unsigned.type}`, this.#time)
  }

  #advance(time: number): void {
    const begins = [...this.#stakers.values()]
      .filter((each) => each.stake === undefined && each.start <= time)
      .sort((a, b) => a.start - b.start || a.order - b.order || (a.txId < b.txId ? -1 : 1))
    for (const staker of begins) this.#begin(staker, false)
    if (time > this.#time && time >= this.#terms.etna) {
      const active = [...this.#l1.values()].filter(({ balance }) => balance > 0n)
      const { cost, excess } = feesFor(this.#terms.l1Fees, this.#excess, active.length, time - this.#time)
      this.#excess = excess
      for (const validator of active) {
        const paid = cost < validator.balance ? cost : validator.balance
        validator.balance -= paid
        this.#facts.add('l1Fee', time, paid)
      }
    }
    this.#time = time
  }

  /** Begins a period: its reward counts as minted. */
  #begin(staker: Staker, continues: boolean): void {
    const { weight, start, end, node, isDelegator } = staker
    const potential = rewardOf(
      primaryRewardsAt(start, this.#terms.helicon),
      end - start,
      weight,
      this.#supply,
    )
    this.#supply += potential
    staker.stake = {
      node,
      isDelegator,
      weight,
      start,
      end,
      potential,
      continues,
      isContinued: false,
      ended: undefined,
    }
    this.#facts.stakes.push(staker.stake)
  }

  #addStaker({ id, unsigned }: PTx, isGenesis = false): void {
    const txId = hex(id)
    const common = { txId, stake: undefined, renewal: undefined }
    if (unsigned.type === 'AddAutoRenewedValidatorTx') {
      const { period } = unsigned
      const staker: Staker = {
        ...common,
        node: hex(unsigned.nodeId),
        isDelegator: false,
        order: 0,
        shares: unsigned.shares,
        weight: unsigned.stake.reduce((sum, { output }) => sum + output.amount, 0n),
        start: this.#time,
        end: this.#time + Number(period),
        renewal: {
          shares: unsigned.autoCompoundShares,
          period: Number(period),
          accrued: 0n,
          accruedFees: 0n,
          pendingFees: 0n,
        },
      }
      this.#stakers.set(txId, staker)
      this.#begin(staker, false)
      return
    }
    if (!('terms' in unsigned)) return
    if ('subnetId' in unsigned && hex(unsigned.subnetId) !== primary) return
    const isDelegator = /Delegator/.test(unsigned.type)
    const startsNow = this.#time >= this.#terms.durango && !isGenesis
    const staker: Staker = {
      ...common,
      node: hex(unsigned.terms.nodeId),
      isDelegator,
      // Those that start together: AddDelegatorTx, validators, AddPermissionlessDelegatorTx.
      order: unsigned.type === 'AddDelegatorTx' ? 1 : isDelegator ? 3 : 2,
      shares: 'shares' in unsigned ? unsigned.shares : 0,
      weight: unsigned.terms.weight,
      start: startsNow ? this.#time : Number(unsigned.terms.start),
      end: Number(unsigned.terms.end),
    }
    this.#stakers.set(txId, staker)
    if (startsNow || isGenesis) this.#begin(staker, false)
  }

  /** The inputs and outputs of a transaction. */
  #move(unsigned: PUnsigned): void {
    if (!('base' in unsigned)) return
    const { inputs, outputs } = unsigned.base
    const imported: readonly AssetInput[] = 'importedInputs' in unsigned ? unsigned.importedInputs : []
    const exported: readonly AssetOutput[] = 'exportedOutputs' in unsigned ? unsigned.exportedOutputs : []
    const staked: readonly AssetOutput[] = 'stake' in unsigned ? unsigned.stake : []
    const kept = [...outputs, ...staked]
    const spent = this.#facts.spent('P', [...inputs, ...imported])
    this.#facts.add('pUtxo', this.#time, BigInt(-spent))
    for (const _ of kept) this.#facts.add('pUtxo', this.#time)
    if ('destinationChain' in unsigned && hex(unsigned.destinationChain) === this.#terms.x)
      for (const _ of exported) this.#facts.add('xUtxo', this.#time)
    const burned =
      avaxOfInputs([...inputs, ...imported], this.#terms.avax) -
      avaxOfOutputs([...kept, ...exported], this.#terms.avax) -
      this.#deposit(unsigned)
    this.#facts.add('pBurned', this.#time, burned)
  }

  /** What goes into balances of L1 validators. */
  #deposit(unsigned: PUnsigned): bigint {
    if (unsigned.type === 'ConvertSubnetToL1Tx')
      return unsigned.validators.reduce((sum, { balance }) => sum + balance, 0n)
    return 'balance' in unsigned ? unsigned.balance : 0n
  }

  #accept(tx: PTx): void {
    const { unsigned } = tx
    if (unsigned.type === 'UNKNOWN') throw new Error(`the P-Chain has a transaction of the type ${tx.typeId}`)
    this.#move(unsigned)
    this.#addStaker(tx)
    switch (unsigned.type) {
      case 'CreateSubnetTx':
        this.#facts.add('subnet', this.#time)
        return
      case 'CreateChainTx':
        this.#facts.add('blockchain', this.#time)
        return
      case 'SetAutoRenewedValidatorConfigTx': {
        const renewal = this.#stakers.get(hex(unsigned.stakingTxId))?.renewal
        if (renewal)
          Object.assign(renewal, { shares: unsigned.autoCompoundShares, period: Number(unsigned.period) })
        return
      }
      case 'ConvertSubnetToL1Tx':
        this.#facts.add('l1', this.#time)
        this.#facts.add(`sent ${hex(unsigned.managerChainId)}`, this.#time)
        for (const [index, { weight, balance }] of unsigned.validators.entries())
          this.#l1.set(hex(convertedValidationId(unsigned.subnetId, index)), { weight, balance })
        return
      case 'RegisterL1ValidatorTx':
      case 'SetL1ValidatorWeightTx': {
        const manager = hex(readUnsigned(new Reader(unsigned.message)).sourceChainId)
        this.#facts.add(`delivered ${manager}`, this.#time)
        this.#facts.add(`sent ${manager}`, this.#time)
        const message = decodeL1Message(unsigned.message)
        const id = hex(message.validationId)
        if (unsigned.type === 'RegisterL1ValidatorTx') {
          this.#l1.set(id, { weight: message.weight, balance: unsigned.balance })
          return
        }
        const validator = this.#l1.get(id)
        if (!validator) throw new Error(`the L1 validator ${id} was never made`)
        validator.weight = message.weight
        if (message.weight === 0n) this.#refund(validator)
        return
      }
      case 'IncreaseL1ValidatorBalanceTx': {
        const validator = this.#l1.get(hex(unsigned.validationId))
        if (validator) validator.balance += unsigned.balance
        return
      }
      case 'DisableL1ValidatorTx': {
        const validator = this.#l1.get(hex(unsigned.validationId))
        if (validator) this.#refund(validator)
        return
      }
      default:
    }
  }

  #refund(validator: L1): void {
    if (validator.balance > 0n) this.#facts.add('pUtxo', this.#time)
    validator.balance = 0n
  }

  async #decide(tx: PTx, isCommitted: boolean): Promise<void> {
    const { unsigned } = tx
    switch (unsigned.type) {
      case 'AdvanceTimeTx':
        if (isCommitted) this.#advance(Number(unsigned.time))
        return
      case 'RewardValidatorTx':
        await this.#settle(
          hex(unsigned.stakingTxId),
          await this.#terms.rewards(unsigned.stakingTxId),
          isCommitted,
        )
        return
      case 'RewardAutoRenewedValidatorTx':
        this.#settlePeriod(hex(unsigned.stakingTxId), await this.#terms.rewards(tx.id), isCommitted)
        return
      case 'UNKNOWN':
        throw new Error(`the P-Chain has a proposal of the type ${tx.typeId}`)
      default:
        // An aborted stake is given back, and its fee is paid.
        if (isCommitted) this.#accept(tx)
        else this.#move(unsigned)
    }
  }

  async #settle(txId: string, utxos: readonly Utxo[], isCommitted: boolean): Promise<void> {
    for (const _ of utxos) this.#facts.add('pUtxo', this.#time)
    const staker = this.#stakers.get(txId)
    // A staker of an elastic subnet.
    if (!staker?.stake) return
    this.#stakers.delete(txId)
    const { potential } = staker.stake
    staker.stake.ended = this.#time
    if (!isCommitted) this.#supply -= potential
    const validator = staker.isDelegator ? this.#validatorOf(staker) : undefined
    const own = !isCommitted ? 0n : validator ? splitReward(potential, validator.shares).rest : potential
    if (isCommitted && validator?.renewal) validator.renewal.pendingFees += potential - own
    this.#pay(utxos, own > 0n, staker.isDelegator ? 'delegatorReward' : 'ownReward')
  }

  #settlePeriod(txId: string, utxos: readonly Utxo[], isCommitted: boolean): void {
    const staker = this.#stakers.get(txId)
    if (!staker?.stake || !staker.renewal) throw new Error(`${txId} is not an auto-renewed validator`)
    for (const _ of utxos) this.#facts.add('pUtxo', this.#time)
    const { stake, renewal } = staker
    const own = isCommitted ? stake.potential : 0n
    if (!isCommitted) this.#supply -= stake.potential
    stake.ended = this.#time
    if (!isCommitted || renewal.period === 0) {
      this.#stakers.delete(txId)
      this.#pay(utxos, own + renewal.accrued > 0n, 'ownReward')
      return
    }
    const room = maxValidatorStake - staker.weight
    const restaked = restakeOf(own, renewal.pendingFees, renewal.shares, room)
    this.#pay(utxos, own > restaked.own, 'ownReward')
    renewal.accrued += restaked.own
    renewal.accruedFees += restaked.fees
    renewal.pendingFees = 0n
    staker.weight += restaked.own + restaked.fees
    staker.start = staker.end
    staker.end += renewal.period
    stake.isContinued = true
    this.#begin(staker, true)
  }

  #pay(utxos: readonly Utxo[], hasOwn: boolean, name: 'ownReward' | 'delegatorReward'): void {
    const sorted = utxos.toSorted((a, b) => a.outputIndex - b.outputIndex)
    for (const [index, { output }] of sorted.entries()) {
      if (output.type !== 'TRANSFER') throw new Error('a reward is not an amount')
      this.#facts.add(hasOwn && index === 0 ? name : 'feeReward', this.#time, output.amount)
    }
  }

  #validatorOf(delegator: Staker): Staker | undefined {
    const list = [...this.#stakers.values()].filter(
      (each) => !each.isDelegator && each.node === delegator.node,
    )
    return list.find((each) => each.end >= delegator.end) ?? list[0]
  }
}

/** The AVAX in inputs. */
export function avaxOfInputs(inputs: readonly AssetInput[], avax: string): bigint {
  return inputs.reduce((sum, { assetId, amount }) => (hex(assetId) === avax ? sum + amount : sum), 0n)
}

/** The AVAX in outputs. */
export function avaxOfOutputs(outputs: readonly AssetOutput[], avax: string): bigint {
  return outputs.reduce(
    (sum, { assetId, output }) =>
      hex(assetId) === avax && output.type === 'TRANSFER' ? sum + output.amount : sum,
    0n,
  )
}
