import { comparedChains } from '../../../charts/catalogue/view.ts'
import { useMemo, useState, type ReactNode } from 'react'
import { timeIntervals } from '../../../contract/metrics/intervals.ts'
import { CrosshairContext, createCrosshair } from '../../components/charts/crosshair.ts'
import { useNow } from '../../components/hooks.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { Section } from '../../components/section.tsx'
import { HOUR } from '../../../charts/series/periods.ts'
import { Button } from '../../components/controls.tsx'
import { CompareControl } from './comparison.tsx'
import { ControlBar, IntervalControl, RangeControl, ScaleControl } from './controls.tsx'
import { Panel } from './panel.tsx'
import { openGroups, toggleGroup, useChartActions, useMetricsUrl, type MetricsState } from './state.ts'
import { SubjectSwitch, type Subject } from './subject.tsx'

const dayOnly = 'No series supports this interval'

/** The metrics of a chain or a network as small multiples with a common crosshair. */
export function Multiples({ subject }: { subject: Subject }): ReactNode {
  const { facts: chain, comparable, groups, series } = subject
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
  const shownIn = (group: string) => series.filter((info) => info.group === group)
  const query = Object.fromEntries(
    ['range', 'from', 'to', 'interval', 'scale', 'compare'].map((key) => [
      key,
      url.search.get(key) ?? undefined,
    ]),
  )
  return (
    <CrosshairContext value={crosshair}>
      {subject.crumb}
      <PageTitle
        document={`Metrics · ${chain.name}`}
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
        <ScaleControl
          current={url.scale}
          onChange={(scale: MetricsState['scale']) => url.change({ scale })}
        />
        {comparable.length > 0 && (
          <CompareControl
            own={chain}
            comparable={comparable}
            chosen={comparedChains(url.compare, chain.chainId)}
            onToggle={(id) => url.toggleChain(id, chain.chainId)}
          />
        )}
      </ControlBar>
      <div className="mt-6 flex flex-col gap-6 max-md:mt-2 max-md:gap-2">
        {groups.map((group, place) => (
          <Section
            key={group}
            title={group}
            actions={
              <Button
                className="md:hidden"
                aria-expanded={open.includes(place)}
                onClick={() => url.change({ open: toggleGroup(url.open, place) })}
              >
                {open.includes(place) ? 'Hide' : `Show ${shownIn(group).length}`}
                <span className="sr-only"> of {group}</span>
              </Button>
            }
          >
            <div
              className={`grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3 ${open.includes(place) ? '' : 'max-md:hidden'}`}
            >
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
                  to={subject.one(info.name, query)}
                  table={url.table === info.name}
                  {...actions}
                />
              ))}
            </div>
          </Section>
        ))}
      </div>
    </CrosshairContext>
  )
}
