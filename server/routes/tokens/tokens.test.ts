import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, insertBlocks, revertTo, seedChain, transactionHash } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { randomBlocks, holdingsAt, seedBlocks, type TokenBlock } from '../../testing/token-history.ts'
import { logOf, zeroAddress, type Movement } from '../../testing/token-logs.ts'

const chain = 43113
const start = Date.UTC(2026, 10, 1, 20) / 1000
const people = Array.from({ length: 6 }, (_, index) => addressOf(`party ${index}`))
const coins = Array.from({ length: 5 }, (_, index) => addressOf(`coin ${index}`))
const [coin, art, item] = [coins[0] ?? '', addressOf('art'), addressOf('item')]
const cast = {
  people,
  tokens: [
    ...coins.map((token) => [20, token] as const),
    ...Array.from({ length: 3 }, () => [721, art] as const),
    ...Array.from({ length: 3 }, () => [1155, item] as const),
  ],
}
const history = randomBlocks(9, cast, 2, 110, start)
const head = history.at(-1)?.number ?? 0
/** In the hour of the head, whose transfers do not count yet. */
const now = history.at(-1)?.ts ?? 0
/** Whether a time is in the 24 whole hours before that of `at`. */
const isOfLastDay = (ts: number, at = now): boolean => {
  const end = at - (at % 3_600)
  return ts >= end - 86_400 && ts < end
}

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: seedBlocks(history) })
  service = await startTestService(store.database)
  service.now = now
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const base = `/v1/chains/${chain}`
const get = async (path: string, from = service) => {
  const response = await from.app.inject(path)
  expect(response.statusCode, `${path} ${response.body.slice(0, 200)}`).toBe(200)
  return response.json()
}

async function walk<Row>(
  path: string,
  name: string,
  between?: (page: number) => Promise<void>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1, next = ''; ; page += 1) {
    const body = await get(`${path}${next && `&pageToken=${next}`}`)
    rows.push(...body[name])
    if (body.nextPageToken === undefined) return rows
    next = body.nextPageToken
    await between?.(page)
  }
}

/** Every movement of a token in the chain's order; a batch has one per item. */
const movesOf = (token: string, blocks: readonly TokenBlock[] = history) =>
  blocks.flatMap((block) =>
    block.moves.flatMap((move, index) =>
      move.token === token ? move.items.map((each, place) => ({ block, move, index, ...each, place })) : [],
    ),
  )
type Moved = ReturnType<typeof movesOf>[number]

const kindOf = (token: string): Movement['kind'] => (token === art ? 721 : token === item ? 1155 : 20)

/** A token's totals up to a time, by summing all movements. */
function totalsOf(token: string, until = Infinity) {
  const moves = movesOf(token).filter(({ block }) => block.ts < until)
  const last = moves.at(-1)?.block
  let supply = 0n
  for (const { move, value } of moves) {
    if (move.from === move.to) continue
    if (move.from === zeroAddress) supply += value
    if (move.to === zeroAddress) supply -= value
  }
  const held = people.map((address) =>
    [...holdingsAt(history, address, kindOf(token), last?.number ?? 0).values()]
      .filter((entry) => entry.token === token)
      .reduce((sum, entry) => sum + entry.balance, 0n),
  )
  return {
    supply: (supply < 0n ? 0n : supply).toString(),
    holderCount: String(held.filter((balance) => balance > 0n).length),
    transferCount: String(moves.length),
    last,
    held,
  }
}

describe('tokens of a chain', () => {
  const firstOf = (token: string): number => movesOf(token)[0]?.block.number ?? 0
  const all = [...coins, art, item].sort((left, right) =>
    firstOf(left) === firstOf(right) ? (left < right ? 1 : -1) : firstOf(right) - firstOf(left),
  )

  test.each([1, 100])('of one type, or of both types of NFTs, in pages of %i', async (size) => {
    const typed = async (type: string) =>
      addresses(await walk<Address>(`${base}/tokens?ercType=${type}&pageSize=${size}`, 'tokens'))
    for (const kind of [20, 721, 1155])
      expect(await typed(`ERC-${kind}`)).toEqual(all.filter((token) => kindOf(token) === kind))
    expect(await typed('NFT')).toEqual(all.filter((token) => kindOf(token) !== 20))
  })

  test.each([1, 3, 100])('newest first with their totals, in pages of %i', async (pageSize) => {
    const tokens = await walk<Record<string, unknown>>(`${base}/tokens?pageSize=${pageSize}`, 'tokens')
    expect(tokens).toEqual(
      all.map((token) => {
        const { supply, holderCount, transferCount } = totalsOf(token)
        return {
          address: token,
          ercType: `ERC-${kindOf(token)}`,
          supply,
          holderCount,
          transferCount,
          lastDayTransferCount: String(lastDayOf(token)),
          firstBlock: String(firstOf(token)),
          tokenReputation: null,
        }
      }),
    )
  })

  const lastDayOf = (token: string): number =>
    movesOf(token).filter(({ block }) => isOfLastDay(block.ts)).length
  const byCount = (count: (token: string) => number) =>
    all.toSorted((left, right) => count(right) - count(left) || (left < right ? 1 : -1))
  const holdersOf = (token: string): number => Number(totalsOf(token).holderCount)
  const addresses = (tokens: readonly Address[]): string[] => tokens.map(({ address }) => address)

  test.each([1, 3, 100])(
    'by holders and by the transfers of the last 24 hours, in pages of %i',
    async (size) => {
      const sorted = (by: string) => walk<Address>(`${base}/tokens?sortBy=${by}&pageSize=${size}`, 'tokens')
      expect(addresses(await sorted('holderCount'))).toEqual(byCount(holdersOf))
      expect(addresses(await sorted('lastDayTransferCount'))).toEqual(byCount(lastDayOf))
      expect(new Set(all.map(lastDayOf)).size).toBeGreaterThan(3)
    },
  )

  test('without transfers in the last 24 hours, they follow the others by address', async () => {
    const [first, ...later] = history
    const last = later.findLast(({ moves }) => moves.length > 0)
    if (!first || !last) throw new Error('no blocks')
    // All but the last block with transfers lie more than a day before it.
    const ended = [
      first,
      ...later.filter(({ number }) => number < last.number),
      { ...last, ts: last.ts + 86_400 },
    ]
    const apart = await createTestDatabase()
    await seedChain(apart.database, { chain, blocks: seedBlocks(ended) })
    const quiet = await startTestService(apart.database)
    quiet.now = last.ts + 86_400 + 3_600
    const { rows } = await readAll(`${base}/tokens?sortBy=lastDayTransferCount&pageSize=2`, quiet)
    const count = (token: string): number => movesOf(token, [last]).length
    const expected = byCount(count)
    expect(rows.map((row) => [row.address, row['lastDayTransferCount']])).toEqual(
      expected.map((token) => [token, String(count(token))]),
    )
    expect(expected.filter((token) => count(token) === 0).length).toBeGreaterThan(2)
    // A chain that has halted does not keep its last day for ever.
    quiet.now = last.ts + 3 * 86_400
    const halted = await readAll(`${base}/tokens?sortBy=lastDayTransferCount&pageSize=2`, quiet)
    expect(halted.rows.map((row) => [row.address, row['lastDayTransferCount']])).toEqual(
      byCount(() => 0).map((token) => [token, '0']),
    )
    await quiet.close()
    await apart.drop()
  })

  test("by a part of their name or symbol, the operator's names included", async () => {
    const facts = [
      [coins[1] ?? '', 'Ridge Dollar', 'RDG'],
      [coins[2] ?? '', '100%_Pure', 'PURE'],
      [art, 'Meridian', 'ridgeart'],
    ] as const
    for (const [token, name, symbol] of facts) {
      await store.database`
        insert into token_facts (chain, token, name, symbol, asked_block, asked_ts, due_ts)
        values (${chain}, ${Buffer.from(token.slice(2), 'hex')}, ${name}, ${symbol}, 0, 0, 0)`
    }
    const operator = await startTestService(store.database, {
      config: testConfig({ contracts: [{ chainId: chain, address: item, name: 'The Ridge Items' }] }),
    })
    const found = async (name: string, from = service, sortBy = 'holderCount'): Promise<string[]> => {
      const query = new URLSearchParams({ name, sortBy })
      return addresses((await get(`${base}/tokens?${query.toString()}`, from)).tokens).toSorted()
    }
    for (const sort of ['firstBlock', 'holderCount', 'lastDayTransferCount']) {
      expect(await found('RIDGE', service, sort)).toEqual([coins[1] ?? '', art].toSorted())
    }
    expect(await found('ridge', operator)).toEqual([coins[1] ?? '', art, item].toSorted())
    expect(await found('%_')).toEqual([coins[2]])
    expect(await found('%')).toEqual([coins[2]])
    expect(await found('no such name')).toEqual([])
    await operator.close()
    await store.database`delete from token_facts where chain = ${chain}`
  })

  test('sorted by a count, malicious ones come last', async () => {
    const largest = byCount(holdersOf)[0] ?? ''
    const operator = await startTestService(store.database, {
      config: testConfig({ tokens: { deny: [{ chainId: chain, address: largest, reason: 'a scam' }] } }),
    })
    operator.now = now
    const list = `${base}/tokens?filterSpamTokens=false&pageSize=2`
    for (const [sortBy, count] of [
      ['holderCount', holdersOf],
      ['lastDayTransferCount', lastDayOf],
    ] as const) {
      const { rows } = await readAll(`${list}&sortBy=${sortBy}`, operator)
      expect(rows.map(({ address }) => address)).toEqual([
        ...byCount(count).filter((token) => token !== largest),
        largest,
      ])
      expect(rows.at(-1)).toMatchObject({ tokenReputation: 'Malicious' })
    }
    await operator.close()
  })

  /** Every page of a list from another service. */
  async function readAll(path: string, from: TestService) {
    const rows: (Address & Record<string, unknown>)[] = []
    for (let next = ''; ;) {
      const body = await get(`${path}${next}`, from)
      rows.push(...body.tokens)
      if (body.nextPageToken === undefined) return { rows }
      next = `&pageToken=${body.nextPageToken}`
    }
  }

  test('of one kind, and without spam', async () => {
    expect((await get(`${base}/tokens?ercType=ERC-721`)).tokens.map((each: Address) => each.address)).toEqual(
      [art],
    )
    const operator = await startTestService(store.database, {
      config: testConfig({ tokens: { deny: [{ chainId: chain, address: coin, reason: 'a scam' }] } }),
    })
    const shown = await get(`${base}/tokens`, operator)
    expect(shown.tokens.map((each: Address) => each.address)).toEqual(all.filter((token) => token !== coin))
    const { tokens } = await get(`${base}/tokens?filterSpamTokens=false`, operator)
    expect(tokens.find((each: Address) => each.address === coin)).toMatchObject({
      tokenReputation: 'Malicious',
      reputationReasons: ['a scam'],
    })
    await operator.close()
  })

  test('one of them has its totals, its last movement and the source of its balances', async () => {
    for (const token of [coin, art, item]) {
      const { supply, holderCount, transferCount, last } = totalsOf(token)
      const ids = new Set(movesOf(token).map(({ id }) => id)).size
      expect(await get(`${base}/tokens/${token.toUpperCase().replace('0X', '0x')}`)).toMatchObject({
        address: token,
        supply,
        holderCount,
        transferCount,
        lastTransferTimestamp: last?.ts,
        balanceSource: 'logs',
        ...(token !== coin && { idCount: String(ids) }),
      })
    }
    const bytes = Buffer.from(coin.slice(2), 'hex')
    await store.database`
      insert into token_facts (chain, token, name, symbol, decimals, disagrees, asked_block, asked_ts, due_ts)
      values (${chain}, ${bytes}, 'Coin "one"', 'ONE', 6, true, 1, 1, 1)`
    // Metadata are written without an announcement, so a cached answer must expire.
    const fresh = await startTestService(store.database)
    expect(await get(`${base}/tokens/${coin}`, fresh)).toMatchObject({
      name: 'Coin "one"',
      symbol: 'ONE',
      decimals: 6,
      balanceSource: 'node',
    })
    await fresh.close()
    await store.database`delete from token_facts`
  })

  test.each(['', '/transfers', '/holders', '/distribution', '/history'])(
    'an unknown token is a 404: %s',
    async (path) => {
      const response = await service.app.inject(`${base}/tokens/${addressOf('none')}${path}`)
      expect(response.statusCode).toBe(404)
      expect((await service.app.inject(`${base}/tokens/0x12${path}`)).statusCode).toBe(400)
    },
  )
})

type Address = { address: string }
type Row = { blockNumber: string; logIndex: number; tokenId?: string; value?: string; txHash: string }

const rowText = (row: Row): string =>
  `${row.blockNumber} ${row.logIndex} ${row.tokenId ?? '-'} ${row.value ?? '-'}`
const movedText = ({ block, index, move, id, value }: Moved): string =>
  `${block.number} ${index} ${move.kind === 20 ? '-' : id} ${move.kind === 721 ? '-' : value}`

describe('transfers of a token', () => {
  test.each(['asc', 'desc'] as const)(
    '%s, each item of a batch once, wherever a page ends',
    async (order) => {
      for (const token of [coin, art, item]) {
        const wanted = movesOf(token).map(movedText)
        expect(wanted.length).toBeGreaterThan(15)
        for (const pageSize of [1, 2, 7, 100]) {
          const path = `${base}/tokens/${token}/transfers?sortOrder=${order}&pageSize=${pageSize}`
          const rows = await walk<Row>(path, 'transactions')
          expect(rows.map(rowText)).toEqual(order === 'asc' ? wanted : wanted.toReversed())
        }
      }
    },
  )

  test('latest first by default, with all fields', async () => {
    const { transactions } = await get(`${base}/tokens/${item}/transfers?pageSize=1`)
    const last = movesOf(item).at(-1)
    if (!last) throw new Error('no movement')
    const [seeded] = seedBlocks([last.block])
    expect(transactions).toEqual([
      {
        blockNumber: String(last.block.number),
        blockTimestamp: last.block.ts,
        blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        txHash: seeded && transactionHash(chain, seeded, last.index),
        logIndex: last.index,
        from: { address: last.move.from },
        to: { address: last.move.to },
        ercType: 'ERC-1155',
        tokenId: String(last.id),
        value: String(last.value),
      },
    ])
  })

  test('of a range of blocks', async () => {
    const [from, before] = [30, 80]
    for (const order of ['asc', 'desc']) {
      const path = `${base}/tokens/${coin}/transfers?startBlock=${from}&endBlock=${before}&pageSize=3&sortOrder=${order}`
      const rows = await walk<Row>(path, 'transactions')
      const inside = movesOf(coin).filter(({ block }) => block.number >= from && block.number < before)
      expect(rows.map(rowText).sort()).toEqual(inside.map(movedText).sort())
    }
  })

  test('of one NFT: all that changed its owner', async () => {
    for (const token of [art, item]) {
      for (const id of [0n, 2n, 3n]) {
        const changed = new Set<number>()
        for (const { number } of history) {
          const differs = people.some((address) => {
            const at = (height: number) =>
              holdingsAt(history, address, kindOf(token), height).get(`${token} ${id}`)?.balance
            return (at(number) ?? 0n) !== (at(number - 1) ?? 0n)
          })
          if (differs) changed.add(number)
        }
        const wanted = movesOf(token).filter((moved) => moved.id === id && changed.has(moved.block.number))
        expect(wanted.length).toBeGreaterThan(0)
        for (const pageSize of [1, 3, 100]) {
          const path = `${base}/tokens/${token}/transfers?tokenId=0${id}&pageSize=${pageSize}`
          const rows = await walk<Row>(`${path}&sortOrder=asc`, 'transactions')
          expect(rows.map(rowText)).toEqual(wanted.map(movedText))
          expect((await walk<Row>(path, 'transactions')).map(rowText)).toEqual(
            wanted.map(movedText).toReversed(),
          )
        }
      }
    }
  })

  test('a descending listing returns each movement once while blocks arrive and are replaced', async () => {
    const before = movesOf(item).map(movedText)
    const more = (page: number) => randomBlocks(page, cast, head + 1, 3, start + 110 * 3_600)
    const rows = await walk<Row>(
      `${base}/tokens/${item}/transfers?pageSize=4`,
      'transactions',
      async (page) => {
        await revertTo(store.database, chain, head)
        await insertBlocks(store.database, chain, seedBlocks(more(page), `branch ${page}`))
      },
    )
    await revertTo(store.database, chain, head)
    expect(rows.map(rowText)).toEqual(before.toReversed())
  })

  test('malformed transfer logs are skipped', async () => {
    const token = addressOf('liar')
    const good = (id: number) =>
      logOf({
        kind: 1155,
        token,
        from: zeroAddress,
        to: people[0] ?? '',
        items: [{ id: BigInt(id), value: 5n }],
      })
    const logs = Array.from({ length: 400 }, (_, index) =>
      index % 150 === 0 ? good(index) : { ...good(index), data: '0x1234' },
    )
    await insertBlocks(store.database, chain, [
      { number: head + 1, ts: start + 500 * 3_600, txs: [{ from: people[1] ?? '', to: token, logs }] },
    ])
    const rows = await walk<Row>(`${base}/tokens/${token}/transfers?pageSize=2`, 'transactions')
    expect(rows.map((row) => row.tokenId)).toEqual(['300', '150', '0'])
    await revertTo(store.database, chain, head)
  })
})

describe('holders of a token', () => {
  test('largest first, with their shares of the supply', async () => {
    for (const token of [coin, art, item]) {
      const { held, supply } = totalsOf(token)
      const wanted = people
        .map((address, index) => ({ address, balance: held[index] ?? 0n }))
        .filter(({ balance }) => balance > 0n)
        .sort((a, b) =>
          a.balance === b.balance ? (a.address < b.address ? 1 : -1) : a.balance < b.balance ? 1 : -1,
        )
      for (const pageSize of [1, 2, 500]) {
        const holders = await walk<{ address: string; balance: string; share?: number }>(
          `${base}/tokens/${token}/holders?pageSize=${pageSize}`,
          'holders',
        )
        expect(holders.map(({ address, balance }) => [address, balance])).toEqual(
          wanted.map(({ address, balance }) => [address, balance.toString()]),
        )
        for (const { balance, share } of holders) {
          if (supply === '0') expect(share).toBeUndefined()
          else expect(share).toBeCloseTo((Number(balance) / Number(supply)) * 100, 3)
        }
      }
    }
  })

  test('by the names of the contracts that the operator knows', async () => {
    const { held } = totalsOf(coin)
    const vault = people.find((_, index) => (held[index] ?? 0n) > 0n) ?? ''
    const operator = await startTestService(store.database, {
      config: testConfig({ contracts: [{ chainId: chain, address: vault, name: 'Ridge Vault' }] }),
    })
    const { holders } = await get(`${base}/tokens/${coin}/holders?pageSize=500`, operator)
    const named = (holders as { address: string; name?: string }[]).filter(({ name }) => name !== undefined)
    expect(named).toMatchObject([{ address: vault, name: 'Ridge Vault' }])
    await operator.close()
  })

  test('how the supply is distributed', async () => {
    const held = totalsOf(coin).held.filter((balance) => balance > 0n)
    const sum = held.reduce((total, balance) => total + balance, 0n)
    const { bands, top, ...rest } = await get(`${base}/tokens/${coin}/distribution`)
    expect(rest).toEqual({ holderCount: String(held.length), held: sum.toString() })
    for (const { digits, holderCount, held: inBand } of bands) {
      const inside = held.filter((balance) => balance.toString().length === digits)
      expect(holderCount).toBe(String(inside.length))
      expect(inBand).toBe(inside.reduce((total, balance) => total + balance, 0n).toString())
    }
    expect(top).toEqual([10, 50, 100].map((holders) => ({ holders, share: 100 })))
  })
})

describe('history of a token', () => {
  const midnight = (ts: number): number =>
    Date.parse(`${new Date(ts * 1000).toISOString().slice(0, 10)}T00:00:00Z`) / 1000
  const daysOf = (token: string): number[] => [
    ...new Set(movesOf(token).map(({ block }) => midnight(block.ts))),
  ]

  test.each([1, 2, 2160])(
    'totals at the end of each day in which it moved, in pages of %i',
    async (pageSize) => {
      for (const token of [coin, art, item]) {
        const points = await walk(`${base}/tokens/${token}/history?pageSize=${pageSize}`, 'points')
        const days = daysOf(token)
        expect(days.length).toBeGreaterThanOrEqual(3)
        expect(points).toEqual(
          days.map((timestamp) => {
            const { supply, holderCount, transferCount } = totalsOf(token, timestamp + 86_400)
            return { timestamp, supply, holderCount, transferCount }
          }),
        )
      }
    },
  )

  test('both times are exclusive', async () => {
    const [first = 0, second = 0, third = 0] = daysOf(coin)
    const read = async (query: string): Promise<number[]> =>
      (await get(`${base}/tokens/${coin}/history?${query}`)).points.map(
        (point: { timestamp: number }) => point.timestamp,
      )
    expect(await read(`startTimestamp=${first}&endTimestamp=${third}`)).toEqual([second])
    expect(await read(`startTimestamp=${first - 1}&endTimestamp=${second + 1}`)).toEqual([first, second])
    expect(await read(`startTimestamp=4000000000`)).toEqual([])
    expect(
      (await service.app.inject(`${base}/tokens/${coin}/history?startTimestamp=2&endTimestamp=1`)).statusCode,
    ).toBe(400)
  })
})

test.each(['tokens?', `tokens/${coin}/transfers?`, `tokens/${coin}/holders?`, `tokens/${coin}/history?`])(
  'a page token of %s works for its own list only',
  async (path) => {
    const { nextPageToken } = await get(`${base}/${path}pageSize=1`)
    expect(nextPageToken).toBeDefined()
    const other = path.replace(coin, coins[1] ?? '').replace('tokens?', 'tokens?ercType=ERC-20&')
    expect((await service.app.inject(`${base}/${other}pageToken=${nextPageToken}`)).statusCode).toBe(400)
    expect((await service.app.inject(`${base}/${path}pageToken=${nextPageToken}x`)).statusCode).toBe(400)
  },
)
