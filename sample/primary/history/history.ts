import { setImmediate as breathe } from 'node:timers/promises'
import { createMoments, type Moments } from '../../kernel/moments.ts'
import { randomOf } from '../../kernel/random.ts'
import type { Engine } from '../engine/engine.ts'
import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import type { World } from '../world.ts'
import { fillC, fillP, fillX, type Tempo } from './filler.ts'
import {
  earlySteps,
  foundingSteps,
  lateSteps,
  leftSteps,
  memberSteps,
  type Notes,
  type Step,
} from './script.ts'
import { l1Steps } from './script-l1.ts'
import { renewalSteps } from './script-renewal.ts'
import { shortSteps } from './script-short.ts'
import { assetSteps, elasticSteps } from './script-x.ts'

/** Constraints of the history: the EVM side's times in Unix seconds, and the density. */
export type HistoryPlan = {
  readonly starts: { readonly meridian: number; readonly harbor: number }
  /** Times of the C-Chain's blocks 1 to n. */
  readonly cTimes: readonly number[]
  /** 1 for the full history; less omits a part of the ordinary transactions. */
  readonly density: number
}

/** Number of ordinary blocks in a full history. */
const pSlots = 1_100
const xSlots = 1_750
/** Additional blocks while the C-Chain has blocks, so that the newest months are livelier. */
const recentP = 330
const recentX = 200
/** Share of the C-Chain's blocks with atomic transactions; it has one block an hour. */
const cShare = 0.11

/** A number of ordinary blocks of a chain, spread evenly from `from`, in Unix seconds, to the end of the history. */
type Slots = { readonly kind: 'P' | 'X'; readonly count: number; readonly from: number }

function slotsOf({ ages }: World, plan: HistoryPlan): readonly Slots[] {
  const recent = Math.max(ages.start + 86_400, plan.cTimes[0] ?? ages.end)
  const slots: readonly Slots[] = [
    { kind: 'P', count: pSlots, from: ages.start + 3_600 },
    { kind: 'X', count: xSlots, from: ages.start + 4 * 86_400 },
    { kind: 'P', count: recentP, from: recent },
    { kind: 'X', count: recentX, from: recent },
  ]
  return slots.map((each) => ({ ...each, count: Math.round(each.count * plan.density) }))
}

/**
 * The moments after the history of the ordinary blocks of P and X, and of the atomic transactions of C: an hour has as
 * many as the newest part of the history has, so that charts go on as they were, whatever the age of the network.
 */
export function liveMomentsOf(world: World, plan: HistoryPlan): Readonly<Record<ChainAlias, Moments>> {
  const { ages, seed } = world
  const perHourOf = (chain: 'P' | 'X'): number =>
    slotsOf(world, plan)
      .filter(({ kind, from }) => kind === chain && from < ages.end)
      .reduce((sum, { count, from }) => sum + (3_600 * count) / (ages.end - from), 0)
  const moments = (chain: ChainAlias, perHour: number): Moments =>
    createMoments(ages.end, () => perHour, seed, chain)
  return {
    P: moments('P', perHourOf('P')),
    X: moments('X', perHourOf('X')),
    C: moments('C', cShare),
  }
}

type Event =
  | { readonly time: number; readonly order: number; readonly kind: 'step'; readonly step: Step }
  | { readonly time: number; readonly order: number; readonly kind: 'P' | 'X'; readonly index: number }
  | { readonly time: number; readonly order: number; readonly kind: 'C'; readonly height: number }

/** Coins exported to C are imported soon only while C has blocks: in the newest part of the history. */
function tempoAt(plan: HistoryPlan, time: number): Tempo {
  const first = plan.cTimes[0]
  return first !== undefined && time > first - 3 * 86_400 ? 'recent' : 'years'
}

function eventsOf(engine: Engine, plan: HistoryPlan): Event[] {
  const { world } = engine
  const { ages, seed } = world
  const notes: Notes = { ids: new Map() }
  const steps = [
    ...earlySteps(world, notes),
    ...memberSteps(world, notes),
    ...lateSteps(world),
    ...leftSteps(world),
    ...foundingSteps(world, notes, plan.starts),
    ...assetSteps(world, notes),
    ...elasticSteps(world, notes),
    ...l1Steps(world, notes, plan.starts.meridian),
    ...renewalSteps(world),
    ...shortSteps(world, plan.density),
  ]
  const events: Event[] = steps.map((step) => ({ time: step.at, order: 0, kind: 'step', step }))
  let slot = 0
  for (const { kind, count, from } of slotsOf(world, plan)) {
    for (let place = 0; place < count; place += 1) {
      const index = slot++
      const noise = randomOf(seed, kind, 'time', index).next()
      const time = from + Math.floor(((place + 0.1 + 0.8 * noise) / count) * (ages.end - from))
      events.push({ time, order: kind === 'P' ? 1 : 2, kind, index })
    }
  }
  plan.cTimes.forEach((time, index) => {
    const height = index + 1
    // The first blocks have nothing to import yet; block 5 has atomic transactions in every history.
    if (height === 5 || (height > 2 && randomOf(seed, 'C', 'carries', height).chance(cShare))) {
      events.push({ time, order: 3, kind: 'C', height })
    }
  })
  return events.filter(({ time }) => time < ages.end).sort((a, b) => a.time - b.time || a.order - b.order)
}

/** One ordinary P block: usually one transaction, sometimes several independent ones. */
export function ordinaryP(engine: Engine, time: number, key: string | number, tempo: Tempo): boolean {
  engine.advance(time)
  const made = fillP(engine, time, key, tempo)
  if (made === undefined) return false
  engine.blockP(time, [made])
  return true
}

export function ordinaryX(engine: Engine, time: number, key: string | number, tempo: Tempo): boolean {
  const made = fillX(engine, time, key, tempo)
  if (made === undefined) return false
  engine.blockX(time, [made])
  return true
}

/** The atomic transactions of one C block. */
export function ordinaryC(engine: Engine, height: number, time: number): boolean {
  const made = fillC(engine, time, height)
  if (made === undefined) return false
  engine.blockC(height, time, [made])
  return true
}

function take(engine: Engine, plan: HistoryPlan, event: Event): void {
  const { time } = event
  switch (event.kind) {
    case 'step': {
      const { p, x } = event.step
      if (p !== undefined) {
        engine.advance(time)
        const made = p(engine, time)
        if (made !== undefined) engine.blockP(time, [made])
      }
      if (x !== undefined) {
        if (time >= engine.world.ages.cortina) engine.linearise()
        const made = x(engine, time)
        if (made !== undefined) engine.blockX(time, [made])
      }
      return
    }
    case 'P':
      ordinaryP(engine, time, event.index, tempoAt(plan, time))
      return
    case 'X':
      ordinaryX(engine, time, event.index, tempoAt(plan, time))
      return
    default:
      ordinaryC(engine, event.height, time)
  }
}

const sliceMs = 15

/**
 * Makes the years before the network's `end`. Yields to other work every few milliseconds. Returns false if
 * `stop` ended it early; the state must then be discarded.
 */
export async function makeHistory(
  engine: Engine,
  plan: HistoryPlan,
  progress: (done: number, total: number) => void,
  stop: AbortSignal,
): Promise<boolean> {
  const events = eventsOf(engine, plan)
  let breath = performance.now()
  for (const [index, event] of events.entries()) {
    if (stop.aborted) return false
    take(engine, plan, event)
    if (performance.now() - breath < sliceMs) continue
    progress(index, events.length)
    await breathe()
    breath = performance.now()
  }
  engine.linearise()
  engine.advance(engine.world.ages.end)
  engine.state.cHeight = plan.cTimes.length
  progress(events.length, events.length)
  return true
}
