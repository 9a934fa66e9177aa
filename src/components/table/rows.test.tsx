import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pagedRows } from '../../lib/paging.ts'
import { textColumn } from './column-kinds.tsx'
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
