import { afterAll, beforeAll, expect, test } from 'vitest'
import { Retention } from '../../maintenance/retention.ts'
import { addressOf, seedChain, transactionHash, type SeedBlock } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { asOperator, testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

/*
 * A chain that keeps the logs of 4 days and the internal calls of 2: ten blocks, one a day, of which each has a call, a
 * transfer of a token, and the last is final. So logs are kept from block 5 on, and calls from block 7 on.
 */
const chain = 302
const [sender, payee, token] = [addressOf('sender'), addressOf('payee'), addressOf('token')]
const topicOf = (address: string): string => `0x${'0'.repeat(24)}${address.slice(2)}`
const blocks: SeedBlock[] = Array.from({ length: 10 }, (_, number) => ({
  number,
  ts: 1_770_000_000 + number * 86_400,
  txs: [
    {
      from: sender,
      to: token,
      calls: [{ type: 'CALL', sender: token, recipient: payee, value: 5n, depth: 1 }],
      logs: [
        {
          address: token,
          topics: [
            '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
            topicOf(sender),
            topicOf(payee),
          ],
          data: `0x${(7).toString(16).padStart(64, '0')}`,
        },
      ],
    },
  ],
}))

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks, finalized: 9 })
  const signal = new AbortController().signal
  await new Retention({
    database: store.database,
    chain: { evmChainId: chain, keepTraces: 2, keepLogs: 4 },
    signal,
  }).round()
  const config = testConfig({
    chains: [{ evmChainId: chain, name: 'Lean', rpcUrl: 'http://127.0.0.1:9', isTestnet: true }],
  })
  service = await startTestService(store.database, { config })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const get = async (path: string) => (await service.app.inject(`/v1/chains/${chain}${path}`)).json()
const hashAt = (number: number): string => {
  const block = blocks[number]
  if (!block) throw new RangeError(`there is no block ${number}`)
  return transactionHash(chain, block, 0)
}
const heightsOf = (answer: { transactions: { blockNumber: string }[] }): number[] =>
  answer.transactions.map(({ blockNumber }) => Number(blockNumber))
const gone = (message: RegExp) => ({
  statusCode: 410,
  error: 'Gone',
  message: expect.stringMatching(message) as string,
})
const logsGone = gone(/^not kept: logs of Lean before block 5 were dropped \(keepLogs\)$/)

test('a transaction lacks what was dropped, and says from where on it is kept', async () => {
  const parts = [
    'internalTransactions',
    'logs',
    'erc20Transfers',
    'erc721Transfers',
    'erc1155Transfers',
  ] as const
  for (const { number } of blocks) {
    const answer = await get(`/transactions/${hashAt(number)}`)
    const [hasCalls, hasLogs] = [number >= 7, number >= 5]
    expect(parts.map((part) => answer[part] !== undefined)).toEqual([hasCalls, ...Array(4).fill(hasLogs)])
    expect([answer.tracesFrom, answer.logsFrom]).toEqual([
      hasCalls ? undefined : '7',
      hasLogs ? undefined : '5',
    ])
  }
})

test.each([
  ['the transfers of an address', `/addresses/${payee}/transactions:listErc20`, 'logsFrom', 5, logsGone],
  ['the transfers of a token', `/tokens/${token}/transfers`, 'logsFrom', 5, logsGone],
  [
    'the internal calls of an address',
    `/addresses/${payee}/transactions:listInternals`,
    'tracesFrom',
    7,
    gone(/^not kept: internal calls of Lean before block 7 were dropped \(keepTraces\)$/),
  ],
])('%s say what they lack, and nothing is a 410', async (_, path, field, from, refusal) => {
  const all = await get(path)
  expect(all[field]).toBe(`${from}`)
  expect(heightsOf(all).toSorted()).toEqual(
    blocks.map(({ number }) => number).filter((number) => number >= from),
  )
  const later = await get(`${path}?startBlock=${from}`)
  expect([later[field], later.transactions.length]).toEqual([undefined, 10 - from])
  expect(await get(`${path}?startBlock=1&endBlock=${from}`)).toMatchObject(refusal)
  // Of the last block of this range everything is kept.
  expect(heightsOf(await get(`${path}?startBlock=1&endBlock=${from + 1}`))).toEqual([from])
})

test('rows that are about to be deleted are not shown', async () => {
  await store.database`
    insert into logs select chain, 4, index, tx_index, address, topic0, topic1, topic2, topic3, data
    from logs where chain = ${chain} and number = 5`
  const path = `/addresses/${payee}/transactions:listErc721`
  const all = await get(path.replace('721', '20') + '?pageSize=100')
  expect(heightsOf(all)).not.toContain(4)
  await store.database`delete from logs where chain = ${chain} and number = 4`
})

test('the transactions of an address lack only what was dropped of each', async () => {
  const answer = await get(`/addresses/${sender}/transactions?sortOrder=asc`)
  expect(answer).toMatchObject({ tracesFrom: '7', logsFrom: '5' })
  expect(
    answer.transactions.map((item: Record<string, unknown>) => [
      'erc20Transfers' in item,
      'internalTransactions' in item,
    ]),
  ).toEqual(blocks.map(({ number }) => [number >= 5, number >= 7]))
  const kept = await get(`/addresses/${sender}/transactions?startBlock=7`)
  expect([kept.tracesFrom, kept.logsFrom]).toEqual([undefined, undefined])
})

test('what a transaction changed and moved is not said to be nothing', async () => {
  const old = await get(`/transactions/${hashAt(2)}/changes`)
  expect(old).toMatchObject({ isTraced: false, tracesFrom: '7', logsFrom: '5' })
  const whole = await get(`/transactions/${hashAt(8)}/changes`)
  expect([whole.isTraced, whole.tracesFrom, whole.logsFrom]).toEqual([true, undefined, undefined])
  expect(whole.changes.some(({ asset }: { asset: { kind: string } }) => asset.kind === 'ERC-20')).toBe(true)
  const { transactions } = await get('/transactions:listMovements?positions=8-0,2-0')
  expect(transactions).toMatchObject([
    { blockNumber: '8', isComplete: true, erc20Transfers: [{ value: '7' }], nativeReceived: '0' },
    { blockNumber: '2', isComplete: false, logsFrom: '5' },
  ])
  expect(transactions[1].nativeReceived).toBeUndefined()
})

test('the first block of an address is not known, and the last only where it is kept', async () => {
  const overview = await get(`/addresses/${payee}/overview`)
  expect(overview).toMatchObject({ lastBlock: '9', hasTraces: true, tracesFrom: '7', logsFrom: '5' })
  expect([overview.firstBlock, overview.firstTimestamp]).toEqual([undefined, undefined])
  expect(overview.erc20Count).toBe('1')
})

test('the balance is that of all logs, dropped ones too', async () => {
  const { erc20TokenBalances: balances } = await get(`/addresses/${payee}/balances:listErc20`)
  expect(balances).toMatchObject([{ address: token, balance: '70' }])
})

test('the status says what is kept', async () => {
  const { chains } = (await service.app.inject('/v1/status')).json()
  expect(chains).toMatchObject([{ chainId: `${chain}`, tracesFrom: '7', logsFrom: '5' }])
})

test('SQL names the tables that lack rows, in the answer and in a header', async () => {
  const ask = (sql: string, format: 'json' | 'csv') =>
    service.app.inject({ method: 'POST', url: '/v1/sql', headers: asOperator, payload: { sql, format } })
  const whole = await ask('select count(*) as n from blocks', 'json')
  expect(whole.json()).toMatchObject({ rows: [['10']] })
  expect([whole.json().notKept, whole.headers['x-sql-not-kept']]).toEqual([undefined, undefined])
  const lacking = await ask('select min(number) as low, count(*) as n from token_transfers', 'json')
  expect(lacking.json()).toMatchObject({
    rows: [['5', '5']],
    notKept: [{ table: 'token_transfers', chain: `${chain}`, from: 5 }],
  })
  const both = await ask('select min(c.number), min(l.number) from calls c, logs l', 'csv')
  expect(both.body).toMatch(/\n7,5\r?\n$/)
  expect(both.headers['x-sql-not-kept']).toBe(`logs ${chain} 5, calls ${chain} 7`)
})

test('an export that would lack rows is a 410, and one of kept rows is whole', async () => {
  const exported = (table: string, from: number) =>
    service.app.inject(`/v1/exports/${table}?chainId=${chain}&startBlock=${from}`)
  for (const [table, from] of [
    ['logs', 5],
    ['token_transfers', 5],
    ['calls', 7],
  ] as const) {
    const refused = await exported(table, from - 1)
    expect([refused.statusCode, refused.json().message]).toEqual([
      410,
      `not kept: rows of ${table} of Lean before block ${from} were dropped; give startBlock=${from}`,
    ])
    const kept = await exported(table, from)
    expect([kept.statusCode, kept.body.trimEnd().split('\n').length]).toEqual([200, 1 + 10 - from])
  }
  expect((await exported('transactions', 0)).body.trimEnd().split('\n')).toHaveLength(11)
})

test('the proof of a point that counts dropped rows is a 410', async () => {
  const proof = (number: number, metric: string) =>
    service.app.inject({
      headers: asOperator,
      url: `/v2/chains/${chain}/metrics/${metric}/proof`,
      query: { timestamp: String(1_770_000_000 + number * 86_400), timeInterval: 'day' },
    })
  const refused = await proof(3, 'activeAddresses')
  expect([refused.statusCode, refused.json().message]).toEqual([
    410,
    'not kept: the rows of logs before block 5, which the point counts, were dropped',
  ])
  expect((await proof(8, 'activeAddresses')).statusCode).toBe(200)
  expect((await proof(3, 'txCount')).statusCode).toBe(200)
})
