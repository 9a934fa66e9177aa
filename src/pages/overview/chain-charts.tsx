import { useMemo, useState, type ReactNode } from 'react'
import { useHref } from 'react-router'
import { CrosshairContext, createCrosshair } from '../../components/charts/crosshair.ts'
import { useNow } from '../../components/hooks.ts'
import { Link } from '../../components/link.tsx'
import { paths } from '../../lib/paths.ts'
import { HOUR } from '../../../charts/series/periods.ts'
import type { ChainFacts } from '../../api/current.ts'
import { catalogue } from '../metrics/catalogue.ts'
import { RangeControl } from '../metrics/controls.tsx'
import { useEmbedCopies } from '../embed/embed-copies.ts'
import { useChartActions, useMetricsUrl } from '../metrics/state.ts'
import { TransactionsChart } from './transactions-chart.tsx'
import { lazy } from '../../components/lazy.ts'
import { LazyPart } from '../../components/part.tsx'

const Panel = lazy(() => import('../metrics/panel.tsx'), 'Panel')

const none: readonly ChainFacts[] = []
const beside = catalogue.filter(({ name }) => ['activeAddresses', 'gasUsed', 'feesPaid'].includes(name))

/**
 * What a chain did over time: its transactions large, active addresses, gas and fees below, with one range (in the
 * URL) and one cross-hair.
 */
export function ChainCharts({ chain }: { chain: ChainFacts }): ReactNode {
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const [crosshair] = useState(createCrosshair)
  const chains = useMemo(() => [chain], [chain])
  const actions = useChartActions(url)
  const keep = url.search.toString()
  const path = paths.chain(chain.chainId)
  const href = useHref(keep === '' ? path : `${path}?${keep}`)
  const query = Object.fromEntries(
    ['range', 'from', 'to'].map((key) => [key, url.search.get(key) ?? undefined]),
  )
  const copies = useEmbedCopies(
    'getMetricPicture',
    paths.metric(chain.chainId, 'txCount'),
    url.search,
    `${chain.name}, Transactions`,
  )
  return (
    <CrosshairContext value={crosshair}>
      <h2 className="sr-only">Charts</h2>
      <div className="flex flex-wrap items-center gap-3 pb-2 max-md:gap-2">
        <RangeControl range={url.range} onChange={url.setRange} />
        <Link to={paths.metrics(chain.chainId, query)} className="link ml-auto max-md:hidden">
          All metrics
        </Link>
      </div>
      <TransactionsChart
        id="chain"
        name={`${chain.name}, Transactions`}
        of={chain.name}
        chains={chains}
        url={url}
        now={now}
        link={href}
        copies={copies}
        note={(interval) => `Transactions by ${interval}`}
      />
      <div className="mt-4 grid grid-cols-1 gap-4 lg:grid-cols-3">
        {beside.map((info) => (
          <LazyPart
            key={info.name}
            title={info.title}
            fallback={<span className="skeleton h-[212px] opacity-60" aria-hidden="true" />}
          >
            <Panel
              info={info}
              chain={chain}
              others={none}
              range={url.range}
              wanted={url.wanted}
              scale="auto"
              now={now}
              to={paths.metric(chain.chainId, info.name, query)}
              table={url.table === info.name}
              {...actions}
            />
          </LazyPart>
        ))}
      </div>
    </CrosshairContext>
  )
}
