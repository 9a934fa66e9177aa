import {
  l1ValidatorCharts,
  validatorCharts,
  validatorSpreadCharts,
} from '../../../contract/pictures/charts.ts'
import {
  getValidatorDistribution,
  listL1ValidatorHistory,
  listStakeHistory,
  listUptimeSamples,
} from '../../../contract/network/staking.ts'
import { listL1Validators } from '../../../contract/network/validators.ts'
import {
  l1ValidatorPicture,
  validatorPicture,
  validatorSpreadPicture,
} from '../../../contract/pictures/pages.ts'
import { levelAt, seriesAt } from '../../../charts/chart-series.ts'
import {
  balanceSeries,
  stakeSeries,
  uptimeSeries,
  weightSeries,
  type StakePoint,
  type UptimeSample,
} from '../../../charts/series/levels.ts'
import { timeIntervals } from '../../../contract/metrics/intervals.ts'
import { stakeBins, uptimeBins } from '../../../charts/spread/bins.ts'
import { drawColumns } from '../../../charts/spread/columns.ts'
import { primaryTopic } from '../../events/hub.ts'
import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { planOf } from './answer.ts'
import type { Bind } from './entry.ts'
import { drawLevels } from './over-time.ts'
import type { Owners } from './owners.ts'
import { axisForm, timeAxis } from './time.ts'

const avax = { symbol: 'AVAX', decimals: 9 }
const count = { symbol: '', decimals: 0 }
const percent = { symbol: '%', decimals: 0 }

/** An id in the middle of a heading. */
const shortId = (id: string): string => (id.length > 20 ? `${id.slice(0, 14)}…${id.slice(-6)}` : id)

/** What the charts of a validator are drawn from: one of the two. */
type Samples = { readonly stake: readonly StakePoint[]; readonly uptime: readonly UptimeSample[] }

/** The most samples of one page (contract/network/staking.ts). */
const samplesAPage = 2160

/** The charts of validators and of L1 validators. */
export function validatorPictures(context: RouteContext, owners: Owners, bind: Bind): Implementation[] {
  const levels = { intervals: timeIntervals }
  const topicsOf = (network: string): string[] => [primaryTopic(owners.network(network).chainId, 'p-chain')]
  return [
    ...bind({
      operations: validatorSpreadPicture,
      about({ network, chart }) {
        const { chainId, name } = owners.network(network)
        return {
          title: `${validatorSpreadCharts[chart].title} · ${name}`,
          page: `/networks/${chainId}/validators`,
        }
      },
      plan({ params: { network, chart }, query, ask }) {
        const { chainId, name } = owners.network(network)
        const { width, height } = query
        return planOf({
          key: ['validator distribution', chainId],
          topics: topicsOf(network),
          read: async () => {
            const { timestamp: _, ...bins } = await ask.one(getValidatorDistribution, {
              params: { network },
              query: {},
            })
            return bins
          },
          form: [chart, name, width, height],
          draw(sent) {
            const bins = chart === 'stake' ? stakeBins(sent) : uptimeBins(sent)
            const sampled = sent.validatorCount - sent.unsampledCount
            return drawColumns({
              width,
              height,
              title: `${validatorSpreadCharts[chart].title} · ${name}`,
              shortTitle: validatorSpreadCharts[chart].title,
              note:
                chart === 'stake'
                  ? [
                      validatorSpreadCharts.stake.about,
                      'shares in %',
                      'the number of validators above each bin',
                    ]
                  : [
                      validatorSpreadCharts.uptime.about,
                      `${sampled.toLocaleString('en')} validators${sent.unsampledCount > 0 ? `, ${sent.unsampledCount.toLocaleString('en')} not sampled` : ''}`,
                    ],
              columns: bins.map(({ label, count: validators, values }) => ({
                label,
                count: validators.toLocaleString('en'),
                values,
              })),
              bars: chart === 'stake' ? ['validators', 'share of stake'] : ['validators'],
              ...(chart === 'stake' && { ceiling: 100 }),
              empty: validatorSpreadCharts[chart].empty,
            })
          },
        })
      },
    }),

    ...bind({
      operations: validatorPicture,
      about: ({ network, nodeId, chart }) => ({
        title: `${validatorCharts[chart].title} · ${shortId(nodeId)}`,
        page: `/networks/${owners.network(network).chainId}/validators/${nodeId}?tab=history`,
      }),
      plan({ params: { network, nodeId, chart }, query, ask }) {
        const axis = timeAxis(query, context.clock(), levels)
        const { interval, now, bounds } = axis
        const params = { network, nodeId }
        const span = { from: bounds.from, to: Math.min(bounds.to, now + 1) }
        const since = Math.max(0, (bounds.from ?? 1) - 1)
        const shared = {
          axis,
          size: query,
          scale: query.scale,
          title: validatorCharts[chart].title,
          of: shortId(nodeId),
        }
        const paged = { pageSize: samplesAPage }
        return planOf({
          key: ['validator', owners.network(network).chainId, nodeId, chart === 'uptime' ? [since] : 'stake'],
          topics: topicsOf(network),
          read: async (): Promise<Samples> =>
            chart === 'uptime'
              ? {
                  stake: [],
                  uptime: await ask.all(
                    listUptimeSamples,
                    { params, query: { ...paged, startTimestamp: since } },
                    ({ samples }) => samples,
                  ),
                }
              : {
                  stake: await ask.all(listStakeHistory, { params, query: paged }, ({ points }) => points),
                  uptime: [],
                },
          form: [chart, interval, bounds, axisForm(axis), query.scale, query.width, query.height],
          draw({ stake, uptime }) {
            if (chart === 'uptime')
              return drawLevels({
                ...shared,
                series: [
                  seriesAt(
                    0,
                    'Uptime',
                    percent,
                    uptimeSeries(uptime, interval).filter(({ timestamp }) => timestamp < bounds.to),
                  ),
                ],
                note: [validatorCharts.uptime.about],
                empty: validatorCharts.uptime.empty,
              })
            const { delegated, own, delegators } = stakeSeries(stake, span, interval)
            return drawLevels({
              ...shared,
              series:
                chart === 'stake'
                  ? [levelAt(0, 'Delegated', avax, delegated), levelAt(1, 'Own stake', avax, own)]
                  : [levelAt(2, 'Delegations', count, delegators)],
              note: [validatorCharts[chart].about],
              empty: validatorCharts[chart].empty,
            })
          },
        })
      },
    }),

    ...bind({
      operations: l1ValidatorPicture,
      about: ({ network, validationId, chart }) => ({
        title: `${l1ValidatorCharts[chart].title} · L1 validator ${shortId(validationId)}`,
        page: `/networks/${owners.network(network).chainId}/l1-validators/${validationId}?tab=chart`,
      }),
      plan({ params: { network, validationId, chart }, query, ask }) {
        const axis = timeAxis(query, context.clock(), levels)
        const { interval, now, bounds } = axis
        return planOf({
          key: ['l1 validator', owners.network(network).chainId, validationId],
          topics: topicsOf(network),
          read: async () => {
            const [changes, { validators }] = await Promise.all([
              ask.all(
                listL1ValidatorHistory,
                { params: { network, validationId }, query: { pageSize: 100, sortOrder: 'asc' } },
                (page) => page.changes,
              ),
              ask.one(listL1Validators, {
                params: { network },
                query: { pageSize: 1, l1ValidationId: validationId, includeInactiveL1Validators: true },
              }),
            ])
            return {
              changes: changes.map(({ timestamp, remainingBalance, balanceChange, weight }) => ({
                timestamp,
                remaining: BigInt(remainingBalance),
                change: BigInt(balanceChange),
                weight: BigInt(weight),
              })),
              remaining: BigInt(validators[0]?.remainingBalance ?? 0),
            }
          },
          form: [chart, interval, bounds, axisForm(axis), query.scale, query.width, query.height],
          draw: ({ changes, remaining }) =>
            drawLevels({
              axis,
              size: query,
              scale: query.scale,
              title: l1ValidatorCharts[chart].title,
              of: `L1 validator ${shortId(validationId)}`,
              series:
                chart === 'balance'
                  ? [
                      seriesAt(
                        0,
                        'Balance',
                        avax,
                        balanceSeries(changes, { timestamp: now, remaining }, bounds, interval),
                      ),
                    ]
                  : [
                      levelAt(
                        1,
                        'Weight',
                        count,
                        weightSeries(
                          changes,
                          { from: bounds.from, to: Math.min(bounds.to, now + 1) },
                          interval,
                        ),
                      ),
                    ],
              note: [l1ValidatorCharts[chart].about],
              empty: l1ValidatorCharts[chart].empty,
            }),
        })
      },
    }),
  ]
}
