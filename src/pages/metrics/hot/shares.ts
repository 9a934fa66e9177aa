/** A share with one decimal, so that a column of them can be compared: "12.0 %", "<0.1 %". */
export const shareText = (share: number): string =>
  share > 0 && share < 0.1 ? '<0.1 %' : `${share.toFixed(1)} %`

/** A count in per cent of another, to a thousandth; undefined of nothing. Both are decimal digits. */
export function shareOf(count: string, total: string): number | undefined {
  const all = BigInt(total)
  return all === 0n ? undefined : Number((BigInt(count) * 100_000n) / all) / 1000
}
