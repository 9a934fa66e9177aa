import { type Hex, decodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { artefacts } from '../contracts/artefacts.ts'
import { accountsOf, type ChainPlan, chainPlans } from './chains.ts'
import { createGenerator, type GeneratedBlock } from './generator.ts'
import { firstState } from './state.ts'
import { effectAt, historyTimes, timelineOf } from './story.ts'

const now = 1_773_837_000

function accountsFor(plan: ChainPlan): Hex[] {
  return Array.from(
    { length: accountsOf(plan) },
    (_, index): Hex => `0x${String(index + 1).padStart(40, '0')}`,
  )
}

function history(planIndex: number, seed: number, hours = 2160): { at: number; block: GeneratedBlock }[] {
  const plan = chainPlans[planIndex]
  if (plan === undefined) throw new Error('no such plan')
  const timeline = timelineOf(plan, now, hours)
  const generator = createGenerator(plan, timeline, accountsFor(plan), seed)
  let state = firstState(plan)
  return historyTimes(plan, timeline, seed).map((at) => {
    const block = generator.next(state, { at })
    state = block.state
    return { at, block }
  })
}

function callsOf(blocks: readonly { block: GeneratedBlock }[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const { block } of blocks) {
    for (const { data, to } of block.requests) {
      const name = data === undefined ? 'pay' : to === undefined ? 'deployment' : nameOf(data)
      found.set(name, (found.get(name) ?? 0) + 1)
    }
  }
  return found
}

const names = new Map<string, string>()

function nameOf(data: Hex): string {
  const known = names.get(data.slice(0, 10))
  if (known !== undefined) return known
  for (const { abi } of Object.values(artefacts)) {
    try {
      const { functionName } = decodeFunctionData({ abi, data })
      names.set(data.slice(0, 10), functionName)
      return functionName
    } catch {
      // A function of another contract.
    }
  }
  throw new Error(`no contract has ${data.slice(0, 10)}`)
}

describe('the generator', () => {
  const c = history(0, 1)

  test('gives the same transactions for the same seed and different ones for another', () => {
    const requests = (seed: number): string =>
      JSON.stringify(history(1, seed, 300).map(({ block }) => block.requests))
    expect(requests(5)).toBe(requests(5))
    expect(requests(5)).not.toBe(requests(6))
  })

  test('sends at most one transaction per account and block, with rising nonces and distinct prices', () => {
    const nonces = new Map<string, number>()
    for (const { block } of c) {
      const senders = block.requests.map(({ from }) => from ?? '')
      expect(new Set(senders).size).toBe(senders.length)
      const prices = block.requests.map((request) => request['gasPrice'] ?? request['maxFeePerGas'])
      expect(new Set(prices).size).toBe(prices.length)
      for (const request of block.requests) {
        const sender = request['from'] ?? ''
        expect(Number(request['nonce'])).toBe(nonces.get(sender) ?? 0)
        nonces.set(sender, Number(request['nonce']) + 1)
        const max = Number(request['gasPrice'] ?? request['maxFeePerGas'])
        expect(max).toBeGreaterThan(block.baseFee)
      }
    }
    expect(nonces.size).toBeGreaterThan(220)
  })

  test('calls every function of the contracts', () => {
    const names = new Set([
      ...callsOf(c).keys(),
      ...callsOf(history(1, 1)).keys(),
      ...callsOf(history(2, 1)).keys(),
    ])
    const expected = `pay deployment claim transfer approve transferFrom burn payAll mint mintBatch
      setApprovalForAll safeTransferFrom safeBatchTransferFrom split caught create create2 createMany rehearse
      createAndUndo withReason withError withoutReason withAssert withDivision withIndex withoutEnd withInvalid`
    for (const name of expected.split(/\s+/)) {
      expect(names, name).toContain(name)
    }
  })

  test('applies the incidents', () => {
    const plan = chainPlans[0]
    if (plan === undefined) throw new Error('no plan')
    const timeline = timelineOf(plan, now, 2160)
    const within = (test: (effect: ReturnType<typeof effectAt>) => boolean): typeof c =>
      c.filter(({ at }) => test(effectAt(plan, timeline, at)))
    expect(within((effect) => effect.quiet === true).flatMap(({ block }) => block.requests)).toEqual([])
    const usual = Math.max(
      ...within((effect) => effect.feeTimes === undefined).map(({ block }) => block.baseFee),
    )
    for (const { block } of within((effect) => effect.feeTimes !== undefined)) {
      expect(block.baseFee).toBeGreaterThan(8 * usual)
    }
    const failing = callsOf(within((effect) => effect.failing !== undefined))
    const sum = [...failing]
      .filter(([name]) => name.startsWith('with'))
      .reduce((total, [, count]) => total + count, 0)
    expect(sum).toBeGreaterThan(0.4 * [...failing.values()].reduce((total, count) => total + count, 0))
    const crowds = within((effect) => effect.airdrop !== undefined).map(
      ({ block }) => block.requests.filter(({ data }) => (data?.length ?? 0) > 9_000).length,
    )
    expect(crowds.length).toBeGreaterThan(3)
    expect(new Set(crowds)).toEqual(new Set([1]))
  })

  test('sends no special transactions during incidents and right after another block', () => {
    const plan = chainPlans[0]
    if (plan === undefined) throw new Error('no plan')
    const timeline = timelineOf(plan, now, 2160)
    // The accounts of these tests are numbered in decimal digits.
    const isMaker = ({ from }: Readonly<Record<string, string>>): boolean =>
      Number(from?.slice(2)) > plan.accounts
    const busy = c.filter(({ block }) => block.requests.some(isMaker))
    expect(busy.length).toBeGreaterThan(400)
    for (const { at } of busy) expect(effectAt(plan, timeline, at)).toEqual({})
    const times = c.map(({ at }) => at)
    const gaps = busy.map(({ at }) => at - (times[times.indexOf(at) - 1] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(120)
  })

  test('continues after the history as the same hours of its weeks were', () => {
    const hour = 3600
    const past = new Map<number, number>()
    const live = new Map<number, number>()
    const add = (to: Map<number, number>, at: number, count: number): void =>
      void to.set(Math.floor(at / hour), (to.get(Math.floor(at / hour)) ?? 0) + count)
    let end = 0
    for (const [index, plan] of chainPlans.entries()) {
      const timeline = timelineOf(plan, now, 2160)
      end = timeline.end / hour
      const blocks = history(index, 1)
      for (const { at, block } of blocks) add(past, at, block.requests.length)
      const generator = createGenerator(plan, timeline, accountsFor(plan), 1)
      let state = blocks.at(-1)?.block.state ?? firstState(plan)
      // How many blocks there are must not matter.
      for (let at = timeline.end; at < timeline.end + 7 * 24 * hour;) {
        at += at < timeline.end + 2 * hour ? 4 : 900
        const block = generator.next(state, { at })
        state = block.state
        add(live, at - 1, block.requests.length)
      }
    }
    expect(live.size).toBe(7 * 24)
    for (const [at, count] of live) {
      const weeks = [1, 2, 3, 4].map((week) => past.get(at - 168 * week) ?? 0)
      // Chance in the past counts for much where an hour has only a few.
      const what = `hour ${at - end}, before ${weeks.join(' ')}`
      expect(count, what).toBeLessThanOrEqual(2 * Math.max(...weeks) + 4)
      expect(count, what).toBeGreaterThanOrEqual(Math.min(...weeks) / 2 - 4)
    }
    const sum = (counts: ReadonlyMap<number, number>, from: number): number =>
      Array.from({ length: 24 }, (_, index) => counts.get(from + index) ?? 0).reduce(
        (all, each) => all + each,
        0,
      )
    for (let day = 0; day < 7; day += 1) {
      const ratio = sum(live, end + 24 * day) / sum(past, end + 24 * (day - 7))
      expect(ratio, `day ${day}`).toBeGreaterThan(0.6)
      expect(ratio, `day ${day}`).toBeLessThan(1.6)
    }
  })

  test('transfers the special tokens in live blocks too', () => {
    const plan = chainPlans[0]
    if (plan === undefined) throw new Error('no plan')
    const timeline = timelineOf(plan, now, 2160)
    const generator = createGenerator(plan, timeline, accountsFor(plan), 1)
    let state = c.at(-1)?.block.state ?? firstState(plan)
    const blocks: { block: GeneratedBlock }[] = []
    for (let index = 1; index <= 3000; index += 1) {
      const block = generator.next(state, { at: timeline.end + 1200 * index })
      state = block.state
      blocks.push({ block })
    }
    const names = new Set(callsOf(blocks).keys())
    for (const name of [
      'rebase',
      'announce',
      'safeBatchTransferFrom',
      'burnBatch',
      'turn',
      'setUri',
      'clone',
    ])
      expect(names, name).toContain(name)
  })

  test('varies branches by salt and keeps the first transactions of a block with `take`', () => {
    const plan = chainPlans[0]
    if (plan === undefined) throw new Error('no plan')
    const timeline = timelineOf(plan, now, 48)
    const accounts = Array.from(
      { length: accountsOf(plan) },
      (_, index): Hex => `0x${String(index).padStart(40, '0')}`,
    )
    const generator = createGenerator(plan, timeline, accounts, 1)
    const state = { ...firstState(plan), deployments: [0, 1, 2] }
    const order = { at: timeline.end, count: 6 } as const
    const whole = generator.next(state, order)
    expect(whole.requests).toHaveLength(6)
    expect(generator.next(state, { ...order, take: 2 }).requests).toEqual(whole.requests.slice(0, 2))
    expect(generator.next(state, { ...order, salt: 1 }).requests).not.toEqual(whole.requests)
    expect(state.step).toBe(0)
  })
})
