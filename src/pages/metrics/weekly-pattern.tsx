import { Suspense, useMemo, type ReactNode } from 'react'
import { weekChart } from '../../../contract/pictures/charts.ts'
import { useNear } from '../../components/charts/use-near.ts'
import { hourOfWeek } from '../../../charts/series/transforms.ts'
import { resolveRange } from '../../../charts/series/range.ts'
import type { ChainFacts } from '../../api/current.ts'
import { paths } from '../../lib/paths.ts'
import { useEmbedCopies } from '../embed/embed-copies.ts'
import { ChartInstead } from './bodies.tsx'
import type { SeriesInfo } from './series-info.ts'
import { useSeries } from './use-series.ts'
import { HeatMap } from '../../components/charts/heat-map.tsx'

const HEIGHT = 280

// Below the first screen: it loads once its points are there.

type Props = {
  /** Whether `chain` is a chain or a network. */
  readonly kind: 'chain' | 'network'
  readonly info: SeriesInfo
  readonly chain: ChainFacts
  readonly now: number
  readonly link: string
  readonly heading: ReactNode
  readonly table: boolean
  readonly onTable: (open: boolean) => void
}

/** The hours of the week over the last 90 days: one page of the metrics API (docs/api.md, Keys and limits). */
export function WeeklyPattern({ kind, info, chain, now, link, heading, table, onTable }: Props): ReactNode {
  const { ref, seen } = useNear()
  const range = resolveRange({ preset: '90d' }, 'hour', now)
  const loaded = useSeries([{ chainId: chain.chainId, info }], { interval: 'hour', range, enabled: seen })
  const first = loaded.series[0] ?? { state: 'loading' as const }
  const points = first.state === 'ready' ? first.points : undefined
  const cells = useMemo(() => hourOfWeek(points ?? [], now), [points, now])
  const name = `${chain.name}, ${weekChart.titleOf(info.title)}`
  const copies = useEmbedCopies(
    kind === 'chain' ? 'getMetricWeekPicture' : 'getNetworkMetricWeekPicture',
    `${kind === 'chain' ? paths.metric(chain.chainId, info.name) : paths.networkMetric(chain.chainId, info.name)}/week`,
    new URLSearchParams(),
    name,
  )
  return (
    <section ref={ref} aria-label="Weekly pattern" className="mt-8" style={{ minHeight: HEIGHT }}>
      {cells.some(({ mean }) => mean !== null) ? (
        <Suspense>
          <HeatMap
            name={name}
            heading={heading}
            cells={cells}
            unit={info.unit(chain)}
            link={link}
            copies={copies}
            table={table}
            onTable={onTable}
          />
        </Suspense>
      ) : (
        <>
          {heading}
          <ChartInstead
            info={{ ...info, title: weekChart.titleOf(info.title) }}
            chainName={chain.name}
            loaded={first.state === 'ready' ? { state: 'empty' } : first}
            height={HEIGHT - 32}
            onRetry={loaded.retry}
          />
        </>
      )}
    </section>
  )
}
