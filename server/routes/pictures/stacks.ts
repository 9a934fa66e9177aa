import { primaryChainNames } from '../../../contract/primary/chains.ts'
import { transactionsByChain } from '../../../contract/pictures/stacks.ts'
import {
  chainsPicture,
  networkTransactionsPicture,
  transactionTypesPicture,
} from '../../../contract/pictures/pages.ts'
import { maxSeries } from '../../../contract/metrics/view.ts'
import { chainSeries } from '../../../charts/catalogue/chain.ts'
import type { Owner, SeriesDefinition } from '../../../charts/catalogue/definition.ts'
import {
  layersNote,
  layersOf,
  layerSeries,
  layersTitle,
  type LayersOf,
} from '../../../charts/catalogue/layers.ts'
import { networkSeries } from '../../../charts/catalogue/network.ts'
import { largestChains, largestNote } from '../../../charts/catalogue/largest.ts'
import type { SeriesPoint } from '../../../charts/series/series.ts'
import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { KeptMedians } from '../../metrics/series.ts'
import type { Plan } from './answer.ts'
import type { Bind } from './entry.ts'
import { readPicturePoints, topicsOfSeries, type PictureSeries } from './metric-points.ts'
import { drawStack } from './over-time.ts'
import type { Owners } from './owners.ts'
import { axisForm, timeAxis, type TimeAxis } from './time.ts'

const found = chainSeries.find(({ name }) => name === 'txCount')
if (found === undefined) throw new Error('the catalogue has no txCount')
const transactions: SeriesDefinition = found

type Points = readonly (readonly SeriesPoint[])[]
type TimeQuery = Parameters<typeof timeAxis>[0] & { readonly width: number; readonly height: number }

/** The stacked charts of transactions. */
export function stackPictures(context: RouteContext, owners: Owners, bind: Bind): Implementation[] {
  const medians = new KeptMedians()

  /** The plan of a stack of series, which `draw` draws of their points. */
  const stackOf = (
    wanted: readonly PictureSeries[],
    axis: TimeAxis,
    { width, height }: TimeQuery,
    draw: Plan<Points>['draw'],
  ): Plan<Points> => ({
    key: ['stack', wanted.map(({ owner, info }) => [owner.chainId, info.name]), axis.interval, axis.bounds],
    topics: [...new Set(wanted.flatMap((one) => topicsOfSeries(context, one)))],
    read: () =>
      Promise.all(wanted.map((one) => readPicturePoints(context, medians, one, axis.bounds, axis.interval))),
    form: [wanted.map(({ owner }) => owner), axisForm(axis), width, height],
    draw,
  })

  /** The transactions of a network by chain, or of one of its chains by type. */
  const layered = (of: LayersOf, own: Owner, name: string, query: TimeQuery): Plan<Points> => {
    const layers = layersOf(of, networkSeries)
    const axis = timeAxis(query, context.clock(), layers[0]?.info ?? transactions)
    const wanted = layers.map(({ info }): PictureSeries => ({ kind: 'network', owner: own, info }))
    return stackOf(wanted, axis, query, (points) =>
      drawStack({
        axis,
        size: query,
        series: layerSeries(layers, points, own),
        title: layersTitle(of),
        of: name,
        note: layersNote(of),
      }),
    )
  }

  return [
    ...bind({
      operations: chainsPicture,
      about: () => ({ title: transactionsByChain, page: '/chains' }),
      plan({ query }) {
        const { chains } = owners
        const axis = timeAxis(query, context.clock(), transactions)
        const wanted = chains.map((owner): PictureSeries => ({ kind: 'chain', owner, info: transactions }))
        return stackOf(wanted, axis, query, (points) => {
          const series = largestChains(
            transactions,
            chains.map((chain, index) => ({ chain, points: points[index] ?? [] })),
          )
          return drawStack({
            axis,
            size: query,
            series,
            title: transactionsByChain,
            of: series.map(({ label }) => label).join(', '),
            note: chains.length > maxSeries ? [largestNote(chains.length)] : [],
          })
        })
      },
    }),
    ...bind({
      operations: networkTransactionsPicture,
      about({ network }) {
        const { chainId, name } = owners.network(network)
        return { title: `${layersTitle('network')} · ${name}`, page: `/networks/${chainId}` }
      },
      plan({ params, query }) {
        const own = owners.network(params.network)
        return layered('network', own, own.name, query)
      },
    }),
    ...bind({
      operations: transactionTypesPicture,
      about({ network, chain }) {
        const { chainId, name } = owners.network(network)
        return {
          title: `${layersTitle(chain)} · ${primaryChainNames[chain]}, ${name}`,
          page: `/networks/${chainId}/${chain}/transactions`,
        }
      },
      plan({ params: { network, chain }, query }) {
        const own = owners.network(network)
        return layered(chain, own, `${primaryChainNames[chain]}, ${own.name}`, query)
      },
    }),
  ]
}
