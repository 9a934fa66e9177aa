import { titleOf } from '../../../contract/pages.ts'
import { comparedChains } from '../../../charts/catalogue/view.ts'
import { useMemo, useState, type ReactNode } from 'react'
import { timeIntervals } from '../../../contract/metrics/intervals.ts'
import { useProfile } from '../../api/current.ts'
import { CrosshairContext, createCrosshair } from '../../components/charts/crosshair.ts'
import { useNow } from '../../components/hooks.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { ChevronDownIcon } from '../../components/icons.ts'
import { Menu } from '../../components/overlays/menu.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { plural } from '../../lib/text.ts'
import { HOUR } from '../../../charts/series/periods.ts'
import { resolveRange } from '../../../charts/series/range.ts'
import { Button, Input } from '../../components/controls.tsx'
import { CompareControl } from './comparison.tsx'
import { Choice, ControlBar, IntervalControl, RangeControl, scaleEntries } from './controls.tsx'
import { Panel } from './panel.tsx'
import type { SeriesInfo } from './series-info.ts'
import { openGroups, toggleGroup, useChartActions, useMetricsUrl, type MetricsUrl } from './state.ts'
import { SubjectSwitch, type Subject } from './subject.tsx'
import { byChange } from './by-change.ts'
import { useSeries } from './use-series.ts'

const dayOnly = 'No series supports this interval'

const orders = [
  { id: 'groups', label: 'By group' },
  { id: 'moved', label: 'Most changed first' },
] as const

const panelGrid = 'grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3'

type MostMovedProps = {
  readonly subject: Subject
  readonly series: readonly SeriesInfo[]
  readonly url: MetricsUrl
  readonly now: number
  readonly draw: (info: SeriesInfo) => ReactNode
}

/** The charts in the order of the change of their last whole day; all series are needed to know it. */
function MostMoved({ subject, series, url, now, draw }: MostMovedProps): ReactNode {
  const range = resolveRange(url.range, 'day', now)
  const { series: loaded } = useSeries(
    series.map((info) => ({ chainId: subject.facts.chainId, info })),
    { interval: 'day', range, now },
  )
  const waiting = loaded.filter(({ state }) => state === 'loading').length
  const ordered = byChange(
    series.map((info, index) => {
      const one = loaded[index]
      return { info, points: one?.state === 'ready' ? one.points : [] }
    }),
    now,
  )
  return (
    <section aria-label="Most changed first" className="mt-4">
      <output className="block min-h-5 pb-2 text-xs text-muted">
        {waiting > 0
          ? `Comparing the last two whole days: ${series.length - waiting} of ${series.length} metrics`
          : 'By the change of the last whole day from the day before'}
      </output>
      {/* Charts would jump while the order is not known. */}
      {waiting > 0 ? <SkeletonRows count={8} /> : <div className={panelGrid}>{ordered.map(draw)}</div>}
    </section>
  )
}

/** The metrics of a chain or a network as small multiples with a common crosshair. */
export function Multiples({ subject }: { subject: Subject }): ReactNode {
  const { facts: chain, comparable, groups } = subject
  const offered = useProfile()?.metrics
  const series = useMemo(
    () =>
      subject.series.filter(
        ({ needs }) => offered === undefined || needs.every(({ metric }) => offered.includes(metric)),
      ),
    [subject.series, offered],
  )
  const lacking = subject.series.length - series.length
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const [crosshair] = useState(createCrosshair)
  const chosen = comparedChains(url.compare, chain.chainId).join()
  const others = useMemo(
    () =>
      comparable.filter((one) => one.chainId !== chain.chainId && chosen.split(',').includes(one.chainId)),
    [comparable, chosen, chain.chainId],
  )

  const actions = useChartActions(url)
  const open = openGroups(url.open)
  const [filter, setFilter] = useState('')
  const needle = filter.trim().toLowerCase()
  const shownSeries = series.filter(({ title, about }) => `${title} ${about}`.toLowerCase().includes(needle))
  const shownGroups = groups.flatMap((group, place) => {
    const all = shownSeries.filter((info) => info.group === group)
    return all.length === 0 ? [] : [{ group, place, all }]
  })
  const query = Object.fromEntries(
    ['range', 'from', 'to', 'interval', 'scale', 'compare'].map((key) => [
      key,
      url.search.get(key) ?? undefined,
    ]),
  )
  const panelOf = (info: SeriesInfo): ReactNode => (
    <Panel
      key={info.name}
      info={info}
      chain={chain}
      others={others}
      range={url.range}
      wanted={url.wanted}
      scale={url.scale}
      now={now}
      to={subject.one(info.name, query)}
      table={url.table === info.name}
      {...actions}
    />
  )
  return (
    <CrosshairContext value={crosshair}>
      {subject.crumb}
      <PageTitle
        document={
          subject.kind === 'chain'
            ? titleOf('metrics', { chainId: chain.name })
            : titleOf('networkMetrics', { network: chain.name })
        }
        heading={subject.kind === 'network' ? 'Network metrics' : 'Metrics'}
        actions={<SubjectSwitch current={subject.kind} />}
      />
      <ControlBar range={<RangeControl range={url.range} onChange={url.setRange} />}>
        <IntervalControl
          current={url.wanted}
          supported={timeIntervals}
          reason={dayOnly}
          onChange={(interval) => url.change({ interval })}
        />
        {comparable.length > 0 && (
          <CompareControl
            own={chain}
            comparable={comparable}
            chosen={comparedChains(url.compare, chain.chainId)}
            onToggle={(id) => url.toggleChain(id, chain.chainId)}
          />
        )}
        <Menu
          label="Chart options"
          entries={() => scaleEntries(url.scale, (scale) => url.change({ scale }))}
          align="start"
        >
          Options
          <ChevronDownIcon size={14} className="text-muted" />
        </Menu>
      </ControlBar>
      {/* Stays in view: it is how one finds a chart among sixty. */}
      <div className="sticky top-14 z-20 -mx-1 flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-1 py-2">
        <Input
          type="search"
          aria-label="Filter the metrics"
          placeholder="Filter metrics"
          className="h-7 w-44"
          maxLength={40}
          spellCheck={false}
          value={filter}
          onChange={setFilter}
        />
        <Choice
          label="Order"
          options={orders}
          current={url.order}
          onChange={(order) => url.change({ order })}
        />
        {url.order === 'groups' && (
          <nav aria-label="Groups of metrics" className="flex min-w-0 flex-wrap gap-x-3 max-md:hidden">
            {shownGroups.map(({ group, place }) => (
              <a key={group} href={`#group-${place}`} className="link reach text-xs">
                {group}
              </a>
            ))}
          </nav>
        )}
        <output className="sr-only">{`${shownSeries.length} ${plural(shownSeries.length, 'metric')}`}</output>
      </div>
      {lacking > 0 && (
        <p className="pt-4 text-muted">
          {lacking} more {plural(lacking, 'metric is', 'metrics are')} counted by a Ridgeline service, and not
          offered here.
        </p>
      )}
      {shownSeries.length === 0 && (
        <EmptyState title="No such metric">No title or description contains “{filter}”.</EmptyState>
      )}
      {url.order === 'moved' ? (
        <MostMoved subject={subject} series={shownSeries} url={url} now={now} draw={panelOf} />
      ) : (
        <div className="mt-6 flex flex-col gap-6 max-md:mt-2 max-md:gap-2">
          {shownGroups.map(({ group, place, all }) => {
            const isOpen = open.includes(place) || filter !== ''
            return (
              <div key={group} id={`group-${place}`} className="scroll-mt-28">
                <Section
                  title={group}
                  actions={
                    <Button
                      className="md:hidden"
                      aria-expanded={isOpen}
                      onClick={() => url.change({ open: toggleGroup(url.open, place) })}
                    >
                      {isOpen ? 'Hide' : `Show ${all.length}`}
                      <span className="sr-only"> of {group}</span>
                    </Button>
                  }
                >
                  <div className={`${panelGrid} ${isOpen ? '' : 'max-md:hidden'}`}>{all.map(panelOf)}</div>
                </Section>
              </div>
            )
          })}
        </div>
      )}
    </CrosshairContext>
  )
}
