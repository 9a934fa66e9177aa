import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ann,
  bob,
  chain,
  coins,
  expected,
  first,
  history,
  itemsOf,
  firstKeptHeight,
  last,
  list,
  nativeAt,
  balanceOfAnswer,
  start,
  startBalanceChain,
  type BalanceChain,
} from '../../testing/balance-chain.ts'
import { startTestService } from '../../testing/service.ts'
import { holdingsAt } from '../../testing/token-history.ts'

let world: BalanceChain
const get = (path: string) => world.get(path)

beforeAll(async () => {
  world = await startBalanceChain()
})
afterAll(() => world.close())

describe('the facts of a token', () => {
  const facts = (token: string, row: Record<string, unknown>) =>
    world.store.database`insert into token_facts ${world.store.database({
      chain,
      token: Buffer.from(token.slice(2), 'hex'),
      asked_block: last,
      asked_ts: start,
      due_ts: start,
      ...row,
    })} on conflict (chain, token) do update set ${world.store.database(row)}`
  const forget = () => world.store.database`delete from token_facts`

  test("spam is omitted and counted over the pages; the operator's lists take precedence", async () => {
    const held = expected(ann, 20, last).map((row) => row.slice(0, 42))
    expect(held.length).toBeGreaterThanOrEqual(4)
    const [one = '', two = '', three = ''] = held
    await facts(one, { reputation: 'Malicious', reputation_reasons: ['its name carries a link'] })
    await facts(two, { reputation: 'Malicious', reputation_reasons: ['paid thousands'] })
    const operator = await startTestService(world.store.database, {
      config: world.settings({
        tokens: { allow: [{ chainId: chain, address: two }], deny: [{ chainId: chain, address: three }] },
      }),
    })
    const read = async (query: string) => (await operator.app.inject(list(ann, 'Erc20', query))).json()
    let token: string | undefined
    let left = 0
    const shown: string[] = []
    do {
      const body = await read(`pageSize=1${token === undefined ? '' : `&pageToken=${token}`}`)
      left += body.spamTokenCount
      shown.push(...itemsOf('Erc20', body).map((item) => item.address))
      token = body.nextPageToken
    } while (token !== undefined)
    expect(shown).toEqual(held.filter((each) => each !== one && each !== three))
    expect(left).toBe(2)
    const overview = await operator.app.inject(`/v1/chains/${chain}/addresses/${ann}/overview`)
    expect(overview.json()).toMatchObject({ erc20Count: String(held.length), spamErc20Count: '2' })
    const all = await read('filterSpamTokens=false&pageSize=500')
    expect(all).not.toHaveProperty('spamTokenCount')
    expect(all.erc20TokenBalances[0]).toMatchObject({
      address: one,
      tokenReputation: 'Malicious',
      reputationReasons: ['its name carries a link'],
    })
    expect(all.erc20TokenBalances[1]).toMatchObject({ address: two, tokenReputation: 'Benign' })
    expect(all.erc20TokenBalances[2]).toMatchObject({ address: three, tokenReputation: 'Malicious' })
    expect(all.erc20TokenBalances[3]).toMatchObject({ tokenReputation: null })
    await operator.close()
    await forget()
  })

  test('a token that differs from its logs is read from the node while it keeps the state', async () => {
    const [honest = '', rebasing = '', reverting = ''] = [coins[0], coins[1], coins[3]]
    for (const token of [rebasing, reverting]) await facts(token, { disagrees: true })
    const chosen = `contractAddresses=${honest},${rebasing},${reverting}&pageSize=500`
    const at = async (height: number) =>
      new Map(
        itemsOf('Erc20', await get(list(ann, 'Erc20', `${chosen}&blockNumber=${height}`))).map((item) => [
          item.address,
          [item.balance, item.balanceSource],
        ]),
      )
    const logs = (token: string, height: number) => {
      const balance = holdingsAt(history, ann, 20, height).get(`${token} 0`)?.balance ?? 0n
      return balance > 0n ? [balance.toString(), 'logs'] : undefined
    }
    for (const height of [firstKeptHeight, last]) {
      const found = await at(height)
      expect(found.get(rebasing)).toEqual([balanceOfAnswer(height).toString(), 'node'])
      expect(found.get(honest)).toEqual(logs(honest, height))
      expect(found.get(reverting)).toEqual(logs(reverting, height))
    }
    const before = await at(firstKeptHeight - 1)
    for (const token of [honest, rebasing, reverting])
      expect(before.get(token)).toEqual(logs(token, firstKeptHeight - 1))
    // The listing also reads from the node, at the token's place in the order.
    const walked = await world.walk('Erc20', ann, 'pageSize=2')
    expect(walked.map((item) => item.address)).toEqual(walked.map((item) => item.address).sort())
    expect(walked.find((item) => item.address === rebasing)).toMatchObject({
      balance: balanceOfAnswer(last).toString(),
      balanceSource: 'node',
    })
    await forget()
  })

  test('prices and values of balances on the day of the block', async () => {
    const [priced = '', unpriced = ''] = expected(ann, 20, last).map((row) => row.slice(0, 42))
    await facts(priced, { name: '<b>Priced</b>', symbol: 'PRC', decimals: 2 })
    await facts(unpriced, { name: 'Unpriced', symbol: 'UNP', decimals: 0 })
    const path = join(mkdtempSync(join(tmpdir(), 'ridgeline-')), 'prices.json')
    const day = (height: number) =>
      new Date((history[height - first]?.ts ?? 0) * 1000).toISOString().slice(0, 10)
    const prices = (usd: string) => ({
      [day(last)]: { usd, eur: '0.25' },
      [day(firstKeptHeight)]: { usd: '3' },
    })
    writeFileSync(
      path,
      JSON.stringify({
        label: 'test prices',
        assets: [
          { id: `native:${chain}`, prices: prices('2') },
          { id: `erc20:${chain}:${priced}`, prices: prices('1.5') },
        ],
      }),
    )
    expect(day(last)).not.toBe(day(firstKeptHeight))
    const fiat = await startTestService(world.store.database, {
      config: world.settings({ prices: { file: path } }),
    })
    const read = async (query: string) => (await fiat.app.inject(list(ann, 'Erc20', query))).json()
    const usd = await read('pageSize=500')
    const amount = holdingsAt(history, ann, 20, last).get(`${priced} 0`)?.balance ?? 0n
    expect(usd.erc20TokenBalances[0]).toMatchObject({
      name: '<b>Priced</b>',
      symbol: 'PRC',
      decimals: 2,
      price: { currencyCode: 'usd', value: '1.5' },
      balanceValue: { currencyCode: 'usd', value: String((Number(amount) * 1.5) / 100) },
    })
    expect(usd.erc20TokenBalances[1]).not.toHaveProperty('price')
    expect(usd.nativeTokenBalance).toEqual({
      name: 'Coin',
      symbol: 'COIN',
      decimals: 18,
      chainId: String(chain),
      balance: nativeAt(last).toString(),
      price: { currencyCode: 'usd', value: '2' },
      balanceValue: { currencyCode: 'usd', value: `${2 * last}.000000000000000014` },
    })
    expect((await read('pageSize=500&currency=eur')).erc20TokenBalances[0].price).toEqual({
      currencyCode: 'eur',
      value: '0.25',
    })
    expect((await read(`blockNumber=${firstKeptHeight}`)).nativeTokenBalance.price.value).toBe('3')
    expect((await read('currency=jpy')).nativeTokenBalance).not.toHaveProperty('price')
    expect((await fiat.app.inject('/config.json')).json().profiles[0].priceLabel).toBe('test prices')
    await fiat.close()
    await forget()
  })
})

describe('metadata of an NFT', () => {
  test('is returned as it was read', async () => {
    const [row = ''] = expected(bob, 721, last)
    const [token = '', id = ''] = row.split(' ')
    await world.store.database`insert into nft_metadata ${world.store.database({
      chain,
      token: Buffer.from(token.slice(2), 'hex'),
      token_id: id,
      status: 'INDEXED',
      uri: 'ipfs://x/1',
      name: 'Sky "one"',
      image_uri: 'ipfs://x/1.png',
      updated_ts: start,
    })}`
    const { erc721TokenBalances } = await get(list(bob, 'Erc721', 'pageSize=500'))
    expect(erc721TokenBalances[0]).toEqual({
      address: token,
      ercType: 'ERC-721',
      tokenId: id,
      tokenUri: 'ipfs://x/1',
      metadata: {
        indexStatus: 'INDEXED',
        metadataLastUpdatedTimestamp: start,
        name: 'Sky "one"',
        imageUri: 'ipfs://x/1.png',
      },
      ownerAddress: bob,
      chainId: String(chain),
    })
  })
})
