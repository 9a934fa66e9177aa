import {
  breakdownCatalogue,
  getNetworkBreakdown,
  type NetworkBreakdown,
} from '../../../contract/metrics/breakdowns.ts'
import { networkIntervals } from '../../../contract/metrics/network-catalogue.ts'
import { metricsPageBounds } from '../../../contract/metrics/series.ts'
import { breakdownPicture } from '../../../contract/pictures/pages.ts'
import { plain } from '../../../charts/catalogue/definition.ts'
import { seriesColour } from '../../../charts/palette.ts'
import { primaryTopic } from '../../events/hub.ts'
import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { planOf } from './answer.ts'
import type { Bind } from './entry.ts'
import { drawStack } from './over-time.ts'
import type { Owners } from './owners.ts'
import { axisForm, timeAxis } from './time.ts'

/** What `getNetworkBreakdown` answers for a range, the newest point first. */
type Parts = Pick<NetworkBreakdown, 'parts' | 'results'>

/** The series of a network in parts, as the page of its metrics shows them. */
export function breakdownPictures(context: RouteContext, owners: Owners, bind: Bind): Implementation[] {
  return bind({
    operations: breakdownPicture,
    about({ network, breakdown }) {
      const { chainId, name } = owners.network(network)
      return {
        title: `${breakdownCatalogue[breakdown].title} · ${name}`,
        page: `/networks/${chainId}/metrics`,
      }
    },
    plan({ params: { network, breakdown }, query, ask }) {
      const { chainId, name } = owners.network(network)
      const { kind, title, unit } = breakdownCatalogue[breakdown]
      const axis = timeAxis(query, context.clock(), { intervals: networkIntervals })
      const { interval, bounds } = axis
      return planOf({
        key: ['breakdown', chainId, breakdown, interval, bounds],
        // Messages are those of EVM chains and of the P-Chain; versions come with the samples, which have no topic.
        topics: [primaryTopic(chainId, 'p-chain'), ...owners.chains.map((chain) => chain.chainId)],
        read: async (): Promise<Parts> => {
          let parts: Parts['parts'] = []
          const results = await ask.all(
            getNetworkBreakdown,
            {
              params: { network, breakdown },
              query: {
                timeInterval: interval,
                pageSize: metricsPageBounds.max,
                endTimestamp: bounds.to,
                ...(bounds.from !== null && { startTimestamp: bounds.from - 1 }),
              },
            },
            (page) => {
              parts = page.parts
              return page.results
            },
          )
          return { parts, results }
        },
        form: [name, axisForm(axis), query.width, query.height],
        draw: ({ parts, results }) =>
          drawStack({
            axis,
            size: query,
            series: parts.map(({ part, name: label }, index) => ({
              id: part,
              label,
              colour: seriesColour(index),
              unit: plain(unit)(),
              points: results
                .map(({ timestamp, values }) => ({ timestamp, value: values[index] ?? 0 }))
                .toReversed(),
            })),
            title,
            of: name,
            note: [
              // A chart of one series does not name it.
              ...(parts.length === 1 ? parts.map((part) => part.name) : []),
              ...(kind === 'level' ? ['in %, the last sample of each'] : []),
            ],
            sum: kind === 'sum',
            empty: 'Nothing in this range',
          }),
      })
    },
  })
}
