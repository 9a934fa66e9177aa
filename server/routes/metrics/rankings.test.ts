import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callOrders, type CallOrder } from '../../../contract/metrics/rankings.ts'
import {
  addressOf,
  gasPrice,
  gasUsed,
  insertBlocks,
  revertTo,
  seedChain,
  type SeedBlock,
  type SeedTransaction,
} from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { logOf, zeroAddress } from '../../testing/token-logs.ts'
import { readBalanceChangeCount } from '../../store/metrics/read-rankings.ts'
import { TokenRecount } from '../../verify/token-recount.ts'

const chain = 301
const start = Date.UTC(2026, 0, 28) / 1000
const hour = 3_600

/** A seeded generator of small numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

const selectors = ['0xa9059cbb', '0x095ea7b3', '0x12345678', '0xffffffff']

/** Calls, payments, short data and creations of eighty blocks, half an hour apart. */
function history(seed: number): SeedBlock[] {
  const below = numbers(seed)
  return Array.from({ length: 80 }, (_, number) => ({
    number,
    ts: start + number * 1_800,
    branch: `seed ${seed}`,
    txs: Array.from({ length: below(6) }, (): SeedTransaction => {
      const shape = below(8)
      const party = () => addressOf(`party ${below(9)}`)
      const token = addressOf(`token ${below(4)}`)
      const creates = shape === 0
      const from = below(9) === 0 ? zeroAddress : party()
      return {
        from: party(),
        to: creates ? null : addressOf(`contract ${below(7)}`),
        ...(creates && { created: addressOf(`made ${number}`) }),
        input:
          shape === 1 ? '0x' : shape === 2 ? '0xabcdef' : `${selectors[below(4)]}${'00'.repeat(below(40))}`,
        status: below(5) === 0 ? 0 : 1,
        gasUsed: 21_000n + BigInt(below(90_000)),
        gasPrice: 25_000_000_000n + BigInt(below(1_000)),
        logs: Array.from({ length: below(3) }, () =>
          logOf({
            kind: below(3) === 0 ? 1155 : 20,
            token,
            from,
            to: party(),
            items: [{ id: BigInt(below(3)), value: BigInt(below(5)) }],
          }),
        ),
      }
    }),
  }))
}

let blocks = history(11)
let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks })
  await seedChain(store.database, { chain: 302, blocks: [] })
  const config = testConfig({
    chains: [chain, 302].map((id) => ({ evmChainId: id, name: `Chain ${id}`, rpcUrl: 'http://127.0.0.1:9' })),
  })
  service = await startTestService(store.database, { config })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

type Row = Record<string, unknown> & { contract?: { address: string }; token?: { address: string } }

async function ask(
  subject: 'contracts' | 'methods' | 'tokens',
  query: string,
): Promise<{ rows: Row[]; totals: Record<string, string> }> {
  const response = await service.app.inject(`/v2/chains/${chain}/rankings/${subject}?${query}`)
  expect(response.statusCode, response.body).toBe(200)
  const body = response.json() as Record<string, unknown>
  return { rows: body[subject] as Row[], totals: body['totals'] as Record<string, string> }
}

const inside = (from: number, to: number): SeedBlock[] => blocks.filter(({ ts }) => ts > from && ts < to)

type Counted = { key: string; calls: SeedTransaction[] }

/** The calls of a range by a key, counted with lists and sets. */
function callsBy(key: (tx: SeedTransaction) => string, from: number, to: number): Counted[] {
  const calls = inside(from, to)
    .flatMap(({ txs }) => txs)
    .filter(({ to: recipient, input = '0x' }) => recipient !== null && input.length >= 10)
  const groups = new Map<string, SeedTransaction[]>()
  for (const tx of calls) groups.set(key(tx), [...(groups.get(key(tx)) ?? []), tx])
  return [...groups].map(([name, own]) => ({ key: name, calls: own }))
}

const sumOf = (calls: readonly SeedTransaction[], of: (tx: SeedTransaction) => bigint): bigint =>
  calls.reduce((sum, tx) => sum + of(tx), 0n)

const figures = {
  gasUsed: ({ calls }: Counted) => sumOf(calls, gasUsed),
  transactionCount: ({ calls }: Counted) => BigInt(calls.length),
  callerCount: ({ calls }: Counted) => BigInt(new Set(calls.map(({ from }) => from)).size),
} satisfies Record<CallOrder, (counted: Counted) => bigint>

const expectedRow = (counted: Counted) => ({
  transactionCount: String(counted.calls.length),
  failedCount: String(counted.calls.filter(({ status }) => status === 0).length),
  gasUsed: String(figures.gasUsed(counted)),
  feesPaid: String(sumOf(counted.calls, (tx) => gasUsed(tx) * gasPrice(tx))),
  callerCount: String(figures.callerCount(counted)),
})

const sorted = (all: readonly Counted[], order: CallOrder): Counted[] =>
  all.toSorted((left, right) => {
    const [one, two] = [figures[order](left), figures[order](right)]
    return one === two ? (left.key < right.key ? -1 : 1) : one > two ? -1 : 1
  })

const ranges = [
  ['everything', '', 0, Infinity],
  [
    'ten hours',
    `startTimestamp=${start + 5 * hour}&endTimestamp=${start + 15 * hour}`,
    start + 5 * hour,
    start + 15 * hour,
  ],
  ['the last two hours, up to now', `startTimestamp=${start + 38 * hour}`, start + 38 * hour, Infinity],
] as const

describe.each(ranges)('a ranking of %s', (_name, query, from, to) => {
  test.each(callOrders)('has the contracts by %s', async (order) => {
    const { rows, totals } = await ask('contracts', `${query}&sortBy=${order}&pageSize=3`)
    const all = callsBy((tx) => tx.to ?? '', from, to)
    expect(rows.map(({ contract, ...figuresOf }) => [contract?.address, figuresOf])).toEqual(
      sorted(all, order)
        .slice(0, 3)
        .map((counted) => [counted.key, expectedRow(counted)]),
    )
    expect(rows.length).toBeGreaterThan(0)
    const calls = all.flatMap((one) => one.calls)
    expect(totals).toEqual({
      rowCount: String(all.length),
      transactionCount: String(calls.length),
      gasUsed: String(sumOf(calls, gasUsed)),
    })
  })

  test.each(callOrders)('has the methods by %s', async (order) => {
    const { rows } = await ask('methods', `${query}&sortBy=${order}`)
    const all = sorted(
      callsBy(({ input = '' }) => input.slice(0, 10), from, to),
      order,
    )
    expect(rows.map(({ methodName: _methodName, ...row }) => row)).toEqual(
      all.map((counted) => ({
        methodHash: counted.key,
        contractCount: String(new Set(counted.calls.map((tx) => tx.to)).size),
        ...expectedRow(counted),
      })),
    )
    const transfer = rows.find(({ methodHash }) => methodHash === '0xa9059cbb')
    if (from === 0) expect(transfer?.['methodName']).toMatch(/^transfer\(/)
  })

  test.each(['transferCount', 'holderCount'] as const)('has the tokens by %s', async (order) => {
    const { rows, totals } = await ask('tokens', `${query}&sortBy=${order}`)
    const recount = new TokenRecount()
    const moved = new Map<string, { transfers: bigint; holders: Set<string> }>()
    const reached = new Map<string, bigint>()
    for (const { number, ts, txs } of blocks) {
      const counted = recount.add(
        number,
        txs.flatMap(({ logs = [] }) => logs),
      )
      for (const { kind, token, transfers } of counted.totals) {
        const key = `${token} ERC-${kind}`
        const added = transfers - (reached.get(key) ?? 0n)
        reached.set(key, transfers)
        if (ts <= from || ts >= to) continue
        const own = moved.get(key) ?? { transfers: 0n, holders: new Set() }
        moved.set(key, { ...own, transfers: own.transfers + added })
      }
      if (ts <= from || ts >= to) continue
      for (const { kind, token, address, id } of counted.balances)
        if (id === -1n) moved.get(`${token} ERC-${kind}`)?.holders.add(address)
    }
    const figure = (key: string): number =>
      order === 'holderCount' ? (moved.get(key)?.holders.size ?? 0) : Number(moved.get(key)?.transfers ?? 0)
    const got = rows.map(
      ({ token, ercType, ...row }) => [`${token?.address} ${String(ercType)}`, row] as const,
    )
    expect(Object.fromEntries(got)).toEqual(
      Object.fromEntries(
        [...moved].map(([key, { transfers, holders }]) => [
          key,
          { transferCount: String(transfers), holderCount: String(holders.size) },
        ]),
      ),
    )
    expect(got.length).toBeGreaterThan(1)
    const ordered = got.map(([key]) => figure(key))
    expect(ordered).toEqual(ordered.toSorted((left, right) => right - left))
    expect(totals['rowCount']).toBe(String(moved.size))
  })
})

test('follows a reorg', async () => {
  const before = await ask('contracts', '')
  const other = history(12).slice(41)
  const kept = blocks.slice(0, 41)
  await revertTo(store.database, chain, 40)
  blocks = [...kept, ...other]
  await revertTo(store.database, chain, -1)
  await insertBlocks(store.database, chain, blocks)
  const { rows } = await ask('contracts', 'pageSize=100')
  const all = sorted(
    callsBy((tx) => tx.to ?? '', 0, Infinity),
    'gasUsed',
  )
  expect(rows.map(({ contract, gasUsed: gas }) => [contract?.address, gas])).toEqual(
    all.map((counted) => [counted.key, String(figures.gasUsed(counted))]),
  )
  expect(rows).not.toEqual(before.rows)
})

test('refuses a range with too many transactions, a wrong order and a wrong size', async () => {
  const get = (query: string) => service.app.inject(`/v2/chains/${chain}/rankings/contracts?${query}`)
  await store.database`update blocks set cum_txs = cum_txs + 1000001 where chain = ${chain} and number >= 50`
  const refused = await get('')
  expect(refused.statusCode).toBe(400)
  expect(refused.json().message).toEqual([expect.stringContaining('a ranking counts at most 1000000')])
  expect((await get(`endTimestamp=${start + 20 * hour}`)).statusCode).toBe(200)
  // Tokens are ranked without their transactions.
  expect((await service.app.inject(`/v2/chains/${chain}/rankings/tokens`)).statusCode).toBe(200)
  for (const wrong of ['sortBy=name', 'pageSize=0', 'pageSize=101', 'startTimestamp=9&endTimestamp=8'])
    expect((await get(wrong)).statusCode).toBe(400)
})

test('the changes of balances of a range are counted, at most so many', async () => {
  const balances = await store.database<{ number: bigint; token_id: string }[]>`
    select number, token_id::text from balances where chain = ${chain}`
  const within = balances.filter(
    ({ number, token_id }) => token_id === '-1' && Number(number) >= 10 && Number(number) < 60,
  ).length
  const count = (max: number) =>
    readBalanceChangeCount(store.database, BigInt(chain), { from: 10n, before: 60n }, max)
  expect(within).toBeGreaterThan(20)
  expect(await count(1_000)).toBe(BigInt(within))
  expect(await count(within - 1)).toBe(BigInt(within - 1))
})

test('is not known yet of a chain without indexed blocks', async () => {
  for (const subject of ['contracts', 'methods', 'tokens']) {
    const response = await service.app.inject(`/v2/chains/302/rankings/${subject}`)
    expect(response.json()).toMatchObject({
      statusCode: 503,
      message: 'not known yet: Chain 302 has no indexed block',
    })
  }
})
