import type { BalanceSheet } from '../../../api/tokens/balances.ts'
import type { TokenFacts } from '../../../components/tokens/token-amount.tsx'
import { compareDecimals, lessDecimals, sumDecimals } from './decimals.ts'

/** What a holding is worth, in one currency. */
export type Money = { currencyCode: string; value: string }

/** How much there was of a token at one moment; undefined when that is not known. */
export type Held = { balance: string; value?: Money | undefined; source?: string | undefined }

/** One token of an address, or its native one, at one moment or at two. */
export type Holding = {
  key: string
  native: boolean
  token: TokenFacts
  price?: Money | undefined
  reputation?: string | null | undefined
  reasons?: readonly string[] | undefined
  now: Held | undefined
  /** The other moment, where two are compared. */
  other: Held | undefined
}

type Native = { name: string; symbol: string; decimals: number }

const nothing: Held = { balance: '0' }

function rowsOf(sheet: BalanceSheet): Map<string, Omit<Holding, 'other'>> {
  return new Map(
    sheet.tokens.map((row) => {
      const { address, name, symbol, decimals, price, balance, balanceValue } = row
      const key = address.toLowerCase()
      const holding = {
        key,
        native: false,
        token: { address, name, symbol, decimals },
        price,
        reputation: row.tokenReputation,
        reasons: row.reputationReasons,
        now: { balance, value: balanceValue, source: row.balanceSource },
      }
      return [key, holding] as const
    }),
  )
}

function nativeOf(sheet: BalanceSheet): Held | undefined {
  return sheet.native && { balance: sheet.native.balance, value: sheet.native.balanceValue, source: 'node' }
}

const valueOf = ({ now, other }: Holding): string | undefined => now?.value?.value ?? other?.value?.value

/** What is worth most first, then what has no price by its name; the native token is always on top. */
function order(left: Holding, right: Holding): number {
  const [a, b] = [valueOf(left), valueOf(right)]
  if (a !== undefined && b !== undefined) return compareDecimals(b, a) || left.key.localeCompare(right.key)
  if (a !== undefined || b !== undefined) return a === undefined ? 1 : -1
  const named = (holding: Holding): string => holding.token.symbol ?? holding.token.name ?? ''
  return named(left).localeCompare(named(right)) || left.key.localeCompare(right.key)
}

/**
 * The holdings of a moment, with those of another beside them where one is given. A token that only one of
 * the two has counts as 0 at the other; a native balance that the node no longer knows stays unknown.
 */
export function holdingsOf(native: Native, now: BalanceSheet, other?: BalanceSheet): Holding[] {
  const rows = rowsOf(now)
  const others = other ? rowsOf(other) : undefined
  const tokens = [...rows.values()].map((row) => ({
    ...row,
    other: others && (others.get(row.key)?.now ?? nothing),
  }))
  const gone = [...(others?.values() ?? [])]
    .filter(({ key }) => !rows.has(key))
    .map((row) => ({ ...row, other: row.now, now: nothing }))
  const coin: Holding = {
    key: 'native',
    native: true,
    token: { address: '', ...native },
    price: now.native?.price,
    now: nativeOf(now),
    other: other && nativeOf(other),
  }
  return [coin, ...[...tokens, ...gone].toSorted(order)]
}

/** What was gained from the other moment to this one, in the smallest unit; undefined when one is not known. */
export function gainOf({ now, other }: Holding): bigint | undefined {
  return now && other && BigInt(now.balance) - BigInt(other.balance)
}

/** What the value of a holding gained, at the prices of the two moments. */
export function valueGainOf({ now, other }: Holding): Money | undefined {
  const [after, before] = [now?.value, other?.value]
  const known = after ?? before
  // Without a price at one of the moments only a balance of nothing is worth something known: nothing.
  if (!known || (!after && now?.balance !== '0') || (!before && other?.balance !== '0')) return undefined
  return {
    currencyCode: known.currencyCode,
    value: lessDecimals(after?.value ?? '0', before?.value ?? '0'),
  }
}

/** The sum of what has a price at a moment; undefined when nothing has one. */
export function totalOf(holdings: readonly Holding[], moment: 'now' | 'other'): Money | undefined {
  const values = holdings.map((holding) => holding[moment]?.value).filter((value) => value !== undefined)
  const [first] = values
  return first && { currencyCode: first.currencyCode, value: sumDecimals(values.map(({ value }) => value)) }
}
