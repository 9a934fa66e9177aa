import { Readable } from 'node:stream'
import {
  exportPrimaryTable,
  exportTable,
  exportTypes,
  snapshotHeader,
  type ExportFormat,
} from '../../../contract/sql/exports.ts'
import { implement, StreamAnswer, type Implementation } from '../../http/bind.ts'
import { clientOf } from '../../http/identity.ts'
import { checkRange, max, min, resolveRange, type RouteContext } from '../../http/route-context.ts'
import { HttpError } from '../../kernel/http-errors.ts'
import { addressesOf, nodeOf } from '../../primary/request-values.ts'
import { findNetwork } from '../../primary/served-network.ts'
import { evmExport } from '../../sql/export-evm.ts'
import { primaryExport } from '../../sql/export-primary.ts'
import type { ExportService, ExportSource } from '../../sql/export-service.ts'
import { readHeightsBetween } from '../../store/primary/read-primary.ts'
import { whileConnected } from './connected.ts'

type Asked = {
  readonly request: Parameters<typeof whileConnected>[0]
  readonly format: ExportFormat
  readonly after: string | undefined
  /** The beginning of the file's name. */
  readonly name: string
  readonly source: () => ExportSource
}

/** Whole tables as files (contract/sql/exports.ts). Open to whoever may read the lists, which have the same rows. */
export function exportRoutes(
  { config, chains }: RouteContext,
  service: ExportService,
  lakeFolder: string,
): Implementation[] {
  async function answer({ request, format, after, name, source }: Asked): Promise<StreamAnswer> {
    if (!config.exports.enabled) throw new HttpError(403, 'exports are turned off here (exports.enabled)')
    // A HEAD is answered like the GET whose body nobody reads: that would still be written.
    if (request.method === 'HEAD') return new StreamAnswer(exportTypes[format], Readable.from([]))
    return whileConnected(request, async (signal) => {
      const { body, from, to, snapshot } = await service.run({
        source: source(),
        format,
        isContinued: after !== undefined,
        caller: clientOf(request),
        signal,
      })
      const file = `${name}-${Math.max(from, 0)}-${to}.${format}`
      return new StreamAnswer(exportTypes[format], body, {
        'content-disposition': `attachment; filename="${file}"`,
        [snapshotHeader]: snapshot,
      })
    })
  }

  return [
    implement(exportTable, ({ params: { table }, query, request }) => {
      const { chainId, format, address, token, ercType, topic0, after, snapshot, ...range } = query
      const chain = chains.find(chainId)
      checkRange(range)
      return answer({
        request,
        format,
        after,
        name: `${table}-${chain.id}`,
        source: () =>
          evmExport({
            table,
            chain,
            format,
            filters: { address, token, ercType, topic0 },
            after,
            snapshot,
            range: (sql) => resolveRange(sql, chain.key, range),
            lakeFolder,
            storedRows: config.sql.liveRows,
          }),
      })
    }),
    implement(exportPrimaryTable, ({ params: { table, ...params }, query, request }) => {
      const { format, addresses, nodeIds, after, snapshot, ...range } = query
      const network = findNetwork(config, params.network)
      checkRange(range)
      return answer({
        request,
        format,
        after,
        name: `${table}-${network.id}`,
        source: () =>
          primaryExport({
            table,
            network,
            format,
            filters: {
              addresses: addresses && addressesOf(network, addresses),
              nodeIds: nodeIds?.map((text) => nodeOf('nodeIds', text)),
            },
            after,
            snapshot,
            async range(sql, chain) {
              const { startBlock, endBlock, startTimestamp, endTimestamp } = range
              const heights = await readHeightsBetween(sql, chain, startTimestamp, endTimestamp)
              return {
                from: startBlock === undefined ? heights.from : max(heights.from, BigInt(startBlock)),
                before: endBlock === undefined ? heights.before : min(heights.before, BigInt(endBlock)),
              }
            },
          }),
      })
    }),
  ]
}
