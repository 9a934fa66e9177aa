import type { BareHex } from '../../../protocol/ids/bare-hex.ts'
import { type PTx, type XTx, type CTx } from '../transactions.ts'
import { type Random, randomOf } from '../../kernel/random.ts'
import { oneAvax, fetch, payP, permit, exportCoins, startDelegating, startValidating } from './acts-p.ts'
import { fetchX, operateX, payX, exportCoinsX } from './acts-x.ts'
import { exportC, importC } from '../engine/build-x.ts'
import type { Engine } from '../engine/engine.ts'
import { balanceFor, register, setWeight, topUp } from './script-l1.ts'
import { validatorOf } from '../stakers.ts'
import type { L1State } from '../state.ts'
import { type Made, PoorError } from '../wallet.ts'
import { neverImporters, partyOf } from '../world.ts'
import { ownerOf } from '../keys.ts'

const day = 86_400

type Act<T> = (engine: Engine, time: number, random: Random) => Made<T> | undefined

/** Draws actions by weight until one is possible; undefined if several were not. */
function draw<T>(
  engine: Engine,
  time: number,
  random: Random,
  acts: readonly (readonly [number, Act<T>])[],
): Made<T> | undefined {
  const sum = acts.reduce((all, [weight]) => all + weight, 0)
  for (let tries = 0; tries < 4; tries += 1) {
    let left = random.next() * sum
    const act = acts.find(([weight]) => (left -= weight) <= 0)?.[1]
    const made = attempt(() => act?.(engine, time, random))
    if (made !== undefined) return made
  }
  return undefined
}

/** Treats insufficient funds as an impossible action, so that another one is drawn. */
function attempt<T>(act: () => T | undefined): T | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof PoorError) return undefined
    throw error
  }
}

function l1sOf(engine: Engine): readonly L1State[] {
  return [...engine.state.l1.values()]
}

/** A routine action of an L1: a top-up, another weight, rarely a new validator. */
function tendL1(engine: Engine, time: number, random: Random): Made<PTx> | undefined {
  const all = l1sOf(engine)
  const chosen = all[random.below(all.length)]
  if (chosen === undefined) return undefined
  const payer = partyOf(engine.world, chosen.remainingBalanceOwner)
  const days = random.between(10, 60)
  if (random.chance(0.5)) return topUp(engine, time, chosen.validationId, balanceFor(days * day), payer)
  const signers = all.filter(({ subnetId, endFee }) => subnetId === chosen.subnetId && endFee > 0n)
  if (signers.length === 0) return undefined
  if (random.chance(0.8)) {
    const weight = BigInt(random.between(20, 90))
    return setWeight(engine, time, chosen, weight, payer)
  }
  const node = random.between(26, 47)
  const { nodeId } = engine.world.nodes[node] ?? { nodeId: '' as BareHex }
  if (all.some((each) => each.subnetId === chosen.subnetId && each.nodeId === nodeId)) return undefined
  return register(engine, time, chosen.subnetId, node, 10n, balanceFor(random.between(5, 90) * day))
}

/** Adds a node to a permissioned subnet. */
function permitSomebody(engine: Engine, time: number, random: Random): Made<PTx> | undefined {
  const { state, world } = engine
  const open = [...state.subnets.values()].filter(
    ({ conversion, transformTxId }) => conversion === undefined && transformTxId === undefined,
  )
  const subnet = open[random.below(open.length)]
  const validators = [...state.current.values()].filter(
    ({ kind, subnetId, end }) => kind === 'validator' && /^0+$/.test(subnetId) && end > time + 40 * day,
  )
  const chosen = validators[random.below(validators.length)]
  const node = world.nodes[world.nodeById.get(chosen?.nodeId ?? '') ?? -1]
  if (subnet === undefined || node === undefined) return undefined
  const isMember =
    validatorOf(state.current, subnet.id, node.nodeId) ?? validatorOf(state.pending, subnet.id, node.nodeId)
  if (isMember !== undefined) return undefined
  const party = partyOf(world, subnet.owner)
  // A founder has only the change of the founding transactions.
  if (party.keys.some(({ address }) => !world.people.some(({ keys }) => keys[0]?.address === address))) {
    return undefined
  }
  return permit(engine, time, {
    subnetId: subnet.id,
    node,
    wait: 3_600,
    seconds: random.between(20, 35) * day,
    weight: BigInt(random.between(1, 50)),
  })
}

/**
 * The mix of ordinary transactions. `years`: the history before the C-Chain's; `recent`: its newest months and what
 * comes after it, which include exports to C.
 */
export type Tempo = 'years' | 'recent'

/** An ordinary P-Chain transaction at `time`; undefined if the drawn actions are impossible. */
export function fillP(
  engine: Engine,
  time: number,
  key: string | number,
  tempo: Tempo,
): Made<PTx> | undefined {
  const { ages, seed } = engine.world
  const random = randomOf(seed, 'P', key)
  const isLate = time >= ages.durango
  const toC: Act<PTx> = (...args) => exportCoins(...args, 'C')
  const fromC: Act<PTx> = (...args) => fetch(...args, 'C')
  const toX: Act<PTx> = (...args) => exportCoins(...args, 'X')
  const fromX: Act<PTx> = (...args) => fetch(...args, 'X')
  const isNearC = tempo === 'recent'
  return draw(engine, time, random, [
    [isLate ? 30 : 0, payP],
    [30, startDelegating],
    [isLate ? 22 : 16, startValidating],
    [14, toX],
    [14, fromX],
    [isNearC ? 32 : 0, toC],
    [isNearC ? 8 : 0, fromC],
    [time >= ages.banff ? 2 : 1, permitSomebody],
    [l1sOf(engine).length > 0 ? 4 : 0, tendL1],
  ])
}

export function fillX(
  engine: Engine,
  time: number,
  key: string | number,
  tempo: Tempo,
): Made<XTx> | undefined {
  const random = randomOf(engine.world.seed, 'X', key)
  const isNearC = tempo === 'recent'
  return draw(engine, time, random, [
    [60, payX],
    [10, operateX],
    [8, (...args) => exportCoinsX(...args, 'P')],
    [16, (...args) => fetchX(...args, 'P')],
    [isNearC ? 14 : 0, (...args) => exportCoinsX(...args, 'C')],
    [isNearC ? 4 : 0, (...args) => fetchX(...args, 'C')],
  ])
}

/** An ordinary atomic transaction of C: an import, or an export from the account. */
export function fillC(engine: Engine, time: number, key: string | number): Made<CTx> | undefined {
  const { world, state } = engine
  const random = randomOf(world.seed, 'C', key)
  const source = random.chance(0.6) ? 'P' : 'X'
  const isImport = random.chance(0.7)
  const offset = random.below(world.people.length)
  for (let index = 0; index < world.people.length; index += 1) {
    const person = (index + offset) % world.people.length
    const owner = world.people[person]?.keys[0]
    if (owner === undefined || (isImport && neverImporters.includes(person))) continue
    if (isImport) {
      const made = importC(engine, time, owner, source)
      if (made !== undefined) return made
      continue
    }
    const balance = state.accounts.get(owner.account)?.balance ?? 0n
    if (balance < 10n * oneAvax) continue
    const amount = (balance * BigInt(random.between(10, 70))) / 100n
    return exportC(engine, owner, source, amount, ownerOf([owner]))
  }
  return undefined
}
