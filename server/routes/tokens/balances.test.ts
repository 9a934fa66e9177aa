import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf } from '../../testing/chain-rows.ts'
import {
  ann,
  bob,
  cast,
  coins,
  expected,
  first,
  firstKeptHeight,
  last,
  list,
  names,
  nativeAt,
  startBalanceChain,
  type BalanceChain,
  type Item,
} from '../../testing/balance-chain.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService } from '../../testing/service.ts'

let world: BalanceChain
const get = (path: string) => world.get(path)

beforeAll(async () => {
  world = await startBalanceChain()
})
afterAll(() => world.close())

const status = async (path: string) => (await world.service.app.inject(path)).statusCode

const text = (item: Item): string => `${item.address} ${item.tokenId ?? '-'} ${item.balance ?? '1'}`

describe('balances at any block equal the sum of the movements up to it', () => {
  test.each([1, 3, 500])('in pages of %i', async (pageSize) => {
    let compared = 0
    for (const address of cast.people) {
      for (const height of [first, 17, 40, 63, last]) {
        const query = `pageSize=${pageSize}&blockNumber=${height}`
        const erc20 = expected(address, 20, height)
        const [erc721, erc1155] = [expected(address, 721, height), expected(address, 1155, height)]
        expect((await world.walk('Erc20', address, query)).map(text)).toEqual(erc20)
        expect((await world.walk('Erc721', address, query)).map(text)).toEqual(erc721)
        expect((await world.walk('Erc1155', address, query)).map(text)).toEqual(erc1155)
        expect((await world.walk('Collectibles', address, query)).map(text)).toEqual([...erc721, ...erc1155])
        compared += erc20.length + erc721.length + erc1155.length
      }
    }
    expect(compared).toBeGreaterThan(100)
  })

  test('of chosen contracts only', async () => {
    const all = expected(ann, 20, last)
    const [one, two] = [coins[1] ?? '', coins[4] ?? '']
    const chosen = `contractAddresses=${one},${two.toUpperCase().replace('0X', '0x')},${addressOf('none')},${one}`
    expect((await world.walk('Erc20', ann, `${chosen}&pageSize=1`)).map(text)).toEqual(
      all.filter((row) => row.startsWith(one) || row.startsWith(two)),
    )
    for (const kind of [721, 1155] as const) {
      const held = expected(bob, kind, last)
      const [contract = ''] = held.at(-1)?.split(' ') ?? []
      const wanted = held.filter((row) => row.startsWith(contract))
      expect(wanted.length).toBeGreaterThan(0)
      const query = `contractAddress=${contract}&pageSize=1`
      expect((await world.walk(`Erc${kind}`, bob, query)).map(text)).toEqual(wanted)
      expect((await world.walk('Collectibles', bob, query)).map(text)).toEqual(wanted)
    }
  })

  test('at the head where no block is named', async () => {
    const head = await get(list(ann, 'Erc20', 'pageSize=500', 'theBlockchain'))
    expect(head.erc20TokenBalances.map(text)).toEqual(expected(ann, 20, last))
    expect(await get(list(addressOf('nobody'), 'Erc20'))).toMatchObject({ erc20TokenBalances: [] })
  })
})

describe('rules', () => {
  test('a height that is not indexed is a 400 that names those that are', async () => {
    for (const kind of Object.keys(names)) {
      for (const height of [first - 1, last + 1]) {
        const response = await world.service.app.inject(list(ann, kind, `blockNumber=${height}`))
        expect(response.statusCode).toBe(400)
        expect(response.json().message).toEqual([
          `blockNumber: block ${height} is not indexed; allowed: ${first} to ${last}`,
        ])
      }
    }
  })

  test.each([
    ['pageSize=0', 400],
    ['pageSize=501', 400],
    ['blockNumber=0x5', 400],
    ['blockNumber=-1', 400],
    ['blockNumber=12345678901234567', 400],
    ['contractAddresses=0x12&contractAddress=0x12', 400],
    ['pageToken=abc', 400],
    ['currency=xxx&pageSize=500', 400],
  ])('%s is a %i', async (query, expectedStatus) => {
    const kind = query.startsWith('contract') ? 'Erc1155' : 'Erc20'
    expect(await status(list(ann, kind, query))).toBe(expectedStatus)
  })

  test('an unknown chain is a 404, of one without indexed blocks nothing is known yet', async () => {
    expect(await status(list(ann, 'Erc20', '', 9))).toBe(404)
    const empty = await startTestService(world.store.database, {
      config: testConfig({
        chains: [{ evmChainId: 9, name: 'Empty', rpcUrl: world.node.url }],
      }),
    })
    for (const path of [
      list(ann, 'Erc20', '', 9),
      list(ann, 'Collectibles', '', 9),
      list(ann, 'Erc20', 'blockNumber=0', 9),
    ])
      expect((await empty.app.inject(path)).json()).toMatchObject({
        statusCode: 503,
        message: 'not known yet: Empty has no indexed block',
      })
    await empty.close()
  })

  test('a page token works for its own list only', async () => {
    const { nextPageToken } = await get(list(ann, 'Erc20', 'pageSize=1'))
    for (const path of [
      list(bob, 'Erc20'),
      list(ann, 'Erc20', 'blockNumber=60'),
      list(ann, 'Erc20', 'filterSpamTokens=false'),
      list(ann, 'Erc20', `contractAddresses=${coins[0]}`),
      list(ann, 'Erc1155'),
    ]) {
      expect(await status(`${path}&pageToken=${nextPageToken}`), path).toBe(400)
    }
    expect(await status(`${list(ann, 'Erc20', 'pageSize=2')}&pageToken=${nextPageToken}`)).toBe(200)
  })
})

test('the native balance is absent where the node keeps no state, and when it is silent', async () => {
  const kinds = ['Erc20', 'Erc721', 'Erc1155']
  for (const kind of kinds) {
    expect((await get(list(ann, kind, `blockNumber=${firstKeptHeight}`))).nativeTokenBalance.balance).toBe(
      nativeAt(firstKeptHeight).toString(),
    )
    expect(await get(list(ann, kind, `blockNumber=${firstKeptHeight - 1}`))).not.toHaveProperty(
      'nativeTokenBalance',
    )
  }
  const unreachable = await startTestService(world.store.database)
  const response = await unreachable.app.inject(list(ann, 'Erc20'))
  expect(response.statusCode).toBe(200)
  expect(response.json()).not.toHaveProperty('nativeTokenBalance')
  await unreachable.close()
})
