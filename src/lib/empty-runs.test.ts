import { expect, test } from 'vitest'
import { blockRows } from './empty-runs.ts'

const block = (height: number, txCount: number, blockType?: string) => ({
  blockNumber: String(height),
  txCount,
  ...(blockType !== undefined && { blockType }),
})

/** "12", "3 empty 9–11", with "+" for a run that may go on. */
const text = (blocks: ReturnType<typeof block>[], more = false): string[] =>
  blockRows(blocks, more).map(({ blockNumber, run }) =>
    run ? `${run.count}${run.open ? '+' : ''} empty ${run.oldest}–${blockNumber}` : blockNumber,
  )

test('a run of empty blocks is one row in the place of its newest, a single one stays', () => {
  expect(text([block(9, 0), block(8, 0), block(7, 0), block(6, 3), block(5, 0), block(4, 1)])).toEqual([
    '3 empty 7–9',
    '6',
    '5',
    '4',
  ])
})

test('a run does not go over a missing height', () => {
  expect(text([block(9, 0), block(7, 0), block(6, 0)])).toEqual(['9', '2 empty 6–7'])
})

test('the last run may go on as long as there are more blocks', () => {
  const blocks = [block(9, 0), block(8, 0), block(7, 1), block(6, 0), block(5, 0)]
  expect(text(blocks, true)).toEqual(['2 empty 8–9', '7', '2+ empty 5–6'])
  expect(text(blocks, false)).toEqual(['2 empty 8–9', '7', '2 empty 5–6'])
})

test('a decision about a proposal is not an empty block', () => {
  const type = 'BanffStandardBlock'
  expect(
    text([
      block(9, 0, type),
      block(8, 0, 'BanffCommitBlock'),
      block(7, 0, 'ApricotAbortBlock'),
      block(6, 0, type),
      block(5, 0, type),
    ]),
  ).toEqual(['9', '8', '7', '2 empty 5–6'])
})

test('a block that is not folded is the same object, so that its row is not drawn again', () => {
  const one = block(9, 1)
  expect(blockRows([one], true)[0]).toBe(one)
})
