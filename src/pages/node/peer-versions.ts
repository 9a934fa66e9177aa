/** How many peers run a version, and what share of all that is in percent. */
type VersionCount = { readonly version: string; readonly count: number; readonly share: number }

/** The numbers in a version, for the order: `avalanchego/1.14.0` is 1, 14, 0. */
const numbersOf = (version: string): number[] =>
  [...version.matchAll(/\d+/g)].map(([digits]) => Number(digits))

/** The higher version first; equal ones by name. */
function compare(left: string, right: string): number {
  const [one, other] = [numbersOf(left), numbersOf(right)]
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const difference = (other[at] ?? 0) - (one[at] ?? 0)
    if (difference !== 0) return difference
  }
  return left.localeCompare(right)
}

/** The versions that peers run, the newest first. */
export function versionCounts(peers: readonly { version: string }[]): VersionCount[] {
  const counts = new Map<string, number>()
  for (const { version } of peers) counts.set(version, (counts.get(version) ?? 0) + 1)
  return [...counts]
    .map(([version, count]) => ({ version, count, share: (count / peers.length) * 100 }))
    .toSorted((left, right) => compare(left.version, right.version))
}
