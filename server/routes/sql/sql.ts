import {
  arrowType,
  csvType,
  listSqlTables,
  notKeptHeader,
  parquetType,
  runSql,
  type SqlFormat,
} from '../../../contract/sql/sql.ts'
import { behind, implement, StreamAnswer, type Implementation } from '../../http/bind.ts'
import { clientOf } from '../../http/identity.ts'
import type { RouteContext } from '../../http/route-context.ts'
import type { SqlService } from '../../sql/sql-service.ts'
import { whileConnected } from './connected.ts'

const types: Record<SqlFormat, string> = {
  json: 'application/json; charset=utf-8',
  csv: csvType,
  arrow: arrowType,
  parquet: parquetType,
}

/** Statements of callers, and the tables for them (contract/sql/sql.ts). */
export function sqlRoutes({ config, access }: RouteContext, service: SqlService): Implementation[] {
  return [
    implement(runSql, ({ body, request }) => {
      return whileConnected(request, async (signal) => {
        const { body: rows, notKept } = await service.run({
          ...body,
          caller: clientOf(request),
          isTrusted: access.isProved(request, 'sql'),
          signal,
        })
        const lacking = notKept.map(({ table, chain, from }) => `${table} ${chain} ${from}`)
        return new StreamAnswer(
          types[body.format],
          rows,
          lacking.length > 0 ? { [notKeptHeader]: lacking.join(', ') } : {},
        )
      })
    }),
    implement(listSqlTables, async ({ request }) => {
      const { rows, seconds, memoryMegabytes } = service.limits(access.isProved(request, 'sql'))
      const { liveRows } = config.sql
      const coverages = await service.coverages()
      return {
        tables: await service.tables(),
        sources: coverages.map(({ chain, sealed, live }) => {
          const [first, last] = [sealed[0], sealed.at(-1)]
          return {
            chain: String(chain),
            ...(first && { lakeFrom: first.from }),
            ...(last && { lakeTo: last.to }),
            liveFrom: live.at(-1)?.from ?? 0,
          }
        }),
        limits: { rows, seconds, memoryMegabytes, liveRows },
      }
    }),
  ].map((each) => behind('sql', each))
}
