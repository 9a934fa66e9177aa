import type { ExportFormat } from '../../../contract/sql/exports.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { useOffers } from '../current.ts'
import type { PrimaryTxFilters } from '../primary/transactions.ts'
import type { EvmTable, PrimaryTable } from './exports.ts'

const formats = [
  ['csv', 'CSV'],
  ['jsonl', 'JSON lines'],
  ['parquet', 'Parquet'],
] as const satisfies readonly (readonly [ExportFormat, string])[]

/** The files that the service makes of a whole table; none in a deployment without exports, and of undefined. */
export function useTableFiles(exported: EvmTable | PrimaryTable | undefined) {
  const offered = useOffers(exported && 'network' in exported ? 'exportPrimaryTable' : 'exportTable')
  return offered && exported
    ? formats.map(([format, label]) => ({
        label,
        ending: format,
        load: async (options: { signal: AbortSignal; onRows: (count: number) => void }): Promise<Blob> => {
          const { downloadTable } = await import('./exports.ts')
          return downloadTable(exported, format, options)
        },
      }))
    : []
}

/** Like `useTableFiles`, for a table that the P- and the X-Chain have; the C-Chain has none. */
export const usePrimaryFiles = (
  network: string,
  chain: PrimaryChainAlias,
  table: 'blocks' | 'transactions' | 'utxos',
  query: PrimaryTable['query'] | undefined,
) =>
  useTableFiles(
    chain === 'c-chain' || query === undefined
      ? undefined
      : { network, table: `${chain === 'p-chain' ? 'p' : 'x'}_${table}`, query },
  )

/** The files of a list of transactions; none if it has filters that exports do not have. */
export const usePrimaryTransactionFiles = (
  network: string,
  chain: PrimaryChainAlias,
  { addresses, l1ValidationId, types = [], after, before }: PrimaryTxFilters,
) =>
  usePrimaryFiles(
    network,
    chain,
    'transactions',
    types.length > 0 || l1ValidationId !== undefined
      ? undefined
      : { addresses, startTimestamp: after, endTimestamp: before },
  )
