/** A count in per cent of another, to a thousandth; undefined of nothing. Both are decimal digits. */
export function shareOf(count: string, total: string): number | undefined {
  const all = BigInt(total)
  return all === 0n ? undefined : Number((BigInt(count) * 100_000n) / all) / 1000
}
