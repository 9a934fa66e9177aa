import { listUnlocks, listYearlyRewards, type unlockKinds } from '../../../contract/network/calendar.ts'
import { listPendingRewards, listRewards } from '../../../contract/network/rewards.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { worthOf } from '../../tokens/prices/decimal.ts'
import { primaryChainOf } from '../../primary/chains.ts'
import { lastIndex } from '../../store/read.ts'
import { pastAllHeights, type Order } from '../../store/primary/read-primary.ts'
import { readUnlocks, unlockKind, type UnlockPlace } from '../../store/primary/read-balances.ts'
import {
  readPendingRewards,
  readRewardDays,
  readRewards,
  readStakeFacts,
  type RewardFilter,
  type RewardPlace,
} from '../../store/network/read-rewards.ts'
import { filtersOf, type RouteContext } from '../../http/route-context.ts'
import { addressesOf, nodeOf } from '../../primary/request-values.ts'
import { chainTime, openAssets, openView, type NetworkView } from '../primary/context.ts'
import { findNetwork, type ServedNetwork } from '../../primary/served-network.ts'
import { avaxPriceAsset, pricesOfDays } from '../primary/prices.ts'
import { rewardTypeOf } from '../primary/utxo-fields.ts'

/** Milliseconds that prices may take of an answer. */
const priceTime = 5_000

const start = {
  asc: { height: -2n, index: -1, ordinal: -1 },
  desc: { height: pastAllHeights, index: lastIndex, ordinal: 32_767 },
} as const satisfies Record<Order, RewardPlace>

const placeOf = ([height = 0, index, ordinal]: readonly (string | number)[]): RewardPlace => ({
  height: BigInt(height),
  index: Number(index),
  ordinal: Number(ordinal),
})
const positionOf = ({ height, index, ordinal }: RewardPlace) => [height.toString(), index, ordinal]

const filterOf = (
  network: ServedNetwork,
  query: { addresses?: string[] | undefined; nodeIds?: string[] | undefined },
): RewardFilter => ({
  addresses: query.addresses && addressesOf(network, query.addresses),
  nodes: query.nodeIds?.map((text) => nodeOf('nodeIds', text)),
})

/** AVAX where a row says no asset: the primary network pays in nothing else. */
const assetOf = (asset: Buffer | null, view: NetworkView): Buffer => asset ?? view.avax ?? Buffer.alloc(32)

/** What was paid for staking, what may be expected, and when money becomes free (interface.md, rule 4; hosted.md). */
export function primaryRewardRoutes(context: RouteContext): Implementation[] {
  const { config, store, clock, prices } = context
  return [
    implement(listRewards, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const filter = filterOf(network, query)
      const scope = { operation: listRewards.id, filters: filtersOf({ network: network.id }, query) }
      const { database, tokens } = store.get()
      const from =
        query.pageToken === undefined
          ? start[query.sortOrder]
          : placeOf(tokens.openData(scope, query.pageToken))
      const [view, rows] = await Promise.all([
        openView(database, network),
        readRewards(database, network.p, filter, from, query.sortOrder, query.pageSize + 1),
      ])
      const shown = rows.slice(0, query.pageSize)
      const last = rows.length > query.pageSize ? shown.at(-1) : undefined
      const [assets, priced] = await Promise.all([
        openAssets(
          database,
          view,
          shown.map((row) => assetOf(row.asset, view)),
        ),
        pricesOfDays(
          prices,
          shown.map((row) => Number(row.ts)),
          query.currency,
          performance.now() + priceTime,
        ),
      ])
      const avaxAsset = avaxPriceAsset(config, network)
      return {
        ...(last && { nextPageToken: tokens.sealData(scope, positionOf(last)) }),
        historicalRewards: shown.map((row) => {
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
      const scope = { operation: listPendingRewards.id, filters: filtersOf({ network: network.id }, query) }
      const { database, tokens } = store.get()
      const from =
        query.pageToken === undefined
          ? start[query.sortOrder]
          : placeOf(tokens.openData(scope, query.pageToken))
      const [view, rows] = await Promise.all([
        openView(database, network),
        readPendingRewards(database, network.p, filter, from, query.sortOrder, query.pageSize + 1),
      ])
      const shown = rows.slice(0, query.pageSize)
      const last = rows.length > query.pageSize ? shown.at(-1) : undefined
      const assets = await openAssets(
        database,
        view,
        shown.map((row) => assetOf(row.staking_asset, view)),
      )
      const time = chainTime(view)
      return {
        ...(last && { nextPageToken: tokens.sealData(scope, positionOf(last)) }),
        pendingRewards: shown.map((row) => ({
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
      // Years are of AVAX: what subnets pay in their own tokens does not add up with it.
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
      const scope = { operation: listUnlocks.id, filters: filtersOf({ network: network.id }, query) }
      const { database, tokens } = store.get()
      const view = await openView(database, network)
      // A walk is of one moment: its token carries the times on.
      let moment = { time: clock(), stakeTime: Math.min(clock(), chainTime(view) || clock()) }
      let past: UnlockPlace | undefined
      if (query.pageToken !== undefined) {
        const [time, stakeTime, freeAt, kind, home, asset, stake] = tokens.openData(scope, query.pageToken)
        moment = { time: Number(time), stakeTime: Number(stakeTime) }
        past = {
          free_at: String(freeAt),
          kind: Number(kind),
          home: Number(home),
          asset: Buffer.from(String(asset), 'hex'),
          stake_tx: Buffer.from(String(stake), 'hex'),
        }
      }
      const chains = [network.p, network.x, network.c]
      const rows = await readUnlocks(database, chains, addresses, moment, past, query.pageSize + 1)
      const shown = rows.slice(0, query.pageSize)
      const last = rows.length > query.pageSize ? shown.at(-1) : undefined
      const [assets, stakes] = await Promise.all([
        openAssets(
          database,
          view,
          shown.map((row) => row.asset),
        ),
        readStakeFacts(
          database,
          shown.flatMap((row) => (row.stake_tx.length > 0 ? [row.stake_tx] : [])),
        ),
      ])
      return {
        ...(last && {
          nextPageToken: tokens.sealData(scope, [
            moment.time,
            moment.stakeTime,
            last.free_at,
            last.kind,
            last.home,
            last.asset.toString('hex'),
            last.stake_tx.toString('hex'),
          ]),
        }),
        unlocks: shown.map((row) => {
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

/** How much of a period has passed, in percent. */
export function progressAt(time: number, from: number, until: number): number {
  if (until <= from) return 100
  return Math.min(100, Math.max(0, ((time - from) / (until - from)) * 100))
}

/** Decimals in which a year's worth is added up, as many as a value keeps. */
const worthDecimals = 18

/** What an amount in nAVAX is worth, as a whole number of 10^-18. */
function exactWorth(amount: string, price: string): bigint {
  const [whole = '0', fraction = ''] = worthOf(amount, 9, price).split('.')
  return BigInt(whole + fraction.padEnd(worthDecimals, '0'))
}

const worthText = (worth: bigint): string => worthOf(worth.toString(), worthDecimals, '1')
