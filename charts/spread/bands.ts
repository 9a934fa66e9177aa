import { minus } from '../series/minus.ts'
import { exactText, shortText } from '../series/units.ts'
import type { Column } from './columns.ts'

/** The holders whose balance has so many digits in the smallest unit, and what they hold together. */
type SentBand = { readonly digits: number; readonly holderCount: string; readonly held: string }

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
  sent: readonly SentBand[],
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
      from: exactText(10n ** BigInt(digits - 1), decimals),
      below: exactText(10n ** BigInt(digits), decimals),
      holderCount,
      held,
      holderShare: percent(holderCount, totals.holderCount),
      heldShare: percent(held, totals.held),
    }
  })
}

/** Bands for reading: empty ones in a row are one, from the lowest balance of the first to the end of the last. */
export function joinEmptyBands(bands: readonly Band[]): Band[] {
  const joined: Band[] = []
  for (const band of bands) {
    const last = joined.at(-1)
    if (last?.holderCount === '0' && band.holderCount === '0')
      joined.splice(-1, 1, { ...last, below: band.below })
    else joined.push(band)
  }
  return joined
}

/** A power of ten as short as an axis needs it: 0.01, 10k, 10^−18. */
function shortPower(exponent: number): string {
  if (exponent < -4 || exponent > 14) return `10^${exponent < 0 ? minus : ''}${Math.abs(exponent)}`
  return shortText(10 ** exponent)
}

/** Bands as columns of a picture: the shares of holders and of holdings, with the number of holders. */
export const bandColumns = (
  sent: readonly SentBand[],
  totals: { holderCount: string; held: string },
  decimals: number,
): Column[] =>
  bandsOf(sent, totals, decimals).map(({ digits, holderCount, holderShare, heldShare }) => ({
    label: shortPower(digits - 1 - decimals),
    count: exactText(BigInt(holderCount), 0),
    values: [holderShare, heldShare],
  }))
