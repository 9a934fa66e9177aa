import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pagedRows } from '../../lib/paging.ts'
import { dash, textColumn } from './column-kinds.tsx'
import type { Column } from './columns.ts'
import { PlainBody } from './rows.tsx'

test('rows that are not drawn yet keep their place', () => {
  const rows = pagedRows([Array.from({ length: 50 }, (_, index) => `row ${index}`)])
  const bodyOf = (drawn: number): string =>
    renderToStaticMarkup(
      <table>
        <PlainBody
          rows={rows}
          columns={[textColumn('text', 'Text', (row: string) => row)]}
          rowKey={(row) => row}
          height={36}
          narrow={false}
          active={0}
          drawn={drawn}
        />
      </table>,
    )
  const some = bodyOf(16)
  expect([some.match(/data-row/g)?.length, some.includes('row 15'), some.includes('row 16')]).toEqual([
    16,
    true,
    false,
  ])
  expect(some).toContain(`<tr aria-hidden="true" style="height:${34 * 36}px">`)
  expect(bodyOf(50).match(/data-row/g)).toHaveLength(50)
  expect(bodyOf(50)).not.toContain('aria-hidden')
})

type Row = { readonly name: string; readonly value: string }

const columns: Column<Row>[] = [
  {
    id: 'value',
    header: 'Value',
    narrow: 'side',
    cell: ({ value }) => (value === '' ? dash : <b>{value === 'none' ? dash : value}</b>),
  },
  { id: 'name', header: 'Name', narrow: 'title', cell: ({ name }) => name },
]

const cells = (row: Row, narrow: boolean): (readonly [string, boolean])[] => {
  const body = (
    <PlainBody
      rows={{ count: 1, at: () => row }}
      columns={columns}
      rowKey={({ name }) => name}
      height={36}
      narrow={narrow}
      active={0}
      drawn={1}
    />
  )
  return [...renderToStaticMarkup(body).matchAll(/<td[^>]*class="([^"]*)"[^>]*>(.*?)<\/td>/g)].map(
    ([, look = '', content = '']) =>
      [
        look.includes('[&amp;_.no-value]:hidden')
          ? content.replaceAll(/<span class="no-value[^>]*>.*?<\/span>/g, '').replaceAll(/<[^>]*>/g, '')
          : content.replaceAll(/<[^>]*>/g, ''),
        look.split(' ').includes('text-muted'),
      ] as const,
  )
}

test('a dash stands under a heading, and in a row without headings only where the title would be', () => {
  const texts = (row: Row, narrow: boolean): string[] => cells(row, narrow).map(([text]) => text)
  expect(texts({ name: 'a', value: '' }, false)).toEqual(['–', 'a'])
  expect(texts({ name: 'a', value: '' }, true)).toEqual(['', 'a'])
  expect(texts({ name: 'a', value: 'none' }, true)).toEqual(['', 'a'])
  expect(texts({ name: '–', value: '1' }, true)).toEqual(['1', '–'])
})

test('the title of a narrow row stands out, wherever its column is', () => {
  expect(cells({ name: 'a', value: '1' }, true)).toEqual([
    ['1', true],
    ['a', false],
  ])
})
