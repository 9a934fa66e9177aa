import { useState, type ReactNode } from 'react'
import { useHref } from 'react-router'
import { transactionsByChain } from '../../../contract/pictures/stacks.ts'
import { CrosshairContext, createCrosshair } from '../../components/charts/crosshair.ts'
import { useNow } from '../../components/hooks.ts'
import { lazy } from '../../components/lazy.ts'
import { Link } from '../../components/link.tsx'
import { LazyPart } from '../../components/part.tsx'
import { ChartSkeleton } from '../metrics/bodies.tsx'
import { dashedNote, HOUR } from '../../../charts/series/periods.ts'
import { useOffers, type ChainFacts } from '../../api/current.ts'
import { IntervalControl, RangeControl } from '../metrics/controls.tsx'
import { maxSeries } from '../../../contract/metrics/view.ts'
import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import { comparisonPath } from '../../lib/comparison-path.ts'
import { paths } from '../../lib/paths.ts'
import { useEmbedCopies } from '../embed/embed-copies.ts'
import { useMetricsUrl } from '../metrics/state.ts'
import { chartPlot } from './places.tsx'
import { transactions, TransactionsChart } from './transactions-chart.tsx'

const LargestChart = lazy(() => import('./largest-chart.tsx'), 'LargestChart')

type Props = { readonly chains: readonly ChainFacts[]; readonly listed: number }

/** The transactions of the counted chains of `listed`, stacked. Range, interval and table are in the URL. */
export function TrafficChart({ chains, listed }: Props): ReactNode {
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const [crosshair] = useState(createCrosshair)
  const [first, ...others] = chains
  const keep = url.search.toString()
  const href = useHref(keep === '' ? paths.overview() : `${paths.overview()}?${keep}`)
  const copies = useEmbedCopies(
    'getChainTransactionsPicture',
    '/chains/transactions',
    url.search,
    transactionsByChain,
  )
  const interval = supportedInterval(transactions, url.wanted)
  const isMany = useOffers('listLargestTraffic') && chains.length > maxSeries
  const shown = isMany || chains.length <= maxSeries ? chains : chains.slice(0, maxSeries)
  const Layers = isMany ? LargestChart : TransactionsChart
  return (
    <CrosshairContext value={crosshair}>
      <div className="flex flex-wrap items-center gap-3 pb-2 max-md:gap-2">
        <RangeControl range={url.range} onChange={url.setRange} />
        <div className="contents max-md:hidden">
          <IntervalControl
            current={interval}
            supported={transactions.intervals}
            reason={`${transactions.title} are counted by other intervals only`}
            onChange={(next) => url.change({ interval: next })}
          />
        </div>
        {first !== undefined && others.length > 0 && (
          <Link
            to={comparisonPath(
              first.chainId,
              others.map(({ chainId }) => chainId),
            )}
            className="link ml-auto max-md:hidden"
          >
            Compare chains
          </Link>
        )}
      </div>
      <LazyPart title="The chart" fallback={<ChartSkeleton height={chartPlot + 24} />}>
        <Layers
          id="traffic"
          name={transactionsByChain}
          of="This service"
          chains={shown}
          url={url}
          now={now}
          link={href}
          copies={copies}
          note={(_, open) =>
            [
              `by ${interval}, stacked`,
              ...(listed > shown.length ? [`the first ${shown.length} of ${listed} chains`] : []),
              ...(open ? [dashedNote(interval)] : []),
            ].join(' · ')
          }
        />
      </LazyPart>
    </CrosshairContext>
  )
}
