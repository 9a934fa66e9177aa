import { useMemo, useState, type ReactNode } from 'react'
import { useHref } from 'react-router'
import { createCrosshair, CrosshairContext } from '../../components/charts/crosshair.ts'
import { useNow } from '../../components/hooks.ts'
import { Link } from '../../components/link.tsx'
import { paths } from '../../lib/paths.ts'
import { dashedNote, HOUR } from '../../../charts/series/periods.ts'
import { RangeControl } from '../metrics/controls.tsx'
import { useEmbedCopies } from '../embed/embed-copies.ts'
import { networkCatalogue } from '../metrics/network-catalogue.ts'
import { useNetworkFacts } from '../shared/network-facts.ts'
import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import { layersNote, layersOf, layerSeries, layersTitle } from '../../../charts/catalogue/layers.ts'
import { boundsOf, hasNoValue } from '../../../charts/catalogue/view.ts'
import { useMetricsUrl } from '../metrics/state.ts'
import { useSeries } from '../metrics/use-series.ts'
import { StackedChart } from '../metrics/stacked-chart.tsx'
import type { ChartProps } from './type-chart.tsx'

/**
 * The transactions of the primary network by chain, or of one of its chains by type, stacked, over the range in the
 * URL.
 */
export function Layers({ network, of, name, path, plot }: ChartProps & { plot: number }): ReactNode {
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const facts = useNetworkFacts(network)
  const [crosshair] = useState(createCrosshair)
  const shown = useMemo(() => layersOf(of, networkCatalogue), [of])
  const [first] = shown
  if (first === undefined) throw new Error(`no series of ${of}`)
  const interval = supportedInterval(first.info, url.wanted)
  const bounds = boundsOf(first.info, url.range, interval, now)
  const loaded = useSeries(
    shown.map(({ info }) => ({ chainId: network, info })),
    { interval, range: bounds, now },
  )
  const series = useMemo(
    () =>
      layerSeries(
        shown,
        loaded.series.map((result) => (result.state === 'ready' ? result.points : undefined)),
        facts,
      ),
    [shown, loaded.series, facts],
  )
  const loading = loaded.series.some(({ state }) => state === 'loading')
  // A stack without one of its layers would be wrong, so that any failure is shown instead of the chart.
  const failed = loaded.series.find((one) => one.state === 'failed' || one.state === 'unsupported')
  const keep = url.search.toString()
  const href = useHref(keep === '' ? path : `${path}?${keep}`)
  const id = `types-${of}`
  const title = layersTitle(of)
  const copies = useEmbedCopies(
    of === 'network' ? 'getNetworkTransactionsPicture' : 'getTransactionTypesPicture',
    of === 'network' ? `${paths.network(network)}/transactions` : paths.primaryTransactions(network, of),
    url.search,
    `${name}, ${title}`,
  )
  return (
    <CrosshairContext value={crosshair}>
      <div className="flex flex-wrap items-center gap-3 pb-2 max-md:gap-2">
        <RangeControl range={url.range} onChange={url.setRange} />
        <Link to={paths.networkMetrics(network)} className="link ml-auto max-md:hidden">
          All network metrics
        </Link>
      </div>
      <StackedChart
        id={id}
        name={`${name}, Transactions`}
        info={{ ...first.info, title }}
        of={name}
        instead={
          loading ? { state: 'loading' } : (failed ?? (hasNoValue(series) ? { state: 'empty' } : undefined))
        }
        series={series}
        interval={interval}
        range={bounds}
        now={now}
        height={plot}
        note={(open) =>
          [`${title}, by ${interval}`, ...layersNote(of), ...(open ? [dashedNote(interval)] : [])].join(' · ')
        }
        url={url}
        table={id}
        link={href}
        copies={copies}
        onRetry={loaded.retry}
      />
    </CrosshairContext>
  )
}
