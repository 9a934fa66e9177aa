import { useQuery } from '@tanstack/react-query'
import { metricQuery } from '../../api/metrics/series.ts'
import { Sparkline } from '../../components/charts/sparkline.tsx'
import { seriesColour } from '../../../charts/palette.ts'

/** The number of days of the sparkline. */
const days = 30

/** A chain's transactions by day; `index` is its index in the service's list, which selects the colour. */
export function ChainSpark({ chainId, name, index }: { chainId: string; name: string; index: number }) {
  const { data, error } = useQuery(metricQuery(chainId, 'txCount', { interval: 'day', points: days }))
  if (error) return <span className="text-xs text-muted">no series</span>
  return (
    <Sparkline
      values={data?.map((point) => Number(point.value)) ?? []}
      colour={seriesColour(index)}
      label={`Transactions a day on ${name}, the last ${days} days`}
    />
  )
}
