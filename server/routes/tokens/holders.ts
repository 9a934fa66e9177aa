import { listHolders } from '../../../contract/metrics/metrics.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import type { Queryable } from '../../store/database.ts'
import {
  fewEverHeld,
  readHolderStretch,
  readHoldingWindow,
  type HeldToken,
  type HolderRow,
  type HolderSearch,
  type HoldingWindow,
} from '../../store/tokens/read-holder.ts'
import { bytesOf, checkRange, envelope, filtersOf, type RouteContext } from '../../http/route-context.ts'
import { findToken, wantedType } from './token-fields.ts'

/** Number of holders that a page reads before it ends early, and about how many of their histories. */
const maxLookedAt = 50_000
const maxTested = 6_000
/** Number of holders per read. */
const stretch = { least: 256, max: 10_000 }

type Wanted = {
  readonly token: HeldToken
  readonly threshold: string
  readonly window: HoldingWindow
  readonly search: HolderSearch
  readonly past: string
  readonly pageSize: number
}

type Page = { readonly rows: readonly HolderRow[]; readonly next: string | undefined }

/** A page in address order. It may be short before the end; only a missing `next` means the end. */
async function readPage(database: Queryable, wanted: Wanted): Promise<Page> {
  const { pageSize, search, threshold, token, window } = wanted
  const rows: HolderRow[] = []
  let { past } = wanted
  let [lookedAt, tested] = [0, 0]
  for (let count = pageSize + 1; ; count *= 2) {
    const size = Math.max(stretch.least, Math.min(stretch.max, count, maxTested - tested))
    const found = await readHolderStretch(database, token, threshold, window, search, past, size)
    rows.push(...found.rows)
    if (rows.length > pageSize) return { rows: rows.slice(0, pageSize), next: rows[pageSize - 1]?.address }
    if (found.last === undefined || found.lookedAt < size) return { rows, next: undefined }
    past = found.last
    lookedAt += found.lookedAt
    tested += found.tested
    if (lookedAt >= maxLookedAt || tested >= maxTested) return { rows, next: past }
  }
}

/**
 * `/v2/chains/{chainId}/contracts/{address}/balances` (docs/api.md, Metrics): all addresses that held more
 * than `threshold` at some time between the two times, with the latest balance, by address; of one kind if
 * the contract has several. `sortKey` numbers the rows of the listing from 1.
 */
export function holderRoutes({ chains, store }: RouteContext): Implementation[] {
  return [
    implement(listHolders, async ({ params, query }) => {
      checkRange(query)
      const chain = chains.find(params.chainId)
      const { database, pageTokens } = store.get()
      const address = params.address.toLowerCase()
      const scope = { operation: listHolders.id, filters: filtersOf({ chainId: chain.id, address }, query) }
      const { kind } = await findToken(database, chain, address, wantedType(query.ercType))
      const token = { chain: chain.key, token: bytesOf(address), kind }
      const window = await readHoldingWindow(database, chain.key, query.startTimestamp, query.endTimestamp)
      if (!window) return { addresses: [] }
      // An expired page token is not an error: the listing restarts (docs/api.md, Keys and limits).
      const position = query.pageToken === undefined ? undefined : pageTokens.openWide(scope, query.pageToken)
      const before = Number(position?.[0] ?? 0)
      const past = String(position?.[1] ?? '0x')
      // Each page chooses again: both methods return the same rows in the same order.
      const few = await fewEverHeld(database, token, query.threshold)
      const { rows, next } = await readPage(database, {
        token,
        threshold: query.threshold,
        window,
        search: few ? 'gather' : 'walk',
        past,
        pageSize: query.pageSize,
      })
      return new JsonText(
        envelope(
          'addresses',
          rows.map(
            (row, index) =>
              `{"address":"${row.address}","sortKey":${before + index + 1},"balance":"${row.balance}"}`,
          ),
          next === undefined ? undefined : pageTokens.sealWide(scope, [before + rows.length, next]),
        ),
      )
    }),
  ]
}
