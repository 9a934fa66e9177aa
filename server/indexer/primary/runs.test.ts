import { describe, expect, it } from 'vitest'
import { fillRun, runBlocks, writeRuns } from './runs.ts'

/** Hands out numbers, and undefined behind the last one. */
function numbers(last: number): () => Promise<number | undefined> {
  let next = 1
  return () => Promise.resolve(next <= last ? next++ : undefined)
}

describe('runs', () => {
  it('are written in order, each while the next one is gathered', async () => {
    const events: string[] = []
    const gather = numbers(3)
    await writeRuns(
      async () => {
        const run = await gather()
        events.push(`gathered ${run ?? 'none'}`)
        return run
      },
      async (run) => {
        events.push(`begun ${run}`)
        await new Promise((resolve) => setImmediate(resolve))
        events.push(`written ${run}`)
      },
    )
    expect(events).toEqual([
      'gathered 1',
      'begun 1',
      'gathered 2',
      'written 1',
      'begun 2',
      'gathered 3',
      'written 2',
      'begun 3',
      'gathered none',
      'written 3',
    ])
  })

  it('end with the first failure, and with nothing under way', async () => {
    let underWay = 0
    const write = async (run: number): Promise<void> => {
      underWay += 1
      await new Promise((resolve) => setImmediate(resolve))
      underWay -= 1
      if (run === 2) throw new Error('not written')
    }
    await expect(writeRuns(numbers(5), write)).rejects.toThrow('not written')
    expect(underWay).toBe(0)
    const gather = numbers(5)
    const failing = async (): Promise<number | undefined> => {
      const run = await gather()
      if (run === 2) throw new Error('not gathered')
      return run
    }
    await expect(writeRuns(failing, write)).rejects.toThrow('not gathered')
    expect(underWay).toBe(0)
  })

  it('are filled up to their blocks, and no further', async () => {
    let left = runBlocks + 10
    const take = (limit: number): Promise<number[]> => {
      const count = Math.min(limit, 1_000, left)
      left -= count
      return Promise.resolve(Array.from({ length: count }, () => 1))
    }
    const nothing = (): Promise<void> => Promise.resolve()
    expect(await fillRun(take, (size) => size, nothing)).toBe(runBlocks)
    expect(await fillRun(take, (size) => size, nothing)).toBe(10)
    expect(await fillRun(take, (size) => size, nothing)).toBe(0)
  })
})
