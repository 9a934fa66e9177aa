import { primaryAliasOf } from '../../contract/primary/chains.ts'
import { namesById, pBlockTypeIds, pTxTypeIds, xTxTypeIds } from '../../protocol/primary/transaction-types.ts'
import { rewardTypes } from '../../contract/primary/fields.ts'
import type { PrimaryLakeChain } from '../lake/primary/tables.ts'
import { primaryChainKey } from '../primary/chains.ts'
import { beyond, type SealedChain } from './primary-coverage.ts'
import { named, asColumns } from './primary-columns.ts'
import {
  defined,
  networkAnd,
  sqlColumnsOf,
  storedRows,
  storeRows,
  type Computed,
  type PrimaryTable,
} from './primary-defined.ts'
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

/** The lake has the height of a block as `number`. */
const withHeight = (files: string): string => `(select number as height, * from ${files})`

const blocks = (chainAlias: PrimaryLakeChain, computed?: Computed): PrimaryTable =>
  defined({
    name: `${chainAlias.toLowerCase()}_blocks`,
    table: 'primary_blocks',
    description: `One row per block of the ${chainAlias}-Chain.`,
    chainAlias,
    ...(computed && { computed }),
    lacked: above,
    from: (sealed) => withHeight(sealed.files('blocks')),
  })

const transactions = (chainAlias: PrimaryLakeChain, names: ReadonlyMap<number, string>): PrimaryTable =>
  defined({
    name: `${chainAlias.toLowerCase()}_transactions`,
    table: 'primary_transactions',
    description:
      chainAlias === 'P'
        ? 'One row per transaction of the P-Chain, those of the genesis included.'
        : 'One row per transaction of the X-Chain; height -1 is that of vertices.',
    chainAlias,
    computed: {
      type: named(names, 'such as AddPermissionlessValidatorTx'),
      bytes: () => [
        {
          ...column('size', 'INTEGER', 'bytes'),
          lake: '(length(bytes) - 2) // 2',
          selected: 'length(bytes) as size',
          store: ({ size }) => size as number,
        },
      ],
    },
    lacked: above,
    from: (sealed) => withHeight(sealed.files('transactions')),
  })

/** What SQL computes of a UTXO's columns. */
export const utxoComputed: Computed = {
  type: named(outputNames, 'TRANSFER is an amount'),
  // The store has a single owner apart.
  owners: (each) =>
    asColumns(each).map((owners) => ({
      ...owners,
      selected: 'coalesce(owners::text, owner::text) as owners',
    })),
  staked_from: () => [
    {
      ...column('is_stake', 'BOOLEAN', 'an output that is at stake until the period ends'),
      lake: 'staked_from is not null',
      selected: 'staked_from',
      store: (row) => row['staked_from'] !== null,
    },
  ],
  reward_type: named(rewardNames, 'VALIDATOR, DELEGATOR or VALIDATOR_FEE'),
}

/** The UTXOs of a chain that the lake has and that were spent beyond it, or on the C-Chain. */
const lateSpends = (chainAlias: PrimaryLakeChain): StoreTable => {
  const names = ['utxo_id', 'spent_height', 'spent_ts', 'spent_tx_id']
  const columns = sqlColumnsOf('utxos', chainAlias).filter(({ name }) => names.includes(name))
  return {
    name: `late_spends_${chainAlias.toLowerCase()}`,
    group: '',
    description: '',
    columns: networkAnd(columns),
    rows: (source) =>
      storeRows(
        { ...source, primary: source.primary.filter((coverage) => coverage[chainAlias]) },
        columns,
        ({ network: name, P, X }) => {
          const key = (alias: 'p-chain' | 'x-chain' | 'c-chain'): number => primaryChainKey(name, alias)
          const made = beyond(chainAlias === 'P' ? P : X, 'height', 'tx_index')
          const spent = (alias: 'p-chain' | 'x-chain', sealed: SealedChain | undefined): string =>
            `spent_chain = ${key(alias)} and ${beyond(sealed, 'spent_height', 'spent_index')}`
          return storedRows(
            'utxos',
            columns,
            key(primaryAliasOf[chainAlias]),
            `not ${made} and spent_height is not null
              and ((${spent('p-chain', P)}) or (${spent('x-chain', X)}) or spent_chain = ${key('c-chain')})`,
          )
        },
      ),
  }
}

const utxos = (chainAlias: PrimaryLakeChain): PrimaryTable =>
  defined({
    name: `${chainAlias.toLowerCase()}_utxos`,
    table: 'utxos',
    description: `One row per UTXO that a transaction of the ${chainAlias}-Chain made, with its spending.`,
    chainAlias,
    computed: utxoComputed,
    lacked: (sealed) => beyond(sealed, 'height', 'tx_index'),
    from: (sealed, { network: name, P, X }) => {
      const spends = [P, X].flatMap((chain) =>
        chain
          ? [
              `select utxo_id, height as spent_height, ts as spent_ts, tx_id as spent_tx from ${chain.files('spends')}`,
            ]
          : [],
      )
      const late = `select utxo_id, spent_height, spent_ts, spent_tx_id
        from late_spends_${chainAlias.toLowerCase()} where network = '${name}'`
      return `(select u.*, s.spent_height, s.spent_ts, s.spent_tx
        from ${sealed.files('utxos')} u left join (${[...spends, late].join(' union all ')}) s using (utxo_id))`
    },
    also: lateSpends(chainAlias),
  })

const stakers = defined({
  name: 'stakers',
  table: 'stakers',
  description: 'One row per validation and delegation of the P-Chain, past and present; amounts in nAVAX.',
  chainAlias: 'P',
  computed: {
    shares: () => [
      {
        ...column('delegation_fee', 'DOUBLE', 'percent; null for delegators'),
        lake: 'shares / 10000',
        selected: 'shares',
        store: ({ shares }) => (shares === null ? null : Number(shares) / 10_000),
      },
    ],
  },
  lacked: (sealed) => `(ended_height is null or ${beyond(sealed, 'ended_height', 'ended_index')})`,
  // What runs changes, so it is the store's: of the lake only what has ended.
  from: (sealed) => `(
    select s.* replace (e.weight as weight, e.start_ts as start_ts, e.end_ts as end_ts), e.potential_reward,
      e.ts as ended_ts, e.outcome, e.reward, e.delegation_reward
    from ${sealed.files('stake_ends')} e join ${sealed.files('stakes')} s on s.tx_id = e.tx_id)`,
})

const stakingCycles = defined({
  name: 'staking_cycles',
  table: 'staking_cycles',
  description:
    'One row per finished period of a validation that renews itself; `stakers` has its last one. Amounts in nAVAX.',
  chainAlias: 'P',
  lacked: (sealed) => beyond(sealed, 'height', 'index'),
  from: (sealed) => sealed.files('staking_cycles'),
})

const rewards = defined({
  name: 'rewards',
  table: 'rewards',
  description: 'One row per reward that was paid at the end of a staking period; amounts in nAVAX.',
  chainAlias: 'P',
  computed: { type: named(rewardNames, 'VALIDATOR, DELEGATOR or VALIDATOR_FEE') },
  lacked: (sealed) => beyond(sealed, 'height', 'index'),
  from: (sealed) => sealed.files('rewards'),
})

const assets = defined({
  name: 'x_assets',
  table: 'assets',
  description: 'One row per asset of the X-Chain.',
  chainAlias: 'X',
  lacked: above,
  from: (sealed) => sealed.files('assets'),
})

/** The tables of the primary network. */
export const primaryTables: readonly PrimaryTable[] = [
  blocks('P', { type: named(namesById(pBlockTypeIds), 'such as BanffStandardBlock') }),
  transactions('P', namesById(pTxTypeIds)),
  utxos('P'),
  stakers,
  stakingCycles,
  rewards,
  blocks('X'),
  transactions('X', namesById(xTxTypeIds)),
  utxos('X'),
  assets,
]
