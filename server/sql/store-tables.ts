import { rewardTypes } from '../../contract/primary/fields.ts'
import { intervalsOf, metricNames, type MetricName } from '../../contract/metrics/catalogue.ts'
import type { Chain } from '../kernel/chains.ts'
import type { NetworkConfig } from '../kernel/config.ts'
import { readChainPoints } from '../metrics/chain-points.ts'
import { KeptMedians } from '../metrics/series.ts'
import { primaryChainKey } from '../primary/chains.ts'
import { Texts } from '../primary/texts.ts'
import type { Queryable } from '../store/database.ts'
import type { DescribedColumn } from './tables.ts'

/** What the tables of the store alone are read with. */
export type StoreSource = {
  readonly sql: Queryable
  readonly chains: readonly Chain[]
  readonly networks: readonly NetworkConfig[]
}

type Field = string | number | bigint | boolean | null

/** A table whose rows the store alone has, in the order of its columns. */
export type StoreTable = {
  readonly name: string
  readonly group: string
  readonly description: string
  readonly columns: readonly DescribedColumn[]
  /** Batches of rows. */
  rows(source: StoreSource): AsyncIterable<readonly (readonly Field[])[]>
}

const column = (name: string, type: string, description = ''): DescribedColumn => ({
  name,
  type,
  description,
})
const batch = 2_000

/** Unix seconds as the engine reads a timestamp. */
const moment = (seconds: bigint | null): string | null =>
  seconds === null ? null : new Date(Number(seconds) * 1_000).toISOString().slice(0, 19).replace('T', ' ')

type StakerRow = {
  ts: bigint
  tx_id: Buffer
  is_delegator: boolean
  subnet: Buffer
  node: Buffer
  weight: string
  start_ts: bigint
  end_ts: bigint
  shares: number | null
  validator_tx: Buffer | null
  potential_reward: string | null
  ended_ts: bigint | null
  outcome: string | null
  reward: string | null
  delegation_reward: string | null
}

const stakers: StoreTable = {
  name: 'stakers',
  group: 'Primary network',
  description: 'One row per validation and delegation of the P-chain, past and present; amounts in nAVAX.',
  columns: [
    column('network', 'VARCHAR', 'mainnet or fuji'),
    column('tx_id', 'VARCHAR', 'of the staking transaction'),
    column('is_delegator', 'BOOLEAN'),
    column('node_id', 'VARCHAR'),
    column('subnet_id', 'VARCHAR'),
    column('weight', 'HUGEINT', 'stake'),
    column('start_time', 'TIMESTAMP'),
    column('end_time', 'TIMESTAMP', 'as planned'),
    column('delegation_fee', 'DOUBLE', 'percent; null for delegators'),
    column('validator_tx_id', 'VARCHAR', 'the validation that a delegation belongs to'),
    column('potential_reward', 'HUGEINT', 'before a delegator’s fee'),
    column('ended_time', 'TIMESTAMP', 'null while it is in force'),
    column('outcome', 'VARCHAR', 'rewarded, unrewarded or removed'),
    column('reward', 'HUGEINT', 'paid to the staker'),
    column('delegation_reward', 'HUGEINT', 'paid to a validator from its delegators'),
  ],
  async *rows({ sql, networks }) {
    for (const { id, prefix } of networks) {
      const texts = new Texts(prefix)
      const found = sql<StakerRow[]>`
        select tx_id, is_delegator, subnet, node, weight, start_ts, end_ts, shares, validator_tx, potential_reward,
          ended_ts, outcome, reward, delegation_reward
        from stakers where chain = ${primaryChainKey(id, 'p-chain')} order by height, index`
      for await (const rows of found.cursor(batch))
        yield rows.map((row) => [
          id,
          texts.id(row.tx_id),
          row.is_delegator,
          texts.node(row.node),
          texts.id(row.subnet),
          row.weight,
          moment(row.start_ts),
          moment(row.end_ts),
          row.shares === null ? null : row.shares / 10_000,
          row.validator_tx && texts.id(row.validator_tx),
          row.potential_reward,
          moment(row.ended_ts),
          row.outcome,
          row.reward,
          row.delegation_reward,
        ])
    }
  },
}

type RewardRow = {
  ts: bigint
  height: bigint
  staking_tx: Buffer
  node: Buffer
  type: number
  amount: string
}

const rewards: StoreTable = {
  name: 'rewards',
  group: 'Primary network',
  description: 'One row per reward that was paid at the end of a staking period; amounts in nAVAX.',
  columns: [
    column('network', 'VARCHAR', 'mainnet or fuji'),
    column('time', 'TIMESTAMP', 'of its block, UTC'),
    column('height', 'BIGINT', 'of the P-chain'),
    column('node_id', 'VARCHAR'),
    column('staking_tx_id', 'VARCHAR'),
    column('type', 'VARCHAR', 'VALIDATOR, DELEGATOR or VALIDATOR_FEE'),
    column('amount', 'HUGEINT'),
  ],
  async *rows({ sql, networks }) {
    for (const { id, prefix } of networks) {
      const texts = new Texts(prefix)
      const found = sql<RewardRow[]>`
        select ts, height, staking_tx, node, type, amount from rewards
        where chain = ${primaryChainKey(id, 'p-chain')} order by height, index, ordinal`
      for await (const rows of found.cursor(batch))
        yield rows.map(({ ts, height, staking_tx, node, type, amount }) => [
          id,
          moment(ts),
          height,
          texts.node(node),
          texts.id(staking_tx),
          rewardTypes[type - 1] ?? String(type),
          amount,
        ])
    }
  },
}

/** Days of one metric and chain; more than any chain has. */
const mostDays = 100_000

const metrics: StoreTable = {
  name: 'metrics',
  group: 'Metrics',
  description: 'One row per day, chain and metric, as the metrics’ pages count it; the last day is not over.',
  columns: [
    column('chain', 'BIGINT', 'the EVM chain id'),
    column('metric', 'VARCHAR', `such as ${metricNames.slice(0, 3).join(', ')}`),
    column('day', 'DATE', 'UTC'),
    column('value', 'DOUBLE'),
  ],
  async *rows({ sql, chains }) {
    const medians = new KeptMedians()
    const daily = metricNames.filter((name: MetricName) => intervalsOf(name).includes('day'))
    for (const chain of chains) {
      for (const metric of daily) {
        const asked = { metric, interval: 'day', pageSize: mostDays } as const
        const { results } = await readChainPoints(sql, [chain], asked, medians).catch(unlessUntraced)
        yield results.map(({ timestamp, value }) => [
          chain.id,
          metric,
          moment(BigInt(timestamp))?.slice(0, 10) ?? null,
          Number(value),
        ])
      }
    }
  },
}

/** A metric that needs traces has no days where the node gives none. */
function unlessUntraced(error: unknown): { results: [] } {
  if ((error as { status?: number }).status === 503) return { results: [] }
  throw error
}

/** The tables of the store alone. */
export const storeTables: readonly StoreTable[] = [stakers, rewards, metrics]
