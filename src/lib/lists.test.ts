import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { csvCell, exportParts, jsonText } from './export.ts'
import { pagedRows } from './paging.ts'
import { readSearch, wholeNumberInUrl, writeSearch } from './search-params.ts'

test('rows have the same index as in the flat list', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(), { maxLength: 5 }), { maxLength: 8 }), (pages) => {
      const flat = pages.flat()
      const rows = pagedRows(pages)
      expect(rows.count).toBe(flat.length)
      for (let index = -1; index <= flat.length; index += 1)
        expect(rows.at(index)).toBe(index < 0 ? undefined : flat[index])
    }),
  )
})

test('cells are quoted as in RFC 4180, and formulas are neutralized', () => {
  expect(csvCell('plain')).toBe('plain')
  expect(csvCell('a,"b"\n')).toBe('"a,""b""\n"')
  expect(csvCell('=HYPERLINK("http://x")')).toBe('"\'=HYPERLINK(""http://x"")"')
  expect(csvCell('-12.5')).toBe('-12.5')
  expect(csvCell('@sum')).toBe("'@sum")
})

async function* twoPages(): AsyncGenerator<readonly { id: number; name: string }[]> {
  yield [
    { id: 1, name: 'one' },
    { id: 2, name: 'two, three' },
  ]
  yield [{ id: 4, name: 'four' }]
}

const columns = [
  { name: 'Id', value: (row: { id: number }) => String(row.id) },
  { name: 'Name', value: (row: { name: string }) => row.name },
]

test('an export contains every page, in both formats, and counts its rows', async () => {
  const counts: number[] = []
  const options = { signal: new AbortController().signal, onRows: (count: number) => void counts.push(count) }
  const csv = await exportParts(twoPages(), columns, 'csv', options)
  expect(csv.join('')).toBe('Id,Name\r\n1,one\r\n2,"two, three"\r\n4,four\r\n')
  expect(counts).toEqual([2, 3])
  const json = await exportParts(twoPages(), columns, 'json', options)
  expect(JSON.parse(json.join(''))).toEqual([
    { id: 1, name: 'one' },
    { id: 2, name: 'two, three' },
    { id: 4, name: 'four' },
  ])
})

test('a cancelled export rejects with the abort’s reason', async () => {
  const controller = new AbortController()
  const options = { signal: controller.signal, onRows: () => controller.abort(new Error('enough')) }
  await expect(exportParts(twoPages(), columns, 'csv', options)).rejects.toThrow('enough')
})

test('exported JSON writes big integers with all their digits', () => {
  expect(jsonText({ value: 2n ** 70n, text: '5' })).toBe('{"value":1180591620717411303424,"text":"5"}')
})

const schema = z.object({
  sort: z.catch(z.enum(['name', 'head']), 'name'),
  from: wholeNumberInUrl,
})

test('an invalid query falls back field by field; defaults are left out of the URL', () => {
  expect(readSearch(schema, new URLSearchParams('sort=size&from=12'))).toEqual({ sort: 'name', from: 12 })
  expect(readSearch(schema, new URLSearchParams('from=-1')).from).toBeUndefined()
  const before = new URLSearchParams('sort=head&other=1')
  expect(writeSearch(schema, before, { sort: 'name', from: 7 }).toString()).toBe('other=1&from=7')
  expect(writeSearch(schema, before, { from: undefined }).toString()).toBe('sort=head&other=1')
})
