import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { keepWithin, listQuery, wholeListQuery, type Paging } from './list.ts'
import { readPages } from './pages.ts'

type Asked = Paging & { signal: AbortSignal | undefined }

/** A list of the numbers below `count` with page tokens `from <number>`, and the requests that it received. */
function numbersBelow(count: number) {
  const asked: Asked[] = []
  const read = ({ pageSize, pageToken }: Paging, signal?: AbortSignal) => {
    asked.push({ pageSize, pageToken, signal })
    signal?.throwIfAborted()
    const from = Number(pageToken?.slice(5) ?? 0)
    const numbers = Array.from({ length: Math.min(pageSize, count - from) }, (_, index) => from + index)
    const end = from + pageSize
    return Promise.resolve({ numbers, ...(end < count && { nextPageToken: `from ${end}` }) })
  }
  const rowsOf = (page: { numbers: number[] }) => page.numbers
  return { asked, list: { key: ['numbers', count], read, rowsOf, pageSize: 2, largePageSize: 3 } }
}

const pagesOf = async <Row>(pages: AsyncIterable<Row>): Promise<Row[]> => {
  const all: Row[] = []
  for await (const page of pages) all.push(page)
  return all
}

test('a list loads one page at a time, each with the page token of the previous one', async () => {
  const { asked, list } = numbersBelow(5)
  const data = await new QueryClient().fetchInfiniteQuery({ ...listQuery(list), pages: 9 })
  expect(data.pages.flatMap(list.rowsOf)).toEqual([0, 1, 2, 3, 4])
  expect(asked).toEqual([
    { pageSize: 2, pageToken: undefined, signal: undefined },
    { pageSize: 2, pageToken: 'from 2', signal: undefined },
    { pageSize: 2, pageToken: 'from 4', signal: undefined },
  ])
  expect(data.pageParams).toEqual([undefined, 'from 2', 'from 4'])
})

test('an export reads all pages with a larger page size', async () => {
  const { asked, list } = numbersBelow(7)
  const { signal } = new AbortController()
  expect(await pagesOf(listQuery(list).all(signal))).toEqual([[0, 1, 2], [3, 4, 5], [6]])
  expect(asked.map(({ pageSize, pageToken }) => [pageSize, pageToken])).toEqual([
    [3, undefined],
    [3, 'from 3'],
    [3, 'from 6'],
  ])
  expect(asked.every((one) => one.signal === signal)).toBe(true)
})

test('an aborted export rejects with the signal’s reason', async () => {
  const { asked, list } = numbersBelow(7)
  const controller = new AbortController()
  const pages = listQuery(list).all(controller.signal)
  expect((await pages.next()).value).toEqual([0, 1, 2])
  controller.abort(new Error('cancelled'))
  await expect(pages.next()).rejects.toThrow('cancelled')
  expect(asked).toHaveLength(2)
})

test('a whole list is one array with its own query key', async () => {
  const { list } = numbersBelow(7)
  const client = new QueryClient()
  expect(await client.fetchQuery(wholeListQuery(list))).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(client.getQueryData(listQuery(list).queryKey)).toBeUndefined()
})

test('leaving the page cancels only a list with `cancels`', async () => {
  for (const cancels of [false, true]) {
    const { asked, list } = numbersBelow(2)
    await new QueryClient().fetchInfiniteQuery(listQuery({ ...list, cancels }))
    expect(asked[0]?.signal !== undefined).toBe(cancels)
  }
})

test('pages after an early exit are not read', async () => {
  const { asked, list } = numbersBelow(7)
  for await (const page of readPages((pageToken) => list.read({ pageSize: 1, pageToken })))
    if (page.numbers.includes(2)) break
  expect(asked).toHaveLength(3)
})

test('rows stay only while another filter of the same list loads', () => {
  const keep = keepWithin(2, ['tokens', '43113', 'ERC-20'])
  const query = (queryKey: QueryKey) => ({ queryKey })
  expect(keep('rows', query(['tokens', '43113', 'ERC-721']))).toBe('rows')
  expect(keep('rows', query(['tokens', '1', 'ERC-20']))).toBeUndefined()
  expect(keep('rows', undefined)).toBeUndefined()
})
