import { useMemo } from 'react'
import * as z from 'zod/mini'
import {
  cTxTypes,
  pTxTypes,
  xTxTypes,
  type PrimaryTransaction,
  type PrimaryTxType,
} from '../../../../contract/primary/transactions.ts'
import { primaryTransactionsQuery } from '../../../api/primary/transactions.ts'
import { useZone } from '../../../components/hooks.ts'
import { usePrimaryTransactionFiles } from '../../../api/sql/table-files.ts'
import { EmptyState } from '../../../components/states.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { chainLabel } from '../../../lib/primary-chains.ts'
import type { PrimaryChainAlias } from '../../../../contract/primary/chains.ts'
import { formatTime } from '../../../lib/time.ts'
import { paths } from '../../../lib/paths.ts'
import { FilterChip } from '../../../components/table/filter-chip.tsx'
import { txTypeLabel } from '../tx-type.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { ChainChoice, chainSchema } from './chain-choice.tsx'
import { DayRange } from '../day-range.tsx'
import type { Wallet } from './owners.ts'
import { walletTransactionColumns } from './transaction-columns.tsx'
import { wholeNumberInUrl } from '../../../lib/search-params.ts'
import { Select } from '../../../components/controls.tsx'

const schema = z.extend(chainSchema, {
  type: z.catch(z.string().check(z.maxLength(40)), ''),
  /** Unix seconds, both exclusive. */
  after: wholeNumberInUrl,
  before: wholeNumberInUrl,
})

const types: Readonly<Record<PrimaryChainAlias, readonly PrimaryTxType[]>> = {
  'p-chain': pTxTypes,
  'x-chain': xTxTypes,
  'c-chain': cTxTypes,
}

const rowKey = (tx: PrimaryTransaction): string => tx.txHash

/** The transactions of a wallet on one chain, optionally filtered by type and days. */
export function TransactionsTab({ network, owners }: Wallet) {
  const [{ chain, type, after, before }, setSearch] = useSearchState(schema)
  const zone = useZone()
  const known = types[chain].find((one) => one === type)
  const filters = useMemo(
    () => ({ addresses: owners.join(','), ...(known && { types: [known] }), after, before }),
    [owners, known, after, before],
  )
  const list = primaryTransactionsQuery(network, chain, filters)
  const files = usePrimaryTransactionFiles(network, chain, filters)
  const columns = useMemo(
    () => walletTransactionColumns({ network, owners }, chain),
    [network, owners, chain],
  )
  const name = chainLabel(chain)
  const open = known === undefined && after === undefined && before === undefined
  return (
    <PagedTable
      id="wallet-transactions"
      label={`Transactions on the ${name}`}
      noun="transaction"
      list={list}
      columns={columns}
      rowKey={rowKey}
      rowHref={(tx) => paths.primaryTransaction(network, chain, tx.txHash)}
      tools={
        <>
          <ChainChoice
            current={chain}
            onChange={(next) => setSearch({ chain: next, type: '' }, { push: true })}
          />
          <Select
            aria-label="Type of the transactions"
            value={known ?? ''}
            className="h-7 max-w-full"
            options={[
              { id: '', label: 'Every type' },
              ...types[chain]
                .filter((one) => one !== 'UNKNOWN')
                .map((one) => ({ id: one, label: txTypeLabel(one) })),
            ]}
            onChange={(id) => setSearch({ type: id }, { push: true })}
          />
          <DayRange onRange={(range) => setSearch(range, { push: true })} />
          {after !== undefined && (
            <FilterChip
              text={`After ${formatTime(after, zone)}`}
              onRemove={() => setSearch({ after: undefined }, { push: true })}
            />
          )}
          {before !== undefined && (
            <FilterChip
              text={`Before ${formatTime(before, zone)}`}
              onRemove={() => setSearch({ before: undefined }, { push: true })}
            />
          )}
        </>
      }
      file={`transactions-${chain}-${owners[0] ?? ''}`}
      files={files}
      empty={
        <EmptyState title={`No transactions on the ${name}`}>
          {open
            ? chain === 'c-chain'
              ? 'Only imports and exports of the C-Chain are listed here: its other transactions belong to 0x addresses.'
              : 'No transaction there names this wallet.'
            : 'No transaction matches the filters. Remove them to see all.'}
        </EmptyState>
      }
    />
  )
}
