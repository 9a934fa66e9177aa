import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/errors.ts'
import type { Column } from '../../components/table/columns.ts'
import { TableSkeleton } from '../../components/table/table.tsx'
import { pagedRows } from '../../lib/paging.ts'
import { InfiniteTable } from './infinite-table.tsx'

type Query = Parameters<typeof InfiniteTable<string>>[0]['query']

const columns: readonly Column<string>[] = [{ id: 'name', header: 'Name', cell: (row) => row }]
const loaded = { pages: [], pageParams: [] }

function markupOf(rows: readonly string[], state: Partial<Query>): string {
  const query: Query = {
    isPending: false,
    error: null,
    data: undefined,
    refetch: () => Promise.reject(new Error('nothing is asked for')),
    hasNextPage: false,
    isFetchingNextPage: false,
    isFetchNextPageError: false,
    fetchNextPage: () => Promise.reject(new Error('nothing is asked for')),
    ...state,
  }
  return renderToStaticMarkup(
    <StaticRouter location="/">
      <InfiniteTable
        id="ships"
        label="Ships"
        noun="ship"
        nouns="ships"
        query={query}
        columns={columns}
        rows={pagedRows([rows])}
        rowKey={(row) => row}
        skeleton={<TableSkeleton count={3} />}
        tools={<button type="button">Only sailing</button>}
        empty="No ship has come."
      />
    </StaticRouter>,
  )
}

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

test('the filters stay while a list loads, fails, has rows or none', () => {
  const states = {
    loading: markupOf([], { isPending: true }),
    failed: markupOf([], { error: new ApiError('status', 'The database is gone.', { status: 503 }) }),
    rows: markupOf(['Beagle'], { data: loaded }),
    empty: markupOf([], { data: loaded }),
  }
  for (const markup of Object.values(states)) expect(textOf(markup)).toMatch(/^Only sailing/)
  expect(states.loading.match(/class="skeleton/g)).toHaveLength(3)
  expect(textOf(states.failed)).toMatch(/The ships could not be loaded\. The database is gone\. .* Try again/)
  for (const markup of [states.loading, states.failed]) {
    expect(markup).not.toContain('<table')
    expect(textOf(markup)).not.toMatch(/1 ship|No ship/)
  }
  expect(textOf(states.rows)).toMatch(/1 ship .*Name Beagle$/)
  expect(textOf(states.empty)).toMatch(/No ship has come\.$/)
  expect(textOf(states.empty)).not.toMatch(/loaded|Export/)
})

test('a list that the service does not offer has no filters', () => {
  const error = new ApiError('unsupported', 'Elsewhere does not offer ships.', { status: 501 })
  expect(textOf(markupOf([], { error }))).toMatch(/^Not offered here Elsewhere does not offer ships\./)
})

test('rows stay when they could not be loaded again', () => {
  expect(textOf(markupOf(['Beagle'], { data: loaded, error: new Error('late') }))).toContain('Beagle')
})
