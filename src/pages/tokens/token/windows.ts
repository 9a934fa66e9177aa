import * as z from 'zod/mini'
import type { HoldersWindow, WindowHolder } from '../../../api/tokens/tokens-holders.ts'
import { toSmallestUnit } from '../../shared/decimal.ts'
import { wholeNumberInUrl } from '../../../lib/search-params.ts'

/**
 * The windows of the page, in the URL: `over` in the token's unit; moments in Unix seconds, from
 * (inclusive) to (exclusive); an open end is left out. `from2` or `to2` asks for a comparison.
 */
export const windowSchema = z.object({
  over: z.catch(z.string().check(z.maxLength(80)), '0'),
  since: wholeNumberInUrl,
  until: wholeNumberInUrl,
  since2: wholeNumberInUrl,
  until2: wholeNumberInUrl,
  group: z.catch(z.enum(['joined', 'left', 'stayed']), 'joined'),
})
export type WindowState = z.infer<typeof windowSchema>
export type Group = WindowState['group']

type Span = { since?: number | undefined; until?: number | undefined }

/** The first window and, where one is asked for, the second one. */
export function spansOf(state: WindowState): { first: Span; second: Span | undefined } {
  const { since, until, since2, until2 } = state
  const compared = since2 !== undefined || until2 !== undefined
  return { first: { since, until }, second: compared ? { since: since2, until: until2 } : undefined }
}

/** What to ask for a window; undefined for a threshold that is not an amount of the token. */
export function windowOf(over: string, span: Span, decimals: number): HoldersWindow | undefined {
  const threshold = toSmallestUnit(over, decimals)
  if (threshold === undefined) return undefined
  const { since, until } = span
  return {
    threshold,
    // The API excludes the start itself, so the second before it is sent.
    ...(since !== undefined && since > 0 && { startTimestamp: since - 1 }),
    ...(until !== undefined && { endTimestamp: until }),
  }
}

/** Holders by their latest balance, the largest first; equal and unknown balances stay in the order of their list. */
export function byBalance(holders: readonly WindowHolder[]): WindowHolder[] {
  return holders
    .map((holder) => ({ holder, balance: BigInt(holder.balance ?? -1) }))
    .sort((a, b) => (a.balance === b.balance ? 0 : a.balance < b.balance ? 1 : -1))
    .map(({ holder }) => holder)
}

/** Whether the first page of a list is all of it, so that it can be sorted. */
export const isOnePage = (pages: readonly { readonly nextPageToken?: string | undefined }[]): boolean =>
  pages.length === 1 && pages[0]?.nextPageToken === undefined

export type Comparison = Record<Group, WindowHolder[]>

/** Who is only in the second window, only in the first, and in both, each by latest balance. */
export function compareWindows(first: readonly WindowHolder[], second: readonly WindowHolder[]): Comparison {
  const before = new Set(first.map((holder) => holder.address.toLowerCase()))
  const after = new Set(second.map((holder) => holder.address.toLowerCase()))
  return {
    joined: byBalance(second.filter((holder) => !before.has(holder.address.toLowerCase()))),
    left: byBalance(first.filter((holder) => !after.has(holder.address.toLowerCase()))),
    stayed: byBalance(second.filter((holder) => before.has(holder.address.toLowerCase()))),
  }
}
