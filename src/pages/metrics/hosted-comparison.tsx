import { useQuery } from '@tanstack/react-query'
import type { MetricName } from '../../../contract/metrics/catalogue.ts'
import type { Profile } from '../../../contract/profile.ts'
import { periodLabel, type Interval } from '../../../charts/series/periods.ts'
import type { SeriesPoint, SeriesValue } from '../../../charts/series/series.ts'
import { exactText, withUnit, type Unit } from '../../../charts/series/units.ts'
import { chainsQuery, sessionQuery } from '../../api/chains.ts'
import type { Client } from '../../api/client.ts'
import { clientOf, hostedProfile, seriesElsewhere } from '../../api/metrics/hosted.ts'
import { Pill } from '../../components/pill.tsx'
import { useRequest } from '../../components/use-request.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { Failed } from '../shared/failed.tsx'
import { Button } from '../../components/controls.tsx'
import { comparePoints } from './hosted-points.ts'

/** Differences that are listed. */
const max = 50

type Props = {
  chainId: string
  metric: MetricName
  unit: Unit
  interval: Interval
  points: readonly SeriesPoint[]
  now: number
}

/** Compares the points of the chart with those of the hosted service of the chain's network, on a click. */
export function HostedComparison({ chainId, metric, unit, interval, points, now }: Props) {
  const current = useQuery(sessionQuery()).data
  const chain = useQuery(chainsQuery()).data?.find((one) => one.chainId === chainId)
  const profile =
    current && chain
      ? hostedProfile(current.config, current.profile, chain.isTestnet ? 'fuji' : 'mainnet', metric)
      : undefined
  const comparing = useRequest(async (from: { own: Client; profile: Profile }, signal) => {
    const range = {
      interval,
      // Both bounds are exclusive.
      startTimestamp: (points[0]?.timestamp ?? 0) - 1,
      endTimestamp: (points.at(-1)?.timestamp ?? 0) + 1,
    }
    const theirs = await seriesElsewhere(from.own, clientOf(from.profile), { chainId, metric }, range, signal)
    return { ...comparePoints(points, theirs, interval, now), name: from.profile.name }
  })
  if (!current || !profile || points.length === 0) return null
  const compare = (): void => comparing.mutate({ own: current.client, profile })
  const { data } = comparing
  const valueOf = (value: SeriesValue): string => withUnit(exactText(value, unit.decimals), unit)
  return (
    <div className="flex min-w-0 flex-col items-start gap-2">
      <Button small disabled={comparing.isPending} onClick={compare}>
        {comparing.isPending ? 'Comparing' : `Compare with ${profile.name}`}
      </Button>
      {comparing.error && (
        <Failed title="The points could not be compared." error={comparing.error} onRetry={compare} />
      )}
      {data && (
        <section aria-label={`Compared with ${data.name}`} className="flex min-w-0 flex-col gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <Pill state={data.differences.length === 0 ? 'ok' : 'failed'}>
              {data.differences.length === 0 ? 'Equal' : 'Not equal'}
            </Pill>
            <span>
              {data.differences.length === 0
                ? `All ${formatInteger(data.count)} ${plural(data.count, 'point', 'points')} that are over`
                : `${formatInteger(data.differences.length)} of ${formatInteger(data.count)} points that are over`}
            </span>
          </div>
          {data.differences.length > 0 && (
            <table className="w-full border-collapse text-left">
              <caption className="sr-only">Points with another value at {data.name}</caption>
              <thead>
                <tr className="text-xs text-muted">
                  {['Period', 'Here', data.name].map((name) => (
                    <th key={name} scope="col" className="py-1 pr-3 font-normal">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.differences.slice(0, max).map(({ timestamp, ours, theirs }) => (
                  <tr key={timestamp} className="border-t border-line">
                    <td className="py-1 pr-3">{periodLabel(timestamp, interval, now)}</td>
                    <td className="py-1 pr-3">{valueOf(ours)}</td>
                    <td className="py-1 pr-3 text-bad">
                      {theirs === undefined ? 'no value' : valueOf(theirs)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {data.differences.length > max && <p className="text-xs text-muted">The first {max} are listed.</p>}
        </section>
      )}
    </div>
  )
}
