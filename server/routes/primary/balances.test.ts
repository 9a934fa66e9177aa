import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriesColours } from '../../../charts/palette.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import {
  randomLives,
  insertLives,
  livesEnd,
  livesStart,
  people,
  type Life,
} from '../../testing/primary-lives.ts'
import { fujiKeys, idBytes, insertPrimary } from '../../testing/primary-rows.ts'
import {
  idText,
  startPrimaryService,
  walletText,
  type PrimaryService,
} from '../../testing/primary-service.ts'
import { barsOf, readSvg } from '../../testing/read-svg.ts'

const lives = randomLives(11, 900)
const now = livesEnd + 50
const aliases = { 'p-chain': fujiKeys.p, 'x-chain': fujiKeys.x, 'c-chain': fujiKeys.c } as const
type Alias = keyof typeof aliases

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  await insertLives(store.database, lives)
  await insertPrimary(store.database, 'assets', [
    { chain: 12, height: 0, asset: idBytes('avax'), name: 'Avalanche', symbol: 'AVAX', ts: 0 },
  ])
  network = await startPrimaryService(store.database)
  network.service.now = now
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

const addressList = (names: readonly string[]): string => names.map(walletText).join(',')
const concerns = (life: Life, names: readonly string[]): boolean =>
  life.owners.some((owner) => names.includes(owner))
const nameOf = new Map<number, string>(Object.entries(aliases).map(([alias, key]) => [key, alias]))

/** The bucket of a UTXO's life on a chain at a time, decided step by step; undefined if it does not count. */
function standing(life: Life, alias: Alias, time: number, stakeTime: number): string | undefined {
  const chain = aliases[alias]
  if (life.type !== 7 && life.type !== 11) return undefined
  if (life.made > time) return undefined
  if (life.spent !== null && life.spent <= time) return undefined
  if (life.home !== life.chain) {
    const open = life.locktime > time ? 'atomicMemoryLocked' : 'atomicMemoryUnlocked'
    if (life.home === chain) return `${open} from ${nameOf.get(life.chain)} pendingImport`
    return life.chain === chain ? `${open} from ${nameOf.get(life.home)} pendingExport` : undefined
  }
  if (life.home !== chain || alias === 'c-chain') return undefined
  if (alias === 'x-chain') return life.locktime > time ? 'lockedPlatform' : 'unlockedUnstaked'
  const isLocked = life.locktime > time || life.stakeable > time
  if (life.staked && stakeTime < life.staked.until) {
    if (stakeTime < life.staked.from) return 'pendingStaked'
    return isLocked ? 'lockedStaked' : 'unlockedStaked'
  }
  if (!isLocked) return 'unlockedUnstaked'
  return life.locktime > time ? 'lockedPlatform' : 'lockedStakeable'
}

/** Amount and count by bucket, asset and kind. */
function replay(names: readonly string[], alias: Alias, time: number, stakeTime = time) {
  const sums = new Map<string, [bigint, number]>()
  for (const life of lives) {
    if (!concerns(life, names)) continue
    const where = standing(life, alias, time, stakeTime)
    if (where === undefined) continue
    const key = `${where} ${idText(life.asset)} ${life.type === 11 ? 'nft' : 'secp256k1'}`
    const [amount, count] = sums.get(key) ?? [0n, 0]
    sums.set(key, [amount + (life.type === 11 ? 1n : life.amount), count + 1])
  }
  return Object.fromEntries([...sums].map(([key, [amount, count]]) => [key, `${amount} in ${count}`]))
}

type Item = {
  assetId: string
  type: string
  amount: string
  utxoCount: number
  sharedWithChainId?: string
  status?: string
}
const chainIds = new Map([
  ['11111111111111111111111111111111LpoYY', 'p-chain'],
  ['2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm', 'x-chain'],
  ['yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp', 'c-chain'],
])

/** The buckets of an answer as lines. On the X-Chain, two are also under the hosted service's names. */
function told({ unlocked, locked, ...balances }: Record<string, Item[]>): Record<string, string> {
  if (unlocked) expect([unlocked, locked]).toEqual([balances['unlockedUnstaked'], balances['lockedPlatform']])
  return Object.fromEntries(
    Object.entries(balances).flatMap(([bucket, items]) =>
      items.map((item) => {
        const shared = item.sharedWithChainId
          ? ` from ${chainIds.get(item.sharedWithChainId)} ${item.status}`
          : ''
        return [`${bucket}${shared} ${item.assetId} ${item.type}`, `${item.amount} in ${item.utxoCount}`]
      }),
    ),
  )
}

test('balances at any time equal those of a replay, counting each shared UTXO once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(people, { minLength: 1 }),
      fc.constantFrom<Alias>('p-chain', 'x-chain', 'c-chain'),
      fc.integer({ min: livesStart - 20, max: livesEnd + 900 }),
      async (names, alias, time) => {
        const path = `/blockchains/${alias}/balances?addresses=${addressList(names)}&blockTimestamp=${time}`
        const { body } = await network.get(path)
        expect(told(body['balances'] as Record<string, Item[]>)).toEqual(replay(names, alias, time))
      },
    ),
    { numRuns: 200 },
  )
})

test('without a time, locks follow the clock, and a stake is returned when the chain returns it', async () => {
  for (const alias of ['p-chain', 'x-chain', 'c-chain'] as const) {
    const { body } = await network.get(`/blockchains/${alias}/balances?addresses=${addressList(people)}`)
    const found = told(body['balances'] as Record<string, Item[]>)
    expect(found).toEqual(replay(people, alias, now, livesEnd))
    if (alias === 'p-chain') expect(found).not.toEqual(replay(people, alias, now, now))
  }
})

test('each chain has all buckets, including empty ones, with AVAX first', async () => {
  const bucketsOf = async (alias: string): Promise<string[]> => {
    const { body } = await network.get(`/blockchains/${alias}/balances?addresses=${walletText('nobody')}`)
    return Object.keys(body['balances'] as object).sort()
  }
  const eight = [
    'atomicMemoryLocked',
    'atomicMemoryUnlocked',
    'lockedPlatform',
    'lockedStakeable',
    'lockedStaked',
    'pendingStaked',
    'unlockedStaked',
    'unlockedUnstaked',
  ]
  expect(await bucketsOf('p-chain')).toEqual(eight)
  expect(await bucketsOf('x-chain')).toEqual([...eight, 'locked', 'unlocked'].toSorted())
  expect(await bucketsOf('c-chain')).toEqual(eight)
  const { body } = await network.get(`/blockchains/p-chain/balances?addresses=${addressList(people)}`)
  const { unlockedUnstaked } = body['balances'] as { unlockedUnstaked: (Item & { symbol: string })[] }
  expect(unlockedUnstaked.map(({ symbol }) => symbol)).toEqual(['AVAX', ''])
})

test.each([
  ['asc', true],
  ['desc', true],
  ['asc', false],
  ['desc', false],
] as const)('UTXOs %s, spent ones too: %s: each once, by time', async (order, includeSpent) => {
  const names = ['ann', 'cat']
  for (const [alias, key] of Object.entries(aliases)) {
    const expected = lives
      .filter((life) => concerns(life, names) && (includeSpent || life.spent === null))
      .filter((life) => life.home === key || life.chain === key)
      .filter((life) => alias !== 'c-chain' || life.home !== life.chain)
    const query = `addresses=${addressList(names)}&includeSpent=${includeSpent}&sortOrder=${order}&pageSize=37`
    const found = await network.walk(`/blockchains/${alias}/utxos?${query}`, 'utxos')
    const ids = found.map(({ utxoId }) => String(utxoId))
    expect(ids.toSorted()).toEqual(expected.map(({ name }) => idText(name)).toSorted())
    const times = found.map(({ blockTimestamp }) => Number(blockTimestamp))
    const sorted = times.toSorted((left, right) => (order === 'asc' ? left - right : right - left))
    expect(times).toEqual(sorted)
  }
})

test('UTXOs of one asset of the X-Chain', async () => {
  const query = `addresses=${addressList(people)}&assetId=${idText('coin')}&pageSize=100`
  const found = await network.walk(`/blockchains/x-chain/utxos?${query}`, 'utxos')
  const expected = lives.filter(
    ({ asset, home, chain, spent }) => asset === 'coin' && spent === null && (home === 12 || chain === 12),
  )
  expect(found).toHaveLength(expected.length)
  expect(new Set(found.map(({ assetId }) => assetId))).toEqual(new Set([idText('coin')]))
})

test('unlocks are the currently locked and staked amounts, with unlock time and reason', async () => {
  const query = `addresses=${addressList(['ben', 'eve'])}&pageSize=13`
  // Some locks and planned ends are later than this time.
  network.service.now = livesStart + 500
  const found = await network.walk(`/unlocks?${query}`, 'unlocks')
  network.service.now = now
  const moment = livesStart + 500
  const sums = new Map<string, [bigint, number]>()
  for (const life of lives) {
    if (!concerns(life, ['ben', 'eve']) || life.spent !== null || life.type !== 7) continue
    const stakeEnd = life.staked?.until ?? 0
    const free = Math.max(life.locktime, life.stakeable, stakeEnd)
    if (free <= moment) continue
    const kind =
      life.locktime === free ? 'PLATFORM_LOCK' : life.stakeable === free ? 'STAKEABLE_LOCK' : 'STAKING_END'
    // Locks with the same time are summed; each stake is a separate entry.
    const own = kind === 'STAKING_END' ? life.name : ''
    const key = [free, kind, nameOf.get(life.home), idText(life.asset), own].join(' ')
    const [amount, count] = sums.get(key) ?? [0n, 0]
    sums.set(key, [amount + life.amount, count + 1])
  }
  type Unlock = { timestamp: number; kind: string; chainName: string; asset: Item; utxoCount: number }
  const lines = (found as unknown as Unlock[]).map(
    ({ timestamp, kind, chainName, asset, utxoCount }) =>
      `${timestamp} ${kind} ${chainName} ${asset.assetId} ${asset.amount} in ${utxoCount}`,
  )
  const expected = [...sums].map(([key, [amount, count]]) => {
    const [time, kind, chain, asset] = key.split(' ')
    return `${time} ${kind} ${chain} ${asset} ${amount} in ${count}`
  })
  expect(lines.toSorted()).toEqual(expected.toSorted())
  expect(lines.map((line) => Number(line.split(' ')[0]))).toEqual(
    lines.map((line) => Number(line.split(' ')[0])).toSorted((left, right) => left - right),
  )
})

const ann = walletText('ann')
test.each([ann, `P-${ann}`, `C-${ann}`, `c-${ann}`, ann.toUpperCase(), `X-${ann.toUpperCase()}`])(
  'an address is accepted as the search accepts it: %s',
  async (text) => {
    const [given, plain] = await Promise.all(
      [text, ann].map((each) => network.get(`/blockchains/p-chain/balances?addresses=${each}`)),
    )
    expect(given).toEqual(plain)
    expect(given?.status).toBe(200)
  },
)
test.each([
  ['/blockchains/p-chain/balances', 'addresses: at least one is required'],
  ['/blockchains/x-chain/utxos', 'addresses: at least one is required'],
  [
    `/blockchains/p-chain/utxos?addresses=${ann}&assetId=${idText('coin')}`,
    'assetId: is supported on the X-Chain only',
  ],
  [
    `/blockchains/p-chain/balances?addresses=${ann.slice(0, -1)}${ann.endsWith('q') ? 'p' : 'q'}`,
    'the checksum does not fit',
  ],
  [`/blockchains/p-chain/balances?addresses=avax${ann.slice(4)}`, 'the checksum does not fit'],
  [`/blockchains/p-chain/balances?addresses=0x${'ab'.repeat(20)}`, 'must be an address such as fuji1'],
  [`/blockchains/p-chain/balances?addresses=${ann}&blockTimestamp=-1`, 'blockTimestamp'],
  [`/blockchains/p-chain/balances?addresses=${Array(65).fill(ann).join(',')}`, 'addresses'],
  [`/blockchains/p-chain/utxos?addresses=${ann}&pageSize=101`, 'pageSize'],
  [`/blockchains/p-chain/utxos?addresses=${ann}&pageToken=abc`, 'pageToken'],
])('%s is a 400: %s', async (path, words) => {
  const { status, body } = await network.get(path)
  expect([status, String(body['message'])]).toEqual([400, expect.stringContaining(words)])
})

test('addresses of another network are a 400', async () => {
  const { addressText } = await import('../../../protocol/ids/text.ts')
  const foreign = addressText(idBytes('ann').subarray(0, 20), 'avax')
  const { status, body } = await network.get(`/blockchains/p-chain/balances?addresses=${foreign}`)
  expect([status, String(body['message'])]).toEqual([400, expect.stringContaining('begin with fuji1')])
})

test('an address may have a chain prefix, and still counts as one address', async () => {
  const plain = await network.get(`/blockchains/p-chain/balances?addresses=${ann}`)
  for (const form of [`P-${ann}`, `X-${ann}`, `P-${ann},${ann},X-${ann}`]) {
    expect(await network.get(`/blockchains/p-chain/balances?addresses=${form}`)).toEqual(plain)
  }
})

test('unlocks are drawn by their kinds, each as high as its part of the AVAX', async () => {
  const moment = livesStart + 500
  network.service.now = moment
  const addresses = addressList(['ben', 'eve'])
  const response = await network.service.app.inject(`/embed/networks/fuji/addresses/${addresses}/unlocks.svg`)
  network.service.now = now
  expect(response.statusCode, response.body).toBe(200)
  const picture = readSvg(response.body)
  expect(picture.title).toContain('What becomes free')
  const sums = [0n, 0n, 0n]
  for (const life of lives) {
    if (!concerns(life, ['ben', 'eve']) || life.spent !== null || life.type !== 7 || life.asset !== 'avax')
      continue
    const free = Math.max(life.locktime, life.stakeable, life.staked?.until ?? 0)
    if (free <= moment) continue
    const kind = life.locktime === free ? 2 : life.stakeable === free ? 1 : 0
    sums[kind] = (sums[kind] ?? 0n) + life.amount
  }
  // The colours of staked, lockable and locked balances.
  const heights = [1, 4, 5].map((place) =>
    barsOf(picture, seriesColours.light[place] ?? '').reduce((sum, { top, base }) => sum + base - top, 0),
  )
  const whole = sums.reduce((all, sum) => all + sum, 0n)
  const high = heights.reduce((all, height) => all + height, 0)
  expect(high).toBeGreaterThan(100)
  for (const [place, sum] of sums.entries())
    expect((heights[place] ?? 0) / high).toBeCloseTo(Number(sum) / Number(whole), 1)
})
