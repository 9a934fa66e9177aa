import { decimalsOf } from '../../../../protocol/evm/token-units.ts'
import { tokenCharts } from '../../../../contract/pictures/charts.ts'
import { startsAtZero } from '../../../../charts/catalogue/view.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useHref } from 'react-router'
import { useFollowed, useOffers, type ChainFacts } from '../../../api/current.ts'
import { tokenHistoryQuery, kindOf, type TokenDetails } from '../../../api/tokens/tokens.ts'
import { Chart } from '../../../components/charts/chart.tsx'
import { CrosshairContext, createCrosshair } from '../../../components/charts/crosshair.ts'
import { Readout } from '../../../components/charts/readout.tsx'
import type { ChartSeries } from '../../../../charts/chart-series.ts'
import { LargeMarks } from '../../../components/charts/large-marks.tsx'
import { useNow } from '../../../components/hooks.ts'
import { EmptyState } from '../../../components/states.tsx'
import { readableName } from '../../../components/tokens/token-name.tsx'
import { within } from '../../../../charts/series/series.ts'
import { HOUR } from '../../../../charts/series/periods.ts'
import { defaultRange, resolveRange } from '../../../../charts/series/range.ts'
import { seriesColour } from '../../../../charts/palette.ts'
import { paths } from '../../../lib/paths.ts'
import { RangeControl, ScaleControl } from '../../metrics/controls.tsx'
import { ChartSkeleton } from '../../metrics/bodies.tsx'
import { embedCopies } from '../../embed/embed-copies.ts'
import { useMetricsUrl } from '../../metrics/state.ts'
import { Failed } from '../../shared/failed.tsx'
import { tokenSeries, type TokenSeries } from '../../../../charts/series/token-days.ts'

const PLOT = 200

const kinds = [
  { id: 'supply', sum: false },
  { id: 'holders', sum: false },
  { id: 'transfers', sum: true },
] as const satisfies readonly { id: keyof TokenSeries; sum: boolean }[]

/** Supply, holders and transfers of a token by day, with the range, the scale and the table in the URL. */
export function HistoryTab({ token, chain }: { token: TokenDetails; chain: ChainFacts }) {
  const query = useQuery(tokenHistoryQuery(chain.chainId, kindOf(token)))
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const followed = useFollowed(chain.chainId)
  const [crosshair] = useState(createCrosshair)
  const link = useHref(`${paths.token(chain.chainId, token.address)}?${url.search.toString()}`)
  // What happened after the last indexed block is not known, so the series must not go on past it.
  const until = followed?.indexedTimestamp ?? now
  const series = useMemo(() => query.data && tokenSeries(query.data, until), [query.data, until])
  const bounds = resolveRange(url.range, 'day', now)
  const drawn = useOffers('getTokenPicture')
  const { ercType } = kindOf(token)
  const shown = new URLSearchParams([...url.search, ...(ercType === undefined ? [] : [['ercType', ercType]])])
  const decimals = decimalsOf(token)
  const symbol = readableName(token.symbol, 16)
  const name = readableName(token.name, 40) || 'Token'
  const units = {
    supply: { symbol: decimals === undefined ? 'smallest units' : symbol, decimals: decimals ?? 0 },
    holders: { symbol: '', decimals: 0 },
    transfers: { symbol: '', decimals: 0 },
  }

  if (query.error && !query.data) return <Failed title="The history could not be loaded." query={query} />
  const begin = bounds.from ?? series?.supply[0]?.timestamp ?? now
  return (
    <CrosshairContext value={crosshair}>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <RangeControl range={url.range} onChange={url.setRange} />
        <ScaleControl current={url.scale} onChange={(scale) => url.change({ scale })} />
        <span className="text-xs text-muted">by day, UTC</span>
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {kinds.map(({ id, sum }) => {
          const { title, about, empty } = tokenCharts[id]
          const points = series ? within(series[id], begin, bounds.to) : []
          const one: ChartSeries = {
            id,
            label: title,
            colour: seriesColour(chain.index),
            unit: units[id],
            points,
          }
          const zero = startsAtZero(url.scale, sum)
          const heading = (
            <h2 className="truncate font-strong" title={about}>
              {title}
            </h2>
          )
          return (
            <div
              key={id}
              className="min-w-0 rounded-base border border-line px-3 pt-2 pb-1 last:lg:col-span-2"
              style={{ minHeight: PLOT + 62 }}
            >
              {!series || points.length === 0 ? (
                <>
                  {heading}
                  {series ? (
                    <EmptyState title={empty}>
                      The token first moved after it. Choose a longer range.
                    </EmptyState>
                  ) : (
                    <ChartSkeleton height={PLOT + 24} />
                  )}
                </>
              ) : (
                <Chart
                  id={id}
                  name={`${name}, ${title}`}
                  heading={heading}
                  note={<Readout series={one} interval="day" now={now} />}
                  series={[one]}
                  interval="day"
                  now={now}
                  from={begin}
                  to={bounds.to}
                  sum={sum}
                  zero={zero}
                  height={PLOT}
                  marks={LargeMarks}
                  link={link}
                  copies={
                    drawn
                      ? embedCopies(
                          `${paths.token(chain.chainId, token.address)}/${id}`,
                          shown,
                          `${name}, ${title}`,
                        )
                      : undefined
                  }
                  table={url.table === id}
                  onTable={(open) => url.change({ table: open ? id : '' })}
                  onRange={(from, to) => url.setRange({ from, to })}
                  onReset={() => url.setRange(defaultRange)}
                />
              )}
            </div>
          )
        })}
      </div>
    </CrosshairContext>
  )
}
