import type { BalanceSheet } from '../../../api/tokens/balances.ts'
import type { TokenFacts } from '../../../components/tokens/token-amount.tsx'
import { compareDecimals, lessDecimals, sumDecimals } from './decimals.ts'

/** The value of a holding in one currency. */
export type Money = { currencyCode: string; value: string }

/** The balance of a token at one time; undefined when it is unknown. */
export type Held = { balance: string; value?: Money | undefined; source?: string | undefined }

/** One token of an address, or its native token, at one or two times. */
export type Holding = {
  key: string
  native: boolean
  token: TokenFacts
  price?: Money | undefined
  reputation?: string | null | undefined
  reasons?: readonly string[] | undefined
  now: Held | undefined
  /** The balance at the other time, in a comparison. */
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

/** Orders by value, then tokens without a price by name; the native token is always first. */
function order(left: Holding, right: Holding): number {
  const [a, b] = [valueOf(left), valueOf(right)]
  if (a !== undefined && b !== undefined) return compareDecimals(b, a) || left.key.localeCompare(right.key)
  if (a !== undefined || b !== undefined) return a === undefined ? 1 : -1
  const named = (holding: Holding): string => holding.token.symbol ?? holding.token.name ?? ''
  return named(left).localeCompare(named(right)) || left.key.localeCompare(right.key)
}

/**
 * The holdings at one time, joined with those of another in a comparison. A token that only one of them has counts
 * as 0 at the other; a native balance that the node no longer has stays unknown.
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

/** The change from the other time to this one, in the smallest unit; undefined if either is unknown. */
export function gainOf({ now, other }: Holding): bigint | undefined {
  return now && other && BigInt(now.balance) - BigInt(other.balance)
}

/** The change in the value of a holding, at the prices of the two times. */
export function valueGainOf({ now, other }: Holding): Money | undefined {
  const [after, before] = [now?.value, other?.value]
  const known = after ?? before
  // Without a price at one of the times, the value is known only for a zero balance.
  if (!known || (!after && now?.balance !== '0') || (!before && other?.balance !== '0')) return undefined
  return {
    currencyCode: known.currencyCode,
    value: lessDecimals(after?.value ?? '0', before?.value ?? '0'),
  }
}

/** The total value of holdings with a price; undefined without any. */
export function totalOf(holdings: readonly Holding[], moment: 'now' | 'other'): Money | undefined {
  const values = holdings.map((holding) => holding[moment]?.value).filter((value) => value !== undefined)
  const [first] = values
  return first && { currencyCode: first.currencyCode, value: sumDecimals(values.map(({ value }) => value)) }
}
