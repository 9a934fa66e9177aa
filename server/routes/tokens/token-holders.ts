import { getTokenDistribution, listTokenHistory, listTokenHolders } from '../../../contract/tokens/tokens.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import { lastBlock } from '../../store/read.ts'
import {
  beforeLargest,
  readBands,
  readHoldersFrom,
  readLargestHolders,
} from '../../store/tokens/read-holder.ts'
import { readTokenDays, type TokenRow } from '../../store/tokens/read-token.ts'
import { openList } from '../../http/keyset-list.ts'
import { bytesOf, checkRange, type RouteContext } from '../../http/route-context.ts'
import { createContractBook, readNames } from '../evm/address-names.ts'
import { findToken, wantedType } from './token-fields.ts'

/** The sizes of the groups of largest holders whose share is returned. */
const topSizes = [10, 50, 100]
const secondsPerDay = 86_400

/** `part` of `whole` in percent with four decimals; undefined if the whole is 0. */
function percent(part: bigint, whole: bigint): number | undefined {
  return whole > 0n ? Number((part * 1_000_000n) / whole) / 10_000 : undefined
}

const heldToken = (chain: bigint, { token, kind, told_block: told }: TokenRow) => ({
  chain,
  token: bytesOf(token),
  kind,
  told: told !== null,
})

/** A token's holders, their distribution, and daily totals (contract/tokens/tokens.ts). */
export function tokenHolderRoutes(context: RouteContext): Implementation[] {
  const { chains, headCache, store } = context
  const book = createContractBook(context.config)
  return [
    implement(listTokenHolders, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const address = params.address.toLowerCase()
      const shape = { balance: 'text', address: 'text' } as const
      const list = openList(context, listTokenHolders, shape, { chainId: chain.id, address }, query)
      const token = await findToken(database, chain, address, wantedType(query.ercType))
      const { rows, nextPageToken } = await list.page(beforeLargest, (after, limit) =>
        readLargestHolders(database, heldToken(chain.key, token), after, limit),
      )
      const supply = BigInt(token.supply)
      const names = await readNames(
        database,
        chain,
        book,
        rows.map((row) => row.address),
      )
      return {
        nextPageToken,
        balanceSource: token.told_block === null ? 'logs' : 'node',
        holdersFrom: await readHoldersFrom(database, chain.key, bytesOf(address)),
        holders: rows.map((row) => ({
          ...row,
          name: names.facts(row.address).name,
          share: percent(BigInt(row.balance), supply),
        })),
      }
    }),

    implement(getTokenDistribution, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const wanted = wantedType(query.ercType)
      const key = JSON.stringify([getTokenDistribution.id, chain.id, address, query.ercType ?? null])
      return headCache.get(key, [chain.id], async () => {
        const { database } = store.get()
        const token = heldToken(chain.key, await findToken(database, chain, address, wanted))
        const [bands, largest] = await Promise.all([
          readBands(database, token),
          readLargestHolders(database, token, beforeLargest, Math.max(...topSizes)),
        ])
        const held = bands.reduce((sum, band) => sum + BigInt(band.held), 0n)
        const topOf = (count: number): bigint =>
          largest.slice(0, count).reduce((sum, row) => sum + BigInt(row.balance), 0n)
        return toJson({
          holderCount: bands.reduce((sum, band) => sum + band.holders, 0n).toString(),
          held: held.toString(),
          bands: bands.map((band) => ({
            digits: band.digits,
            holderCount: band.holders.toString(),
            held: band.held,
          })),
          top: topSizes.map((holders) => ({ holders, share: percent(topOf(holders), held) ?? 0 })),
        })
      })
    }),

    implement(listTokenHistory, async ({ params, query }) => {
      checkRange(query)
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const address = params.address.toLowerCase()
      const filters = { chainId: chain.id, address }
      const list = openList(context, listTokenHistory, { day: 'bigint' }, filters, query)
      const token = await findToken(database, chain, address, wantedType(query.ercType))
      const { startTimestamp, endTimestamp } = query
      // The first midnight after the time, which is exclusive like all times of a range.
      const from =
        startTimestamp === undefined ? 0 : (Math.floor(startTimestamp / secondsPerDay) + 1) * secondsPerDay
      const before = endTimestamp === undefined ? lastBlock : BigInt(endTimestamp)
      const { rows, nextPageToken } = await list.page(
        { day: BigInt(from - secondsPerDay) },
        ({ day }, limit) =>
          readTokenDays(database, chain.key, token, day + BigInt(secondsPerDay), before, limit),
      )
      return {
        nextPageToken,
        points: rows.map((day) => ({
          timestamp: Number(day.day),
          supply: day.supply.startsWith('-') ? '0' : day.supply,
          holderCount: day.holders.toString(),
          transferCount: day.transfers.toString(),
        })),
      }
    }),
  ]
}
