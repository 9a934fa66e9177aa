import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../testing/database.ts'
import { idBytes } from '../../../testing/primary-rows.ts'
import { RetryableError } from '../../../kernel/errors.ts'
import { StoreSession } from '../../../store/session.ts'
import { Batch } from './batch.ts'
import { createStats } from '../../../kernel/indexer-stats.ts'
import { ProgressMeter } from '../../../kernel/progress-meter.ts'
import { keyOf } from './rows.ts'
import { fillRun, runBlocks, writeBlocks, writeRuns } from './runs.ts'

const chain = 12

/** Yields numbers, then undefined. */
function numbers(last: number): () => Promise<number | undefined> {
  let next = 1
  return () => Promise.resolve(next <= last ? next++ : undefined)
}

/** A meter whose window is never full. */
const meter = (): ProgressMeter => new ProgressMeter(createStats(), () => Promise.resolve(), Infinity)

describe('runs', () => {
  test('are written in order, each while the next one is gathered', async () => {
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
      meter(),
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

  test('end with the first failure, after all pending work', async () => {
    let underWay = 0
    const write = async (run: number): Promise<void> => {
      underWay += 1
      await new Promise((resolve) => setImmediate(resolve))
      underWay -= 1
      if (run === 2) throw new Error('not written')
    }
    await expect(writeRuns(numbers(5), write, meter())).rejects.toThrow('not written')
    expect(underWay).toBe(0)
    const gather = numbers(5)
    const failing = async (): Promise<number | undefined> => {
      const run = await gather()
      if (run === 2) throw new Error('not gathered')
      return run
    }
    await expect(writeRuns(failing, write, meter())).rejects.toThrow('not gathered')
    expect(underWay).toBe(0)
  })

  test('are filled up to their block limit', async () => {
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

  test('are written after the block that they follow, and after no other', async () => {
    const { database, drop } = await createTestDatabase()
    const session = new StoreSession(database, -chain, new AbortController().signal)
    const write = (height: number, before: string): Promise<void> => {
      const id = idBytes(`block ${height}`)
      const batch = new Batch(chain)
      const rest = Array.from({ length: 9 }, () => null)
      batch.add('primary_blocks', [chain, height, height, id, idBytes(before), null, 100, 0, ...rest])
      const rows = {
        batch,
        before: { height: height - 1, id: height === 0 ? '' : keyOf(idBytes(before)) },
        cursor: { height, id: keyOf(id), ts: height },
      }
      return writeBlocks(session, chain, rows, height)
    }
    try {
      await write(0, 'nothing')
      await write(1, 'block 0')
      await expect(write(2, 'another block 1')).rejects.toThrow(RetryableError)
      await expect(write(3, 'block 2')).rejects.toThrow(RetryableError)
      const stored = await database<{ height: bigint }[]>`
        select height from primary_blocks where chain = ${chain} order by height`
      expect(stored.map(({ height }) => height)).toEqual([0n, 1n])
    } finally {
      await session.close()
      await drop()
    }
  })
})
