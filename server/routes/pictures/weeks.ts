import { weekChart } from '../../../contract/pictures/charts.ts'
import { metricWeekPicture, networkMetricWeekPicture } from '../../../contract/pictures/metrics.ts'
import { chainSeries } from '../../../charts/catalogue/chain.ts'
import type { Owner, SeriesDefinition } from '../../../charts/catalogue/definition.ts'
import { networkSeries } from '../../../charts/catalogue/network.ts'
import { periodStart } from '../../../charts/series/periods.ts'
import { resolveRange } from '../../../charts/series/range.ts'
import type { SeriesPoint } from '../../../charts/series/series.ts'
import { hourOfWeek } from '../../../charts/series/transforms.ts'
import { drawWeek } from '../../../charts/spread/week.ts'
import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import { KeptMedians } from '../../metrics/series.ts'
import { planOf, type Plan } from './answer.ts'
import type { Bind } from './entry.ts'
import { readPicturePoints, topicsOfSeries, type PictureSeries } from './metric-points.ts'
import type { Owners } from './owners.ts'

/** A series of the catalogue that is counted by hour. Throws a 400 for one that is not, or whose points are planned. */
function hourly(
  list: readonly SeriesDefinition[],
  name: string,
  counts: (info: SeriesDefinition) => boolean,
): SeriesDefinition {
  const info = list.find((one) => one.name === name)
  if (info === undefined || info.planned === true || !info.intervals.includes('hour') || !counts(info))
    throw badRequest([`metric: ${name} has no hours of the week`])
  return info
}

/** The hours of the week of metrics, over the last 90 days as on their pages. */
export function weekPictures(context: RouteContext, owners: Owners, bind: Bind): Implementation[] {
  const medians = new KeptMedians()
  const heading = ({ title }: SeriesDefinition, { name }: Owner): string =>
    `${weekChart.titleOf(title)} · ${name}`

  const plan = (
    series: PictureSeries,
    { width, height }: { readonly width: number; readonly height: number },
  ): Plan<readonly SeriesPoint[]> => {
    const { owner, info } = series
    const now = periodStart(context.clock(), 'hour')
    const range = resolveRange({ preset: '90d' }, 'hour', now)
    const unit = info.unit(owner)
    return planOf({
      key: ['week', series.kind, owner.chainId, info.name, range],
      topics: topicsOfSeries(context, series),
      read: () => readPicturePoints(context, medians, series, range, 'hour'),
      form: [owner, width, height],
      draw: (points) =>
        drawWeek({
          width,
          height,
          title: heading(info, owner),
          shortTitle: info.title,
          note: [weekChart.aboutOf(unit.symbol)],
          cells: hourOfWeek(points, now),
          unit,
          empty: 'No whole hour in the last 90 days',
        }),
    })
  }

  const ofChain = (metric: string): SeriesDefinition => hourly(chainSeries, metric, () => true)
  // The level of a network has no weekly pattern.
  const ofNetwork = (metric: string): SeriesDefinition => hourly(networkSeries, metric, ({ sum }) => sum)
  return [
    ...bind({
      operations: metricWeekPicture,
      about({ chainId, metric }) {
        const own = owners.chain(chainId)
        return { title: heading(ofChain(metric), own), page: `/chain/${own.chainId}/metrics/${metric}` }
      },
      plan: ({ params: { chainId, metric }, query }) =>
        plan({ kind: 'chain', owner: owners.chain(chainId), info: ofChain(metric) }, query),
    }),
    ...bind({
      operations: networkMetricWeekPicture,
      about({ network, metric }) {
        const own = owners.network(network)
        return { title: heading(ofNetwork(metric), own), page: `/networks/${own.chainId}/metrics/${metric}` }
      },
      plan: ({ params: { network, metric }, query }) =>
        plan({ kind: 'network', owner: owners.network(network), info: ofNetwork(metric) }, query),
    }),
  ]
}
