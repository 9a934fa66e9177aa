import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useHref } from 'react-router'
import { validatorCharts } from '../../../../contract/pictures/charts.ts'
import { stakeHistoryQuery, uptimeQuery } from '../../../api/network/staking.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { useNow } from '../../../components/hooks.ts'
import { EmptyState } from '../../../components/states.tsx'
import { levelAt, seriesAt } from '../../../../charts/chart-series.ts'
import { stakeSeries, uptimeSeries } from '../../../../charts/series/levels.ts'
import { HOUR } from '../../../../charts/series/periods.ts'
import { naturalInterval, resolveRange } from '../../../../charts/series/range.ts'
import { paths } from '../../../lib/paths.ts'
import { useMetricsUrl } from '../../metrics/state.ts'
import { LevelChart, LevelCharts } from '../../metrics/level-chart.tsx'
import type { Node } from './node.ts'

const avax = { symbol: 'AVAX', decimals: avaxDecimals }
const count = { symbol: '', decimals: 0 }
const percent = { symbol: '%', decimals: 0 }

/** Stake, delegations and uptime of a node over time; a gap means that there is no sample. */
export function HistoryTab({ network, nodeId }: Node) {
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const interval = naturalInterval(url.range)
  const bounds = resolveRange(url.range, interval, now)
  const stake = useQuery(stakeHistoryQuery(network, nodeId))
  const uptime = useQuery(uptimeQuery(network, nodeId, Math.max(0, (bounds.from ?? 1) - 1)))
  const link = useHref(`${paths.validator(network, nodeId)}?${url.search.toString()}`)
  const { from, to } = bounds
  const levels = useMemo(
    () => stake.data && stakeSeries(stake.data, { from, to: Math.min(to, now + 1) }, interval),
    [stake.data, from, to, now, interval],
  )
  const shared = { of: nodeId, interval, now, bounds, link }
  const picture = (chart: string) => ({
    operationId: 'getValidatorPicture',
    path: `${paths.validator(network, nodeId)}/${chart}`,
  })
  const noStake = (
    <EmptyState title={validatorCharts.stake.empty}>
      The node did not validate the Primary Network in this range. Choose a longer one.
    </EmptyState>
  )
  return (
    <LevelCharts
      interval={interval}
      note="Uptime as measured by this node; others may measure another. Gaps: no samples."
    >
      <LevelChart
        {...shared}
        id="delegated"
        picture={picture('stake')}
        {...validatorCharts.stake}
        series={
          levels && [
            levelAt(0, 'Delegated', avax, levels.delegated),
            levelAt(1, 'Own stake', avax, levels.own),
          ]
        }
        empty={noStake}
        query={stake}
      />
      <LevelChart
        {...shared}
        id="delegators"
        picture={picture('delegations')}
        {...validatorCharts.delegations}
        series={levels && [levelAt(2, 'Delegations', count, levels.delegators)]}
        empty={noStake}
        query={stake}
      />
      <div className="lg:col-span-2">
        <LevelChart
          {...shared}
          id="uptime"
          picture={picture('uptime')}
          {...validatorCharts.uptime}
          series={uptime.data && [seriesAt(0, 'Uptime', percent, uptimeSeries(uptime.data, interval))]}
          empty={
            <EmptyState title={validatorCharts.uptime.empty}>
              Uptime is kept from the moment on at which this service began to ask its node for it.
            </EmptyState>
          }
          query={uptime}
        />
      </div>
    </LevelCharts>
  )
}
