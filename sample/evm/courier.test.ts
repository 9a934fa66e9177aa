import { type Hex, decodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { artefacts } from '../contracts/artefacts.ts'
import { accountsOf, type ChainPlan, chainPlans } from './chains.ts'
import { messagesByBlock } from './courier.ts'
import { createGenerator } from './generator.ts'
import type { BlockOrder } from './order.ts'
import { firstState } from './state.ts'
import { effectAt, historyTimes, timelineOf } from './story.ts'

const now = 1_773_837_000

function planOf(key: string): ChainPlan {
  const found = chainPlans.find((plan) => plan.key === key)
  if (found === undefined) throw new Error(`no chain ${key}`)
  return found
}

/** The transactions of a chain's last account, by block. */
function sends(plan: ChainPlan, orders: readonly BlockOrder[]): (Hex | undefined)[] {
  const timeline = timelineOf(plan, now, 2160)
  const accounts = Array.from(
    { length: accountsOf(plan) },
    (_, index): Hex => `0x${String(index + 1).padStart(40, '0')}`,
  )
  const generator = createGenerator(plan, timeline, accounts, 1)
  let state = firstState(plan)
  return orders.map((order) => {
    const block = generator.next(state, order)
    state = block.state
    return block.requests.find(({ from }) => from === accounts.at(-1))?.['data']
  })
}

describe('the account for messages to other chains', () => {
  test.each(['c', 'meridian', 'harbor'])(
    'of %s sends nothing during incidents and peaks of the history',
    (key) => {
      const plan = planOf(key)
      const timeline = timelineOf(plan, now, 2160)
      const times = historyTimes(plan, timeline, 1)
      const sent = sends(
        plan,
        times.map((at) => ({ at })),
      )
      const busy = times.filter((_, index) => sent[index] !== undefined)
      expect(busy.length).toBeGreaterThan(10)
      expect(busy.length).toBeLessThan(times.length / 15)
      for (const time of busy) {
        expect(effectAt(plan, timeline, time)).toEqual({})
        const before = times[times.indexOf(time) - 1] ?? 0
        expect(time - before).toBeGreaterThanOrEqual(120)
      }
    },
  )

  test('sends as many messages in live blocks as in the history, whatever the number of blocks', () => {
    const start = timelineOf(planOf('c'), now, 2160).end + 60
    for (const every of [120, 900]) {
      const orders = Array.from({ length: (30 * 86_400) / every }, (_, index) => ({
        at: start + every * index,
      }))
      const count = sends(planOf('c'), orders).filter((data) => data !== undefined).length
      // One hour in thirty, for thirty days.
      expect(count).toBeGreaterThan(10)
      expect(count).toBeLessThan(45)
    }
  })

  test("sends the manager's messages of an L1 before the P-Chain includes them, in quiet blocks only", () => {
    const plan = planOf('meridian')
    const timeline = timelineOf(plan, now, 2160)
    const times = historyTimes(plan, timeline, 1)
    const moments = Array.from(
      { length: 40 },
      (_, index) => timeline.start + ((timeline.end - timeline.start) * (index + 2)) / 42,
    )
    const messages = messagesByBlock(
      plan,
      timeline,
      times,
      moments.map((time, index) => ({ time, payload: `0x${index.toString(16).padStart(2, '0')}` })),
    )
    for (const [index, payloads] of messages) {
      const at = times[index] ?? 0
      expect(effectAt(plan, timeline, at)).toEqual({})
      for (const payload of payloads) expect(moments[Number(payload)]).toBeGreaterThanOrEqual(at)
    }
    const all = [...messages].sort(([a], [b]) => a - b).flatMap(([, payloads]) => payloads)
    expect(all.map(Number)).toEqual(moments.map((_, index) => index))
    const [[index, payloads] = [0, []]] = messages
    const [data = '0x'] = sends(plan, [{ at: times[index] ?? 0, tell: payloads }])
    const { functionName, args } = decodeFunctionData({ abi: artefacts.ValidatorManager.abi, data })
    expect([functionName, args]).toEqual(['tell', [payloads]])
  })
})
