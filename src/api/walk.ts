import type { Operation, ResponseOf } from '../../contract/base/operation.ts'
import type { Request } from './client.ts'
import { call } from './session.ts'

/** What every list operation answers: its rows under a name of their own, and where the next page is. */
type Page = { nextPageToken?: string | undefined }

/**
 * Every page of a list operation, one after another to the last: for exports and sums over a whole list.
 * `pick` gives the rows of a page. An abort of the signal ends the walk with its reason.
 */
export async function* walk<O extends Operation, Row>(
  operation: O,
  request: Request<O> & { signal: AbortSignal },
  pick: (page: ResponseOf<O>) => readonly Row[],
): AsyncGenerator<readonly Row[]> {
  let pageToken: string | undefined
  do {
    const query = { ...request.query, ...(pageToken !== undefined && { pageToken }) } as Request<O>['query']
    const page = await call(operation, { ...request, ...(query && { query }) })
    yield pick(page)
    pageToken = (page as Page).nextPageToken
  } while (pageToken !== undefined)
}

/** All rows of a walk as one list: for charts and other wholes. */
export async function gather<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}
