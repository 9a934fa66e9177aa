import { json } from 'node:stream/consumers'
import type { FastifyRequest } from 'fastify'
import { intervalsOf, metricEntry } from '../../../contract/metrics/catalogue.ts'
import { periodEnd, periodStart } from '../../../contract/metrics/intervals.ts'
import { networkMetricEntry } from '../../../contract/metrics/network-catalogue.ts'
import { proveMetric, proveNetworkMetric } from '../../../contract/metrics/proof.ts'
import { proofOf, type Statement } from '../../../contract/sql/metric-proof.ts'
import { networkProofOf } from '../../../contract/sql/network-proof.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { behind, implement, type Implementation } from '../../http/bind.ts'
import { clientOf } from '../../http/identity.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { badRequest, HttpError, notFound } from '../../kernel/http-errors.ts'
import { readChainPoints } from '../../metrics/chain-points.ts'
import { toNumber, type Fraction } from '../../metrics/definitions.ts'
import { readNetworkRange, readNetworkSeries } from '../../metrics/network-series.ts'
import { KeptMedians, readSeries } from '../../metrics/series.ts'
import { primaryChainKey } from '../../primary/chains.ts'
import { findNetwork } from '../../primary/served-network.ts'
import type { SqlService } from '../../sql/sql-service.ts'
import { snapshot } from '../../store/snapshot.ts'
import { whileConnected } from '../sql/connected.ts'

/** A point as the series has it, the newest block when it was read, and the blocks that count. */
type Stored = {
  readonly value: Fraction
  readonly head: number
  readonly needs?: { readonly chain: number; readonly from: number }
}

/** Points of metrics, counted again by SQL (docs/metrics.md, Proof of a number). */
export function proofRoutes(
  { config, access, chains, store }: RouteContext,
  service: SqlService,
): Implementation[] {
  const medians = new KeptMedians()

  /** Runs the statement of a point and compares what it counts. */
  const prove = (
    request: FastifyRequest,
    { sql, rowForm }: Statement,
    { value: stored, head, ...needs }: Stored,
  ) =>
    whileConnected(request, async (signal) => {
      const began = performance.now()
      const { body, notKept } = await service.run({
        sql,
        format: 'json',
        caller: clientOf(request),
        isTrusted: access.isProved(request, 'sql'),
        signal,
        ...needs,
      })
      const [lacking] = notKept
      if (lacking) {
        body.destroy()
        throw new HttpError(
          410,
          `not kept: the rows of ${lacking.table} before block ${lacking.from}, which the point counts, were dropped`,
        )
      }
      const { rows, failure } = (await json(body)) as {
        readonly rows: readonly (readonly unknown[])[]
        readonly failure?: string
      }
      const [row] = rows
      if (failure !== undefined || !row) throw new HttpError(422, failure ?? 'the statement gave no row')
      const [amount, per, count, hash, first, last] = row
      const counted = { amount: whole(amount), per: whole(per) }
      return {
        stored: toNumber(stored),
        counted: toNumber(counted),
        isEqual: areEqual(stored, counted),
        ...(first != null && { firstBlock: Number(first), lastBlock: Number(last) }),
        lastIndexedBlock: head,
        rows: Number(count),
        rowForm,
        rowsHash: String(hash),
        sql,
        elapsedMilliseconds: Math.round(performance.now() - began),
      }
    })

  return [
    implement(proveMetric, async ({ params: { metric, chainId }, query, request }) => {
      const { timeInterval: interval, timestamp: time } = query
      if (!intervalsOf(metric).includes(interval))
        throw badRequest([`timeInterval: ${metric} has no value by ${interval}`])
      const chain = chains.find(chainId)
      const start = periodStart(time, interval)
      const stored = await snapshot(store.get().database, async (sql): Promise<Stored> => {
        const [newest] = await sql<{ number: bigint; before: bigint | null }[]>`
          select number, (select number from blocks where chain = ${chain.key} and ts < ${start}
            order by ts desc, number desc limit 1) as before
          from blocks where chain = ${chain.key} order by number desc limit 1`
        const range = { startTimestamp: start - 1, endTimestamp: start + 1 }
        const asked = { metric, interval, ...range, pageSize: 1 }
        const { results } = await readChainPoints(sql, [chain], asked, medians)
        const series = { chains: [chain.key], metric, interval, starts: [start] }
        const [value] = await readSeries(sql, series, medians)
        if (!newest || !value || results[0]?.timestamp !== start) throw noValue(metric, interval, start)
        // Rates begin at the block before the period; what is counted from the first block on needs all.
        const { kind } = metricEntry(metric)
        const from = kind === 'total' || kind === 'first' ? 0 : Number(newest.before ?? 0n)
        return { value, head: Number(newest.number), needs: { chain: Number(chain.key), from } }
      })
      const point = { metric, chainId: String(chain.key), interval, time, head: stored.head }
      const proof = await prove(request, proofOf(point), stored)
      return { timestamp: start, endTimestamp: periodEnd(time, interval), ...proof }
    }),

    implement(proveNetworkMetric, async ({ params, query, request }) => {
      const { metric } = params
      const { timeInterval: interval, timestamp: time } = query
      const network = findNetwork(config, params.network)
      const chain = primaryChainKey(network.id, networkMetricEntry(metric).chain)
      const [start, end] = [periodStart(time, interval), periodEnd(time, interval)]
      const { stored, until, avax } = await snapshot(store.get().database, async (sql) => {
        const range = await readNetworkRange(sql, chain, metric)
        if (!range || start > range.last || end <= range.first) throw noValue(metric, interval, start)
        // The open period ends with the head of the chain.
        const before = Math.min(end, range.last + 1)
        const [value] = await readNetworkSeries(sql, chain, metric, [start, before])
        const [newest] = await sql<{ height: bigint; avax: Buffer | null }[]>`
          select height, avax_asset as avax from primary_blocks join primary_chains using (chain)
          where chain = ${chain} order by height desc limit 1`
        if (!value || !newest) throw noValue(metric, interval, start)
        const { height, avax } = newest
        return { stored: { value, head: Number(height) }, until: before, avax: avax ? cb58(avax) : '' }
      })
      const statement = networkProofOf(metric, { network: network.id, start, end: until, avax })
      if (!statement) throw new HttpError(422, `${metric} is sampled from the node: blocks do not contain it`)
      const proof = await prove(request, statement, stored)
      return { timestamp: start, endTimestamp: end, ...proof }
    }),
  ].map((each) => behind('sql', each))
}

const noValue = (metric: string, interval: string, start: number): HttpError =>
  notFound(`${metric} has no value by ${interval} at ${start}`)

const whole = (value: unknown): bigint =>
  typeof value === 'string' || typeof value === 'number' ? BigInt(value) : 0n

/** Whether two fractions are the same number. What was not measured is shown as 0, and equals it. */
function areEqual(one: Fraction, other: Fraction): boolean {
  const [left, right] = [one, other].map((value) => (value.per === 0n ? { amount: 0n, per: 1n } : value))
  return left !== undefined && right !== undefined && left.amount * right.per === right.amount * left.per
}
