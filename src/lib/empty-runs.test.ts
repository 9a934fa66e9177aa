import { expect, test } from 'vitest'
import { blockRows, type BlockRow } from './empty-runs.ts'

const block = (height: number, txCount: number, blockType?: string) => ({
  blockNumber: String(height),
  txCount,
  ...(blockType !== undefined && { blockType }),
})

type Block = ReturnType<typeof block>

const rowsOf = (pages: Block[][], more = false): BlockRow<Block>[] => {
  const { count, at } = blockRows(pages, more)
  return Array.from({ length: count }, (_, place) => at(place)).filter((row) => row !== undefined)
}

/** "12", "3 empty 9–11", with "+" for a run that may go on. */
const textOfPages = (pages: Block[][], more = false): string[] =>
  rowsOf(pages, more).map(({ blockNumber, run }) =>
    run ? `${run.count}${run.open ? '+' : ''} empty ${run.oldest}–${blockNumber}` : blockNumber,
  )

const text = (blocks: Block[], more = false): string[] => textOfPages([blocks], more)

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
  expect(rowsOf([[one]], true)[0]).toBe(one)
})

test('the borders of pages make no difference', () => {
  const counts = [0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 1, 0, 0]
  const blocks = counts.map((txCount, index) => block(100 - index, txCount))
  const whole = ['3 empty 98–100', '97', '5 empty 92–96', '91', '90', '2+ empty 88–89']
  expect(text(blocks, true)).toEqual(whole)
  for (let size = 1; size < blocks.length; size += 1) {
    const pages = Array.from({ length: Math.ceil(blocks.length / size) }, (_, page) =>
      blocks.slice(page * size, (page + 1) * size),
    )
    expect(textOfPages(pages, true), `pages of ${size}`).toEqual(whole)
    // The same pages again, one after the other, as a list loads them.
    for (let loaded = 1; loaded <= pages.length; loaded += 1)
      expect(textOfPages(pages.slice(0, loaded), true)).toEqual(text(blocks.slice(0, loaded * size), true))
    expect(textOfPages([[], ...pages, []], true)).toEqual(whole)
  }
})

test('a page that comes again after other blocks continues their run', () => {
  const page = [block(9, 0), block(8, 1)]
  expect(textOfPages([page])).toEqual(['9', '8'])
  expect(textOfPages([[block(10, 0)], page])).toEqual(['2 empty 9–10', '8'])
  expect(textOfPages([[block(10, 3)], page])).toEqual(['10', '9', '8'])
})

test('folding more pages reads no block of those that were folded before', () => {
  let read = 0
  const counted = (height: number): Block => ({
    blockNumber: String(height),
    get txCount() {
      read += 1
      return height % 7 === 0 ? 1 : 0
    },
  })
  const pages = Array.from({ length: 50 }, (_, page) =>
    Array.from({ length: 20 }, (_row, index) => counted(5_000 - page * 20 - index)),
  )
  blockRows(pages, true)
  read = 0
  blockRows([...pages, [counted(4_000), counted(3_999)]], true)
  expect(read).toBeLessThan(10)
  expect(read).toBeGreaterThan(0)
})
