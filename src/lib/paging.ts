/** Rows of several pages, addressed by one index without copying them. */
export type PagedRows<Row> = {
  readonly count: number
  readonly at: (index: number) => Row | undefined
}

/** Indexes into pages by binary search over their starts, so that nothing is copied when a page arrives. */
export function pagedRows<Row>(pages: readonly (readonly Row[])[]): PagedRows<Row> {
  const starts: number[] = []
  let count = 0
  for (const page of pages) {
    starts.push(count)
    count += page.length
  }
  const at = (index: number): Row | undefined => {
    if (index < 0 || index >= count) return undefined
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= index) low = middle
      else high = middle - 1
    }
    return pages[low]?.[index - (starts[low] ?? 0)]
  }
  return { count, at }
}

/** A list that is whole already as the pages of an export. */
export async function* onePage<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield await Promise.resolve(rows)
}
