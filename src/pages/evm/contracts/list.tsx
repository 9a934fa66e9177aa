import { useMemo } from 'react'
import * as z from 'zod/mini'
import {
  contractKinds,
  deploymentOrders,
  type Deployment,
  type DeploymentOrder,
} from '../../../../contract/evm/contracts.ts'
import { deploymentsQuery } from '../../../api/evm/contracts.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { Address } from '../../../components/address.tsx'
import { Amount } from '../../../components/amount.tsx'
import { Link } from '../../../components/link.tsx'
import { useTableFiles } from '../../../api/sql/table-files.ts'
import { OkIcon } from '../../../components/icons.ts'
import { Pill } from '../../../components/pill.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { dash } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { readableName } from '../../../components/tokens/token-name.tsx'
import { paths } from '../../../lib/paths.ts'
import { placeTxColumn, placeBlockColumn, placeTimeColumn } from '../place-columns.tsx'
import { FilterChip } from '../../../components/table/filter-chip.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatInteger, plainAmount } from '../../../lib/amounts.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { shorten } from '../../../lib/text.ts'
import { AddressField, addressPattern } from '../../shared/address-field.tsx'
import { Button } from '../../../components/controls.tsx'
import { Choice } from '../../shared/choice.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'

// A contract can be created again at the same address after it destroyed itself.
const rowKey = (row: Deployment): string => `${row.address}/${row.txHash}`

const isToken = (row: Deployment): boolean => row.ercType !== undefined && row.ercType !== 'UNKNOWN'

type Use = NonNullable<Deployment['recentUse']>

/** A count of a contract's use, "2,000+" if there was more; `noun` is said where there are no headings. */
const countOfUse = (
  id: DeploymentOrder,
  header: string,
  noun: string,
  width: string,
  count: (use: Use) => string,
  by: DeploymentOrder,
): Column<Deployment> => ({
  id,
  header,
  align: 'right',
  width,
  sortable: true,
  ...(by === id && { narrow: 'side' }),
  cell: ({ recentUse }) =>
    recentUse === undefined ? (
      dash
    ) : (
      <span className={count(recentUse) === '0' ? 'text-muted' : ''}>
        {formatInteger(count(recentUse))}
        {recentUse.isCapped && '+'}
        <span className="md:hidden"> {noun}, 30 d</span>
      </span>
    ),
  text: ({ recentUse }) => (recentUse === undefined ? '' : count(recentUse)),
})

/** When it was created; on a phone only if that is the order, which the count stands for otherwise. */
function createdColumn(by: DeploymentOrder): Column<Deployment> {
  const { narrow = 'side', ...column } = placeTimeColumn<Deployment>({ header: 'Created' })
  const id = 'createdAt' satisfies DeploymentOrder
  return { ...column, id, sortable: true, ...(by === id && { narrow }) }
}

function columnsOf(chain: ChainFacts, by: DeploymentOrder): Column<Deployment>[] {
  const { chainId } = chain
  return [
    {
      id: 'contract',
      header: 'Contract',
      always: true,
      narrow: 'title',
      cell: (row) => (
        <Address
          address={row.address}
          name={readableName(row.name) || readableName(row.symbol, 16) || undefined}
          label={row.label}
          sourceName={row.sourceName}
          chainId={chainId}
          beside
          mark={
            row.isVerified && (
              <span className="text-ok" title="Its source is verified">
                <OkIcon size={14} />
                <span className="sr-only">verified</span>
              </span>
            )
          }
        />
      ),
      text: (row) => row.address,
    },
    {
      id: 'kind',
      header: 'Kind',
      width: '112px',
      narrow: 'belowSide',
      cell: (row) =>
        isToken(row) ? (
          <Link to={paths.token(chainId, row.address)} className="link">
            {row.ercType}
          </Link>
        ) : (
          dash
        ),
      text: (row) => (isToken(row) ? (row.ercType ?? '') : ''),
    },
    {
      id: 'source',
      header: 'Source',
      hidden: true,
      width: '116px',
      cell: (row) => (row.isVerified ? <Pill state="ok">verified</Pill> : dash),
      text: (row) => (row.isVerified ? 'verified' : ''),
    },
    {
      id: 'deployer',
      header: 'Created by',
      width: '256px',
      narrow: 'below',
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-1.5">
          <Address address={row.deployerAddress} chainId={chainId} />
          {row.deployerContractAddress !== undefined && (
            <span
              className="shrink-0 text-xs text-muted max-md:hidden"
              title={`By the contract ${row.deployerContractAddress}`}
            >
              via contract
            </span>
          )}
        </span>
      ),
      text: (row) => row.deployerAddress,
    },
    {
      id: 'creator',
      header: 'Created by contract',
      hidden: true,
      width: '180px',
      cell: (row) =>
        row.deployerContractAddress === undefined ? (
          dash
        ) : (
          <Address address={row.deployerContractAddress} chainId={chainId} />
        ),
      text: (row) => row.deployerContractAddress ?? '',
    },
    createdColumn(by),
    placeBlockColumn(chainId, { hidden: true }),
    countOfUse(
      'transactionCount',
      'Transactions, 30 d',
      'transactions',
      '152px',
      (use) => use.transactionCount,
      by,
    ),
    countOfUse('callerCount', 'Users, 30 d', 'users', '132px', (use) => use.callerCount, by),
    {
      id: 'balance',
      header: chain.symbol ? `Balance, ${chain.symbol}` : 'Balance',
      align: 'right',
      width: '140px',
      cell: ({ balance }) =>
        balance === undefined ? dash : <Amount value={balance} decimals={chain.decimals} />,
      text: ({ balance }) => (balance === undefined ? '' : plainAmount(balance, chain.decimals)),
    },
    placeTxColumn(chainId, { hidden: true }),
  ]
}

const kinds = [
  { id: 'all', label: 'All' },
  { id: 'ERC-20', label: 'ERC-20' },
  { id: 'ERC-721', label: 'ERC-721' },
  { id: 'ERC-1155', label: 'ERC-1155' },
  { id: 'OTHER', label: 'Other' },
] as const

const orders = [
  { id: 'transactionCount', label: 'Most transactions' },
  { id: 'callerCount', label: 'Most users' },
  { id: 'createdAt', label: 'Newest' },
] as const satisfies readonly { id: DeploymentOrder; label: string }[]

/** What narrows and orders the list, in the URL. */
const searchSchema = z.object({
  kind: z.catch(z.optional(z.enum(contractKinds)), undefined),
  isVerified: z.catch(z.optional(z.literal('true')), undefined),
  creator: z.catch(z.optional(z.string().check(z.regex(addressPattern))), undefined),
  sort: z.catch(z.optional(z.enum(deploymentOrders)), undefined),
})

type Search = z.output<typeof searchSchema>

/** The most used first, but of one creator the newest, used or not. */
const orderOf = ({ sort, creator }: Search): DeploymentOrder =>
  sort ?? (creator === undefined ? 'transactionCount' : 'createdAt')

/** The query of the list that a URL asks for. */
export function contractsQuery(chainId: string, search: URLSearchParams) {
  const state = readSearch(searchSchema, search)
  return deploymentsQuery(chainId, state, orderOf(state))
}

/** All contracts created on a chain, including those created by internal calls: the most used, or the newest first. */
export function ContractList({ chain }: { chain: ChainFacts }) {
  const [search, setSearch] = useSearchState(searchSchema)
  const { kind, isVerified, creator } = search
  const sortBy = orderOf(search)
  const list = deploymentsQuery(chain.chainId, search, sortBy)
  const files = useTableFiles({ table: 'contracts', query: { chainId: chain.chainId } })
  const columns = useMemo(() => columnsOf(chain, sortBy), [chain, sortBy])
  const isNarrowed = kind !== undefined || isVerified !== undefined || creator !== undefined
  const onSort = (id: string): void =>
    setSearch({ sort: deploymentOrders.find((one) => one === id) }, { push: true })
  return (
    <PagedTable
      id="deployments"
      label={`Contracts of ${chain.name}`}
      noun="contract"
      list={list}
      columns={columns}
      rowKey={rowKey}
      rowHref={(row) => paths.address(chain.chainId, row.address)}
      file={`contracts-${chain.chainId}`}
      {...(!isNarrowed && { files })}
      sort={{ by: sortBy, order: 'desc', onSort }}
      tools={
        <>
          <Choice label="Order of the contracts" options={orders} current={sortBy} onChange={onSort} />
          <Choice
            label="Kind of contract"
            options={kinds}
            current={kind ?? 'all'}
            onChange={(next) => setSearch({ kind: next === 'all' ? undefined : next }, { push: true })}
          />
          <Button
            small
            aria-pressed={isVerified !== undefined}
            onClick={() => setSearch({ isVerified: isVerified ? undefined : 'true' }, { push: true })}
          >
            Verified only
          </Button>
          <AddressField label="Creator" onChange={(next) => setSearch({ creator: next }, { push: true })} />
          {creator !== undefined && (
            <FilterChip
              text={`Created by ${shorten(creator)}`}
              onRemove={() => setSearch({ creator: undefined }, { push: true })}
            />
          )}
        </>
      }
      empty={
        sortBy === 'createdAt' ? (
          <EmptyState title="No contracts">
            {isNarrowed
              ? 'No indexed contract fits these filters. Remove one of them to see more.'
              : 'No indexed block of this chain has created one.'}
          </EmptyState>
        ) : (
          <EmptyState title={`No ${isNarrowed ? 'such contract' : 'contract'} was used in the last 30 days`}>
            A contract is used by a transaction to it.{' '}
            <button type="button" className="link" onClick={() => onSort('createdAt')}>
              Show the newest
            </button>{' '}
            to see those that were not.
          </EmptyState>
        )
      }
    />
  )
}
