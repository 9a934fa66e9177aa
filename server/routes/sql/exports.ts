import { Readable } from 'node:stream'
import { exportTable, exportTypes, snapshotHeader } from '../../../contract/sql/exports.ts'
import { implement, StreamAnswer, type Implementation } from '../../http/bind.ts'
import { clientOf } from '../../http/identity.ts'
import { checkRange, resolveRange, type RouteContext } from '../../http/route-context.ts'
import { HttpError } from '../../kernel/http-errors.ts'
import type { ExportService } from '../../sql/export-service.ts'
import { whileConnected } from './connected.ts'

/** Whole tables as files (contract/sql/exports.ts). Open to whoever may read the lists, which have the same rows. */
export function exportRoutes({ config, chains }: RouteContext, service: ExportService): Implementation[] {
  return [
    implement(exportTable, ({ params: { table }, query, request }) => {
      if (!config.exports.enabled) throw new HttpError(403, 'exports are turned off here (exports.enabled)')
      const { chainId, format, address, token, ercType, topic0, after, snapshot, ...range } = query
      const chain = chains.find(chainId)
      checkRange(range)
      // A HEAD is answered like the GET whose body nobody reads: that would still be written.
      if (request.method === 'HEAD') return new StreamAnswer(exportTypes[format], Readable.from([]))
      return whileConnected(request, async (signal) => {
        const { body, from, to, ...begun } = await service.run({
          table,
          chain,
          format,
          filters: { address, token, ercType, topic0 },
          after,
          snapshot,
          range: (sql) => resolveRange(sql, chain.key, range),
          caller: clientOf(request),
          signal,
        })
        const name = `${table}-${chain.id}-${from}-${to}.${format}`
        return new StreamAnswer(exportTypes[format], body, {
          'content-disposition': `attachment; filename="${name}"`,
          [snapshotHeader]: begun.snapshot,
        })
      })
    }),
  ]
}
