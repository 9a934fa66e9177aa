import { useMemo } from 'react'
import * as z from 'zod/mini'
import { contractKinds, type Deployment } from '../../../../contract/evm/contracts.ts'
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
import { shorten } from '../../../lib/text.ts'
import { AddressField, addressPattern } from '../../shared/address-field.tsx'
import { Choice } from '../../shared/choice.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'

// A contract can be created again at the same address after it destroyed itself.
const rowKey = (row: Deployment): string => `${row.address}/${row.txHash}`

const isToken = (row: Deployment): boolean => row.ercType !== undefined && row.ercType !== 'UNKNOWN'

type Use = NonNullable<Deployment['recentUse']>

/** A count of a contract's use, "2,000+" if there was more. */
const countOfUse = (id: string, header: string, count: (use: Use) => string): Column<Deployment> => ({
  id,
  header,
  align: 'right',
  width: '140px',
  cell: ({ recentUse }) =>
    recentUse === undefined ? (
      dash
    ) : (
      <span className={count(recentUse) === '0' ? 'text-muted' : ''}>
        {formatInteger(count(recentUse))}
        {recentUse.isCapped && '+'}
      </span>
    ),
  text: ({ recentUse }) => (recentUse === undefined ? '' : count(recentUse)),
})

function columnsOf(chain: ChainFacts): Column<Deployment>[] {
  const { chainId } = chain
  return [
    {
      id: 'contract',
      header: 'Contract',
      always: true,
      narrow: 'title',
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-1.5">
          <Address
            address={row.address}
            name={readableName(row.name) || readableName(row.symbol, 16) || undefined}
            label={row.label}
            sourceName={row.sourceName}
            chainId={chainId}
            beside
          />
          {row.isVerified && (
            <span className="text-ok" title="Its source is verified">
              <OkIcon size={14} />
              <span className="sr-only">verified</span>
            </span>
          )}
        </span>
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
      width: '296px',
      narrow: 'below',
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-1.5">
          <Address address={row.deployerAddress} chainId={chainId} />
          {row.deployerContractAddress !== undefined && (
            <span
              className="shrink-0 text-xs text-muted max-md:hidden"
              title={`By the contract ${row.deployerContractAddress}`}
            >
              via a contract
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
    placeTimeColumn({ header: 'Created' }),
    placeBlockColumn(chainId, { hidden: true }),
    countOfUse('transactions', 'Transactions, 30 d', (use) => use.transactionCount),
    countOfUse('callers', 'Users, 30 d', (use) => use.callerCount),
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

const sources = [
  { id: 'any', label: 'Any source' },
  { id: 'verified', label: 'Verified' },
] as const

/** What narrows the list, in the URL. */
export const contractFiltersSchema = z.object({
  kind: z.catch(z.optional(z.enum(contractKinds)), undefined),
  isVerified: z.catch(z.optional(z.literal('true')), undefined),
  creator: z.catch(z.optional(z.string().check(z.regex(addressPattern))), undefined),
})

/** All contracts created on a chain, newest first, including those created by internal calls. */
export function LatestContracts({ chain }: { chain: ChainFacts }) {
  const [{ kind, isVerified, creator }, setSearch] = useSearchState(contractFiltersSchema)
  const list = deploymentsQuery(chain.chainId, { kind, isVerified, creator })
  const files = useTableFiles({ table: 'contracts', query: { chainId: chain.chainId } })
  const columns = useMemo(() => columnsOf(chain), [chain])
  const isNarrowed = kind !== undefined || isVerified !== undefined || creator !== undefined
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
      tools={
        <>
          <Choice
            label="Kind of contract"
            options={kinds}
            current={kind ?? 'all'}
            onChange={(next) => setSearch({ kind: next === 'all' ? undefined : next }, { push: true })}
          />
          <Choice
            label="Source of the contract"
            options={sources}
            current={isVerified === undefined ? 'any' : 'verified'}
            onChange={(next) =>
              setSearch({ isVerified: next === 'any' ? undefined : 'true' }, { push: true })
            }
          />
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
        <EmptyState title="No contracts">
          {isNarrowed
            ? 'No indexed contract fits these filters. Remove one of them to see more.'
            : 'No indexed block of this chain has created one.'}
        </EmptyState>
      }
    />
  )
}
