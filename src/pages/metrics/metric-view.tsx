import { titleOf } from '../../../contract/pages.ts'
import { secondColour } from '../../../charts/catalogue/view-series.ts'
import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import {
  boundsOf,
  comparedChains,
  comparisonReasons,
  effectiveMode,
  sharedInterval,
  startOf,
  startsAtZero,
  hasNoValue,
} from '../../../charts/catalogue/view.ts'
import { viewNote } from '../../../charts/catalogue/view-note.ts'
import { Suspense, useMemo, useState, type ReactNode } from 'react'
import { useHref, useNavigate } from 'react-router'
import { Chart } from '../../components/charts/chart.tsx'
import { CrosshairContext, createCrosshair } from '../../components/charts/crosshair.ts'
import { LargeMarks } from '../../components/charts/large-marks.tsx'
import { weekChart } from '../../../contract/pictures/charts.ts'
import { Figures } from '../../components/figures.tsx'
import { useNow } from '../../components/hooks.ts'
import { ChevronDownIcon } from '../../components/icons.ts'
import { lazy } from '../../components/lazy.ts'
import { Link } from '../../components/link.tsx'
import type { MenuEntry } from '../../components/overlays/popups.tsx'
import { Menu } from '../../components/overlays/menu.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { LazyPart } from '../../components/part.tsx'
import { EmptyState } from '../../components/states.tsx'
import { seriesColour } from '../../../charts/palette.ts'
import { HOUR, isUnfinished } from '../../../charts/series/periods.ts'
import { ChartInstead } from './bodies.tsx'
import type { SeriesInfo } from './series-info.ts'
import { CompareControl, ComparedFigures, modeEntries } from './comparison.tsx'
import { ControlBar, IntervalControl, RangeControl, scaleEntries } from './controls.tsx'
import { useDistinctFigures } from './distinct.ts'
import { seriesFigures } from './figures.ts'
import { useEmbedCopies } from '../embed/embed-copies.ts'
import { findSecond, secondEntries } from './second.ts'
import { useChartActions, useMetricsUrl } from './state.ts'
import { SubjectSwitch, type Subject } from './subject.tsx'
import { useSeries, useUntraced } from './use-series.ts'
import { chartSeries } from './view.ts'

// Below the first screen.
const WeeklyPattern = lazy(() => import('./weekly-pattern.tsx'), 'WeeklyPattern')
const Counted = lazy(() => import('./counted.tsx'), 'Counted')

const PLOT = 380
/** The least height of the weekly pattern with its margin, which keeps its place. */
const PATTERN = 312

function Unknown({ subject, name }: { subject: Subject; name: string }) {
  return (
    <>
      <PageTitle document="Unknown metric" heading="Unknown metric" />
      <EmptyState title={`Unknown metric “${name}”`}>
        <Link className="link" to={subject.all()}>
          All metrics of this {subject.kind}
        </Link>
      </EmptyState>
    </>
  )
}

/** One metric of a chain or a network. */
export function MetricView({ subject, name }: { subject: Subject; name: string }): ReactNode {
  const info = subject.series.find((one) => one.name === name)
  return info === undefined ? (
    <Unknown subject={subject} name={name} />
  ) : (
    <Metric key={`${subject.facts.chainId}/${name}`} subject={subject} info={info} />
  )
}

/** Whether the sentence about a metric says no more than its title. */
const repeats = ({ about, title }: SeriesInfo): boolean =>
  about.toLowerCase() === `${title.toLowerCase()} in the period.`

/** What blocks without traces take from a metric. */
const lackWords = (info: SeriesInfo): string =>
  info.needs.some(({ metric }) => metric.startsWith('cumulative'))
    ? 'From the first of them on the sum is unknown until they are traced.'
    : 'Days with such blocks have no value.'

function Metric({ subject, info }: { subject: Subject; info: SeriesInfo }) {
  const { facts: chain, comparable, series: catalogue, groups } = subject
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const navigate = useNavigate()
  const [crosshair] = useState(createCrosshair)

  const chosen = comparedChains(url.compare, chain.chainId).join()
  const chains = useMemo(
    () => [
      chain,
      ...comparable.filter((one) => one.chainId !== chain.chainId && chosen.split(',').includes(one.chainId)),
    ],
    [chain, comparable, chosen],
  )
  const second = useMemo(
    () => findSecond(url.second, subject, subject.beside, info),
    [url.second, subject, info],
  )
  const interval = sharedInterval(info, second?.info, url.wanted)
  const bounds = boundsOf(info, url.range, interval, now)
  const loaded = useSeries(
    [
      ...chains.map((one) => ({ chainId: one.chainId, info })),
      ...(second === undefined ? [] : [{ chainId: second.facts.chainId, info: second.info }]),
    ],
    { interval, range: bounds, now },
  )
  const untraced = useUntraced(info, chain)
  const distinct = useDistinctFigures(
    info.name,
    chains.map((one) => one.chainId),
    bounds,
    info.unit(chain),
  )
  const reasons = comparisonReasons(info, chains, second !== undefined)
  const mode = effectiveMode(url.mode, reasons)
  const zero = startsAtZero(url.scale, info.sum) && mode !== 'indexed'

  const series = useMemo(
    () => chartSeries({ info, second, chains, loaded: loaded.series, mode }),
    [info, second, chains, loaded.series, mode],
  )

  const first = loaded.series[0] ?? { state: 'loading' as const }
  const own = first.state === 'ready' ? first.points : undefined
  const empty = first.state === 'ready' && hasNoValue(series)
  const actions = useChartActions(url)
  const lines = [
    ...chains.map((one) => ({ one, of: info })),
    ...(second === undefined ? [] : [{ one: second.facts, of: second.info }]),
  ].map(({ one, of }, index) => {
    const result = loaded.series[index]
    return {
      id: `${one.chainId} ${of.name}`,
      name:
        second === undefined
          ? one.name
          : chains.length === 1 && second.facts.chainId === chain.chainId
            ? of.title
            : `${one.name}, ${of.title}`,
      colour: index < chains.length ? seriesColour(one.index) : secondColour(chains),
      // The distinct addresses stand where sums have the sum of the range.
      figures: seriesFigures(result?.state === 'ready' ? result.points : [], {
        interval,
        now,
        unit: of.unit(one),
        addsUp: of.addsUp,
      }).toSpliced(2, 0, ...distinct.slice(index, index + 1)),
    }
  })
  const open = own?.at(-1)
  const keep = url.search.toString()
  const query = keep === '' ? '' : `?${keep}`
  const copies = useEmbedCopies(
    subject.kind === 'chain' ? 'getMetricPicture' : 'getNetworkMetricPicture',
    subject.one(info.name),
    url.search,
    `${info.title} · ${chain.name}`,
  )
  const href = useHref(`${subject.one(info.name)}${query}`)

  const troubles = loaded.series.slice(1).flatMap((result, index) => {
    const name = chains[index + 1]?.name ?? second?.info.title ?? ''
    if (result.state === 'untraced') return [`${name}: blocks are not traced, so its figures are unknown.`]
    if (result.state === 'unsupported') return [`${name}: ${result.error.message}`]
    return result.state === 'failed' ? [`${name} could not be loaded: ${result.error.message}`] : []
  })
  if (untraced !== undefined && first.state === 'ready') {
    troubles.unshift(`Not every point is known: ${untraced}. ${lackWords(info)}`)
  }
  const metricEntries = (): MenuEntry[] =>
    groups.flatMap((group): MenuEntry[] => [
      { kind: 'heading', label: group },
      ...catalogue
        .filter((one) => one.group === group)
        .map((one): MenuEntry => ({
          kind: 'radio',
          label: one.title,
          checked: one === info,
          onSelect: () => void navigate(`${subject.one(one.name)}${query}`),
        })),
    ])
  const dayOnly =
    second !== undefined && info.intervals.length > 1
      ? `${second.info.title} on the second axis has days only`
      : `${info.title} are counted by day only`
  const isDrawn = first.state === 'ready' && !empty
  const optionEntries = (): MenuEntry[] => [
    ...(chains.length > 1
      ? modeEntries(
          (one) => one === mode,
          comparisonReasons(info, chains, second !== undefined),
          (next) => url.change({ mode: next }),
        )
      : []),
    ...scaleEntries(url.scale, (scale) => url.change({ scale })),
    ...secondEntries({
      subject,
      info,
      second,
      interval,
      onChoose: (text) => url.change({ second: text }),
    }),
  ]
  const title =
    subject.kind === 'chain'
      ? titleOf('metric', { metric: info.title, chainId: chain.name })
      : titleOf('networkMetric', { metric: info.title, network: chain.name })
  const note = viewNote({
    info,
    own: chain,
    series,
    interval,
    mode,
    zero,
    open: open !== undefined && isUnfinished(open.timestamp, interval, now),
  })
  const weekHeading = (
    <h2 className="text-h3 font-strong">
      Weekly pattern of {chain.name}
      <span className="ml-2 text-xs font-normal text-muted">
        {weekChart.aboutOf(info.unit(chain).symbol)}
      </span>
    </h2>
  )

  return (
    <CrosshairContext value={crosshair}>
      {subject.crumb}
      <PageTitle
        document={title}
        heading={info.title}
        switcher={
          <Menu
            label="Choose another metric"
            entries={metricEntries}
            align="start"
            className="control h-7 px-1.5"
          >
            <ChevronDownIcon size={14} />
          </Menu>
        }
        actions={
          <>
            <Link className="control" to={`${subject.all()}${query}`}>
              All metrics
            </Link>
            <SubjectSwitch current={chains.length > 1 ? 'compare' : subject.kind} />
          </>
        }
      />
      {/* On a phone the chart comes first, then the figures, then the sentence. */}
      <div className="flex flex-col">
        {repeats(info) ? null : (
          <p className="-mt-2 mb-4 max-w-[80ch] text-muted max-md:order-2 max-md:mt-4 max-md:mb-0">
            {info.about}
          </p>
        )}
        <div className="max-md:order-1 max-md:mt-4">
          {lines.length > 1 ? (
            <ComparedFigures label={`${info.title} in this range`} lines={lines} />
          ) : (
            <Figures
              label={`${info.title} in this range`}
              figures={(lines[0]?.figures ?? []).map((figure) =>
                own === undefined && (first.state === 'loading' || first.state === 'failed')
                  ? {
                      label: figure.label,
                      value: undefined,
                      error: first.state === 'failed' ? first.error : null,
                    }
                  : figure,
              )}
            />
          )}
        </div>
        <div className="min-w-0">
          <ControlBar range={<RangeControl range={url.range} onChange={url.setRange} />}>
            <IntervalControl
              current={interval}
              supported={
                second === undefined
                  ? info.intervals
                  : info.intervals.filter((one) => second.info.intervals.includes(one))
              }
              reason={dayOnly}
              onChange={(next) => url.change({ interval: next })}
            />
            {comparable.length > 0 && (
              <CompareControl
                own={chain}
                comparable={comparable}
                chosen={chains.slice(1).map((one) => one.chainId)}
                onToggle={(id) => url.toggleChain(id, chain.chainId)}
              />
            )}
            <Menu label="Chart options" entries={optionEntries} align="start">
              {second === undefined ? 'Options' : `With ${second.info.title}`}
              <ChevronDownIcon size={14} className="text-muted" />
            </Menu>
          </ControlBar>
          {troubles.map((trouble) => (
            <p key={trouble} className="mb-2 text-warn">
              {trouble}
            </p>
          ))}
          {!isDrawn ? (
            <div className="max-md:pb-4">
              <ChartInstead
                info={info}
                chainName={chain.name}
                loaded={first.state === 'ready' ? { state: 'empty' } : first}
                height={PLOT + 24}
                onRetry={loaded.retry}
              />
            </div>
          ) : (
            <Chart
              id="main"
              name={`${chain.name}, ${info.title}`}
              // On a phone the note takes two lines, which are there before the chart is.
              heading={<p className="text-xs text-muted max-md:min-h-8">{note.join(' · ')}</p>}
              series={series}
              interval={interval}
              now={now}
              from={startOf(bounds, series, now)}
              to={bounds.to}
              sum={info.sum}
              zero={zero}
              stacked={mode === 'stacked'}
              height={PLOT}
              marks={LargeMarks}
              endLabels
              link={href}
              copies={copies}
              table={url.table === info.name}
              onTable={(next) => actions.onTable(info.name, next)}
              onRange={actions.onRange}
              onReset={actions.onReset}
            />
          )}
          {/* In its place already while the chart loads. */}
          {(isDrawn || first.state === 'loading') && (
            <>
              <div className="mt-2 min-h-7 text-xs pointer-coarse:min-h-10">
                {isDrawn && (
                  <Suspense>
                    <Counted subject={subject} info={info} interval={interval} points={own ?? []} now={now} />
                  </Suspense>
                )}
              </div>
            </>
          )}
        </div>
      </div>
      {/* The level of a network has no weekly pattern. */}
      {supportedInterval(info, 'hour') === 'hour' &&
        (subject.kind === 'chain' || info.sum) &&
        !info.planned && (
          <LazyPart
            title="The weekly pattern"
            fallback={
              <div className="pt-8" style={{ height: PATTERN }}>
                {weekHeading}
              </div>
            }
          >
            <WeeklyPattern
              heading={weekHeading}
              kind={subject.kind}
              info={info}
              chain={chain}
              now={now}
              link={href}
              table={url.table === 'week'}
              onTable={(next) => actions.onTable('week', next)}
            />
          </LazyPart>
        )}
    </CrosshairContext>
  )
}
