import { describe, expect, test } from 'vitest'
import { foldFeed, type ChainBlocks } from './fold.ts'

type Block = { blockNumber: string; blockTimestamp: number; txCount: number }

const block = (height: number, time: number, txCount: number): Block => ({
  blockNumber: String(height),
  blockTimestamp: time,
  txCount,
})

/** "a 12", "a 3 empty 9–11", with "+" for a run that may go on. */
const text = (chains: ChainBlocks<Block>[], max = 20): string[] =>
  foldFeed(chains, max).map(({ chainId, newest, oldest, count, open }) =>
    count === 1
      ? `${chainId} ${newest.blockNumber}`
      : `${chainId} ${count}${open ? '+' : ''} empty ${oldest.blockNumber}–${newest.blockNumber}`,
  )

describe('the feed of all chains', () => {
  test('is in order of time over the chains', () => {
    expect(
      text([
        { chainId: 'a', blocks: [block(9, 50, 1), block(8, 30, 2)] },
        { chainId: 'b', blocks: [block(4, 60, 1), block(3, 40, 5)] },
      ]),
    ).toEqual(['b 4', 'a 9', 'b 3', 'a 8'])
  })

  test('folds a run of empty blocks, also across blocks of other chains', () => {
    expect(
      text([
        {
          chainId: 'a',
          blocks: [block(9, 50, 0), block(8, 40, 0), block(7, 30, 0), block(6, 20, 3), block(5, 10, 0)],
        },
        { chainId: 'b', blocks: [block(4, 45, 1)] },
      ]),
    ).toEqual(['a 3 empty 7–9', 'b 4', 'a 6', 'a 5'])
  })

  test('keeps a single empty block and does not fold over a missing height', () => {
    expect(
      text([{ chainId: 'a', blocks: [block(9, 50, 0), block(7, 40, 0), block(6, 30, 0), block(5, 20, 1)] }]),
    ).toEqual(['a 9', 'a 2 empty 6–7', 'a 5'])
  })

  test('marks the run that ends with what was loaded, but not at the first block', () => {
    expect(text([{ chainId: 'a', blocks: [block(9, 50, 1), block(8, 40, 0), block(7, 30, 0)] }])).toEqual([
      'a 9',
      'a 2+ empty 7–8',
    ])
    expect(text([{ chainId: 'a', blocks: [block(1, 50, 0), block(0, 40, 0)] }])).toEqual(['a 2 empty 0–1'])
  })

  test('has at most the rows that are asked for', () => {
    const blocks = Array.from({ length: 9 }, (_, index) => block(20 - index, 100 - index, 1))
    expect(text([{ chainId: 'a', blocks }], 3)).toEqual(['a 20', 'a 19', 'a 18'])
    expect(text([{ chainId: 'a', blocks: [] }])).toEqual([])
  })
})
