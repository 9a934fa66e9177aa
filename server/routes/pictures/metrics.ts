import type * as z from 'zod/mini'
import type { PictureFormat } from '../../../contract/pictures/form.ts'
import { getMetricPicture, getNetworkMetricPicture } from '../../../contract/pictures/metrics.ts'
import { maxSeries } from '../../../contract/metrics/view.ts'
import { chainSeries } from '../../../charts/catalogue/chain.ts'
import type { Owner, SeriesDefinition } from '../../../charts/catalogue/definition.ts'
import { networkSeries } from '../../../charts/catalogue/network.ts'
import {
  comparedChains,
  comparisonReasons,
  effectiveMode,
  startOf,
  startsAtZero,
} from '../../../charts/catalogue/view.ts'
import { viewNote } from '../../../charts/catalogue/view-note.ts'
import { findSecondOf, viewSeries } from '../../../charts/catalogue/view-series.ts'
import { endsOpen } from '../../../charts/drawn-points.ts'
import { drawPicture } from '../../../charts/picture.ts'
import { rangeLabel } from '../../../charts/series/periods.ts'
import type { SeriesPoint } from '../../../charts/series/series.ts'
import { implement, type Implementation, type MediaAnswer } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import { KeptMedians } from '../../metrics/series.ts'
import type { PictureAnswers, Plan } from './answer.ts'
import { readPicturePoints, topicsOfSeries, type PictureSeries } from './metric-points.ts'
import { ownersOf } from './owners.ts'
import { axisForm, timeAxis } from './time.ts'

type ChainQuery = z.output<(typeof getMetricPicture)['query']>
type NetworkQuery = z.output<(typeof getNetworkMetricPicture)['query']>

/** A chart as its page would draw it: the chains, networks and series that a path and its query name. */
type View = {
  readonly kind: PictureSeries['kind']
  /** The chart's own chain or network first, then those compared with it. */
  readonly owners: readonly [Owner, ...Owner[]]
  readonly info: SeriesDefinition
  readonly second: { readonly facts: Owner; readonly info: SeriesDefinition } | undefined
  readonly mode: ChainQuery['mode']
}

type Points = readonly (readonly SeriesPoint[])[]

/** The charts of metrics as SVG and PNG (docs/embedding.md). */
export function metricPictureRoutes(context: RouteContext, answers: PictureAnswers): Implementation[] {
  const { clock } = context
  const medians = new KeptMedians()
  const owners = ownersOf(context)

  /** The series of a view, in the order of `viewSeries`. */
  const seriesOf = ({ kind, owners: shown, info, second }: View): PictureSeries[] => [
    ...shown.map((owner) => ({ kind, owner, info })),
    ...(second === undefined
      ? []
      : [
          {
            kind: owners.networks.includes(second.facts) ? ('network' as const) : ('chain' as const),
            owner: second.facts,
            info: second.info,
          },
        ]),
  ]

  const plan = (view: View, query: NetworkQuery): Plan<Points> => {
    const { info, second, owners: shown } = view
    const axis = timeAxis(query, clock(), info, second?.info)
    const { interval, now, bounds } = axis
    const wanted = seriesOf(view)
    if (wanted.length > maxSeries)
      throw badRequest([`compare: at most ${maxSeries} series, with the second one`])
    const mode = effectiveMode(view.mode, comparisonReasons(info, shown, second !== undefined))
    const zero = startsAtZero(query.scale, info.sum) && mode !== 'indexed'
    const { width, height } = query
    return {
      key: [wanted.map(({ owner, info: of }) => [owner.chainId, of.name]), interval, bounds],
      topics: [...new Set(wanted.flatMap((one) => topicsOfSeries(context, one)))],
      read: () =>
        Promise.all(wanted.map((one) => readPicturePoints(context, medians, one, bounds, interval))),
      // The names may be others after a restart.
      form: [wanted.map(({ owner }) => owner), axisForm(axis), mode, zero, width, height],
      draw(points) {
        const series = viewSeries({ info, second, chains: shown, points, mode })
        const begin = startOf(bounds, series, now)
        const [own] = shown
        const open = series.some((one) => endsOpen(one, { interval, now }))
        return drawPicture({
          series,
          interval,
          now,
          from: begin,
          to: bounds.to,
          sum: info.sum,
          zero,
          stacked: mode === 'stacked',
          endLabels: true,
          width,
          height,
          title: `${info.title} · ${shown.map(({ name }) => name).join(', ')}`,
          shortTitle: `${info.title} · ${shown.length === 1 ? own.name : `${shown.length} chains`}`,
          note: [
            rangeLabel(begin, bounds.to),
            ...viewNote({ info, own, series, interval, mode, zero, open }),
          ],
          empty: 'No data in this range',
        })
      },
    }
  }
  const answer = (
    view: View,
    query: NetworkQuery,
    format: PictureFormat,
    kept: string | undefined,
  ): Promise<MediaAnswer> => answers.of(plan(view, query), { ...query, format, kept })

  /** The second series of a query. Throws a 400 for one that does not exist. */
  const secondOf = (
    text: string | undefined,
    own: { readonly facts: Owner; readonly series: readonly SeriesDefinition[] },
    beside: { readonly facts: readonly Owner[]; readonly series: readonly SeriesDefinition[] },
    info: SeriesDefinition,
  ): View['second'] => {
    if (text === undefined) return undefined
    const found = findSecondOf(text, { own, beside }, info)
    if (found === undefined) throw badRequest([`second: there is no series ${text} beside ${info.name}`])
    return found
  }

  const definition = (list: readonly SeriesDefinition[], name: string): SeriesDefinition => {
    const found = list.find((one) => one.name === name)
    if (found === undefined) throw new Error(`the catalogue has no ${name}`)
    return found
  }

  return [
    implement(getMetricPicture, ({ params, query, request }) => {
      const own = owners.chain(params.chainId)
      const info = definition(chainSeries, params.metric)
      const chosen = comparedChains(query.compare ?? '', own.chainId).map(owners.chain)
      // In the order of the list, as on the page, whatever the order of the query.
      const compared = [...new Set(chosen)]
        .filter((one) => one.chainId !== own.chainId)
        .toSorted((left, right) => left.index - right.index)
      const view: View = {
        kind: 'chain',
        owners: [own, ...compared],
        info,
        second: secondOf(
          query.second,
          { facts: own, series: chainSeries },
          { facts: owners.networks, series: networkSeries },
          info,
        ),
        mode: query.mode,
      }
      return answer(view, query, params.format, request.headers['if-none-match'])
    }),

    implement(getNetworkMetricPicture, ({ params, query, request }) => {
      const own = owners.network(params.network)
      const info = definition(networkSeries, params.metric)
      const view: View = {
        kind: 'network',
        owners: [own],
        info,
        second: secondOf(
          query.second,
          { facts: own, series: networkSeries },
          { facts: owners.chains, series: chainSeries },
          info,
        ),
        mode: 'plain',
      }
      return answer(view, query, params.format, request.headers['if-none-match'])
    }),
  ]
}
