import { useCallback, useMemo, useState } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import { timeIntervals } from '../../../contract/metrics/intervals.ts'
import { queryClient } from '../../api/query-client.ts'
import { CrosshairContext, createCrosshair } from '../../components/charts/crosshair.ts'
import { useLatest, useNow } from '../../components/hooks.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { Section } from '../../components/section.tsx'
import { HOUR, periodStart } from '../../lib/series/periods.ts'
import { defaultRange, resolveRange } from '../../lib/series/range.ts'
import { paths } from '../../lib/paths.ts'
import { catalogue, groups, supportedInterval } from './catalogue.ts'
import { isGroup, useComparable, useMetricsChain } from './chains.ts'
import { CompareControl, IntervalControl, RangeControl, ScaleControl } from './controls.tsx'
import { Panel } from './panel.tsx'
import { comparedChains, readMetrics, useMetricsUrl, type MetricsState } from './state.ts'
import { ingredientQuery } from './use-series.ts'
import { ChainCrumb } from '../shared/crumbs.tsx'

/** What the first screen shows is asked for before the page is there. */
const AHEAD = 6

export function loader({ params, request }: LoaderFunctionArgs): null {
  const { range, wanted } = readMetrics(new URL(request.url).searchParams)
  const now = periodStart(Date.now() / 1000, 'hour')
  for (const info of catalogue.slice(0, AHEAD)) {
    const interval = supportedInterval(info, wanted)
    const bounds = resolveRange(range, interval, now)
    for (const ingredient of info.needs)
      void queryClient.prefetchQuery(
        ingredientQuery(params['chainId'] ?? '', info, ingredient, interval, bounds),
      )
  }
  return null
}

const dayOnly = 'No series supports this interval'

/** The metrics of a chain as small multiples under one cross-hair. */
export function Component() {
  const { chainId = '' } = useParams()
  const chain = useMetricsChain(chainId)
  const comparable = useComparable()
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const [crosshair] = useState(createCrosshair)
  const chosen = comparedChains(url.compare, chain.chainId).join()
  const others = useMemo(
    () =>
      comparable.filter((one) => one.chainId !== chain.chainId && chosen.split(',').includes(one.chainId)),
    [comparable, chosen, chain.chainId],
  )

  // The panels are many: they get functions that stay the same while the URL changes.
  const latest = useLatest(url)
  const onTable = useCallback(
    (name: string, open: boolean) => latest.current.change({ table: open ? name : '' }),
    [latest],
  )
  const onRange = useCallback((from: number, to: number) => latest.current.setRange({ from, to }), [latest])
  const onReset = useCallback(() => latest.current.setRange(defaultRange), [latest])

  const shownIn = (group: string) => catalogue.filter((info) => info.group === group)
  const query = Object.fromEntries(
    ['range', 'from', 'to', 'interval', 'scale', 'compare'].map((key) => [
      key,
      url.search.get(key) ?? undefined,
    ]),
  )
  return (
    <CrosshairContext value={crosshair}>
      {!isGroup(chain.chainId) && <ChainCrumb chain={chain} />}
      <PageTitle document={`Metrics · ${chain.name}`} heading="Metrics" />
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <RangeControl range={url.range} onChange={url.setRange} />
        <IntervalControl
          current={url.wanted}
          supported={timeIntervals}
          reason={dayOnly}
          onChange={(interval) => url.change({ interval })}
        />
        <ScaleControl
          current={url.scale}
          onChange={(scale: MetricsState['scale']) => url.change({ scale })}
        />
        <CompareControl
          own={chain}
          comparable={comparable}
          chosen={comparedChains(url.compare, chain.chainId)}
          onToggle={(id) => url.toggleChain(id, chain.chainId)}
        />
      </div>
      <div className="flex flex-col gap-6">
        {groups.map((group) => (
          <Section key={group} title={group}>
            <div className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
              {shownIn(group).map((info) => (
                <Panel
                  key={info.name}
                  info={info}
                  chain={chain}
                  others={others}
                  range={url.range}
                  wanted={url.wanted}
                  scale={url.scale}
                  now={now}
                  to={paths.metric(chainId, info.name, query)}
                  table={url.table === info.name}
                  onTable={onTable}
                  onRange={onRange}
                  onReset={onReset}
                />
              ))}
            </div>
          </Section>
        ))}
      </div>
    </CrosshairContext>
  )
}
