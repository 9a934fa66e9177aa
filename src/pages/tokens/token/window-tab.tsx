import { decimalsOf } from '../../../../protocol/evm/token-units.ts'
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useFollowed, type ChainFacts } from '../../../api/current.ts'
import { kindOf, type TokenDetails } from '../../../api/tokens/tokens.ts'
import {
  type HoldersWindow,
  type WindowHolder,
  type WindowHolders,
  windowHoldersQuery,
} from '../../../api/tokens/tokens-holders.ts'
import { useNow } from '../../../components/hooks.ts'
import { EmptyState } from '../../../components/states.tsx'
import { dash } from '../../../components/table/column-kinds.tsx'
import { addressColumn } from '../../../components/table/evm-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { DataTable, noMore } from '../../../components/table/data-table.tsx'
import { plainTokenAmount, symbolOf, TokenAmount } from '../../../components/tokens/token-amount.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { onePage, pagedRows } from '../../../lib/paging.ts'
import { paths } from '../../../lib/paths.ts'
import { Failed } from '../../shared/failed.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { Button } from '../../../components/controls.tsx'
import { useComparison } from './use-comparison.ts'
import { WindowForm } from './window-form.tsx'
import { byBalance, isOnePage, spansOf, windowOf, windowSchema, type Group } from './windows.ts'

type Props = { token: TokenDetails; chain: ChainFacts }

const rowKey = (holder: WindowHolder): string => holder.address

function columnsOf(chain: ChainFacts, token: TokenDetails): Column<WindowHolder>[] {
  const unit = token.ercType === 'ERC-20' ? symbolOf(token) : ''
  return [
    addressColumn('address', 'Address', (holder) => holder.address, chain.chainId, {
      always: true,
      narrow: 'title',
    }),
    {
      id: 'balance',
      header: unit === '' ? 'Latest balance' : `Latest balance, ${unit}`,
      align: 'right',
      width: '300px',
      narrow: 'side',
      cell: (holder) =>
        holder.balance === undefined ? dash : <TokenAmount value={holder.balance} token={token} />,
      text: (holder) => (holder.balance === undefined ? '' : plainTokenAmount(holder.balance, token)),
    },
  ]
}

/** Sorts a list that fits into one page; the service pages through longer ones by address. */
const sorted = (data: InfiniteData<WindowHolders>): InfiniteData<WindowHolders> =>
  isOnePage(data.pages)
    ? { ...data, pages: data.pages.map((page) => ({ ...page, addresses: byBalance(page.addresses) })) }
    : data

function OneWindow({ token, chain, window }: Props & { window: HoldersWindow }) {
  const list = { ...windowHoldersQuery(chain.chainId, kindOf(token), window), select: sorted }
  const query = useInfiniteQuery(list)
  const columns = useMemo(() => columnsOf(chain, token), [chain, token])
  return (
    <PagedTable
      id="window-holders"
      label="Holders in the period"
      noun="holder"
      list={list}
      tools={
        <span className="text-xs text-muted">
          {query.data &&
            (isOnePage(query.data.pages) ? 'largest first' : 'by address, as there are too many to sort')}
        </span>
      }
      columns={columns}
      rowKey={rowKey}
      rowHref={(holder) => paths.address(chain.chainId, holder.address)}
      file={`window-holders-${chain.chainId}-${token.address}`}
      empty={
        <EmptyState title="No holders above the threshold in this period">
          A lower threshold or a longer period may have some.
        </EmptyState>
      }
    />
  )
}

const groups: readonly { id: Group; label: string; about: string }[] = [
  { id: 'joined', label: 'Joined', about: 'only in the second period' },
  { id: 'left', label: 'Left', about: 'only in the first period' },
  { id: 'stayed', label: 'Stayed', about: 'in both periods' },
]

const none: Readonly<Record<Group, { title: string; about: string }>> = {
  joined: {
    title: 'No holder joined',
    about:
      'No new holders in the second period: all were holders in the first. Select another count to list its holders.',
  },
  left: {
    title: 'No holder left',
    about:
      'Nobody left after the first period: all are holders in the second. Select another count to list its holders.',
  },
  stayed: {
    title: 'No holder stayed',
    about: 'No address held more than the threshold in both periods. A lower threshold may have some.',
  },
}

type CompareProps = Props & {
  first: HoldersWindow
  second: HoldersWindow
  group: Group
  onGroup: (group: Group) => void
}

function TwoWindows({ token, chain, first, second, group, onGroup }: CompareProps) {
  const result = useComparison(chain.chainId, kindOf(token), first, second)
  const columns = useMemo(() => columnsOf(chain, token), [chain, token])
  const comparison = result.state === 'done' ? result.comparison : undefined
  const rows = useMemo(() => pagedRows(comparison ? [comparison[group]] : []), [comparison, group])

  if (result.state === 'running')
    return (
      <div className="flex flex-wrap items-center gap-3 py-8">
        <output>
          Reading both periods: {formatInteger(result.first)} holders of the first,{' '}
          {formatInteger(result.second)} of the second
        </output>
        <Button small onClick={result.cancel}>
          Cancel
        </Button>
      </div>
    )
  if (result.state === 'failed')
    return <Failed title="The periods could not be compared." error={result.error} onRetry={result.start} />
  if (result.state === 'stopped')
    return (
      <EmptyState title="Comparison cancelled">
        <Button className="text-text" onClick={result.start}>
          Start again
        </Button>
      </EmptyState>
    )
  return (
    <>
      <fieldset className="m-0 mb-4 grid grid-cols-3 border-y border-line p-0">
        <legend className="sr-only">Which holders to list</legend>
        {groups.map(({ id, label, about }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === group}
            onClick={() => onGroup(id)}
            className="flex flex-col items-start gap-0.5 border-b-2 border-transparent px-4 py-3 text-left hover:bg-hover aria-pressed:border-accent"
          >
            <span className="text-xs text-muted">{label}</span>
            <span className="text-h2 font-strong">{formatInteger(result.comparison[id].length)}</span>
            <span className="text-xs text-muted">{about}</span>
          </button>
        ))}
      </fieldset>
      {rows.count === 0 ? (
        <EmptyState title={none[group].title}>{none[group].about}</EmptyState>
      ) : (
        <DataTable
          id="window-holders"
          label={`Holders who ${group}`}
          noun="holder"
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          rowHref={(holder) => paths.address(chain.chainId, holder.address)}
          more={noMore}
          source={{
            name: `holders-${group}-${chain.chainId}-${token.address}`,
            pages: () => onePage(result.comparison[group]),
          }}
        />
      )}
    </>
  )
}

/** Who held more than a threshold at any time in a window; or two windows, and who came and went. */
export function WindowTab({ token, chain }: Props) {
  const [state, setState] = useSearchState(windowSchema)
  const now = useNow(60)
  const head = useFollowed(chain.chainId)?.indexedTimestamp ?? now
  const decimals = decimalsOf(token) ?? 0
  const unit =
    token.ercType !== 'ERC-20'
      ? 'items'
      : decimalsOf(token) === undefined
        ? 'smallest units'
        : symbolOf(token)
  const { first, second } = spansOf(state)
  const one = windowOf(state.over, first, decimals)
  const two = second && windowOf(state.over, second, decimals)
  const key = [token.ercType, state.over, state.since, state.until, state.since2, state.until2].join()
  return (
    <>
      <WindowForm
        key={key}
        state={state}
        decimals={decimals}
        unit={unit}
        head={head}
        onChange={(patch) => setState(patch, { push: true })}
      />
      {one === undefined ? (
        <EmptyState title="Invalid threshold in the link">
          Give a decimal number with at most {decimals} decimals.
        </EmptyState>
      ) : two ? (
        <TwoWindows
          token={token}
          chain={chain}
          first={one}
          second={two}
          group={state.group}
          onGroup={(group) => setState({ group })}
        />
      ) : (
        <OneWindow token={token} chain={chain} window={one} />
      )}
    </>
  )
}
