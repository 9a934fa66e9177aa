import type { PrimaryChainAlias } from '../../contract/primary/chains.ts'
import { decodeAtomicTx } from '../../protocol/primary/atomic.ts'
import { cTxTypeIds, namesById } from '../../protocol/primary/transaction-types.ts'
import { atomicAmounts } from '../metrics/atomic-fees.ts'
import { primaryChainKey } from '../primary/chains.ts'
import { asColumns, named, type PrimaryColumn, type Row } from './primary-columns.ts'
import { networkAnd, sqlColumnsOf, storedRows, storeRows } from './primary-defined.ts'
import { utxoComputed } from './primary-tables.ts'
import { column, type Field, type StoreTable } from './store-tables.ts'

/** A table whose rows the store alone has, of one chain of each network. */
function stored(
  name: string,
  alias: PrimaryChainAlias,
  description: string,
  columns: readonly PrimaryColumn[],
  query: (chain: number) => string,
): StoreTable {
  return {
    name,
    group: 'Primary network',
    description,
    columns: networkAnd(columns),
    rows: (source) => storeRows(source, columns, ({ network }) => query(primaryChainKey(network, alias))),
  }
}

/** A column that is computed of what the store has. */
const ofStore = (
  name: string,
  type: string,
  description: string,
  store: (row: Row) => Field,
): PrimaryColumn => ({ ...column(name, type, description), lake: '', selected: '', store })

/** For how long before the newest sample there are rows: a week of a large network is some 150,000. */
const sampledSeconds = 7 * 86_400

/** What the operator's node said of its validators. It is in no block, so the lake does not have it. */
const samples = stored(
  'validator_samples',
  'p-chain',
  'One row per validation and hour of the last seven days: the last sample of the service’s node.',
  [
    ...asColumns({ name: 'ts', kind: 'seconds', meaning: 'Unix seconds of the sample' }),
    ...asColumns({ name: 'node', kind: 'node', meaning: '' }),
    ...asColumns({ name: 'tx_id', kind: 'id', meaning: 'of the validation' }),
    ofStore(
      'uptime',
      'DOUBLE',
      'percent of the validation so far, as that node saw it',
      ({ uptime }) => uptime as number,
    ),
    ...asColumns({ name: 'connected', kind: 'boolean', meaning: 'whether that node was connected to it' }),
  ],
  (chain) => `
    select distinct on (s.tx_id, s.ts / 3600) s.ts, s.node, s.tx_id, s.uptime::float8 as uptime, s.connected
    from latest_samples l
    join stakers v on v.tx_id = l.tx_id
    join uptime_samples s on s.chain = l.chain and s.node = v.node and s.tx_id = l.tx_id
      and s.ts > (select max(ts) from latest_samples where chain = ${chain}) - ${sampledSeconds}
    where l.chain = ${chain} order by s.tx_id, s.ts / 3600, s.ts desc`,
)

const l1ChangeColumns = sqlColumnsOf('l1_validator_changes', 'P')
const l1Changes = stored(
  'l1_validator_changes',
  'p-chain',
  'One row per change of an L1 validator, its registration included; amounts in nAVAX.',
  l1ChangeColumns,
  (chain) =>
    `${storedRows('l1_validator_changes', l1ChangeColumns, chain, 'true')} order by height, index, validation_id`,
)

/** A sum of an atomic transaction's AVAX. */
const sumOf = (name: 'consumed' | 'produced', description: string): PrimaryColumn =>
  ofStore(
    name,
    'HUGEINT',
    description,
    ({ bytes, avax }) => atomicAmounts(decodeAtomicTx(bytes as Buffer).unsigned, avax as Buffer | null)[name],
  )

const cTransactions = stored(
  'c_transactions',
  'c-chain',
  'One row per import to the C-Chain and export from it; amounts in nAVAX, from its own bytes.',
  sqlColumnsOf('primary_transactions', 'C', {
    type: named(namesById(cTxTypeIds), 'ImportTx or ExportTx'),
    bytes: () => [
      sumOf('consumed', 'AVAX of its inputs'),
      sumOf('produced', 'AVAX of its outputs; the rest is burned'),
    ],
  }),
  (chain) => `
    select t.height, t.index, t.ts, t.id, t.type, t.bytes, c.avax_asset as avax
    from primary_transactions t join primary_chains c on c.chain = t.chain
    where t.chain = ${chain} order by t.height, t.index`,
)

const cUtxoColumns = sqlColumnsOf('utxos', 'C', utxoComputed)
const cUtxos = stored(
  'c_utxos',
  'c-chain',
  'One row per UTXO that an export from the C-Chain made, with its spending.',
  cUtxoColumns,
  (chain) => `${storedRows('utxos', cUtxoColumns, chain, 'true')} order by height, tx_index, output_index`,
)

/** The tables of the primary network that the store alone has. */
export const primaryStoredTables: readonly StoreTable[] = [samples, l1Changes, cTransactions, cUtxos]
