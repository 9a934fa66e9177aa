import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { numbers, seedBlocks, type TokenBlock } from '../../testing/token-history.ts'
import { zeroAddress, type Movement } from '../../testing/token-logs.ts'

const chain = 43113
const start = 1_790_000_000
const people = Array.from({ length: 4 }, (_, index) => addressOf(`holder ${index}`))
const [serial, hostile] = ['serial', 'hostile'].map(addressOf) as [string, string]
const all = 2n ** 256n

/** Who owns each id of `serial` after each block, kept id by id. */
const owners: Map<bigint, string>[] = []
const firstBlocks = new Map<bigint, number>()

/**
 * A contract that mints and moves ids alone and in ranges (ERC-2309), as its owners may: some are burned, some come back
 * to whom they were minted to, and many an id moves several times in a block.
 */
function draw(): TokenBlock[] {
  const below = numbers(11)
  const pick = <Item>(list: readonly Item[]): Item => list[below(list.length)] as Item
  const owned = new Map<bigint, string>()
  let next = 1n
  return Array.from({ length: 40 }, (_, at): TokenBlock => {
    const moves: Movement[] = []
    const move = (from: string, to: string, id: bigint, value: bigint): void => {
      moves.push({ kind: 721, token: serial, from, to, items: [{ id, value }] })
      for (let each = id; each < id + value; each += 1n) {
        owned.set(each, to)
        if (!firstBlocks.has(each)) firstBlocks.set(each, at + 2)
      }
    }
    for (let count = below(6); count > 0; count -= 1) {
      const [id = 1n, owner = zeroAddress] = owned.size > 0 ? pick([...owned]) : []
      // A block in which a token only comes back to its owner changes nothing, and is not a block of its list.
      const to = pick(
        [...people, ...people, zeroAddress].filter((person) => person !== owner || owner === zeroAddress),
      )
      if (owned.size === 0 || below(5) === 0) {
        const size = BigInt(1 + below(9))
        move(zeroAddress, pick(people), next, size)
        next += size + BigInt(below(2))
      } else if (owner !== zeroAddress) {
        let size = 1n
        while (below(3) > 0 && owned.get(id + size) === owner) size += 1n
        move(owner, to, id, size)
      }
    }
    owners.push(new Map(owned))
    return { number: at + 2, ts: start + at * 3_600, moves }
  })
}
const history = draw()
const head = history.at(-1)?.number ?? 0
const everything: TokenBlock = {
  number: head + 1,
  ts: start + 400_000,
  moves: [
    // Every id at once, again and again; then one of them moves on its own.
    ...people.slice(1).map(
      (person): Movement => ({ kind: 721, token: hostile, from: zeroAddress, to: person, items: [{ id: 0n, value: all }] }), // prettier-ignore
    ),
    { kind: 721, token: hostile, from: people[1] ?? '', to: people[0] ?? '', items: [{ id: 7n, value: 1n }] },
  ],
}

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: seedBlocks([...history, everything]) })
  service = await startTestService(store.database)
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

async function get<Body>(path: string): Promise<Body> {
  const answer = await service.app.inject(`/v1/chains/${chain}${path}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<Body>()
}

/** All rows of a list, page by page. */
async function walk<Row>(path: string, list: string, pageSize: number): Promise<Row[]> {
  const rows: Row[] = []
  for (let next = ''; ;) {
    const mark = path.includes('?') ? '&' : '?'
    const body: { nextPageToken?: string } & Record<string, unknown> = await get(
      `${path}${mark}pageSize=${pageSize}${next && `&pageToken=${next}`}`,
    )
    rows.push(...(body[list] as Row[]))
    if (body.nextPageToken === undefined) return rows
    next = body.nextPageToken
  }
}

type Nft = { tokenId: string; ownerAddress?: string }
const collection = (token: string): string => `/nfts/collections/${token}/tokens`

test('the history has what it is drawn for', () => {
  const moves = history.flatMap((block) => block.moves)
  const isRange = ({ items: [item] }: Movement): boolean => (item?.value ?? 0n) > 1n
  expect(moves.filter((move) => isRange(move) && move.from === zeroAddress).length).toBeGreaterThan(5)
  expect(moves.filter((move) => isRange(move) && move.from !== zeroAddress).length).toBeGreaterThan(5)
  expect(moves.filter((move) => !isRange(move)).length).toBeGreaterThan(20)
  expect([...(owners.at(-1) ?? [])].filter(([, owner]) => owner === zeroAddress).length).toBeGreaterThan(3)
})

test.each([1, 7, 100])('lists every ID with its owner, in pages of %i', async (pageSize) => {
  const expected = [...(owners.at(-1) ?? [])]
    .sort(([left], [right]) => Number(left - right))
    .map(([id, owner]) => ({ tokenId: `${id}`, ownerAddress: owner === zeroAddress ? undefined : owner }))
  const found = await walk<Nft>(collection(serial), 'tokens', pageSize)
  expect(found.map(({ tokenId, ownerAddress }) => ({ tokenId, ownerAddress }))).toEqual(expected)
  const { idCount } = await get<{ idCount: string }>(`/tokens/${serial}`)
  expect(idCount).toBe(`${expected.length}`)
})

test('shows each id with the block that moved it first, and those that moved it', async () => {
  for (const [id, owner] of owners.at(-1) ?? []) {
    const nft = await get<Nft & { firstBlock: string }>(`${collection(serial)}/${id}`)
    expect({ owner: nft.ownerAddress ?? zeroAddress, firstBlock: nft.firstBlock }).toEqual({
      owner,
      firstBlock: `${firstBlocks.get(id)}`,
    })
    for (const order of ['asc', 'desc']) {
      const path = `/tokens/${serial}/transfers?tokenId=${id}&sortOrder=${order}`
      const transfers = await walk<{ blockNumber: string; from: { address: string } }>(
        path,
        'transactions',
        2,
      )
      const expected = history.flatMap(({ number, moves }) =>
        moves
          .filter(({ items: [item] }) => item && item.id <= id && id < item.id + item.value)
          .map(({ from }) => `${number} ${from}`),
      )
      const found = transfers.map(({ blockNumber, from }) => `${blockNumber} ${from.address}`)
      expect(order === 'asc' ? found : found.toReversed(), `${id} ${order}`).toEqual(expected)
    }
  }
  const missing = await service.app.inject(`/v1/chains/${chain}${collection(serial)}/100000`)
  expect(missing.statusCode).toBe(404)
})

test.each([1, 100])('lists what an address holds at any block, in pages of %i', async (pageSize) => {
  for (const number of [3, 12, 25, head]) {
    for (const person of people) {
      const expected = [...(owners[number - 2] ?? [])]
        .filter(([, owner]) => owner === person)
        .map(([id]) => id)
        .sort((left, right) => Number(left - right))
      const path = `/addresses/${person}/balances:listErc721?blockNumber=${number}&contractAddress=${serial}`
      const found = await walk<Nft>(path, 'erc721TokenBalances', pageSize)
      expect(
        found.map(({ tokenId }) => BigInt(tokenId)),
        `${person} at ${number}`,
      ).toEqual(expected)
    }
  }
})

test('lists the transfers of an address, a range as one', async () => {
  for (const person of people) {
    const found = await walk<{ erc721Token: { tokenId: string; lastTokenId?: string } }>(
      `/addresses/${person}/transactions:listErc721?endBlock=${head + 1}`,
      'transactions',
      3,
    )
    const expected = history
      .flatMap(({ moves }) => moves.filter(({ from, to }) => from === person || to === person))
      .map(({ items: [item] }) => {
        const [id, value] = [item?.id ?? 0n, item?.value ?? 0n]
        return value > 1n ? `${id}-${id + value - 1n}` : `${id}`
      })
    const shown = found.map(({ erc721Token: { tokenId, lastTokenId } }) =>
      lastTokenId === undefined ? tokenId : `${tokenId}-${lastTokenId}`,
    )
    expect(shown.toReversed()).toEqual(expected)
  }
})

test('a contract that logs every id at once costs a page like any other', async () => {
  const [zeroth = '', first = ''] = people
  const { tokens } = await get<{ tokens: Nft[] }>(`${collection(hostile)}?pageSize=100`)
  expect(tokens.map(({ tokenId }) => tokenId)).toEqual(Array.from({ length: 100 }, (_, id) => `${id}`))
  expect(tokens[7]?.ownerAddress).toBeDefined()
  const last = await get<Nft>(`${collection(hostile)}/${all - 1n}`)
  expect(people).toContain(last.ownerAddress)
  const { idCount } = await get<{ idCount: string }>(`/tokens/${hostile}`)
  expect(idCount).toBe(`${all}`)
  const held = await get<{ erc721TokenBalances: Nft[] }>(
    `/addresses/${first}/balances:listErc721?contractAddress=${hostile}&pageSize=10`,
  )
  expect(held.erc721TokenBalances.map(({ tokenId }) => tokenId)).toEqual(['0', '1', '2', '3', '4', '5', '6', '8', '9', '10']) // prettier-ignore
  const own = await walk<Nft>(`/addresses/${zeroth}/balances:listErc721?contractAddress=${hostile}`, 'erc721TokenBalances', 5) // prettier-ignore
  expect(own.map(({ tokenId }) => tokenId)).toEqual(['7'])
})
