import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import type { EvmBlock } from '../../contract/evm/blocks.ts'
import { DataTable } from '../../src/components/table/data-table.tsx'
import { blockRows } from '../../src/lib/empty-runs.ts'
import { pagedRows } from '../../src/lib/paging.ts'
import { blockColumns } from '../../src/pages/evm/block-columns.tsx'
import { rowsDrawn, rowsSeen, scrollFrames } from '../support/page-frames.ts'
import { fleetOf } from './fleet.tsx'
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

const pagesOf = (rows: number): EvmBlock[][] =>
  Array.from({ length: rows / perPage }, (_, page) =>
    Array.from({ length: perPage }, (_row, index) => block(rows - page * perPage - index)),
  )

function show(content: ReactNode): void {
  createRoot(document.getElementById('root') ?? document.body).render(<MemoryRouter>{content}</MemoryRouter>)
}

function blocks(rows: number): ReactNode {
  return (
    <DataTable
      id="bench"
      label="Blocks"
      noun="block"
      columns={columns}
      rows={pagedRows(pagesOf(rows))}
      rowKey={(row) => row.blockHash}
      rowHref={(row) => `/block/${row.blockNumber}`}
    />
  )
}

/** Shows so many rows in pages of 100, and waits until the window's rows are drawn. */
async function fill(rows: number): Promise<void> {
  show(blocks(rows))
  await rowsDrawn(rows)
}

/**
 * Milliseconds to fold the runs of empty blocks of a list of so many rows: all of them, and when one more page has come.
 * Three blocks of four are empty.
 */
function fold(rows: number): { all: number; more: number } {
  const pages = pagesOf(rows).map((page) =>
    page.map((one) => ({ ...one, txCount: Math.max(0, one.txCount - 30) })),
  )
  const timed = (loaded: readonly (readonly EvmBlock[])[]): number => {
    const began = performance.now()
    blockRows(loaded, true)
    return performance.now() - began
  }
  return { all: timed(pages.slice(0, -1)), more: timed(pages) }
}

/** Shows the page of a fleet of so many nodes. */
async function fillFleet(rows: number): Promise<void> {
  show(fleetOf(rows))
  await rowsDrawn(rows)
}

const parts = { fill, fillFleet, fold, scroll: scrollFrames, rowsSeen }
declare global {
  // Only an interface merges with the one of the DOM.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Window {
    table: typeof parts
  }
}
window.table = parts
