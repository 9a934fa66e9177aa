import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import type { EvmBlock } from '../../contract/evm-blocks.ts'
import { DataTable } from '../../src/components/table/data-table.tsx'
import { pagedRows } from '../../src/lib/paging.ts'
import { blockColumns } from '../../src/pages/parts/block-columns.tsx'
import '../../src/styles/index.css'

const perPage = 100
const hash = (number: number): string => `0x${number.toString(16).padStart(64, 'a')}`

function block(number: number): EvmBlock {
  return {
    blockNumber: String(number),
    blockTimestamp: 1_760_000_000 + number,
    blockHash: hash(number),
    parentHash: hash(number - 1),
    chainId: '43113',
    txCount: number % 40,
    baseFee: '25000000000',
    gasUsed: String((number % 40) * 21_000),
    gasLimit: '30000000',
    gasCost: '0',
    feesSpent: String((number % 40) * 21_000 * 25),
    cumulativeTransactions: String(number * 20),
  }
}

const columns = blockColumns({
  chainId: '43113',
  name: 'C-Chain',
  symbol: 'AVAX',
  decimals: 18,
  index: 0,
})

function show(rows: number): void {
  const pages = Array.from({ length: rows / perPage }, (_, page) =>
    Array.from({ length: perPage }, (_row, index) => block(rows - page * perPage - index)),
  )
  createRoot(document.getElementById('root') ?? document.body).render(
    <MemoryRouter>
      <DataTable
        id="bench"
        label="Blocks"
        noun="block"
        columns={columns}
        rows={pagedRows(pages)}
        rowKey={(row) => row.blockHash}
        rowHref={(row) => `/block/${row.blockNumber}`}
      />
    </MemoryRouter>,
  )
}

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))

/** Shows so many rows in pages of 100, and waits until the window's rows are drawn. */
async function fill(rows: number): Promise<void> {
  show(rows)
  while (document.body.scrollHeight < rows * 20 || document.querySelectorAll('tbody tr').length === 0)
    await nextFrame()
}

/** Frame times in milliseconds while the page scrolls by `step` pixels a frame from `from`, a share of its height. */
async function scroll(from: number, step: number, moves: number): Promise<number[]> {
  window.scrollTo(0, document.body.scrollHeight * from)
  for (let wait = 0; wait < 10; wait += 1) await nextFrame()
  const frames: number[] = []
  let before = await nextFrame()
  for (let move = 0; move < moves; move += 1) {
    window.scrollBy(0, step)
    const now = await nextFrame()
    frames.push(now - before)
    before = now
  }
  return frames
}

/** The first row on the screen, and whether the window is filled with rows. */
function seen(): { first: string; drawn: number } {
  const rows = [...document.querySelectorAll('tbody tr')].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect()
    return bottom > 0 && top < window.innerHeight
  })
  return { first: rows[0]?.textContent ?? '', drawn: rows.length }
}

declare global {
  interface Window {
    table: { fill: typeof fill; scroll: typeof scroll; seen: typeof seen }
  }
}
window.table = { fill, scroll, seen }
