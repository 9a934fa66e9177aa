import { listUnlocks, listYearlyRewards, type unlockKinds } from '../../../contract/network/calendar.ts'
import { listPendingRewards, listRewards } from '../../../contract/network/rewards.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { worthOf } from '../../tokens/prices/decimal.ts'
import { primaryChainOf } from '../../primary/chains.ts'
import { beforeAllTxs, txCursor, type Order } from '../../store/primary/read-primary.ts'
import { beforeAllUnlocks, readUnlocks, unlockKind } from '../../store/primary/read-balances.ts'
import {
  readPendingRewards,
  readRewardDays,
  readRewards,
  readStakeFacts,
  type RewardFilter,
  type RewardPlace,
} from '../../store/network/read-rewards.ts'
import { openList } from '../../http/keyset-list.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { addressesOf, nodeOf } from '../../primary/request-values.ts'
import { chainTime, openAssets, openView, type NetworkView } from '../primary/context.ts'
import { findNetwork, type ServedNetwork } from '../../primary/served-network.ts'
import { avaxPriceAsset, pricesOfDays } from '../primary/prices.ts'
import { rewardTypeIds, rewardTypeOf } from '../primary/utxo-fields.ts'

/** Milliseconds that an answer may wait for prices. */
const priceTime = 5_000

const rewardCursor = { ...txCursor, ordinal: 'number' } as const
const start = {
  asc: { ...beforeAllTxs.asc, ordinal: -1 },
  desc: { ...beforeAllTxs.desc, ordinal: 32_767 },
} as const satisfies Record<Order, RewardPlace>

/** A listing has one point in time, which its page tokens preserve. */
const unlockCursor = {
  time: 'number',
  stakeTime: 'number',
  free_at: 'text',
  kind: 'number',
  home: 'number',
  asset: 'bytes',
  stake_tx: 'bytes',
} as const

const filterOf = (
  network: ServedNetwork,
  query: {
    addresses?: string[] | undefined
    nodeIds?: string[] | undefined
    rewardTypes?: readonly string[] | undefined
  },
): RewardFilter => ({
  addresses: query.addresses && addressesOf(network, query.addresses),
  nodes: query.nodeIds?.map((text) => nodeOf('nodeIds', text)),
  types: query.rewardTypes && rewardTypeIds(query.rewardTypes),
})

/** The asset, or AVAX if the row has none: the primary network pays only AVAX. */
const assetOf = (asset: Buffer | null, view: NetworkView): Buffer => asset ?? view.avax ?? Buffer.alloc(32)

/** Paid and expected rewards, and unlock times (docs/api.md, Primary network; the hosted API). */
export function primaryRewardRoutes(context: RouteContext): Implementation[] {
  const { config, store, clock, prices } = context
  return [
    implement(listRewards, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const filter = filterOf(network, query)
      const { database } = store.get()
      const list = openList(context, listRewards, rewardCursor, { network: network.id }, query)
      const [view, { rows, nextPageToken }] = await Promise.all([
        openView(database, network),
        list.page(start[query.sortOrder], (after, limit) =>
          readRewards(database, network.p, filter, after, query.sortOrder, limit),
        ),
      ])
      const [assets, priced] = await Promise.all([
        openAssets(
          database,
          view,
          rows.map((row) => assetOf(row.asset, view)),
        ),
        pricesOfDays(
          prices,
          rows.map((row) => Number(row.ts)),
          query.currency,
          performance.now() + priceTime,
        ),
      ])
      const avaxAsset = avaxPriceAsset(config, network)
      return {
        nextPageToken,
        historicalRewards: rows.map((row) => {
          const asset = assetOf(row.asset, view)
          const isAvax = view.avax?.equals(asset) === true
          const price = isAvax && avaxAsset !== undefined ? priced(Number(row.ts))(avaxAsset) : undefined
          return {
            addresses: view.texts.addresses(row.addresses),
            txHash: view.texts.id(row.staking_tx),
            amountStaked: row.staked,
            nodeId: view.texts.node(row.node),
            startTimestamp: Number(row.start_ts),
            endTimestamp: Number(row.end_ts),
            rewardType: rewardTypeOf(row.type),
            utxoId: view.texts.id(row.utxo_id),
            outputIndex: row.output_index,
            reward: {
              ...assets.amount(asset, row.amount),
              ...(price !== undefined && {
                historicalPrice: { currencyCode: query.currency, value: price },
              }),
            },
            rewardTxHash: row.tx_id === null ? '' : view.texts.id(row.tx_id),
          }
        }),
      }
    }),

    implement(listPendingRewards, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const filter = filterOf(network, query)
      const { database } = store.get()
      const list = openList(context, listPendingRewards, rewardCursor, { network: network.id }, query)
      const [view, { rows, nextPageToken }] = await Promise.all([
        openView(database, network),
        list.page(start[query.sortOrder], (after, limit) =>
          readPendingRewards(database, network.p, filter, after, query.sortOrder, limit),
        ),
      ])
      const assets = await openAssets(
        database,
        view,
        rows.map((row) => assetOf(row.staking_asset, view)),
      )
      const time = chainTime(view)
      return {
        nextPageToken,
        pendingRewards: rows.map((row) => ({
          addresses: view.texts.addresses(row.addresses),
          txHash: view.texts.id(row.tx_id),
          amountStaked: row.weight,
          nodeId: view.texts.node(row.node),
          startTimestamp: Number(row.start_ts),
          endTimestamp: Number(row.end_ts),
          rewardType: rewardTypeOf(row.type),
          progress: progressAt(time, Number(row.start_ts), Number(row.end_ts)),
          estimatedReward: assets.amount(assetOf(row.staking_asset, view), row.amount),
        })),
      }
    }),

    implement(listYearlyRewards, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const filter = filterOf(network, query)
      const { database } = store.get()
      const [view, all] = await Promise.all([
        openView(database, network),
        readRewardDays(database, network.p, filter),
      ])
      // Years only include AVAX: rewards in subnets' own tokens cannot be added to it.
      const days = all.filter(
        ({ asset }) => asset === null || view.avax === undefined || view.avax.equals(asset),
      )
      const priced = await pricesOfDays(
        prices,
        days.map((day) => Number(day.day_ts)),
        query.currency,
        performance.now() + priceTime,
      )
      const avaxAsset = avaxPriceAsset(config, network)
      const assets = await openAssets(database, view, view.avax ? [view.avax] : [])
      const years = new Map<number, YearSum>()
      for (const day of days) {
        const price = avaxAsset === undefined ? undefined : priced(Number(day.day_ts))(avaxAsset)
        const year = new Date(Number(day.day_ts) * 1000).getUTCFullYear()
        const sum = years.get(year) ?? { amount: 0n, count: 0, worth: 0n, first: day.first_ts, last: 0n }
        sum.amount += BigInt(day.amount)
        sum.count += Number(day.reward_count)
        sum.last = day.last_ts
        sum.worth =
          price === undefined || sum.worth === undefined
            ? undefined
            : sum.worth + exactWorth(day.amount, price)
        years.set(year, sum)
      }
      return {
        years: [...years]
          .toSorted(([left], [right]) => right - left)
          .map(([year, sum]) => ({
            year,
            rewardCount: sum.count,
            reward: assets.amount(assetOf(null, view), sum.amount.toString()),
            ...(sum.worth !== undefined && {
              value: { currencyCode: query.currency, value: worthText(sum.worth) },
            }),
            firstTimestamp: Number(sum.first),
            lastTimestamp: Number(sum.last),
          })),
      }
    }),

    implement(listUnlocks, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const addresses = addressesOf(network, query.addresses)
      const { database } = store.get()
      const view = await openView(database, network)
      const list = openList(context, listUnlocks, unlockCursor, { network: network.id }, query)
      const { time, stakeTime } = list.after ?? {
        time: clock(),
        stakeTime: Math.min(clock(), chainTime(view) || clock()),
      }
      const moment = { time, stakeTime }
      const chains = [network.p, network.x, network.c]
      const { rows, nextPageToken } = await list.page(
        { ...moment, ...beforeAllUnlocks },
        (past, limit) => readUnlocks(database, chains, addresses, moment, past, limit),
        (row) => ({ ...row, ...moment }),
      )
      const [assets, stakes] = await Promise.all([
        openAssets(
          database,
          view,
          rows.map((row) => row.asset),
        ),
        readStakeFacts(
          database,
          rows.flatMap((row) => (row.stake_tx.length > 0 ? [row.stake_tx] : [])),
        ),
      ])
      return {
        nextPageToken,
        unlocks: rows.map((row) => {
          const stake = stakes.find((each) => each.tx_id.equals(row.stake_tx))
          const isPaid = stake?.reward_addresses.some((to) => addresses.some((own) => own.equals(to)))
          return {
            timestamp: BigInt(row.free_at),
            kind: kindOf(row.kind),
            chainName: primaryChainOf(row.home).alias,
            asset: assets.amount(row.asset, row.amount),
            utxoCount: Number(row.utxo_count),
            txHash: view.texts.id(row.first_tx),
            ...(stake && { nodeId: view.texts.node(stake.node) }),
            ...(stake?.renews === true && { renewsItself: true }),
            ...(stake?.reward != null &&
              isPaid === true && { estimatedReward: assets.amount(row.asset, stake.reward) }),
          }
        }),
      }
    }),
  ]
}

type YearSum = { amount: bigint; count: number; worth: bigint | undefined; first: bigint; last: bigint }

const kindOf = (kind: number): (typeof unlockKinds)[number] => {
  if (kind === unlockKind.staking) return 'STAKING_END'
  return kind === unlockKind.stakeable ? 'STAKEABLE_LOCK' : 'PLATFORM_LOCK'
}

/** The elapsed part of a period in percent. */
function progressAt(time: number, from: number, until: number): number {
  if (until <= from) return 100
  return Math.min(100, Math.max(0, ((time - from) / (until - from)) * 100))
}

/** Decimals used to sum a year's value, as many as a value keeps. */
const worthDecimals = 18

/** The value of an amount in nAVAX, in units of 10^-18. */
function exactWorth(amount: string, price: string): bigint {
  const [whole = '0', fraction = ''] = worthOf(amount, 9, price).split('.')
  return BigInt(whole + fraction.padEnd(worthDecimals, '0'))
}

const worthText = (worth: bigint): string => worthOf(worth.toString(), worthDecimals, '1')
