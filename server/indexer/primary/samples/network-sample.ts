import { compareVersions, versionOf } from '../../../primary/versions.ts'
import { textList, numberList } from '../../../store/sql-literals.ts'
import type { Queryable } from '../../../store/database.ts'

/** The percentiles of the validators' uptimes that are kept. */
const percentiles = [5, 25, 50, 75, 95] as const

/** The uptimes are kept in this part of a percent, which is what nodes report. */
const parts = 10_000

/** Each percentile of some uptimes in percent, in 1/10,000 of a percent: the nearest rank. Empty without uptimes. */
export function spreadOf(uptimes: readonly number[]): number[] {
  const sorted = uptimes.map((uptime) => Math.round(uptime * parts)).sort((a, b) => a - b)
  if (sorted.length === 0) return []
  return percentiles.map((percentile) => sorted[Math.ceil((percentile * sorted.length) / 100) - 1] ?? 0)
}

/**
 * How many of the versions that peers say they run (`avalanchego/1.14.0`) are the newest among them. One that can't be
 * read is not.
 */
export function countNewest(versions: readonly string[]): number {
  const known = versions.flatMap((text) => {
    const version = versionOf(text)
    return version === undefined ? [] : [version]
  })
  const [newest] = known.toSorted((a, b) => compareVersions(b, a))
  return newest === undefined ? 0 : known.filter((version) => compareVersions(version, newest) === 0).length
}

/** What the node said at `ts` (Unix seconds): uptimes in percent, and its peers' versions if it reports peers. */
type NetworkSample = {
  readonly ts: number
  readonly uptimes: readonly number[]
  readonly versions: readonly string[] | undefined
}

/** Peers choose what they say: longer texts are cut, and of very many versions only the most common are kept. */
const longestVersion = 64
const maxVersions = 50

/** How many peers say that they run each version, the most common first. */
export function countVersions(versions: readonly string[]): [version: string, peers: number][] {
  const counts = new Map<string, number>()
  for (const text of versions) {
    const version = text.replaceAll('\0', '\uFFFD').slice(0, longestVersion)
    counts.set(version, (counts.get(version) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, maxVersions)
}

/**
 * Stores a sample in place of an earlier one of the same hour, in a transaction of the caller. What it does not have
 * stays as it was.
 */
export async function writeNetworkSample(
  sql: Queryable,
  chain: number,
  sample: NetworkSample,
): Promise<void> {
  await writeSample(sql, chain, sample)
  if (sample.versions) await writeVersions(sql, chain, sample.ts - (sample.ts % 3_600), sample.versions)
}

async function writeVersions(
  sql: Queryable,
  chain: number,
  hour: number,
  versions: readonly string[],
): Promise<void> {
  const counts = countVersions(versions)
  await sql`delete from version_samples where chain = ${chain} and hour = ${hour}`
  await sql`
    insert into version_samples (chain, hour, version, peers)
    select ${chain}, ${hour}, version, peers
    from unnest(${textList(counts.map(([version]) => version))}::text::text[],
      ${numberList(counts.map(([, peers]) => peers))}::text::integer[]) each (version, peers)`
}

async function writeSample(
  sql: Queryable,
  chain: number,
  { ts, uptimes, versions }: NetworkSample,
): Promise<void> {
  const [p5 = null, p25 = null, p50 = null, p75 = null, p95 = null] = spreadOf(uptimes)
  const peers = versions?.length ?? null
  const newest = versions === undefined ? null : countNewest(versions)
  await sql`
    insert into network_samples
      (chain, hour, ts, uptime_p5, uptime_p25, uptime_p50, uptime_p75, uptime_p95, peers, newest_peers)
    values (${chain}, ${ts - (ts % 3_600)}, ${ts}, ${p5}, ${p25}, ${p50}, ${p75}, ${p95}, ${peers}, ${newest})
    on conflict (chain, hour) do update set ts = excluded.ts,
      uptime_p5 = coalesce(excluded.uptime_p5, network_samples.uptime_p5),
      uptime_p25 = coalesce(excluded.uptime_p25, network_samples.uptime_p25),
      uptime_p50 = coalesce(excluded.uptime_p50, network_samples.uptime_p50),
      uptime_p75 = coalesce(excluded.uptime_p75, network_samples.uptime_p75),
      uptime_p95 = coalesce(excluded.uptime_p95, network_samples.uptime_p95),
      peers = coalesce(excluded.peers, network_samples.peers),
      newest_peers = coalesce(excluded.newest_peers, network_samples.newest_peers)`
}
