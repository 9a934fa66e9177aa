import type { EvmChain, ChainStatus } from '../../../contract/evm/chains.ts'
import { Link } from '../../components/link.tsx'
import { Pill } from '../../components/pill.tsx'
import { dash } from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { Sparkline } from '../../components/charts/sparkline.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { seriesColour } from '../../../charts/palette.ts'
import { perSecond } from '../../../charts/series/units.ts'
import { rateText } from '../../lib/series/rate.ts'
import { usualFigure, usualWords, type Usual } from '../../lib/series/usual.ts'
import { paths } from '../../lib/paths.ts'
import { ChainDot } from '../shared/chain-dot.tsx'
import { ChainPill } from '../shared/feed.tsx'
import type { Traffic } from './traffic.ts'
import { useQuery } from '@tanstack/react-query'
import { metricQuery } from '../../api/metrics/series.ts'

/** A chain with its status; `index` is its index in the service's list, which selects its colour. */
export type ChainRow = {
  chain: EvmChain
  status: ChainStatus | undefined
  index: number
  /** Its last 24 hours and days; undefined while they load. */
  traffic: Traffic | undefined
  /** Whether the page counts it with others; if not, it has to be asked for by itself. */
  isCounted: boolean
}

/** The rows of a list of chains. */
export function chainRows(
  chains: readonly EvmChain[],
  status: readonly ChainStatus[] | undefined,
  traffic: readonly (Traffic | undefined)[] = [],
): ChainRow[] {
  return chains.map((chain, index) => ({
    chain,
    index,
    status: status?.find((one) => one.chainId === chain.chainId),
    traffic: traffic.find((one) => one?.chainId === chain.chainId),
    isCounted: index < traffic.length,
  }))
}

/** The transactions of the last 24 whole hours, by its status or, of a deployment without one, by its hours. */
export const dayCount = ({ traffic, status }: ChainRow): string | undefined =>
  status?.txCountDay ?? (traffic?.last ? String(traffic.last.count) : undefined)

/** The day of a chain against the usual; undefined where that is not known, or the chain is behind its head. */
function usualOf({ traffic, status }: ChainRow): (Usual & { relative: number }) | undefined {
  const usual = traffic?.usual
  if (usual == null || usual.relative === null || (status && status.state !== 'live')) return undefined
  return { ...usual, relative: usual.relative }
}

export const figure = (value: string | undefined): string =>
  value === undefined ? '–' : formatInteger(value)

/** The columns of the overview: how each chain does now, against the usual. */
export const overviewColumns: Column<ChainRow>[] = [
  {
    id: 'name',
    header: 'Chain',
    always: true,
    narrow: 'title',
    sortable: true,
    cell: ({ chain, index }) => (
      <span className="inline-flex max-w-full items-center gap-2">
        <ChainDot index={index} />
        <Link to={paths.chain(chain.chainId)} className="link truncate font-strong">
          {chain.chainName}
        </Link>
        <span className="text-xs text-muted max-md:hidden">{chain.chainId}</span>
      </span>
    ),
    text: ({ chain }) => chain.chainName,
  },
  {
    id: 'state',
    header: 'State',
    width: '150px',
    narrow: 'side',
    cell: ({ status, chain }) =>
      status ? (
        <ChainPill status={status} chain={status.chainId} />
      ) : (
        <Pill state={chain.status === 'OK' ? 'active' : 'stale'}>
          {chain.status === 'OK' ? 'Available' : 'Unavailable'}
        </Pill>
      ),
    text: ({ status, chain }) => status?.state ?? chain.status,
  },
  {
    id: 'age',
    header: 'Last block',
    width: '108px',
    cell: ({ status }) =>
      status?.indexedTimestamp === undefined ? dash : <TimeAgo at={status.indexedTimestamp} />,
    text: ({ status }) => String(status?.indexedTimestamp ?? ''),
  },
  {
    id: 'day',
    header: 'Last 24 h',
    align: 'right',
    width: '96px',
    sortable: true,
    narrow: 'below',
    cell: (row) => {
      const usual = usualOf(row)
      return (
        <>
          {figure(dayCount(row))}
          <span className="md:hidden">
            {' in 24 h'}
            {usual && `, ${usualFigure(usual.relative)} ${usual.relative >= 1 ? '' : 'vs '}usual`}
          </span>
        </>
      )
    },
    text: (row) => dayCount(row) ?? '',
  },
  {
    id: 'usual',
    header: 'vs usual',
    align: 'right',
    width: '116px',
    cell: (row) => {
      const usual = usualOf(row)
      return usual ? (
        <span title={`${usualWords(usual)} (${usual.weeks}-week average)`}>
          {usualFigure(usual.relative)}
        </span>
      ) : (
        <span
          className="text-muted"
          title="Fewer than four weeks are indexed, or the chain is behind its head"
        >
          –
        </span>
      )
    },
    text: ({ traffic }) => (traffic?.usual ? usualWords(traffic.usual) : ''),
  },
  {
    id: 'tps',
    header: 'Rate, 24 h',
    align: 'right',
    width: '132px',
    sortable: true,
    cell: (row) => {
      const count = dayCount(row)
      return count === undefined ? dash : rateText(count)
    },
    text: (row) => {
      const count = dayCount(row)
      return count === undefined ? '' : perSecond(count)
    },
  },
  {
    id: 'spark',
    header: 'Transactions a day, 30 days',
    width: '184px',
    align: 'right',
    narrow: 'belowSide',
    cell: ({ chain, index, traffic, isCounted }) => (
      <Link
        to={paths.metric(chain.chainId, 'txCount')}
        aria-label={`Transactions a day on ${chain.chainName}`}
        className="inline-block"
      >
        {traffic ? (
          <Sparkline
            values={traffic.days}
            colour={seriesColour(index)}
            label={`Transactions a day on ${chain.chainName}, the last 30 days`}
          />
        ) : isCounted ? (
          <span className="block h-7 w-30" />
        ) : (
          <ChainSpark chainId={chain.chainId} name={chain.chainName} index={index} />
        )}
      </Link>
    ),
  },
]

/** The number of days of the sparkline. */
const days = 30

/** A chain's transactions by day; `index` is its index in the service's list, which selects the colour. */
function ChainSpark({ chainId, name, index }: { chainId: string; name: string; index: number }) {
  const { data, error } = useQuery(metricQuery(chainId, 'txCount', { interval: 'day', points: days }))
  if (error) return <span className="text-xs text-muted">no series</span>
  return (
    <Sparkline
      values={data?.map((point) => Number(point.value)) ?? []}
      colour={seriesColour(index)}
      label={`Transactions a day on ${name}, the last ${days} days`}
    />
  )
}
