import { useState, type ReactNode } from 'react'
import { useHref } from 'react-router'
import { CrosshairContext, createCrosshair } from '../../components/charts/crosshair.ts'
import { useNow } from '../../components/hooks.ts'
import { Link } from '../../components/link.tsx'
import { paths } from '../../lib/paths.ts'
import { HOUR } from '../../../charts/series/periods.ts'
import type { ChainFacts } from '../../api/current.ts'
import { IntervalControl, RangeControl } from '../metrics/controls.tsx'
import { maxSeries } from '../../../contract/metrics/view.ts'
import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import { largestNote } from '../../../charts/catalogue/view.ts'
import { useEmbedCopies } from '../embed/embed-copies.ts'
import { useMetricsUrl } from '../metrics/state.ts'
import { transactions, TransactionsChart } from './transactions-chart.tsx'

type Props = { readonly chains: readonly ChainFacts[]; readonly listed: number; readonly path: string }

/** The transactions of the counted chains of `listed`, stacked. Range, interval and table are in the URL. */
export function TrafficChart({ chains, listed, path }: Props): ReactNode {
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const [crosshair] = useState(createCrosshair)
  const keep = url.search.toString()
  const href = useHref(keep === '' ? path : `${path}?${keep}`)
  const copies = useEmbedCopies(
    'getChainTransactionsPicture',
    '/chains/transactions',
    url.search,
    'Transactions by chain',
  )
  return (
    <CrosshairContext value={crosshair}>
      <div className="flex flex-wrap items-center gap-3 pb-2 max-md:gap-2">
        <RangeControl range={url.range} onChange={url.setRange} />
        <div className="contents max-md:hidden">
          <IntervalControl
            current={supportedInterval(transactions, url.wanted)}
            supported={transactions.intervals}
            reason={`${transactions.title} are counted by other intervals only`}
            onChange={(next) => url.change({ interval: next })}
          />
        </div>
        <Link to={paths.metric('total', transactions.name)} className="link ml-auto max-md:hidden">
          Compare chains
        </Link>
      </div>
      <TransactionsChart
        id="traffic"
        name="Transactions by chain"
        of="This service"
        chains={chains}
        url={url}
        now={now}
        link={href}
        copies={copies}
        note={(interval, open) =>
          [
            `by ${interval}, stacked`,
            ...(listed > chains.length ? [`the first ${chains.length} of ${listed} chains`] : []),
            ...(chains.length > maxSeries ? [largestNote(chains.length)] : []),
            ...(open ? [`the last ${interval} has not ended and is dashed`] : []),
          ].join(' · ')
        }
      />
    </CrosshairContext>
  )
}
