/** Major, minor and patch. */
type Version = readonly [number, number, number]

/** The numbers of a client's version such as `avalanchego/1.14.0`; undefined if they can't be read. */
export function versionOf(text: string): Version | undefined {
  const [, major, minor, patch] = /\/v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(text) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

/** Less than 0 if the first is older. */
export const compareVersions = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]

/** The versions that can be read of those that peers run, with the number of peers. */
export const readableVersions = (
  versions: Readonly<Record<string, number>>,
): { readonly text: string; readonly version: Version; readonly count: number }[] =>
  Object.entries(versions).flatMap(([text, count]) => {
    const version = versionOf(text)
    return version === undefined ? [] : [{ text, version, count }]
  })

/** The newest version that, with all newer ones, at least half of the peers run. */
export function majorityOf(versions: Readonly<Record<string, number>>): string | undefined {
  const known = readableVersions(versions).toSorted((a, b) => compareVersions(b.version, a.version))
  const total = known.reduce((sum, { count }) => sum + count, 0)
  let sum = 0
  return known.find(({ count }) => {
    sum += count
    return sum * 2 >= total
  })?.text
}
