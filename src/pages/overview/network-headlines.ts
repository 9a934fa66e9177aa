import { useQuery } from '@tanstack/react-query'
import type { NetworkMetricName } from '../../../contract/metrics/network-catalogue.ts'
import { useOffers, type NetworkName } from '../../api/current.ts'
import { networkMetricQuery } from '../../api/metrics/series.ts'
import { countedOf, networkOverviewQuery, type CountedOverview } from '../../api/network/overview.ts'
import { avaxDecimals } from '../../components/asset-amount.tsx'
import { exactAmount, formatAmount, formatInteger, formatShare } from '../../lib/amounts.ts'
import { minus } from '../../../charts/series/minus.ts'
import { DAY, periodStart } from '../../../charts/series/periods.ts'
import { percentText } from '../../../charts/series/units.ts'
import { plural } from '../../lib/text.ts'
import type { Headline } from './headlines.tsx'

type Series = { readonly values: readonly number[] | undefined; readonly failed: boolean }

/** A level of a network by day, the last 31. */
function useLevel(network: NetworkName, metric: NetworkMetricName, now: number): Series {
  const offered = useOffers('getNetworkMetric', network)
  const today = periodStart(now, 'day')
  const { data, error } = useQuery({
    ...networkMetricQuery(network, metric, {
      interval: 'day',
      startTimestamp: today - 30 * DAY - 1,
      endTimestamp: today + DAY,
    }),
    enabled: offered,
  })
  const values = data?.flatMap(({ value }) => (value === null ? [] : [Number(value)]))
  return { values: offered && !error ? values : [], failed: !offered || error !== null }
}

/** "+3 in 30 days", "+1.2 % in 30 days"; empty until there are 30 days. */
function changeOf({ values, failed }: Series, as: 'count' | 'share'): string {
  const [first] = values ?? []
  const last = values?.at(-1)
  if (failed || first === undefined || last === undefined || (values?.length ?? 0) < 31) return ''
  if (as === 'share') return first === 0 ? '' : `${percentText(last / first - 1)} in 30 days`
  const change = last - first
  const sign = change > 0 ? '+' : change < 0 ? minus : '±'
  return `${sign}${formatInteger(Math.abs(change))} in 30 days`
}

function stakeOf(overview: CountedOverview | undefined): string | undefined {
  return overview && (BigInt(overview.amountStaked) + BigInt(overview.amountDelegated)).toString()
}

/** Stake, validators and L1s of a network with the course of 30 days; none where the deployment has none of it. */
export function useNetworkHeadlines(network: NetworkName, now: number): Headline[] {
  const offered = useOffers('getNetworkOverview', network)
  const { data: overview, error } = useQuery({ ...networkOverviewQuery(network), enabled: offered })
  const stakes = useLevel(network, 'totalStake', now)
  const validators = useLevel(network, 'validators', now)
  const l1s = useLevel(network, 'l1s', now)
  if (!offered) return []
  const data = countedOf(overview)
  if (overview && !data)
    return ['Stake, AVAX', 'Validators', 'L1s'].map((label) => ({
      label,
      value: null,
      notes: ['not indexed yet'],
    }))
  const staked = stakeOf(data)
  const supply = data?.currentSupply
  const share = staked !== undefined && supply !== undefined ? formatShare(staked, supply) : ''
  return [
    {
      label: 'Stake, AVAX',
      value: staked === undefined ? undefined : formatAmount(staked, avaxDecimals, 0),
      title: staked === undefined ? undefined : `${exactAmount(staked, avaxDecimals)} AVAX`,
      notes: [share && `${share} % of the supply`, changeOf(stakes, 'share')],
      error,
      spark: { values: stakes.values, label: 'Total stake, the last 30 days', isLevel: true },
    },
    {
      label: 'Validators',
      value: data && formatInteger(data.validatorCount),
      notes: [
        data ? `${formatInteger(data.delegatorCount)} ${plural(data.delegatorCount, 'delegation')}` : '',
        changeOf(validators, 'count'),
      ],
      error,
      spark: { values: validators.values, label: 'Validators, the last 30 days', isLevel: true },
    },
    {
      label: 'L1s',
      value: data && formatInteger(data.l1Count),
      notes: [
        data
          ? `${formatInteger(data.activeL1ValidatorCount)} active ${plural(data.activeL1ValidatorCount, 'validator')}`
          : '',
        changeOf(l1s, 'count'),
      ],
      error,
      spark: { values: l1s.values, label: 'L1s, the last 30 days', isLevel: true },
    },
  ]
}
