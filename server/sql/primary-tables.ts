import { primaryAliasOf } from '../../contract/primary/chains.ts'
import { namesById, pBlockTypeIds, pTxTypeIds, xTxTypeIds } from '../../protocol/primary/transaction-types.ts'
import { rewardTypes } from '../../contract/primary/fields.ts'
import type { PrimaryLakeChain } from '../lake/primary/tables.ts'
import { primaryChainKey } from '../primary/chains.ts'
import { beyond, type SealedChain } from './primary-coverage.ts'
import {
  addresses,
  asIs,
  id,
  primaryColumn,
  named,
  node,
  placed,
  time,
  type PrimaryColumn,
} from './primary-columns.ts'
import { defined, storeRows, type PrimaryTable } from './primary-defined.ts'
import { column, type StoreTable } from './store-tables.ts'

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

const blocks = (chainAlias: PrimaryLakeChain, more: readonly PrimaryColumn[]): PrimaryTable =>
  defined({
    name: `${chainAlias.toLowerCase()}_blocks`,
    description: `One row per block of the ${chainAlias}-chain.`,
    chainAlias,
    columns: [...blockColumns, ...more],
    query: (chain, condition) => `
      select height as number, * from primary_blocks where chain = ${chain} and ${condition}`,
    lacked: above,
    from: (sealed) => sealed.files('blocks'),
  })

const transactions = (chainAlias: PrimaryLakeChain, names: ReadonlyMap<number, string>): PrimaryTable =>
  defined({
    name: `${chainAlias.toLowerCase()}_transactions`,
    description:
      chainAlias === 'P'
        ? 'One row per transaction of the P-chain, those of the genesis included.'
        : 'One row per transaction of the X-chain; height -1 is that of vertices.',
    chainAlias,
    columns: [
      asIs('height', 'BIGINT', 'of its block', 'number'),
      asIs('index', 'INTEGER', 'place in the block'),
      ...placed,
      id('id'),
      named('type', 'type', names, 'such as AddPermissionlessValidatorTx'),
      primaryColumn('size', 'INTEGER', 'bytes', '(length(bytes) - 2) // 2', (row) => row['size'] as number),
    ],
    query: (chain, condition) => `
      select height as number, index, ts, id, type, length(bytes) as size from primary_transactions
      where chain = ${chain} and ${condition}`,
    lacked: above,
    from: (sealed) => sealed.files('transactions'),
  })

/** The UTXOs of a chain that the lake has and that were spent beyond it, or on the C-chain. */
const lateSpends = (chainAlias: PrimaryLakeChain): StoreTable => ({
  name: `late_spends_${chainAlias.toLowerCase()}`,
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
      { ...source, primary: source.primary.filter((coverage) => coverage[chainAlias]) },
      [
        id('utxo_id'),
        asIs('height', 'BIGINT', '', 'spent_height'),
        asIs('ts', 'BIGINT', '', 'spent_ts'),
        id('tx_id', 'spent_tx'),
      ],
      ({ network: name, P, X }) => {
        const key = (alias: 'p-chain' | 'x-chain' | 'c-chain'): number => primaryChainKey(name, alias)
        const made = beyond(chainAlias === 'P' ? P : X, 'height', 'tx_index')
        const spent = (alias: 'p-chain' | 'x-chain', sealed: SealedChain | undefined): string =>
          `spent_chain = ${key(alias)} and ${beyond(sealed, 'spent_height', 'spent_index')}`
        return `
          select utxo_id, spent_height, spent_ts, spent_tx from utxos
          where chain = ${key(primaryAliasOf[chainAlias])} and not ${made} and spent_height is not null
            and ((${spent('p-chain', P)}) or (${spent('x-chain', X)}) or spent_chain = ${key('c-chain')})`
      },
    ),
})

/** The columns of UTXOs. */
export const utxoColumns: readonly PrimaryColumn[] = [
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
  primaryColumn(
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
]

/** The store's UTXOs that a chain made. */
export const utxoQuery = (chain: number, condition: string): string => `
  select height, tx_index, output_index, ts, tx_id, utxo_id,
    case home % 10 when 1 then 'P' when 2 then 'X' else 'C' end as home, asset, amount, type,
    coalesce(owners::text, owner::text) as owners, threshold, locktime, stakeable_locktime, staked_from,
    reward_type, spent_height, spent_ts, spent_tx
  from utxos where chain = ${chain} and ${condition}`

const utxos = (chainAlias: PrimaryLakeChain): PrimaryTable =>
  defined({
    name: `${chainAlias.toLowerCase()}_utxos`,
    description: `One row per UTXO that a transaction of the ${chainAlias}-chain made, with its spending.`,
    chainAlias,
    columns: utxoColumns,
    query: utxoQuery,
    lacked: (sealed) => beyond(sealed, 'height', 'tx_index'),
    from: (sealed, { network: name, P, X }) => {
      const spends = [P, X].flatMap((chain) =>
        chain ? [`select utxo_id, height, ts, tx_id from ${chain.files('spends')}`] : [],
      )
      const late = `select utxo_id, height, ts, tx_id from late_spends_${chainAlias.toLowerCase()} where network = '${name}'`
      return `(select u.*, s.height as spent_height, s.ts as spent_ts, s.tx_id as spent_tx
        from ${sealed.files('utxos')} u left join (${[...spends, late].join(' union all ')}) s using (utxo_id))`
    },
    also: lateSpends(chainAlias),
  })

const stakers = defined({
  name: 'stakers',
  description: 'One row per validation and delegation of the P-chain, past and present; amounts in nAVAX.',
  chainAlias: 'P',
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
    primaryColumn(
      'delegation_fee',
      'DOUBLE',
      'percent; null for delegators',
      'shares / 10000',
      ({ shares }) => (shares === null ? null : Number(shares) / 10_000),
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

const stakingCycles = defined({
  name: 'staking_cycles',
  description:
    'One row per finished period of a validation that renews itself; `stakers` has its last one. Amounts in nAVAX.',
  chainAlias: 'P',
  columns: [
    asIs('height', 'BIGINT', 'of the transaction that ended the period'),
    asIs('index', 'INTEGER', 'place in the block'),
    ...placed,
    id('tx_id', 'staking_tx', 'of the staking transaction'),
    node('node_id', 'node'),
    time('start_time', 'start_ts', ''),
    time('end_time', 'end_ts', ''),
    asIs('weight', 'HUGEINT', 'stake'),
    asIs('potential_reward', 'HUGEINT'),
    asIs('outcome', 'VARCHAR', 'renewed, rewarded or unrewarded'),
    asIs('reward', 'HUGEINT', 'paid to the staker'),
    asIs('delegation_reward', 'HUGEINT', 'paid to it from its delegators'),
    asIs('restaked', 'HUGEINT', 'of its own reward'),
    asIs('restaked_delegation', 'HUGEINT', 'of what it gets from its delegators'),
  ],
  query: (chain, condition) => `
    select height, index, ts, staking_tx, node, start_ts, end_ts, weight, potential_reward, outcome, reward,
      delegation_reward, restaked, restaked_delegation
    from staking_cycles where chain = ${chain} and ${condition}`,
  lacked: (sealed) => beyond(sealed, 'height', 'index'),
  order: 'height, index',
  from: (sealed) => sealed.files('staking_cycles'),
})

const rewards = defined({
  name: 'rewards',
  description: 'One row per reward that was paid at the end of a staking period; amounts in nAVAX.',
  chainAlias: 'P',
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
  chainAlias: 'X',
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

const p = namesById(pTxTypeIds)
/** The tables of the primary network. */
export const primaryTables: readonly PrimaryTable[] = [
  blocks('P', [
    named('type', 'type', namesById(pBlockTypeIds), 'such as BanffStandardBlock'),
    asIs('supply', 'HUGEINT', 'nAVAX after the block, with the rewards of running periods'),
    asIs('active_l1_validators', 'INTEGER', 'L1 validators that pay fees, after the block'),
    asIs('accrued_fees', 'HUGEINT', 'nAVAX that an L1 validator would have paid since the first one'),
  ]),
  transactions('P', p),
  utxos('P'),
  stakers,
  stakingCycles,
  rewards,
  blocks('X', []),
  transactions('X', namesById(xTxTypeIds)),
  utxos('X'),
  assets,
]
