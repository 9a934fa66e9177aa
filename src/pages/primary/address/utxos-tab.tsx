import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import type { Utxo } from '../../../../contract/primary/fields.ts'
import { utxosQuery } from '../../../api/primary/address.ts'
import { usePrimaryFiles } from '../../../api/sql/table-files.ts'
import { EmptyState } from '../../../components/states.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { chainLabel } from '../../../lib/primary-chains.ts'
import { NodeNote } from '../../shared/node-note.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { Button } from '../../../components/controls.tsx'
import { ChainChoice, chainSchema } from './chain-choice.tsx'
import type { Wallet } from './owners.ts'
import { utxoColumns } from './utxo-columns.tsx'

const schema = z.extend(chainSchema, {
  spent: z.catch(z.enum(['hidden', 'shown']), 'hidden'),
  order: z.catch(z.enum(['asc', 'desc']), 'desc'),
})

const rowKey = (utxo: Utxo): string => utxo.utxoId

/** The UTXOs of a wallet on one chain, optionally with spent ones. */
export function UtxosTab({ network, owners }: Wallet) {
  const [{ chain, spent, order }, setSearch] = useSearchState(schema)
  const filters = { spent: spent === 'shown', order }
  const list = utxosQuery(network, chain, owners, filters)
  const isIndexed = useInfiniteQuery(list).data?.pages.every((page) => page.isIndexed !== false)
  const files = usePrimaryFiles(network, chain, 'utxos', { addresses: owners.join(',') })
  const columns = useMemo(() => utxoColumns(network), [network])
  const name = chainLabel(chain)
  return (
    <>
      <NodeNote isIndexed={isIndexed} />
      <PagedTable
        id="wallet-utxos"
        label={`UTXOs on the ${name}`}
        noun="UTXO"
        list={list}
        columns={columns}
        rowKey={rowKey}
        tools={
          <>
            <ChainChoice current={chain} onChange={(next) => setSearch({ chain: next }, { push: true })} />
            <Button
              small
              aria-pressed={filters.spent}
              onClick={() => setSearch({ spent: filters.spent ? 'hidden' : 'shown' })}
            >
              {filters.spent ? 'Including spent' : 'Include spent'}
            </Button>
            <Button
              small
              aria-pressed={order === 'asc'}
              onClick={() => setSearch({ order: order === 'asc' ? 'desc' : 'asc' })}
            >
              Oldest first
            </Button>
          </>
        }
        file={`utxos-${chain}-${owners[0] ?? ''}`}
        files={files}
        empty={
          <EmptyState title={`No UTXOs on the ${name}`}>
            {chain === 'c-chain'
              ? 'On the C-Chain only what was exported and not imported yet is a UTXO.'
              : filters.spent
                ? 'This wallet has never owned one there.'
                : 'This wallet owns none there now. Include spent ones to see earlier ones.'}
          </EmptyState>
        }
      />
    </>
  )
}
