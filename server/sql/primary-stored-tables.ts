import type { PrimaryChainAlias } from '../../contract/primary/chains.ts'
import { decodeAtomicTx } from '../../protocol/primary/atomic.ts'
import { cTxTypeIds, namesById } from '../../protocol/primary/transaction-types.ts'
import { atomicAmounts } from '../metrics/atomic-fees.ts'
import { primaryChainKey } from '../primary/chains.ts'
import {
  asIs,
  id,
  primaryColumn,
  named,
  node,
  placed,
  time,
  type PrimaryColumn,
  type Row,
} from './primary-columns.ts'
import { networkAnd, storeRows } from './primary-defined.ts'
import { utxoColumns, utxoQuery } from './primary-tables.ts'
import type { StoreTable } from './store-tables.ts'

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

/** For how long before the newest sample there are rows: a week of a large network is some 150,000. */
const sampledSeconds = 7 * 86_400

/** What the operator's node said of its validators. It is in no block, so the lake does not have it. */
const samples = stored(
  'validator_samples',
  'p-chain',
  'One row per validation and hour of the last seven days: the last sample of the service’s node.',
  [
    time('time', 'ts', 'of the sample, UTC'),
    node('node_id', 'node'),
    id('tx_id', 'tx_id', 'of the validation'),
    asIs('uptime', 'DOUBLE', 'percent of the validation so far, as that node saw it'),
    asIs('connected', 'BOOLEAN', 'whether that node was connected to it'),
  ],
  (chain) => `
    select distinct on (s.tx_id, s.ts / 3600) s.ts, s.node, s.tx_id, s.uptime::float8 as uptime, s.connected
    from latest_samples l
    join stakers v on v.tx_id = l.tx_id
    join uptime_samples s on s.chain = l.chain and s.node = v.node and s.tx_id = l.tx_id
      and s.ts > (select max(ts) from latest_samples where chain = ${chain}) - ${sampledSeconds}
    where l.chain = ${chain} order by s.tx_id, s.ts / 3600, s.ts desc`,
)

const l1Changes = stored(
  'l1_validator_changes',
  'p-chain',
  'One row per change of an L1 validator, its registration included; amounts in nAVAX.',
  [
    asIs('height', 'BIGINT', 'of the block that changed it'),
    asIs('index', 'INTEGER', 'place of the transaction in the block; -1 if its balance was used up'),
    ...placed,
    id('validation_id'),
    asIs('weight', 'HUGEINT', 'after the change; 0 once it is removed'),
    asIs('balance_change', 'HUGEINT', 'paid in; negative for what was given back'),
    asIs(
      'end_fee',
      'HUGEINT',
      'accrued_fees of p_blocks at which its balance is used up; null while inactive',
    ),
  ],
  (chain) => `
    select height, index, ts, validation_id, weight, balance_change, end_fee from l1_validator_changes
    where chain = ${chain} order by height, index, validation_id`,
)

/** A sum of an atomic transaction's AVAX. */
const sumOf = (name: 'consumed' | 'produced', description: string): PrimaryColumn =>
  primaryColumn(
    name,
    'HUGEINT',
    description,
    '',
    ({ bytes, avax }: Row) =>
      atomicAmounts(decodeAtomicTx(bytes as Buffer).unsigned, avax as Buffer | null)[name],
  )

const cTransactions = stored(
  'c_transactions',
  'c-chain',
  'One row per import to the C-chain and export from it; amounts in nAVAX, from its own bytes.',
  [
    asIs('height', 'BIGINT', 'of its block'),
    asIs('index', 'INTEGER', 'place among those of the block'),
    ...placed,
    id('id'),
    named('type', 'type', namesById(cTxTypeIds), 'ImportTx or ExportTx'),
    sumOf('consumed', 'AVAX of its inputs'),
    sumOf('produced', 'AVAX of its outputs; the rest is burned'),
  ],
  (chain) => `
    select t.height, t.index, t.ts, t.id, t.type, t.bytes, c.avax_asset as avax
    from primary_transactions t join primary_chains c on c.chain = t.chain
    where t.chain = ${chain} order by t.height, t.index`,
)

const cUtxos = stored(
  'c_utxos',
  'c-chain',
  'One row per UTXO that an export from the C-chain made, with its spending.',
  utxoColumns,
  (chain) => `${utxoQuery(chain, 'true')} order by height, tx_index, output_index`,
)

/** The tables of the primary network that the store alone has. */
export const primaryStoredTables: readonly StoreTable[] = [samples, l1Changes, cTransactions, cUtxos]
