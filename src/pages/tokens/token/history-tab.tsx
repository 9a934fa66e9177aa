import { decimalsOf } from '../../../../protocol/evm/token-units.ts'
import { tokenCharts } from '../../../../contract/pictures/charts.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useHref } from 'react-router'
import { useFollowed, type ChainFacts } from '../../../api/current.ts'
import { tokenHistoryQuery, kindOf, type TokenDetails } from '../../../api/tokens/tokens.ts'
import { useNow } from '../../../components/hooks.ts'
import { EmptyState } from '../../../components/states.tsx'
import { readableName } from '../../../components/tokens/token-name.tsx'
import { levelAt, seriesAt } from '../../../../charts/chart-series.ts'
import { within } from '../../../../charts/series/series.ts'
import { HOUR } from '../../../../charts/series/periods.ts'
import { resolveRange } from '../../../../charts/series/range.ts'
import { paths } from '../../../lib/paths.ts'
import { LevelChart, LevelCharts } from '../../metrics/level-chart.tsx'
import { useMetricsUrl } from '../../metrics/state.ts'
import { tokenSeries, type TokenSeries } from '../../../../charts/series/token-days.ts'

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
  const link = useHref(`${paths.token(chain.chainId, token.address)}?${url.search.toString()}`)
  // What happened after the last indexed block is not known, so the series must not go on past it.
  const until = followed?.indexedTimestamp ?? now
  const series = useMemo(() => query.data && tokenSeries(query.data, until), [query.data, until])
  const bounds = resolveRange(url.range, 'day', now)
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

  const begin = bounds.from ?? series?.supply[0]?.timestamp ?? now
  return (
    <LevelCharts interval="day">
      {kinds.map(({ id, sum }) => (
        <div key={id} className="min-w-0 last:lg:col-span-2">
          <LevelChart
            id={id}
            {...tokenCharts[id]}
            of={name}
            series={
              series && [
                (sum ? seriesAt : levelAt)(
                  chain.index,
                  tokenCharts[id].title,
                  units[id],
                  within(series[id], begin, bounds.to),
                ),
              ]
            }
            empty={
              <EmptyState title={tokenCharts[id].empty}>
                The first transfer of the token was after this range. Choose a longer one.
              </EmptyState>
            }
            interval="day"
            now={now}
            bounds={bounds}
            link={link}
            picture={{
              operationId: 'getTokenPicture',
              path: `${paths.token(chain.chainId, token.address)}/${id}`,
              search: shown,
            }}
            query={query}
            sum={sum}
          />
        </div>
      ))}
    </LevelCharts>
  )
}
