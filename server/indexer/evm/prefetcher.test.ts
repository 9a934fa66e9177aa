import { expect, test } from 'vitest'
import type { DecodedBlock } from './decode.ts'
import { Prefetcher } from './prefetcher.ts'

const empty = Buffer.alloc(0)

/** A block with only the fields that the prefetcher reads. */
const blockAt = (number: number): DecodedBlock =>
  ({
    number,
    movements: 0,
    rows: { transactions: empty, logs: empty, calls: empty, contracts: empty },
  }) as unknown as DecodedBlock

type Settle = { resolve(block: DecodedBlock): void; reject(error: Error): void }

/** A prefetcher of blocks 1 to 9 whose fetches the test completes by hand. */
function prefetcher() {
  const fetches = new Map<number, Settle>()
  const queue = new Prefetcher<DecodedBlock>({
    from: 1,
    to: 9,
    concurrency: 9,
    onDepth: () => undefined,
    fetch(number) {
      return new Promise((resolve, reject) => {
        fetches.set(number, { resolve, reject })
      })
    },
  })
  return {
    queue,
    come: (...numbers: number[]) =>
      numbers.forEach((number) => fetches.get(number)?.resolve(blockAt(number))),
    fail: (number: number) => fetches.get(number)?.reject(new Error(`no ${number}`)),
  }
}

const limits = { blocks: 4, bytes: 1_000_000, wait: 60_000 }
const numbersOf = async (taken: Promise<DecodedBlock[]>): Promise<number[]> =>
  (await taken).map(({ number }) => number)

test('a run waits until it is full, and takes blocks in order', async () => {
  const { queue, come } = prefetcher()
  const taken = numbersOf(queue.take(limits))
  come(3, 2, 5)
  come(1)
  come(4)
  expect(await taken).toEqual([1, 2, 3, 4])
})

test('a run without waiting takes the blocks that are ready', async () => {
  const { queue, come } = prefetcher()
  come(1, 2, 4)
  expect(await numbersOf(queue.take({ ...limits, wait: 0 }))).toEqual([1, 2])
})

test('a failure ends the run before it, and is thrown by the next one', async () => {
  const { queue, come, fail } = prefetcher()
  const taken = numbersOf(queue.take(limits))
  come(1, 2)
  fail(3)
  expect(await taken).toEqual([1, 2])
  await expect(queue.take(limits)).rejects.toThrow('no 3')
})
