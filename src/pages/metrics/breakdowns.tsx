import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { useHref } from 'react-router'
import {
  breakdownCatalogue,
  breakdownNames,
  type BreakdownName,
} from '../../../contract/metrics/breakdowns.ts'
import { networkIntervals } from '../../../contract/metrics/network-catalogue.ts'
import { asIs, plain } from '../../../charts/catalogue/definition.ts'
import { boundsOf, hasNoValue } from '../../../charts/catalogue/view.ts'
import { seriesColour } from '../../../charts/palette.ts'
import { dashedNote, HOUR } from '../../../charts/series/periods.ts'
import type { NetworkName } from '../../api/current.ts'
import { isUnsupported } from '../../api/errors.ts'
import { breakdownQuery } from '../../api/metrics/breakdowns.ts'
import { createCrosshair, CrosshairContext } from '../../components/charts/crosshair.ts'
import { useNear } from '../../components/charts/use-near.ts'
import { useNow } from '../../components/hooks.ts'
import { Section } from '../../components/section.tsx'
import { paths } from '../../lib/paths.ts'
import { useEmbedCopies } from '../embed/embed-copies.ts'
import type { ChartInstead } from './bodies.tsx'
import type { SeriesInfo } from './series-info.ts'
import { StackedChart } from './stacked-chart.tsx'
import { useMetricsUrl } from './state.ts'

const PLOT = 260

/** What charts need to know of a series in parts. */
const infoOf = (name: BreakdownName): SeriesInfo => {
  const { kind, title, about, unit } = breakdownCatalogue[name]
  return {
    name,
    title,
    about,
    group: '',
    sum: kind === 'sum',
    addsUp: kind === 'sum',
    unit: plain(unit),
    traced: false,
    derived: false,
    intervals: networkIntervals,
    needs: [],
    make: asIs,
    looksBack: false,
  }
}

type Props = { readonly network: NetworkName; /** As charts name it. */ readonly name: string }

/** The series of a network in parts, each as a stack over the range in the URL. */
export function Breakdowns({ network, name }: Props): ReactNode {
  const [crosshair] = useState(createCrosshair)
  return (
    <CrosshairContext value={crosshair}>
      <div className="mt-6 flex flex-col gap-6">
        {breakdownNames.map((breakdown) => (
          <Section key={breakdown} title={breakdownCatalogue[breakdown].title}>
            <p className="mb-2 max-w-[80ch] text-muted">{breakdownCatalogue[breakdown].about}</p>
            <BreakdownChart network={network} name={name} breakdown={breakdown} />
          </Section>
        ))}
      </div>
    </CrosshairContext>
  )
}

function BreakdownChart({ network, name, breakdown }: Props & { readonly breakdown: BreakdownName }) {
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const { ref, seen } = useNear()
  const info = useMemo(() => infoOf(breakdown), [breakdown])
  const interval = url.wanted
  const range = boundsOf(info, url.range, interval, now)
  const { data, error, refetch } = useQuery({
    ...breakdownQuery(network, breakdown, {
      interval,
      endTimestamp: range.to,
      ...(range.from !== null && { startTimestamp: range.from - 1 }),
    }),
    enabled: seen,
    refetchInterval: range.to > now ? 60_000 : false,
  })
  const series = useMemo(
    () =>
      (data?.parts ?? []).map(({ part, name: label }, index) => ({
        id: part,
        label,
        colour: seriesColour(index),
        unit: info.unit({ chainId: network, name, symbol: '', decimals: 0, index: 0 }),
        points: (data?.results ?? []).map(({ timestamp, values }) => ({
          timestamp,
          value: values[index] ?? 0,
        })),
      })),
    [data, info, network, name],
  )
  const copies = useEmbedCopies(
    'getNetworkBreakdownPicture',
    `${paths.network(network)}/breakdowns/${breakdown}`,
    url.search,
    `${name}, ${info.title}`,
  )
  const keep = url.search.toString()
  const path = paths.networkMetrics(network)
  const href = useHref(keep === '' ? path : `${path}?${keep}`)
  return (
    <div ref={ref} className="min-w-0">
      <StackedChart
        id={`parts-${breakdown}`}
        name={`${name}, ${info.title}`}
        info={info}
        of={name}
        instead={insteadOf(data !== undefined, error, hasNoValue(series))}
        series={series}
        interval={interval}
        range={range}
        now={now}
        height={PLOT}
        note={(open) =>
          [
            `By ${interval}`,
            // A chart of one series does not name it.
            ...(series.length === 1 ? series.map(({ label }) => label) : []),
            ...(info.sum ? [] : ['the last sample of each']),
            ...(open ? [dashedNote(interval)] : []),
          ].join(' · ')
        }
        url={url}
        table={`parts-${breakdown}`}
        link={href}
        copies={copies}
        onRetry={() => void refetch()}
      />
    </div>
  )
}

/** What stands in a chart's place; undefined for the chart. */
function insteadOf(
  loaded: boolean,
  error: Error | null,
  isEmpty: boolean,
): Parameters<typeof ChartInstead>[0]['loaded'] | undefined {
  if (loaded) return isEmpty ? { state: 'empty' } : undefined
  if (error === null) return { state: 'loading' }
  return { state: isUnsupported(error) ? 'unsupported' : 'failed', error }
}
