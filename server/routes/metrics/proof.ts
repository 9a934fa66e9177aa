import { json } from 'node:stream/consumers'
import { periodEnd, periodStart } from '../../../contract/metrics/intervals.ts'
import { intervalsOf } from '../../../contract/metrics/catalogue.ts'
import { proveMetric } from '../../../contract/metrics/proof.ts'
import { proofOf } from '../../../contract/sql/metric-proof.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { clientOf } from '../../http/identity.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { badRequest, HttpError, notFound } from '../../kernel/http-errors.ts'
import { readChainPoints } from '../../metrics/chain-points.ts'
import { toNumber, type Fraction } from '../../metrics/definitions.ts'
import { KeptMedians, readSeries } from '../../metrics/series.ts'
import type { SqlService } from '../../sql/sql-service.ts'
import { snapshot } from '../../store/snapshot.ts'
import { requireSql } from '../sql/access.ts'
import { whileConnected } from '../sql/connected.ts'

type Counted = { readonly rows: readonly (readonly unknown[])[]; readonly failure?: string }

/** A point of a metric, counted again by SQL (docs/metrics.md, Proof of a number). */
export function proofRoutes({ config, chains, store }: RouteContext, service: SqlService): Implementation[] {
  const medians = new KeptMedians()
  return [
    implement(proveMetric, async ({ params, query, request }) => {
      requireSql(config, request)
      const began = performance.now()
      const { metric } = params
      const { timeInterval: interval, timestamp: time } = query
      if (!intervalsOf(metric).includes(interval))
        throw badRequest([`timeInterval: ${metric} has no value by ${interval}`])
      const chain = chains.find(params.chainId)
      const [start, end] = [periodStart(time, interval), periodEnd(time, interval)]
      const { stored, head } = await snapshot(store.get().database, async (sql) => {
        const [newest] = await sql<{ number: bigint }[]>`
          select number from blocks where chain = ${chain.key} order by number desc limit 1`
        const range = { startTimestamp: start - 1, endTimestamp: start + 1 }
        const { results } = await readChainPoints(
          sql,
          [chain],
          { metric, interval, ...range, pageSize: 1 },
          medians,
        )
        if (!newest || results[0]?.timestamp !== start)
          throw notFound(`${metric} has no value by ${interval} at ${start}`)
        const series = { chains: [chain.key], metric, interval, starts: [start] }
        const [value] = await readSeries(sql, series, medians)
        return { stored: value, head: Number(newest.number) }
      })
      if (!stored) throw notFound(`${metric} has no value by ${interval} at ${start}`)
      const { sql, rowForm } = proofOf({ metric, chainId: String(chain.key), interval, time, head })
      return whileConnected(request, async (signal) => {
        const { body } = await service.run({ sql, format: 'json', caller: clientOf(request), signal })
        const { rows, failure } = (await json(body)) as Counted
        const [row] = rows
        if (failure !== undefined || !row) throw new HttpError(422, failure ?? 'the statement gave no row')
        const [amount, per, first, last, count, hash] = row
        const counted = fractionOf(amount, per)
        return {
          timestamp: start,
          endTimestamp: end,
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
    }),
  ]
}

const whole = (value: unknown): bigint =>
  typeof value === 'string' || typeof value === 'number' ? BigInt(value) : 0n

const fractionOf = (amount: unknown, per: unknown): Fraction => ({ amount: whole(amount), per: whole(per) })

/** Whether two fractions are the same number. What was not measured is shown as 0, and equals it. */
function areEqual(one: Fraction, other: Fraction): boolean {
  const [left, right] = [one, other].map((value) => (value.per === 0n ? { amount: 0n, per: 1n } : value))
  return left !== undefined && right !== undefined && left.amount * right.per === right.amount * left.per
}
