import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { listSqlTables, runSql, type SqlFormat } from '../../../contract/sql/sql.ts'
import { callWithToken } from '../call-with-token.ts'
import { operationUrl } from '../client.ts'
import { errorOfAnswer } from '../errors.ts'
import { tokenHeader } from '../local-token.ts'
import { keyed, session } from '../session.ts'

export type SqlResult = ResponseOf<typeof runSql>
export type SqlTables = ResponseOf<typeof listSqlTables>

/** Rows that the page shows; files have all of them. */
const shownRows = 1_000

/** The tables and limits for SQL. */
export const sqlTablesQuery = queryOptions({
  queryKey: ['sqlTables'],
  queryFn: () => callWithToken(listSqlTables),
})

/** Runs a statement. An abort of the signal cancels it at the service too. */
export const runStatement = (sql: string, signal: AbortSignal): Promise<SqlResult> =>
  callWithToken(runSql, { body: { sql, rowLimit: shownRows }, signal })

/** The whole answer of a statement as a file of the given format. Throws an ApiError. */
export async function statementFile(sql: string, format: SqlFormat, signal: AbortSignal): Promise<Blob> {
  const { profile } = await session()
  const response = await fetch(operationUrl(runSql, profile), {
    method: 'POST',
    ...keyed(profile, { 'content-type': 'application/json', ...tokenHeader(profile) }),
    body: JSON.stringify({ sql, format }),
    signal,
  })
  if (!response.ok) throw await errorOfAnswer(response, Date.now())
  return response.blob()
}
