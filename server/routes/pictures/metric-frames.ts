import { getMetricFrame, getNetworkMetricFrame } from '../../../contract/pictures/metrics.ts'
import { chainSeries } from '../../../charts/catalogue/chain.ts'
import type { SeriesDefinition } from '../../../charts/catalogue/definition.ts'
import { networkSeries } from '../../../charts/catalogue/network.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { frameAnswers } from './frame-page.ts'
import { ownersOf } from './owners.ts'

/** The charts of metrics for iframes (docs/embedding.md). */
export function metricFrameRoutes(context: RouteContext): Implementation[] {
  const owners = ownersOf(context)
  const answer = frameAnswers(context.config.frameOrigins)
  const titleOf = (list: readonly SeriesDefinition[], metric: string): string =>
    list.find(({ name }) => name === metric)?.title ?? metric
  return [
    implement(getMetricFrame, ({ params: { chainId, metric }, query }) => {
      const { chainId: id, name } = owners.chain(chainId)
      const path = `/chain/${id}/metrics/${metric}`
      return answer({ path, page: path, title: `${titleOf(chainSeries, metric)} · ${name}` }, query)
    }),
    implement(getNetworkMetricFrame, ({ params: { network, metric }, query }) => {
      const { chainId: id, name } = owners.network(network)
      const path = `/networks/${id}/metrics/${metric}`
      return answer({ path, page: path, title: `${titleOf(networkSeries, metric)} · ${name}` }, query)
    }),
  ]
}
