import { intervalsOf } from '../../../contract/metrics/catalogue.ts'
import { getAverageTps, getMetric } from '../../../contract/metrics/metrics.ts'
import { metricsPageBounds } from '../../../contract/metrics/series.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import type { PageTokenScope } from '../../kernel/page-tokens.ts'
import { readChainPoints, type AskedPoints, type PointsPage } from '../../metrics/chain-points.ts'
import { KeptMedians } from '../../metrics/series.ts'
import { checkRange, filtersOf, type RouteContext } from '../../http/route-context.ts'

/** The metrics of a chain or a group of chains (docs/api.md, Metrics). */
export function metricRoutes({ chains, store, headCache }: RouteContext): Implementation[] {
  const medians = new KeptMedians()
  const readPage = async (
    wanted: readonly Chain[],
    asked: AskedPoints & { readonly pageToken?: string | undefined },
    scope: PageTokenScope,
  ): Promise<Omit<PointsPage, 'next'> & { readonly nextPageToken?: string }> => {
    const { database, pageTokens } = store.get()
    // An expired page token is not an error: the listing restarts (docs/api.md, Keys and limits).
    const position =
      asked.pageToken === undefined ? undefined : pageTokens.openMetrics(scope, asked.pageToken)
    const { next, ...page } = await readChainPoints(database, wanted, { ...asked, position }, medians)
    return { ...page, ...(next !== undefined && { nextPageToken: pageTokens.sealMetrics(scope, next) }) }
  }

  return [
    implement(getMetric, async ({ params, query }) => {
      const { metric } = params
      const allowed = intervalsOf(metric)
      if (!allowed.includes(query.timeInterval)) {
        throw badRequest([`timeInterval: ${metric} supports ${allowed.join(', ')} only`])
      }
      checkRange(query)
      const { chains: wanted, group } = chains.group(params.chainId)
      const ids = wanted.map((chain) => chain.id)
      const scope = {
        operation: getMetric.id,
        filters: filtersOf({ metric, chainId: group ?? ids[0] }, query),
      }
      const page = async (): Promise<string> => {
        const asked = { ...query, metric, interval: query.timeInterval }
        const { nextPageToken, results, unknownPeriods } = await readPage(wanted, asked, scope)
        return toJson({ nextPageToken, results, unknownPeriods })
      }
      if (query.pageToken !== undefined) return new JsonText(await page())
      return headCache.get(JSON.stringify([scope, query.pageSize]), ids, page)
    }),

    implement(getAverageTps, async ({ params, query }) => {
      const { chains: wanted, group } = chains.group(params.chainId)
      const ids = wanted.map((chain) => chain.id)
      const scope = { operation: getAverageTps.id, filters: { chainId: group ?? ids[0] } }
      const page = async (): Promise<string> => {
        const { newest, ...rest } = await readPage(
          wanted,
          { ...query, metric: 'avgTps', interval: 'day', pageSize: metricsPageBounds.default },
          scope,
        )
        return toJson({ ...rest, status: 200, lastRun: newest })
      }
      if (query.pageToken !== undefined) return new JsonText(await page())
      return headCache.get(JSON.stringify(scope), ids, page)
    }),
  ]
}
