import { useState, type ReactNode } from 'react'
import { useHref } from 'react-router'
import { CrosshairContext, createCrosshair } from '../../components/charts/crosshair.ts'
import { useNow } from '../../components/hooks.ts'
import { Link } from '../../components/link.tsx'
import { dashedNote, HOUR } from '../../../charts/series/periods.ts'
import type { ChainFacts } from '../../api/current.ts'
import { IntervalControl, RangeControl } from '../metrics/controls.tsx'
import { maxSeries } from '../../../contract/metrics/view.ts'
import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import { largestNote } from '../../../charts/catalogue/view.ts'
import { useEmbedCopies } from '../embed/embed-copies.ts'
import { useMetricsUrl } from '../metrics/state.ts'
import { comparisonPath } from '../metrics/subject.tsx'
import { transactions, TransactionsChart } from './transactions-chart.tsx'

type Props = { readonly chains: readonly ChainFacts[]; readonly listed: number; readonly path: string }

/** The transactions of the counted chains of `listed`, stacked. Range, interval and table are in the URL. */
export function TrafficChart({ chains, listed, path }: Props): ReactNode {
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const [crosshair] = useState(createCrosshair)
  const [first, ...others] = chains
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
            ...(open ? [dashedNote(interval)] : []),
          ].join(' · ')
        }
      />
    </CrosshairContext>
  )
}
