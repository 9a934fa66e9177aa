import type { BareHex } from '../../../protocol/ids/bare-hex.ts'
import type { StakingTerms } from '../../../protocol/primary/p-transactions.ts'
import type { Hexed } from '../hexed.ts'
import { type PTx, type AssetAmount, type AssetOutput } from '../transactions.ts'
import type { Random } from '../../kernel/random.ts'
import { importP, makeAuthorised, makeP, subnetOwner } from '../engine/build-p.ts'
import type { Engine } from '../engine/engine.ts'
import { proofOf } from '../keys.ts'
import { validatorOf } from '../stakers.ts'
import { amountOf, space, type StakerState, type Utxo, zeroId } from '../state.ts'
import { type Made, output, type Party, partyOwner, sorted, spendable, total } from '../wallet.ts'
import { firstRenewer, type Node } from '../world.ts'
import { exportTo, transfer } from '../engine/drafts.ts'

export const oneAvax = 1_000_000_000n
export const daySeconds = 86_400
const hour = 3_600

/** Memos that challenge careless readers. */
export const memos: readonly Uint8Array[] = [
  new Uint8Array(),
  Buffer.from('rent, thank you'),
  Buffer.from('nul\0in\0between'),
  Buffer.from('<img src=x onerror=alert(1)><script>alert(document.domain)</script>'),
  Buffer.from('\u202Egnp.exe \u2066abc\u2069 \u200Fعربي'),
  Buffer.from('fffe80c0c1f8288080', 'hex'),
  Buffer.from('{"__proto__":{"x":1},"a":"\\u0000"}'),
  Buffer.from("'); drop table utxos; --"),
  Buffer.alloc(256, 'm'),
].map((bytes) => new Uint8Array(bytes))

export function memoOf(random: Random): Uint8Array {
  return random.chance(0.5) ? new Uint8Array() : (memos[random.below(memos.length)] ?? new Uint8Array())
}

export function balanceP(engine: Engine, party: Party, time: number): bigint {
  return total(spendable(engine.state, 'P', party, time, engine.world.ids.avax))
}

/** A random party with at least `amount` on P; undefined if a few tries find none. */
export function payer(engine: Engine, time: number, random: Random, amount: bigint): Party | undefined {
  const all = [...engine.world.people, ...engine.world.firms]
  for (let tries = 0; tries < 6; tries += 1) {
    const party = all[random.below(all.length)]
    if (party !== undefined && balanceP(engine, party, time) > amount + 2n * oneAvax) return party
  }
  return undefined
}

/**
 * The stake that a party's locked coins allow: the coins, the stake from them, and the rest, which stays
 * locked.
 */
function lockedStake(
  engine: Engine,
  party: Party,
  weight: bigint,
):
  | {
      readonly locked: readonly Utxo[]
      readonly stake: readonly AssetAmount[]
      readonly outputs: readonly AssetOutput[]
    }
  | undefined {
  const owner = partyOwner(party)
  const { state, world } = engine
  const utxos = space(state, 'P')
  for (const id of state.owned.get(`P/${owner.addresses[0] ?? ''}`) ?? []) {
    const utxo = utxos.get(id)
    if (utxo?.output.type !== 'TRANSFER') continue
    const { stakeableLocktime } = utxo.output
    if (stakeableLocktime === 0n || stakeableLocktime <= BigInt(state.time)) continue
    const amount = amountOf(utxo.output)
    if (amount < weight) continue
    const part = (value: bigint): AssetAmount => {
      const plain = output(world.ids.avax, value, owner)
      return { ...plain, output: { ...plain.output, stakeableLocktime } }
    }
    return { locked: [utxo], stake: [part(weight)], outputs: amount > weight ? [part(amount - weight)] : [] }
  }
  return undefined
}

type StakeTerms = {
  readonly party: Party
  readonly node: Node
  readonly weight: bigint
  /** Seconds from now to the start; unused since Durango. */
  readonly wait: number
  readonly seconds: number
  readonly memo?: Uint8Array
  /** Stakes locked coins if the party has enough of them. */
  readonly locked?: boolean
}

function stakeDraft(
  engine: Engine,
  time: number,
  terms: StakeTerms,
): {
  readonly common: {
    readonly party: Party
    readonly needs?: readonly (readonly [BareHex, bigint])[]
    readonly outputs?: readonly AssetOutput[]
    readonly locked?: readonly Utxo[]
    readonly memo?: Uint8Array
  }
  readonly terms: Hexed<StakingTerms>
  readonly stake: readonly AssetAmount[]
} {
  const { world } = engine
  const { party, weight, node, memo } = terms
  const start = time + (time >= world.ages.durango ? 0 : Math.max(60, terms.wait))
  const timed = {
    nodeId: node.nodeId,
    start: BigInt(start),
    end: BigInt(start + terms.seconds),
    weight,
  }
  const withMemo = memo === undefined || time >= world.ages.durango ? {} : { memo }
  const held = terms.locked === true ? lockedStake(engine, party, weight) : undefined
  if (held !== undefined) {
    return {
      common: { party, locked: held.locked, outputs: held.outputs, ...withMemo },
      terms: timed,
      stake: held.stake,
    }
  }
  return {
    common: { party, needs: [[world.ids.avax, weight]], ...withMemo },
    terms: timed,
    stake: [output(world.ids.avax, weight, partyOwner(party))],
  }
}

/**
 * Starts or announces a validation of the primary network, in the transaction format of the age. `modern`
 * adds a BLS key.
 */
export function validate(
  engine: Engine,
  time: number,
  terms: StakeTerms & { readonly shares: number; readonly modern: boolean },
): Made<PTx> {
  const { common, terms: period, stake } = stakeDraft(engine, time, terms)
  const rewardsOwner = partyOwner(terms.party)
  return makeP(engine, time, {
    ...common,
    build: (base) =>
      terms.modern
        ? {
            type: 'AddPermissionlessValidatorTx',
            base,
            terms: period,
            subnetId: zeroId,
            signer: proofOf(terms.node.bls()),
            stake,
            rewardsOwner,
            delegationRewardsOwner: rewardsOwner,
            shares: terms.shares,
          }
        : { type: 'AddValidatorTx', base, terms: period, stake, rewardsOwner, shares: terms.shares },
  })
}

/** Delegates to a validator of the primary network, in the transaction format of the age. */
export function delegate(engine: Engine, time: number, terms: StakeTerms): Made<PTx> {
  const { common, terms: period, stake } = stakeDraft(engine, time, terms)
  const rewardsOwner = partyOwner(terms.party)
  return makeP(engine, time, {
    ...common,
    build: (base) =>
      time >= engine.world.ages.banff
        ? { type: 'AddPermissionlessDelegatorTx', base, terms: period, subnetId: zeroId, stake, rewardsOwner }
        : { type: 'AddDelegatorTx', base, terms: period, stake, rewardsOwner },
  })
}

/** Adds a node as a validator of a permissioned subnet. */
export function permit(
  engine: Engine,
  time: number,
  terms: {
    readonly subnetId: BareHex
    readonly node: Node
    readonly wait: number
    readonly seconds: number
    readonly weight: bigint
  },
): Made<PTx> {
  const { node, subnetId, weight } = terms
  const start = time + (time >= engine.world.ages.durango ? 0 : terms.wait)
  return makeAuthorised(engine, time, subnetOwner(engine, terms.subnetId), (base, authority) => ({
    type: 'AddSubnetValidatorTx',
    base,
    terms: {
      nodeId: node.nodeId,
      start: BigInt(start),
      end: BigInt(start + terms.seconds),
      weight,
    },
    subnetId,
    authority,
  }))
}

function validatorsNow(engine: Engine): readonly StakerState[] {
  return [...engine.state.current.values()].filter(
    ({ kind, subnetId }) => kind === 'validator' && subnetId === zeroId,
  )
}

/** Nodes reserved for the script: the first validators until they have started, and some permanently. */
function isScripted({ world }: Engine, time: number, index: number): boolean {
  const { start, end } = world.ages
  return (
    (index >= 40 && index <= 45) ||
    index >= firstRenewer ||
    (index < 20 && time < start + 0.08 * (end - start))
  )
}

/** Starts a validation on a node that is not in use. */
export function startValidating(engine: Engine, time: number, random: Random): Made<PTx> | undefined {
  const { world, state } = engine
  const idle = world.nodes.filter(
    ({ nodeId }, index) =>
      !isScripted(engine, time, index) &&
      validatorOf(state.current, zeroId, nodeId) === undefined &&
      validatorOf(state.pending, zeroId, nodeId) === undefined,
  )
  const node = idle[random.below(idle.length)]
  // A few nodes are always unused.
  if (node === undefined || idle.length <= 3) return undefined
  const weight = BigInt(random.pick([2_000, 5_000, 12_000, 25_000, 60_000, 110_000])) * oneAvax
  const party = payer(engine, time, random, weight)
  if (party === undefined) return undefined
  const index = world.nodeById.get(node.nodeId) ?? 0
  const isLate = time >= world.ages.durango
  return validate(engine, time, {
    party,
    node,
    weight,
    wait: random.between(5, 240) * 60,
    seconds: random.pick([30, 60, 90, 180, 270, 365, 365]) * daySeconds - random.below(hour),
    shares: random.pick([20_000, 20_000, 50_000, 100_000, 333_333]),
    memo: memoOf(random),
    locked: random.chance(0.3),
    modern: isLate || (time >= world.ages.banff && index % 5 !== 0),
  })
}

/** A validator may carry four times its own stake in delegations. */
const maxTimes = 4n

/** Delegates to one of the validators. */
export function startDelegating(engine: Engine, time: number, random: Random): Made<PTx> | undefined {
  const { world, state } = engine
  const least = 14 * daySeconds + hour
  const wait = time >= world.ages.durango ? 0 : random.between(5, 90) * 60
  const open = validatorsNow(engine).filter(({ end }) => end - time - wait > least)
  const validator = open[random.below(open.length)]
  if (validator === undefined) return undefined
  const node = world.nodes[world.nodeById.get(validator.nodeId) ?? -1]
  const weight = BigInt(random.pick([25, 60, 150, 400, 1_000, 2_500, 8_000])) * oneAvax
  const carried = [...state.current.values(), ...state.pending.values()].reduce(
    (sum, each) => (each.kind === 'delegator' && each.nodeId === validator.nodeId ? sum + each.weight : sum),
    weight,
  )
  const party = payer(engine, time, random, weight)
  if (node === undefined || party === undefined || carried > validator.weight * maxTimes) return undefined
  const longest = validator.end - time - wait
  const seconds = random.chance(0.25)
    ? longest
    : Math.min(longest, random.pick([15, 21, 30, 60, 90, 180]) * daySeconds + random.below(hour))
  return delegate(engine, time, {
    party,
    node,
    weight,
    wait,
    seconds,
    memo: memoOf(random),
    locked: random.chance(0.2),
  })
}

/** A payment between two parties; the P-Chain has payments since Durango. */
export function payP(engine: Engine, time: number, random: Random): Made<PTx> | undefined {
  const { world } = engine
  const amount = BigInt(random.between(1, 4_000)) * oneAvax + BigInt(random.below(1_000_000_000))
  const party = payer(engine, time, random, amount)
  const to = random.chance(0.12)
    ? world.firms[random.below(world.firms.length)]
    : world.people[random.below(world.people.length)]
  if (party === undefined || to === undefined) return undefined
  const locktime = random.chance(0.08) ? BigInt(time + random.between(5, 400) * daySeconds) : 0n
  const outputs = [output(world.ids.avax, amount, partyOwner(to, locktime))]
  if (random.chance(0.2)) outputs.push(output(world.ids.avax, amount / 7n, partyOwner(party)))
  return makeP(engine, time, transfer(party, sorted('P', outputs)))
}

/** Exports coins to another chain. */
export function exportCoins(
  engine: Engine,
  time: number,
  random: Random,
  destination: 'X' | 'C',
): Made<PTx> | undefined {
  const { world } = engine
  const amount = BigInt(random.between(20, 3_000)) * oneAvax + BigInt(random.below(1_000_000_000))
  const party = payer(engine, time, random, amount)
  if (party === undefined || (destination === 'C' && party.threshold > 1)) return undefined
  const memo = time >= world.ages.durango ? new Uint8Array() : memoOf(random)
  const to = partyOwner(party)
  return makeP(engine, time, exportTo(party, world.ids[destination], world.ids.avax, amount, to, memo))
}

/** All people and firms, from a random one on. */
export function anyParty({ world }: Engine, random: Random): readonly Party[] {
  const all = [...world.people, ...world.firms]
  const offset = random.below(all.length)
  return [...all.slice(offset), ...all.slice(0, offset)]
}

/** Imports coins that another chain exported. */
export function fetch(
  engine: Engine,
  time: number,
  random: Random,
  source: 'X' | 'C',
): Made<PTx> | undefined {
  for (const party of anyParty(engine, random)) {
    const made = importP(engine, time, party, source, engine.world.ids.avax)
    if (made !== undefined) return made
  }
  return undefined
}
