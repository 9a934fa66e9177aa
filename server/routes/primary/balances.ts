import { getPrimaryBalances, listUtxos, type PrimaryBalances } from '../../../contract/primary/balances.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { buckets, readBalances, type BalanceRow, type Bucket } from '../../store/primary/read-balances.ts'
import { readUtxosOfAddresses, utxoPlaceOf, utxoStart } from '../../store/primary/read-utxos.ts'
import { ifKnown } from '../../node/state.ts'
import { openList } from '../../http/keyset-list.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { addressesOf, idOf } from '../../primary/request-values.ts'
import { chainInfoOf, findPrimaryChain, type ServedChain } from '../../primary/served-network.ts'
import { chainTime, openAssets, openView, type AssetBook, type NetworkView } from './context.ts'
import { pageOfNode } from './node-lists.ts'
import { checkIndexed, isChainBehind } from './behind.ts'
import { currentBalances, currentUtxos, openCurrentAssets, sidesOf, withAvax } from './unindexed.ts'
import { outputFields, utxoFields } from './utxo-fields.ts'

const utxoCursor = {
  ts: 'bigint',
  chain: 'number',
  height: 'bigint',
  txIndex: 'number',
  outputIndex: 'number',
} as const

/** The balances and the UTXOs of addresses (docs/api.md, Primary network; the hosted API). */
export function primaryBalanceRoutes(context: RouteContext): Implementation[] {
  const { config, store, clock, nodes } = context
  return [
    implement(getPrimaryBalances, async ({ params, query }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      const addresses = addressesOf(chain, query.addresses)
      const { database } = store.get()
      const view = await openView(database, chain)
      // Without a time, a stake counts as returned once the chain has returned it.
      const moment =
        query.blockTimestamp === undefined
          ? { time: clock(), stakeTime: Math.min(clock(), chainTime(view) || clock()) }
          : { time: query.blockTimestamp, stakeTime: query.blockTimestamp }
      const asksNode = query.blockTimestamp === undefined && isChainBehind(view, chain.key)
      const current = asksNode
        ? await ifKnown(
            Promise.all([withAvax(nodes, view), currentBalances(nodes, chain, addresses, clock())]),
          )
        : undefined
      const [shown, rows] = current ?? [
        view,
        await readBalances(
          database,
          chain.key,
          othersOf(chain),
          addresses,
          moment,
          chain.alias === 'c-chain',
        ),
      ]
      // The index knows nothing of a time after its head, and what it has at its head is not all there is now.
      const head = Number(view.statusOf(chain.key)?.head_ts ?? 0n)
      if (query.blockTimestamp === undefined ? rows.length === 0 && !current : query.blockTimestamp > head)
        checkIndexed(view, chain.alias)
      const held = rows.map(({ asset }) => asset)
      const assets = current
        ? await openCurrentAssets(nodes, database, shown, held)
        : await openAssets(database, shown, held)
      return {
        balances: balanceFields(rows, chain, shown, assets),
        chainInfo: chainInfoOf(chain),
        ...(current && { isIndexed: false as const }),
      }
    }),

    implement(listUtxos, async ({ params, query }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      const addresses = addressesOf(chain, query.addresses)
      if (query.assetId !== undefined && chain.alias !== 'x-chain') {
        throw badRequest(['assetId: is supported on the X-Chain only'])
      }
      const asset = query.assetId === undefined ? undefined : idOf('assetId', query.assetId)
      const { database } = store.get()
      const view = await openView(database, chain)
      const now =
        !query.includeSpent &&
        (await pageOfNode(context, listUtxos, view, chain.key, query, async () => {
          const utxos = await currentUtxos(nodes, chain, addresses)
          return utxos.filter((row) => asset === undefined || row.asset.equals(asset))
        }))
      if (now) {
        const shown = (await ifKnown(withAvax(nodes, view))) ?? view
        const held = now.rows.map((row) => row.asset)
        const assets = await openCurrentAssets(nodes, database, shown, held)
        return {
          nextPageToken: now.nextPageToken,
          utxos: now.rows.map((row) => outputFields(row, shown, assets)),
          chainInfo: chainInfoOf(chain),
          isIndexed: false as const,
        }
      }
      const list = openList(context, listUtxos, utxoCursor, { chain: chain.key }, query)
      const filter = { includeSpent: query.includeSpent, asset }
      const { rows, nextPageToken } = await list.page(
        utxoStart[query.sortOrder],
        (after, limit) =>
          readUtxosOfAddresses(database, addresses, sidesOf(chain), filter, after, query.sortOrder, limit),
        utxoPlaceOf,
      )
      const assets = await openAssets(
        database,
        view,
        rows.map((row) => row.asset),
      )
      return {
        nextPageToken,
        utxos: rows.map((row) => utxoFields(row, view, assets, chainTime(view))),
        chainInfo: chainInfoOf(chain),
      }
    }),
  ]
}

const othersOf = (chain: ServedChain): number[] =>
  [chain.p, chain.x, chain.c].filter((key) => key !== chain.key)

function balanceFields(
  rows: readonly BalanceRow[],
  chain: ServedChain,
  view: NetworkView,
  assets: AssetBook,
): PrimaryBalances {
  const ordered = rows.toSorted(
    (left, right) =>
      Number(isAvax(right, view)) - Number(isAvax(left, view)) ||
      Buffer.compare(left.asset, right.asset) ||
      // Coins before NFTs, and atomic memory by chains; the database's order is unspecified.
      Number(left.is_nft) - Number(right.is_nft) ||
      left.home - right.home ||
      left.chain - right.chain,
  )
  const of = (...wanted: Bucket[]): BalanceRow[] =>
    ordered.filter((row) => wanted.some((bucket) => bucket === buckets[row.bucket]))
  const item = (row: BalanceRow) => ({
    ...assets.amount(row.asset, row.amount, row.is_nft),
    utxoCount: Number(row.utxo_count),
  })
  const atomic = (bucket: Bucket) =>
    of(bucket).map((row) => {
      const isIncoming = row.home === chain.key
      return {
        ...item(row),
        sharedWithChainId: view.chainId(isIncoming ? row.chain : row.home),
        status: isIncoming ? 'pendingImport' : 'pendingExport',
      }
    })
  const unlockedUnstaked = of('unlockedUnstaked').map(item)
  const lockedPlatform = of('lockedPlatform').map(item)
  return {
    unlockedUnstaked,
    unlockedStaked: of('unlockedStaked').map(item),
    lockedPlatform,
    lockedStakeable: of('lockedStakeable').map(item),
    lockedStaked: of('lockedStaked').map(item),
    pendingStaked: of('pendingStaked').map(item),
    atomicMemoryUnlocked: atomic('atomicUnlocked'),
    atomicMemoryLocked: atomic('atomicLocked'),
    ...(chain.alias === 'x-chain' && { unlocked: unlockedUnstaked, locked: lockedPlatform }),
  }
}

const isAvax = (row: BalanceRow, view: NetworkView): boolean => view.avax?.equals(row.asset) === true
