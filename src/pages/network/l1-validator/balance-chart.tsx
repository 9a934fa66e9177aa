import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useHref } from 'react-router'
import { l1ValidatorCharts } from '../../../../contract/pictures/charts.ts'
import type { L1Validator } from '../../../../contract/network/validators.ts'
import type { NetworkName } from '../../../api/current.ts'
import { wholeL1HistoryQuery } from '../../../api/network/validators.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { useNow } from '../../../components/hooks.ts'
import { EmptyState } from '../../../components/states.tsx'
import { levelAt, seriesAt } from '../../../../charts/chart-series.ts'
import { balanceSeries, weightSeries } from '../../../../charts/series/levels.ts'
import { HOUR } from '../../../../charts/series/periods.ts'
import { naturalInterval, resolveRange } from '../../../../charts/series/range.ts'
import { paths } from '../../../lib/paths.ts'
import { useMetricsUrl } from '../../metrics/state.ts'
import { LevelChart, LevelCharts } from '../../metrics/level-chart.tsx'

const avax = { symbol: 'AVAX', decimals: avaxDecimals }

/** The balance and the weight of an L1 validator over time. */
export function BalanceChart({ network, validator }: { network: NetworkName; validator: L1Validator }) {
  const { validationId } = validator
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const query = useQuery(wholeL1HistoryQuery(network, validationId))
  const interval = naturalInterval(url.range)
  const { from, to } = resolveRange(url.range, interval, now)
  const link = useHref(`${paths.l1Validator(network, validationId)}?${url.search.toString()}`)
  const changes = useMemo(
    () =>
      query.data?.toReversed().map((change) => ({
        timestamp: change.timestamp,
        remaining: BigInt(change.remainingBalance),
        change: BigInt(change.balanceChange),
        weight: BigInt(change.weight),
      })),
    [query.data],
  )
  const remaining = BigInt(validator.remainingBalance)
  const series = useMemo(
    () =>
      changes && {
        balance: balanceSeries(changes, { timestamp: now, remaining }, { from, to }, interval),
        weight: weightSeries(changes, { from, to: Math.min(to, now + 1) }, interval),
      },
    [changes, now, remaining, from, to, interval],
  )
  const shared = { of: `L1 validator ${validationId}`, interval, now, bounds: { from, to }, link }
  const picture = (chart: string) => ({
    operationId: 'getL1ValidatorPicture',
    path: `${paths.l1Validator(network, validationId)}/${chart}`,
  })
  const empty = (
    <EmptyState title={l1ValidatorCharts.balance.empty}>
      Choose a longer one, or one that ends later.
    </EmptyState>
  )
  return (
    <LevelCharts
      interval={interval}
      note="The balance is exact at each change and now; between them, where the fee takes from it every second, it is drawn as a straight line."
    >
      <LevelChart
        {...shared}
        id="balance"
        picture={picture('balance')}
        {...l1ValidatorCharts.balance}
        series={series && [seriesAt(0, 'Balance', avax, series.balance)]}
        empty={empty}
        query={query}
      />
      <LevelChart
        {...shared}
        id="weight"
        picture={picture('weight')}
        {...l1ValidatorCharts.weight}
        series={series && [levelAt(1, 'Weight', { symbol: '', decimals: 0 }, series.weight)]}
        empty={empty}
        query={query}
      />
    </LevelCharts>
  )
}
