import { type PGenesis } from '../../protocol/primary/genesis.ts'
import { type Output, type PTx, known } from '../primary/transactions.ts'
import { encode } from '../../protocol/codec/schema.ts'
import { pTx } from '../../protocol/primary/p-transactions.ts'
import { decodePBlock, isDecision } from '../../protocol/primary/p-blocks.ts'
import { cycleProblems, type Cycles, isAsRecounted, shareOut } from './check-cycles.ts'
import type { Ledger } from '../primary/ledger.ts'
import { fujiL1Fees } from '../../protocol/primary/l1-fees.ts'
import { primaryRewardsAt, rewardOf, splitReward, type RewardRules } from '../../protocol/primary/rewards.ts'
import { type BareHex, bytesOf, hexOf } from '../../protocol/ids/bare-hex.ts'
import { sha256, sha256Hex } from '../../protocol/native/hashes.ts'
import { readL1Message } from '../primary/warp.ts'

/** A returned coin: a stake or a reward. */
type Return = {
  readonly key: string
  readonly asset: BareHex
  readonly output: Output
  readonly isReward: boolean
}

type Period = {
  readonly id: BareHex
  readonly tx: PTx
  readonly isDelegator: boolean
  readonly subnet: BareHex
  readonly node: BareHex
  start: number
  end: number
  weight: bigint
  readonly isPermissioned: boolean
  reward: bigint
  accrued: bigint
  /** Auto-renewed validators only; `start`, `end` and `weight` are then those of the cycle. */
  readonly cycles?: Cycles
}

type Member = {
  readonly subnet: BareHex
  readonly node: BareHex
  readonly outputs: { readonly threshold: number; readonly addresses: readonly BareHex[] }
  weight: bigint
  /** Accumulated fees at which its balance is used up; undefined for one that does not pay. */
  until: bigint | undefined
}

const zeroId = '0'.repeat(64)
const nobody = '0'.repeat(40)

/** The returned coins by height and key. */
type StakerCheck = {
  readonly returns: ReadonlyMap<number, readonly Return[]>
  readonly balancesBack: ReadonlyMap<
    string,
    { asset: BareHex; amount: bigint; owners: readonly BareHex[]; from: 'P'; time: number }
  >
}

/**
 * Recounts validators, delegators, L1 validators and the supply block by block, and compares the validator sets at
 * every height and the newest supply with the ledger.
 */
export function checkStakers(ledger: Ledger, genesis: PGenesis, say: (problem: string) => void): StakerCheck {
  const { avax } = ledger.ids
  const { durango, etna, cortina, helicon } = ledger.upgrades
  const waiting = new Map<BareHex, Period>()
  const running = new Map<BareHex, Period>()
  const members = new Map<BareHex, Member>()
  const supplies = new Map<BareHex, bigint>([[zeroId, genesis.supply]])
  const rules = new Map<BareHex, RewardRules>()
  const returns = new Map<number, Return[]>()
  const balancesBack = new Map<
    string,
    { asset: BareHex; amount: bigint; owners: readonly BareHex[]; from: 'P'; time: number }
  >()
  let time = genesis.time
  let fees = 0n

  function rank(period: Period): number {
    return period.isPermissioned ? 0 : (period.isDelegator ? 1 : 2) + (period.subnet === zeroId ? 2 : 0)
  }

  function run(period: Period): void {
    const supply = supplies.get(period.subnet)
    const rule = period.subnet === zeroId ? primaryRewardsAt(period.start, helicon) : rules.get(period.subnet)
    if (!period.isPermissioned && supply !== undefined && rule !== undefined) {
      period.reward = rewardOf(rule, period.end - period.start, period.weight, supply)
      supplies.set(period.subnet, supply + period.reward)
    }
    running.set(period.id, period)
  }

  function pass(to: number): void {
    const starting = [...waiting.values()].filter(({ start }) => start <= to)
    starting.sort((a, b) => a.start - b.start || rank(b) - rank(a) || (a.id < b.id ? -1 : 1))
    for (const period of starting) {
      waiting.delete(period.id)
      run(period)
    }
    for (const period of running.values()) {
      if (period.isPermissioned && period.end <= to) running.delete(period.id)
    }
    const seconds = to < etna ? 0 : to - time
    if (seconds > 0) {
      const paying = [...members.values()].filter(({ until }) => until !== undefined).length
      if (paying >= 10_000) say('too many L1 validators for this recount')
      fees += fujiL1Fees.minPrice * BigInt(seconds)
      for (const member of members.values()) {
        if (member.until !== undefined && member.until <= fees) member.until = undefined
      }
    }
    time = Math.max(time, to)
  }

  function begin(id: BareHex, tx: PTx): void {
    const { unsigned } = tx
    if (unsigned.type === 'AddAutoRenewedValidatorTx') beginCycles(id, tx, unsigned)
    if (!('terms' in unsigned)) return
    const subnet = 'subnetId' in unsigned ? unsigned.subnetId : zeroId
    const start = time >= durango ? time : Number(unsigned.terms.start)
    const isDelegator = unsigned.type === 'AddDelegatorTx' || unsigned.type === 'AddPermissionlessDelegatorTx'
    const { nodeId: node, weight } = unsigned.terms
    const end = Number(unsigned.terms.end)
    const isPermissioned = unsigned.type === 'AddSubnetValidatorTx'
    const period: Period = {
      id,
      tx,
      isDelegator,
      subnet,
      node,
      start,
      end,
      weight,
      isPermissioned,
      reward: 0n,
      accrued: 0n,
    }
    if (start <= time) run(period)
    else waiting.set(id, period)
  }

  function beginCycles(
    id: BareHex,
    tx: PTx,
    unsigned: Extract<PTx['unsigned'], { readonly type: 'AddAutoRenewedValidatorTx' }>,
  ): void {
    const { nodeId: node, autoCompoundShares } = unsigned
    const nextPeriod = Number(unsigned.period)
    let weight = 0n
    for (const { output } of unsigned.stake) if (output.type === 'TRANSFER') weight += output.amount
    run({
      id,
      tx,
      isDelegator: false,
      subnet: zeroId,
      node,
      isPermissioned: false,
      start: time,
      end: time + nextPeriod,
      weight,
      reward: 0n,
      accrued: 0n,
      cycles: { autoCompoundShares, nextPeriod, own: 0n, delegatee: 0n },
    })
  }

  function endCycle(
    rewardTxId: BareHex,
    id: BareHex,
    cycleEnd: number,
    isPaid: boolean,
    height: number,
  ): void {
    const period = running.get(id)
    const cycles = period?.cycles
    if (period === undefined || cycles === undefined || period.end !== time || cycleEnd !== time) {
      say(`P block ${height} ends a cycle of ${id}, which does not end now`)
      return
    }
    const { paid, again } = shareOut({ ...period, cycles }, isPaid)
    for (const problem of cycleProblems(ledger, rewardTxId, period.tx, paid)) say(problem)
    const list = again === undefined ? stakeBack(period, height) : (returns.get(height) ?? [])
    for (const { outputIndex, assetId: asset, output } of ledger.rewardUtxos(rewardTxId)) {
      list.push({ key: `${rewardTxId}/${outputIndex}`, asset, output, isReward: true })
    }
    returns.set(height, list)
    if (!isPaid) supplies.set(zeroId, (supplies.get(zeroId) ?? 0n) - period.reward)
    if (again === undefined) return
    cycles.own += again.own
    cycles.delegatee += again.delegatee
    period.weight += again.own + again.delegatee
    period.accrued = 0n
    period.start = period.end
    period.end += cycles.nextPeriod
    run(period)
  }

  /** Ends a period, and lists the stake that the block at this height returns. */
  function stakeBack({ id, tx }: Period, height: number): Return[] {
    const list = returns.get(height) ?? []
    const { unsigned } = tx
    running.delete(id)
    if (!('stake' in unsigned)) return list
    unsigned.stake.forEach(({ assetId: asset, output }, index) =>
      list.push({ key: `${id}/${unsigned.base.outputs.length + index}`, asset, output, isReward: false }),
    )
    return list
  }

  function end(id: BareHex, isPaid: boolean, height: number): void {
    const period = running.get(id)
    if (period === undefined || period.cycles !== undefined || !('stake' in period.tx.unsigned)) {
      say(`P block ${height} ends ${id}, which is not running`)
      return
    }
    const { unsigned } = period.tx
    if (period.end > time) say(`P block ${height} ends ${id} too soon`)
    const { stake } = unsigned
    const list = stakeBack(period, height)
    const parts: bigint[] = []
    const supply = supplies.get(period.subnet) ?? 0n
    if (!isPaid) supplies.set(period.subnet, supply - period.reward)
    if (period.isDelegator) {
      const validator = [...running.values()].find(
        (each) => !each.isDelegator && each.subnet === period.subnet && each.node === period.node,
      )
      const terms = validator?.tx.unsigned
      const split = splitReward(period.reward, terms !== undefined && 'shares' in terms ? terms.shares : 0)
      if (isPaid) parts.push(split.rest)
      if (isPaid && validator !== undefined) {
        if (validator.start >= cortina) validator.accrued += split.share
        else parts.push(split.share)
      }
    } else {
      if (isPaid) parts.push(period.reward)
      parts.push(period.accrued)
    }
    const due = parts.filter((amount) => amount > 0n)
    const paid = ledger.rewardUtxos(id)
    const told = paid.map(({ output }) => (output.type === 'TRANSFER' ? output.amount : -1n))
    if (told.length !== due.length || told.some((amount, index) => amount !== due[index])) {
      say(`${id} was paid ${told.join(' and ')}, not ${due.join(' and ')}`)
    }
    paid.forEach((utxo, index) => {
      const place = unsigned.base.outputs.length + stake.length + index
      if (utxo.outputIndex !== place || utxo.txId !== id) say(`a reward of ${id} lies in another place`)
      list.push({ key: `${id}/${place}`, asset: utxo.assetId, output: utxo.output, isReward: true })
    })
    returns.set(height, list)
  }

  function giveBack(id: BareHex, index: number, member: Member): void {
    if (member.until === undefined) return
    const owners = member.outputs.addresses
    balancesBack.set(`${id}/${index}`, { asset: avax, amount: member.until - fees, owners, from: 'P', time })
    member.until = undefined
  }

  function act(tx: PTx): void {
    const id = sha256Hex(encode(pTx, tx))
    const { unsigned } = tx
    begin(id, tx)
    if (unsigned.type === 'RemoveSubnetValidatorTx') {
      for (const period of [...running.values(), ...waiting.values()]) {
        if (period.subnet !== unsigned.subnetId || period.node !== unsigned.nodeId) continue
        running.delete(period.id)
        waiting.delete(period.id)
      }
    } else if (unsigned.type === 'SetAutoRenewedValidatorConfigTx') {
      const { autoCompoundShares } = unsigned
      const nextPeriod = Number(unsigned.period)
      Object.assign(running.get(unsigned.stakingTxId)?.cycles ?? {}, { autoCompoundShares, nextPeriod })
    } else if (unsigned.type === 'TransformSubnetTx') {
      supplies.set(unsigned.subnetId, unsigned.initialSupply)
      rules.set(unsigned.subnetId, {
        cap: unsigned.maximumSupply,
        minRate: unsigned.minConsumptionRate,
        maxRate: unsigned.maxConsumptionRate,
      })
    } else if (unsigned.type === 'ConvertSubnetToL1Tx') {
      unsigned.validators.forEach((each, index) => {
        const place = Buffer.alloc(4)
        place.writeUInt32BE(index)
        const key = sha256(Buffer.concat([Buffer.from(unsigned.subnetId, 'hex'), place])).toString('hex')
        members.set(key, {
          subnet: unsigned.subnetId,
          node: each.nodeId,
          outputs: each.remainingBalanceOwner,
          weight: each.weight,
          until: each.balance > 0n ? fees + each.balance : undefined,
        })
      })
    } else if (unsigned.type === 'RegisterL1ValidatorTx') {
      const { message, id: key } = readL1Message(bytesOf(unsigned.message))
      if (message.type !== 'RegisterL1Validator') return
      members.set(key, {
        subnet: message.subnetId,
        node: message.nodeId,
        outputs: message.remainingBalanceOwner,
        weight: message.weight,
        until: unsigned.balance > 0n ? fees + unsigned.balance : undefined,
      })
    } else if (unsigned.type === 'SetL1ValidatorWeightTx') {
      const { message } = readL1Message(bytesOf(unsigned.message))
      const member = message.type === 'L1ValidatorWeight' ? members.get(message.validationId) : undefined
      if (member === undefined || message.type !== 'L1ValidatorWeight') return
      member.weight = message.weight
      if (message.weight > 0n) return
      giveBack(id, unsigned.base.outputs.length, member)
      members.delete(message.validationId)
    } else if (unsigned.type === 'IncreaseL1ValidatorBalanceTx') {
      const member = members.get(unsigned.validationId)
      if (member !== undefined) member.until = (member.until ?? fees) + unsigned.balance
    } else if (unsigned.type === 'DisableL1ValidatorTx') {
      const member = members.get(unsigned.validationId)
      if (member !== undefined) giveBack(id, unsigned.base.outputs.length, member)
    }
  }

  function compareSets(height: number): void {
    const expected = new Map<BareHex, Map<BareHex, bigint>>()
    const add = (subnet: BareHex, node: BareHex, weight: bigint): void => {
      const set = expected.get(subnet) ?? new Map<BareHex, bigint>()
      set.set(node, (set.get(node) ?? 0n) + weight)
      expected.set(subnet, set)
    }
    for (const { subnet, node, weight } of running.values()) add(subnet, node, weight)
    for (const { subnet, node, weight, until } of members.values()) {
      add(subnet, until === undefined ? nobody : node, weight)
    }
    for (const subnet of [zeroId, ...ledger.subnets().map(({ id }) => id)]) {
      const told = ledger.validatorsAt(height, subnet) ?? []
      const set = expected.get(subnet) ?? new Map<BareHex, bigint>()
      if (told.length !== set.size || told.some(({ nodeId, weight }) => set.get(nodeId) !== weight)) {
        say(`the set of ${subnet} at ${height} has ${told.length} members or other weights, not ${set.size}`)
      }
    }
  }

  for (const tx of genesis.validators) begin(hexOf(tx.id), known(tx))
  // The effect of an Apricot proposal is that of the block that decides it.
  let proposed: PTx | undefined
  for (let height = 1; height <= ledger.height('P'); height += 1) {
    const found = ledger.block('P', height)
    if (found === undefined) continue
    const block = decodePBlock(found.bytes)
    if (block.time !== undefined) pass(block.time)
    if (isDecision(block.kind)) {
      decided(proposed, block.kind === 'commit', height)
      proposed = undefined
    } else if (block.proposal !== undefined) {
      proposed = known(block.proposal)
    } else for (const tx of block.transactions) act(known(tx))
    compareSets(height)
    if (time !== found.time) say(`P block ${height} says ${found.time}, not ${time}`)
  }
  for (const [subnet, supply] of supplies) {
    if (ledger.supply(subnet) !== supply)
      say(`the supply of ${subnet} is ${ledger.supply(subnet)}, not ${supply}`)
  }
  const stakers = new Map(ledger.currentStakers(zeroId).map((staker) => [staker.txId, staker]))
  for (const period of running.values()) {
    if (period.subnet === zeroId && !isAsRecounted(stakers.get(period.id), period)) {
      say(`the ledger does not know ${period.id} as it was recounted`)
    }
  }
  return { returns, balancesBack }

  function decided(tx: PTx | undefined, isPaid: boolean, height: number): void {
    if (tx === undefined) {
      say(`P block ${height} decides nothing`)
      return
    }
    const { unsigned } = tx
    if (unsigned.type === 'RewardValidatorTx') end(unsigned.stakingTxId, isPaid, height)
    else if (unsigned.type === 'RewardAutoRenewedValidatorTx') {
      endCycle(sha256Hex(encode(pTx, tx)), unsigned.stakingTxId, Number(unsigned.time), isPaid, height)
    } else if (unsigned.type === 'AdvanceTimeTx') pass(Number(unsigned.time))
    else act(tx)
  }
}
