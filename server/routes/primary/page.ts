/** A part of a walk: `horizon` is where it goes on when it has not looked at everything. */
export type Stretch<Row, Place> = { readonly rows: readonly Row[]; readonly horizon: Place | undefined }

/** How many rows of the store one read looks at: the first fills most pages, the others pass over what is filtered out. */
const first = 400
const further = 5_000
/** Reads of one page. */
const mostReads = 5

/**
 * Fills a page with rows that pass a filter, by reads that each look at a bounded number of rows. The page is
 * short where too many had to be passed over; `horizon` is where the next one goes on.
 */
export async function fillPage<Row, Place>(
  limit: number,
  past: Place,
  read: (past: Place, limit: number, lookAt: number) => Promise<Stretch<Row, Place>>,
): Promise<{ rows: Row[]; horizon: Place | undefined }> {
  const rows: Row[] = []
  let from = past
  for (let reads = 1; ; reads += 1) {
    const missing = limit - rows.length
    const stretch = await read(from, missing, Math.max(reads === 1 ? first : further, missing))
    rows.push(...stretch.rows)
    const { horizon } = stretch
    if (horizon === undefined || rows.length >= limit || reads === mostReads) return { rows, horizon }
    from = horizon
  }
}
