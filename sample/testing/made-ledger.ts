import { chainPlans } from '../evm/chains.ts'
import { historyTimes, type Timeline, timelineOf } from '../evm/story.ts'
import { createEngine, type Engine } from '../primary/engine/engine.ts'
import { foundNetwork } from '../primary/engine/first-state.ts'
import { foundingsOf, networkIds } from '../primary/founding.ts'
import { type HistoryPlan, makeHistory } from '../primary/history/history.ts'
import { type World, worldOf } from '../primary/world.ts'

/** The end of generated test histories, Unix seconds. */
const testNow = 1_795_246_000

/** World and plan of the network with less random activity. */
export function testPlan(
  seed: number,
  hours: number,
  density: number,
): { readonly world: World; readonly plan: HistoryPlan } {
  const lines = new Map<string, Timeline>(
    chainPlans.map((plan) => [plan.key, timelineOf(plan, testNow, hours)]),
  )
  const line = (key: string): Timeline => lines.get(key) ?? { start: 0, end: 0, blocks: 0 }
  const { meridian, harbor } = foundingsOf()
  const world = worldOf(seed, line('c').end, networkIds, [meridian.founder, harbor.founder])
  const [c] = chainPlans
  const cTimes = c === undefined ? [] : historyTimes(c, line('c'), seed)
  const starts = { meridian: line('meridian').start, harbor: line('harbor').start }
  return { world, plan: { starts, cTimes, density } }
}

/** A generated history for tests. */
export async function testHistory(seed = 1, hours = 2160, density = 0.15): Promise<Engine> {
  const { world, plan } = testPlan(seed, hours, density)
  const engine = createEngine(world, foundNetwork(world))
  await makeHistory(engine, plan, () => undefined, new AbortController().signal)
  return engine
}
