import { exactAmount } from '../../../lib/amounts.ts'

type Sent = { digits: number; holderCount: string; held: string }

/** Holders whose balance lies between two powers of ten of the smallest unit. */
export type Band = {
  digits: number
  /** The lowest balance of the band and the first one above it, in the token's unit. */
  from: string
  below: string
  holderCount: string
  held: string
  /** Parts of all holders and of all that is held, in percent. */
  holderShare: number
  heldShare: number
}

/** A part of a whole in percent with four decimals, divided in integers; 0 of nothing. */
function percent(part: string, whole: string): number {
  const total = BigInt(whole)
  return total <= 0n ? 0 : Number((BigInt(part) * 1_000_000n) / total) / 10_000
}

/** Bands for drawing, smallest balances first; a band between two others that nobody is in is there, empty. */
export function bandsOf(
  sent: readonly Sent[],
  totals: { holderCount: string; held: string },
  decimals: number,
): Band[] {
  const byDigits = new Map(sent.map((band) => [band.digits, band]))
  const first = Math.min(...byDigits.keys())
  const last = Math.max(...byDigits.keys())
  if (!Number.isFinite(first)) return []
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const digits = first + index
    const { holderCount = '0', held = '0' } = byDigits.get(digits) ?? {}
    return {
      digits,
      from: exactAmount(10n ** BigInt(digits - 1), decimals),
      below: exactAmount(10n ** BigInt(digits), decimals),
      holderCount,
      held,
      holderShare: percent(holderCount, totals.holderCount),
      heldShare: percent(held, totals.held),
    }
  })
}
