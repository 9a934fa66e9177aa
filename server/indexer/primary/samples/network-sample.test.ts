import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../testing/database.ts'
import { countNewest, countVersions, spreadOf, writeNetworkSample } from './network-sample.ts'

describe('the spread of uptimes', () => {
  test.each([1, 2, 3, 19, 20, 21, 100, 1_137])(
    'of %d validators has the ranks that counting finds',
    (count) => {
      const uptimes = Array.from({ length: count }, (_, index) => ((index * 7_919) % 10_007) / 100)
      const counted = [5, 25, 50, 75, 95].map((percentile) => {
        // The least value that at least so many percent do not exceed.
        const reached = uptimes.filter(
          (value) => uptimes.filter((one) => one <= value).length * 100 >= percentile * count,
        )
        return Math.round(Math.min(...reached) * 10_000)
      })
      expect(spreadOf(uptimes)).toEqual(counted)
    },
  )

  test('keeps the four digits that nodes report', () => {
    expect(spreadOf([99.9934])).toEqual([999_934, 999_934, 999_934, 999_934, 999_934])
    expect(spreadOf([])).toEqual([])
  })
})

test.each([
  [['avalanchego/1.14.0', 'avalanchego/1.9.16', 'avalanchego/1.14.0'], 2],
  [['avalanchego/1.14.0', 'avalanchego/1.14.1-rc.2'], 1],
  [['avalanchego/1.14.0', '', 'nonsense', 'avalanchego/99'], 1],
  [[], 0],
])('of the peers with %j, %d run the newest version', (versions, count) => {
  expect(countNewest(versions)).toBe(count)
})

test('of many versions the 50 most common are kept, and none is long', () => {
  const rare = Array.from({ length: 60 }, (_, index) => `rare/${index}`)
  const counts = countVersions([...rare, 'avalanchego/1.14.0', 'avalanchego/1.14.0', 'x'.repeat(1_000), '\0'])
  expect(counts).toHaveLength(50)
  expect(counts[0]).toEqual(['avalanchego/1.14.0', 2])
  expect(countVersions(['x'.repeat(1_000), '\0'])).toEqual([
    ['x'.repeat(64), 1],
    ['\uFFFD', 1],
  ])
})

test('the last sample of an hour counts, and what it does not have stays', async () => {
  const { database, drop } = await createTestDatabase()
  const hour = 1_790_002_800
  const write = (ts: number, uptimes: number[], versions: string[] | undefined) =>
    writeNetworkSample(database, 7, { ts, uptimes, versions })
  await write(hour, [90, 80, 100], ['avalanchego/1.13.0', 'avalanchego/1.14.0', 'avalanchego/1.14.0'])
  await write(hour + 3_599, [91.5, 80.25, 99.9934], undefined)
  await write(hour + 3_600, [], [])
  const rows = await database`
    select hour::int, ts::int, uptime_p5 as p5, uptime_p50 as p50, uptime_p95 as p95, peers, newest_peers as newest
    from network_samples where chain = 7 order by hour`
  expect([...rows]).toEqual([
    { hour, ts: hour + 3_599, p5: 802_500, p50: 915_000, p95: 999_934, peers: 3, newest: 2 },
    { hour: hour + 3_600, ts: hour + 3_600, p5: null, p50: null, p95: null, peers: 0, newest: 0 },
  ])
  const versions = () => database`
    select hour::int, version, peers from version_samples where chain = 7 order by hour, peers desc`
  expect([...(await versions())]).toEqual([
    { hour, version: 'avalanchego/1.14.0', peers: 2 },
    { hour, version: 'avalanchego/1.13.0', peers: 1 },
  ])
  await write(hour + 3_599, [], ['avalanchego/1.14.0', 'say "hi"\\'])
  expect([...(await versions())]).toEqual([
    { hour, version: 'avalanchego/1.14.0', peers: 1 },
    { hour, version: 'say "hi"\\', peers: 1 },
  ])
  await drop()
})
