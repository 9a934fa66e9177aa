import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, insertBlocks, revertTo, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { randomBlocks, numbers, seedBlocks, type TokenBlock } from '../../testing/token-history.ts'
import { zeroAddress, type Movement } from '../../testing/token-logs.ts'

const chain = 43113
const start = 1_790_000_000
const people = Array.from({ length: 14 }, (_, index) => addressOf(`holder ${index}`))
const [coin, art, item] = ['coin', 'art', 'item'].map(addressOf) as [string, string, string]
const kinds = new Map<string, Movement['kind']>([
  [coin, 20],
  [art, 721],
  [item, 1155],
])
const cast = { people, tokens: [...kinds].map(([token, kind]) => [kind, token] as const) }
/** Hours between blocks, and sometimes two blocks in one second. */
const history = randomBlocks(5, cast, 3, 120, start).map((block) => ({
  ...block,
  ts: block.number % 7 === 0 ? block.ts - 3_600 : block.ts,
}))
const head = history.at(-1)?.number ?? 0

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: seedBlocks(history) })
  service = await startTestService(store.database)
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const path = (token: string, query: string): string =>
  `/v2/chains/${chain}/contracts/${token}/balances?${query}`
const get = async (token: string, query: string) => (await service.app.inject(path(token, query))).json()

type Holder = { address: string; sortKey: number; balance: string }

async function walk(
  token: string,
  query: string,
  between: (page: number) => Promise<void> = async () => undefined,
): Promise<Holder[]> {
  const holders: Holder[] = []
  for (let page = 1, next = ''; ; page += 1) {
    const body = await get(token, `${query}${next && `&pageToken=${next}`}`)
    expect(body).not.toHaveProperty('error')
    holders.push(...body.addresses)
    if (body.nextPageToken === undefined) return holders
    next = body.nextPageToken
    await between(page)
  }
}

/** Everyone's balance after each block that changed it, computed from the movements. */
function timeline(
  blocks: readonly TokenBlock[],
  token: string,
): Map<string, { ts: number; balance: bigint }[]> {
  const held = new Map<string, { ts: number; balance: bigint }[]>()
  for (const { ts, moves } of blocks) {
    const changed = new Map<string, bigint>()
    for (const move of moves) {
      if (move.token !== token) continue
      for (const { value } of move.items) {
        changed.set(move.to, (changed.get(move.to) ?? 0n) + value)
        changed.set(move.from, (changed.get(move.from) ?? 0n) - value)
      }
    }
    for (const [address, amount] of changed) {
      if (address === zeroAddress) continue
      const steps = held.get(address) ?? []
      steps.push({ ts, balance: (steps.at(-1)?.balance ?? 0n) + amount })
      held.set(address, steps)
    }
  }
  return held
}

/** Who held more than the threshold at a time strictly between two times, with the latest balance. */
function expected(token: string, threshold: bigint, from = -1, to = Infinity): [string, string][] {
  const found: [string, string][] = []
  for (const [address, steps] of timeline(history, token)) {
    // Each balance holds from its block's second to that of the next change.
    const passes = steps.some(({ ts, balance }, index) => {
      const until = steps[index + 1]?.ts ?? Infinity
      const inside = ts > from && ts < to
      const carried = ts <= from && until > from && to > from
      return balance > threshold && (inside || carried)
    })
    const latest = steps.at(-1)?.balance ?? 0n
    if (passes) found.push([address, (latest < 0n ? 0n : latest).toString()])
  }
  return found.sort(([left], [right]) => (left < right ? -1 : 1))
}

const pairs = (holders: readonly Holder[]): [string, string][] =>
  holders.map(({ address, balance }) => [address, balance])

describe('all addresses that held more than the threshold in the window', () => {
  test.each([...kinds].map(([token, kind]) => [`ERC-${kind}`, token] as const))(
    '%s',
    async (_kind, token) => {
      const below = numbers(23)
      const span = (history.at(-1)?.ts ?? 0) - start
      const answers = new Set<string>()
      for (let round = 0; round < 60; round += 1) {
        const threshold = token === art ? below(4) : below(1_500)
        // Bounds on a block's own second as often as between two.
        const [from, to] = [below(span), below(span)]
          .sort((left, right) => left - right)
          .map((time) => start + (round % 2 === 0 ? Math.floor(time / 3_600) * 3_600 : time))
        const query =
          (round % 3 === 1 ? '' : `&startTimestamp=${from}`) + (round % 3 === 2 ? '' : `&endTimestamp=${to}`)
        const wanted = expected(
          token,
          BigInt(threshold),
          round % 3 === 1 ? undefined : from,
          round % 3 === 2 ? undefined : to,
        )
        const holders = await walk(token, `threshold=${threshold}${query}&pageSize=${1 + below(6)}`)
        expect(pairs(holders), `threshold ${threshold}, ${query}`).toEqual(wanted)
        expect(holders.map((holder) => holder.sortKey)).toEqual(wanted.map((_, index) => index + 1))
        answers.add(JSON.stringify(wanted))
      }
      // Sixty equal answers would prove little.
      expect(answers.size).toBeGreaterThan(10)
    },
  )

  test('over the whole history if no time is given', async () => {
    const holders = await get(coin, 'threshold=0')
    expect(pairs(holders.addresses)).toEqual(expected(coin, 0n))
    expect(holders).not.toHaveProperty('nextPageToken')
  })

  test('an empty window, or one before the first block, has no holders', async () => {
    for (const query of [
      `startTimestamp=${start + 9}&endTimestamp=${start + 9}`,
      `endTimestamp=${start}`,
      'startTimestamp=0&endTimestamp=5',
    ]) {
      expect(await get(coin, `threshold=0&${query}`)).toEqual({ addresses: [] })
    }
    // After the head, current balances are still held.
    const after = await get(coin, 'threshold=0&startTimestamp=4000000000')
    expect(pairs(after.addresses)).toEqual(expected(coin, 0n).filter(([, balance]) => balance !== '0'))
  })
})

describe('rules', () => {
  test.each([
    '',
    'threshold=-1',
    'threshold=1e3',
    'threshold=0x1',
    'threshold=1&pageSize=0',
    'threshold=1&pageSize=5001',
    'threshold=1&startTimestamp=-1',
    'threshold=1&startTimestamp=9&endTimestamp=8',
    'threshold=1&pageToken=6f1f0a5e-7b7e-4b8e-9d0e-0f8f6f1f0a5e',
  ])('%s is a 400', async (query) => {
    expect((await service.app.inject(path(coin, query))).statusCode).toBe(400)
  })

  test('an address that is not a token and an unknown chain are a 404', async () => {
    expect((await service.app.inject(path(addressOf('none'), 'threshold=1'))).statusCode).toBe(404)
    expect((await service.app.inject(path(coin, 'threshold=1').replace('43113', '5'))).statusCode).toBe(404)
  })

  test('a threshold above 2^256 exceeds all balances, without special handling', async () => {
    expect(await get(coin, `threshold=${'9'.repeat(200)}`)).toEqual({ addresses: [] })
  })

  test('a page token is valid for its own list, and restarts it after 24 hours', async () => {
    const query = 'threshold=5&pageSize=2'
    const page = await get(coin, query)
    const [token, before] = [page.nextPageToken, service.now]
    for (const other of [
      path(item, `${query}&pageToken=${token}`),
      path(coin, `threshold=6&pageToken=${token}`),
      path(coin, `${query}&startTimestamp=1&pageToken=${token}`),
    ]) {
      expect((await service.app.inject(other)).statusCode).toBe(400)
    }
    service.now += 86_400
    const onTime = await get(coin, `${query}&pageToken=${token}`)
    service.now += 1
    const late = await get(coin, `${query}&pageToken=${token}`)
    service.now = before
    expect(onTime.addresses[0].sortKey).toBe(3)
    expect(late.addresses).toEqual(page.addresses)
  })
})

test('a listing returns each address once while blocks arrive and are replaced', async () => {
  const before = expected(coin, 100n)
  const ts = (history.at(-1)?.ts ?? 0) + 60
  const holders = await walk(coin, 'threshold=100&pageSize=1', async (page) => {
    const more = randomBlocks(page, cast, head + 1, 4, ts)
    await revertTo(store.database, chain, head)
    await insertBlocks(store.database, chain, seedBlocks(more, `branch ${page}`))
  })
  await revertTo(store.database, chain, head)
  const addresses = holders.map((holder) => holder.address)
  expect(addresses).toEqual([...new Set(addresses)].sort())
  expect(holders.map((holder) => holder.sortKey)).toEqual(holders.map((_, index) => index + 1))
  // Addresses that matched before the listing began still match.
  for (const [address] of before) expect(addresses).toContain(address)
})

// More holders than are gathered by their peaks, so the list walks all of them.
test('a token with very many holders is listed in short pages, and ends', async () => {
  const crowd = addressOf('crowd')
  const bytes = `'\\${crowd.slice(1)}'::bytea`
  const holder = 'substring(sha256(int4send(n)) from 1 for 20)'
  // Number n once had n, and has n % 1000 since.
  await store.database.unsafe(`
    insert into tokens values (${chain}, ${bytes}, 20, 3);
    insert into token_blocks values (${chain}, ${bytes}, 20, 3, 5, 5, 5);
    insert into holders select ${chain}, ${bytes}, 20, ${holder}, n % 1000, n from generate_series(1, 30000) n;
    insert into balances select ${chain}, ${holder}, 20, ${bytes}, -1, b.number, case b.number when 3 then n else n % 1000 end
      from generate_series(1, 30000) n, (values (3), (5)) b (number);`)
  const sorted = async (condition: string) =>
    (
      await store.database.unsafe<{ address: string; balance: string }[]>(`
        select '0x' || encode(${holder}, 'hex') as address, (n % 1000)::text as balance
        from generate_series(1, 30000) n where ${condition} order by 1`)
    ).map(({ address, balance }) => [address, balance])
  const since = history.find((block) => block.number === 5)?.ts ?? 0

  expect(pairs(await walk(crowd, 'threshold=2000&pageSize=5000'))).toEqual(await sorted('n > 2000'))
  expect(pairs(await walk(crowd, 'threshold=29000&pageSize=300'))).toEqual(await sorted('n > 29000'))
  // Few addresses with a sufficient peak still held enough in the window.
  let pages = 1
  const late = await walk(crowd, `threshold=998&startTimestamp=${since}`, async () => void (pages += 1))
  expect(pairs(late)).toEqual(await sorted('n % 1000 > 998'))
  expect(late.map((each) => each.sortKey)).toEqual(late.map((_, index) => index + 1))
  expect(pages).toBe(5)
})

test('says from which block on holders are known, unless the contract was created in an indexed block', async () => {
  const url = `/v1/chains/${chain}/tokens/${art}`
  const read = async () => [
    (await service.app.inject(`${url}/holders`)).json().holdersFrom,
    (await service.app.inject(`${url}?currency=eur`)).json().holdersFrom,
  ]
  expect(await read()).toEqual(['3', '3'])
  const bytes = Buffer.from(art.slice(2), 'hex')
  await store.database`
    insert into contracts (chain, number, tx_index, ordinal, address, deployer, origin)
    values (${chain}, 3, 0, 99, ${bytes}, ${bytes}, ${bytes})`
  await insertBlocks(store.database, chain, [{ number: head + 1, ts: start + 1_000_000, txs: [] }])
  await expect.poll(read).toEqual([undefined, undefined])
})
