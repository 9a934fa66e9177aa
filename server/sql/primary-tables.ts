import { namesById, pBlockTypeIds, pTxTypeIds, xTxTypeIds } from '../../protocol/primary/transaction-types.ts'
import { rewardTypes } from '../../contract/primary/fields.ts'
import { primaryExportKeys } from '../../contract/sql/exports.ts'
import { primaryChainKey, type PrimaryNetwork } from '../primary/chains.ts'
import { Texts } from '../primary/texts.ts'
import type { Queryable } from '../store/database.ts'
import { beyond, type PrimaryCoverage, type SealedChain } from './primary-coverage.ts'
import {
  addresses,
  asIs,
  id,
  made,
  named,
  node,
  placed,
  time,
  type Made,
  type Row,
} from './primary-columns.ts'
import { column, type Field, type StoreTable } from './store-tables.ts'
import type { DescribedColumn } from './tables.ts'

/** A table of the P- or the X-chain: its rows come from the lake's files and, beyond them, from the store. */
export type PrimaryTable = StoreTable & {
  /**
   * The rows that the lake has, as a SELECT with the columns of the table; undefined if it has none. `live` is the table
   * of the rows that the store has.
   */
  sealed(coverage: PrimaryCoverage): string | undefined
  readonly letter: Letter
  /**
   * Rows of the store alone that meet a condition on its columns, up to a limit, in the order of the table's key:
   * the columns behind the network.
   */
  stored(sql: Queryable, network: StoredNetwork, condition: string, limit: number): AsyncIterable<Field[][]>
  /** A table of the store's rows that `sealed` needs besides. */
  readonly also?: StoreTable
}

type Letter = 'P' | 'X'
/** A network, and the prefix of its addresses. */
type StoredNetwork = Pick<PrimaryCoverage, 'network' | 'prefix'>
const aliases = { P: 'p-chain', X: 'x-chain' } as const

const network = (columns: readonly Made[]): DescribedColumn[] => [
  column('network', 'VARCHAR', 'mainnet or fuji'),
  ...columns.map(({ lake: _lake, store: _store, ...described }) => described),
]

type Definition = {
  readonly name: string
  readonly description: string
  readonly letter: Letter
  readonly columns: readonly Made[]
  /** The store's rows of a chain that meet a condition. */
  readonly query: (chain: number, condition: string) => string
  /** The condition that selects the store's rows that the lake lacks. */
  readonly lacked: (sealed: SealedChain | undefined) => string
  /** The order of the rows, if it is not that of the key of exports. */
  readonly order?: string
  /** What the lake's rows are selected from. */
  readonly from: (sealed: SealedChain, coverage: PrimaryCoverage) => string
  readonly also?: StoreTable
}

const keys: Readonly<Record<string, readonly string[]>> = primaryExportKeys

function defined(definition: Definition): PrimaryTable {
  const { name, description, letter, columns, query, lacked, from, also } = definition
  const order = definition.order ?? keys[name]?.join(', ')
  const ordered = (of: PrimaryNetwork, condition: string): string =>
    `${query(primaryChainKey(of, aliases[letter]), condition)} order by ${order}`
  return {
    name,
    letter,
    group: 'Primary network',
    description,
    columns: network(columns),
    rows: (source) =>
      storeRows(source, columns, (coverage) => ordered(coverage.network, lacked(coverage[letter]))),
    stored: (sql, of, condition, limit) =>
      storeRows({ sql, primary: [of] }, columns, () => `${ordered(of.network, condition)} limit ${limit}`),
    sealed(coverage) {
      const sealed = coverage[letter]
      if (!sealed) return undefined
      const list = columns.map((each) => `(${each.lake})::${each.type} as "${each.name}"`).join(', ')
      return `select '${coverage.network}' as network, ${list} from ${from(sealed, coverage)}`
    },
    ...(also && { also }),
  }
}

/** Rows whose ids become text while other requests wait: some 10 microseconds for each id. */
const rowsAtOnce = 250

/** Rows of the store of all networks, as columns have them. */
async function* storeRows<Of extends StoredNetwork>(
  { sql, primary }: { readonly sql: Queryable; readonly primary: readonly Of[] },
  columns: readonly Made[],
  query: (of: Of) => string,
): AsyncGenerator<Field[][]> {
  for (const coverage of primary) {
    const texts = new Texts(coverage.prefix)
    for await (const rows of sql.unsafe<Row[]>(query(coverage)).cursor(rowsAtOnce))
      yield rows.map((row) => [coverage.network, ...columns.map(({ store }) => store(row, texts))])
  }
}

const rewardNames = new Map(rewardTypes.map((name, index) => [index + 1, name as string]))
const outputNames = new Map([
  [7, 'TRANSFER'],
  [6, 'MINT'],
  [10, 'NFT_MINT'],
  [11, 'NFT_TRANSFER'],
  [15, 'PROPERTY_MINT'],
  [16, 'PROPERTY_OWNED'],
])

const above = (sealed: SealedChain | undefined): string => (sealed ? `height > ${sealed.to}` : 'true')

const blockColumns = [
  asIs('height', 'BIGINT', '', 'number'),
  ...placed,
  id('id'),
  id('parent_id'),
  asIs('size', 'INTEGER', 'bytes'),
  asIs('tx_count', 'INTEGER', 'transactions in it'),
  node('proposer_node_id', 'proposer_node', 'null before proposers, and without the node’s index'),
]

const blocks = (letter: Letter, more: readonly Made[]): PrimaryTable =>
  defined({
    name: `${letter.toLowerCase()}_blocks`,
    description: `One row per block of the ${letter}-chain.`,
    letter,
    columns: [...blockColumns, ...more],
    query: (chain, condition) => `
      select height as number, * from primary_blocks where chain = ${chain} and ${condition}`,
    lacked: above,
    from: (sealed) => sealed.files('blocks'),
  })

const transactions = (letter: Letter, names: ReadonlyMap<number, string>): PrimaryTable =>
  defined({
    name: `${letter.toLowerCase()}_transactions`,
    description:
      letter === 'P'
        ? 'One row per transaction of the P-chain, those of the genesis included.'
        : 'One row per transaction of the X-chain; height -1 is that of vertices.',
    letter,
    columns: [
      asIs('height', 'BIGINT', 'of its block', 'number'),
      asIs('index', 'INTEGER', 'place in the block'),
      ...placed,
      id('id'),
      named('type', 'type', names, 'such as AddPermissionlessValidatorTx'),
      made('size', 'INTEGER', 'bytes', '(length(bytes) - 2) // 2', (row) => row['size'] as number),
    ],
    query: (chain, condition) => `
      select height as number, index, ts, id, type, length(bytes) as size from primary_transactions
      where chain = ${chain} and ${condition}`,
    lacked: above,
    from: (sealed) => sealed.files('transactions'),
  })

/** The UTXOs of a chain that the lake has and that were spent beyond it, or on the C-chain. */
const lateSpends = (letter: Letter): StoreTable => ({
  name: `late_spends_${letter.toLowerCase()}`,
  group: '',
  description: '',
  columns: [
    column('network', 'VARCHAR'),
    column('utxo_id', 'VARCHAR'),
    column('height', 'BIGINT'),
    column('ts', 'BIGINT'),
    column('tx_id', 'VARCHAR'),
  ],
  rows: (source) =>
    storeRows(
      { ...source, primary: source.primary.filter((coverage) => coverage[letter]) },
      [
        id('utxo_id'),
        asIs('height', 'BIGINT', '', 'spent_height'),
        asIs('ts', 'BIGINT', '', 'spent_ts'),
        id('tx_id', 'spent_tx'),
      ],
      ({ network: name, P, X }) => {
        const key = (alias: 'p-chain' | 'x-chain' | 'c-chain'): number => primaryChainKey(name, alias)
        const made = beyond(letter === 'P' ? P : X, 'height', 'tx_index')
        const spent = (alias: 'p-chain' | 'x-chain', sealed: SealedChain | undefined): string =>
          `spent_chain = ${key(alias)} and ${beyond(sealed, 'spent_height', 'spent_index')}`
        return `
          select utxo_id, spent_height, spent_ts, spent_tx from utxos
          where chain = ${key(aliases[letter])} and not ${made} and spent_height is not null
            and ((${spent('p-chain', P)}) or (${spent('x-chain', X)}) or spent_chain = ${key('c-chain')})`
      },
    ),
})

const utxos = (letter: Letter): PrimaryTable =>
  defined({
    name: `${letter.toLowerCase()}_utxos`,
    description: `One row per UTXO that a transaction of the ${letter}-chain made, with its spending.`,
    letter,
    columns: [
      asIs('height', 'BIGINT', 'of the transaction that made it; 0 for the genesis'),
      asIs('tx_index', 'INTEGER', 'place of the transaction in the block'),
      asIs('output_index', 'INTEGER'),
      ...placed,
      id('tx_id', 'tx_id', 'that made it'),
      id('utxo_id'),
      asIs('home', 'VARCHAR', 'where it can be spent: P, X or C; another chain than its own for exports'),
      id('asset_id', 'asset'),
      asIs('amount', 'HUGEINT', 'in the asset’s smallest unit; 0 for NFTs'),
      named('type', 'type', outputNames, 'TRANSFER is an amount'),
      addresses('owners', 'owners', 'any of them; list_contains(owners, ’…’)'),
      asIs('threshold', 'INTEGER', 'how many of them must sign'),
      asIs('locktime', 'HUGEINT', 'Unix seconds; 0 if it is not locked'),
      asIs('stakeable_locktime', 'HUGEINT', 'Unix seconds until which it can only be staked'),
      made(
        'is_stake',
        'BOOLEAN',
        'an output that is at stake until the period ends',
        'staked_from is not null',
        (row) => row['staked_from'] !== null,
      ),
      named('reward_type', 'reward_type', rewardNames, 'VALIDATOR, DELEGATOR or VALIDATOR_FEE'),
      asIs('spent_height', 'BIGINT', 'null if it is unspent; of the chain where it was spent'),
      time('spent_time', 'spent_ts', 'UTC'),
      asIs('spent_ts', 'BIGINT'),
      id('spent_tx_id', 'spent_tx'),
    ],
    query: (chain, condition) => `
      select height, tx_index, output_index, ts, tx_id, utxo_id,
        case home % 10 when 1 then 'P' when 2 then 'X' else 'C' end as home, asset, amount, type,
        coalesce(owners::text, owner::text) as owners, threshold, locktime, stakeable_locktime, staked_from,
        reward_type, spent_height, spent_ts, spent_tx
      from utxos where chain = ${chain} and ${condition}`,
    lacked: (sealed) => beyond(sealed, 'height', 'tx_index'),
    from: (sealed, { network: name, P, X }) => {
      const spends = [P, X].flatMap((chain) =>
        chain ? [`select utxo_id, height, ts, tx_id from ${chain.files('spends')}`] : [],
      )
      const late = `select utxo_id, height, ts, tx_id from late_spends_${letter.toLowerCase()} where network = '${name}'`
      return `(select u.*, s.height as spent_height, s.ts as spent_ts, s.tx_id as spent_tx
        from ${sealed.files('utxos')} u left join (${[...spends, late].join(' union all ')}) s using (utxo_id))`
    },
    also: lateSpends(letter),
  })

const stakers = defined({
  name: 'stakers',
  description: 'One row per validation and delegation of the P-chain, past and present; amounts in nAVAX.',
  letter: 'P',
  columns: [
    asIs('height', 'BIGINT', 'of the staking transaction; 0 for the genesis'),
    asIs('index', 'INTEGER', 'place in the block'),
    id('tx_id', 'tx_id', 'of the staking transaction'),
    asIs('is_delegator', 'BOOLEAN'),
    node('node_id', 'node'),
    id('subnet_id', 'subnet'),
    asIs('weight', 'HUGEINT', 'stake'),
    time('start_time', 'start_ts', ''),
    time('end_time', 'end_ts', 'as planned'),
    made('delegation_fee', 'DOUBLE', 'percent; null for delegators', 'shares / 10000', ({ shares }) =>
      shares === null ? null : Number(shares) / 10_000,
    ),
    id('validator_tx_id', 'validator_tx', 'the validation that a delegation belongs to'),
    asIs('potential_reward', 'HUGEINT', 'before a delegator’s fee'),
    time('ended_time', 'ended_ts', 'null while it is in force'),
    asIs('outcome', 'VARCHAR', 'rewarded, unrewarded or removed'),
    asIs('reward', 'HUGEINT', 'paid to the staker'),
    asIs('delegation_reward', 'HUGEINT', 'paid to a validator from its delegators'),
  ],
  query: (chain, condition) => `
    select height, index, tx_id, is_delegator, subnet, node, weight, start_ts, end_ts, shares, validator_tx,
      potential_reward, ended_ts, outcome, reward, delegation_reward
    from stakers where chain = ${chain} and ${condition}`,
  lacked: (sealed) => `(ended_height is null or ${beyond(sealed, 'ended_height', 'ended_index')})`,
  // What runs changes, so it is the store's: of the lake only what has ended.
  from: (sealed) => `(
    select s.height, s."index", s.tx_id, s.is_delegator, s.subnet, s.node, s.shares, s.validator_tx, e.weight, e.start_ts, e.end_ts,
      e.potential_reward, e.ts as ended_ts, e.outcome, e.reward, e.delegation_reward
    from ${sealed.files('stake_ends')} e join ${sealed.files('stakes')} s using (tx_id))`,
})

const rewards = defined({
  name: 'rewards',
  description: 'One row per reward that was paid at the end of a staking period; amounts in nAVAX.',
  letter: 'P',
  columns: [
    asIs('height', 'BIGINT', 'of the transaction that rewards'),
    asIs('index', 'INTEGER', 'place in the block'),
    asIs('ordinal', 'SMALLINT', 'place among the rewards of the transaction'),
    ...placed,
    node('node_id', 'node'),
    id('staking_tx_id', 'staking_tx'),
    named('type', 'type', rewardNames, 'VALIDATOR, DELEGATOR or VALIDATOR_FEE'),
    asIs('amount', 'HUGEINT'),
  ],
  query: (chain, condition) => `
    select height, index, ordinal, ts, staking_tx, node, type, amount from rewards
    where chain = ${chain} and ${condition}`,
  lacked: (sealed) => beyond(sealed, 'height', 'index'),
  from: (sealed) => sealed.files('rewards'),
})

const assets = defined({
  name: 'x_assets',
  description: 'One row per asset of the X-chain.',
  letter: 'X',
  columns: [
    asIs('height', 'BIGINT', 'of the transaction that made it; -1 in a vertex'),
    asIs('index', 'INTEGER', 'place in the block'),
    ...placed,
    id('asset_id', 'asset'),
    asIs('name', 'VARCHAR'),
    asIs('symbol', 'VARCHAR'),
    asIs('denomination', 'SMALLINT', 'decimals of its unit'),
    asIs('is_nft', 'BOOLEAN'),
    asIs('is_variable', 'BOOLEAN', 'whether more of it can be minted'),
  ],
  query: (chain, condition) => `
    select height, index, ts, asset, name, symbol, denomination, is_nft, is_variable from assets
    where chain = ${chain} and ${condition}`,
  lacked: above,
  from: (sealed) => sealed.files('assets'),
})

/** For how long before the newest sample there are rows: a week of a large network is some 150,000. */
const sampledSeconds = 7 * 86_400

/** What the operator's node said of its validators. It is in no block, so the lake does not have it. */
const samples: PrimaryTable = {
  ...defined({
    name: 'validator_samples',
    description:
      'One row per validation and hour of the last seven days: the last sample of the service’s node.',
    letter: 'P',
    columns: [
      time('time', 'ts', 'of the sample, UTC'),
      node('node_id', 'node'),
      id('tx_id', 'tx_id', 'of the validation'),
      asIs('uptime', 'DOUBLE', 'percent of the validation so far, as that node saw it'),
      asIs('connected', 'BOOLEAN', 'whether that node was connected to it'),
    ],
    query: (chain) => `
      select distinct on (s.tx_id, s.ts / 3600) s.ts, s.node, s.tx_id, s.uptime, s.connected
      from latest_samples l
      join stakers v on v.tx_id = l.tx_id
      join uptime_samples s on s.chain = l.chain and s.node = v.node and s.tx_id = l.tx_id
        and s.ts > (select max(ts) from latest_samples where chain = ${chain}) - ${sampledSeconds}
      where l.chain = ${chain}`,
    lacked: () => 'true',
    order: 's.tx_id, s.ts / 3600, s.ts desc',
    from: () => '',
  }),
  sealed: () => undefined,
}

const p = namesById(pTxTypeIds)
/** The tables of the primary network. */
export const primaryTables: readonly PrimaryTable[] = [
  blocks('P', [
    named('type', 'type', namesById(pBlockTypeIds), 'such as BanffStandardBlock'),
    asIs('supply', 'HUGEINT', 'nAVAX after the block, with the rewards of running periods'),
    asIs('active_l1_validators', 'INTEGER', 'L1 validators that pay fees, after the block'),
  ]),
  transactions('P', p),
  utxos('P'),
  stakers,
  rewards,
  samples,
  blocks('X', []),
  transactions('X', namesById(xTxTypeIds)),
  utxos('X'),
  assets,
]
