import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { pages } from '../../contract/pages.ts'
import { addressOf, seedChain, transactionHash, type SeedBlock } from '../testing/chain-rows.ts'
import { asOperator, testConfig, testToken } from '../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { logOf, zeroAddress } from '../testing/token-logs.ts'
import { rewriteTokenRows } from '../testing/token-rows.ts'
import { startTestService, type TestService } from '../testing/service.ts'

/** `/mcp` by the protocol's own client; scripts/mcp.long.test.ts compares every tool with the API on a whole stack. */

const chain = 43113
const [alice, bob] = ['alice', 'bob'].map(addressOf) as [string, string]
// A token with decimals, one that claims too many, one that tells none, and NFTs that claim some.
const [plain, huge, untold, art] = ['plain', 'huge', 'untold', 'art'].map(addressOf) as [
  string,
  string,
  string,
  string,
]
const mint = (kind: 20 | 721, token: string, item: { id: bigint; value: bigint }) =>
  logOf({ kind, token, from: zeroAddress, to: alice, items: [item] })
const block: SeedBlock = {
  number: 1,
  ts: 1_700_000_010,
  txs: [
    { from: alice, to: bob, value: 5n * 10n ** 17n, status: 0, gasUsed: 21_000n },
    {
      from: alice,
      to: bob,
      logs: [
        ...[plain, huge, untold].map((token) => mint(20, token, { id: 0n, value: 5_555n })),
        mint(721, art, { id: 7n, value: 1n }),
      ],
    },
  ],
}
const tokenRow = (name: string, decimals: number | null) => ({
  chain,
  token: Buffer.from(addressOf(name).slice(2), 'hex'),
  name,
  symbol: name.toUpperCase(),
  decimals,
  asked_block: 1,
  asked_ts: 1,
  due_ts: 1,
})
const hash = transactionHash(chain, block, 0)
const key = (name: string): string => `key-of-${name}-0123456789abcdef`

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, {
    chain,
    blocks: [{ number: 0, ts: 1_700_000_000, txs: [] }, block],
    traceSource: 'none',
  })
  await rewriteTokenRows(store.database, chain)
  await store.database`insert into token_facts ${store.database([
    tokenRow('plain', 2),
    tokenRow('huge', 255),
    tokenRow('untold', null),
    tokenRow('art', 18),
  ])}`
})
afterAll(() => store.drop())

/** A service that listens, and clients of it. */
async function listening(file: Record<string, unknown> = {}) {
  const service: TestService = await startTestService(store.database, { config: testConfig(file) })
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 })
  const clients: Client[] = []
  return {
    service,
    url,
    async client(headers: Record<string, string> = {}): Promise<Client> {
      const client = new Client({ name: 'test', version: '1.0.0' })
      await client.connect(
        // The SDK's own types do not allow exact optional properties.
        new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }) as never,
      )
      clients.push(client)
      return client
    },
    async close(): Promise<void> {
      await Promise.all(clients.map((client) => client.close()))
      await service.close()
    },
  }
}

type Answer = {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent?: Record<string, unknown>
}
const call = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<Answer> =>
  (await client.callTool({ name, arguments: args })) as unknown as Answer

describe('one service', () => {
  let running: Awaited<ReturnType<typeof listening>>
  let client: Client
  beforeAll(async () => {
    running = await listening()
    client = await running.client()
  })
  afterAll(() => running.close())

  test('names its tools, all read-only, with both schemas and a description of each parameter', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'find',
      'list_chains',
      'explain_transaction',
      'address_balances',
      'address_activity',
      'wallet_balances',
      'list_validators',
      'get_validator',
      'list_l1s',
      'metric',
      'compare_chains',
      'most_used',
      'list_tokens',
      'get_token',
      'message_signatures',
      'service_state',
      'sql_tables',
      'sql',
    ])
    const guide = readFileSync(new URL('../../docs/assistants.md', import.meta.url), 'utf8')
    for (const { name, annotations, outputSchema, description } of tools) {
      expect(annotations, name).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(outputSchema?.type, name).toBe('object')
      expect(description?.length, name).toBeGreaterThan(50)
      expect(guide, 'docs/assistants.md').toContain(`\`${name}\``)
    }
    expect(client.getInstructions()).toContain('list_chains')
  })

  test('explains a failed transaction, in text and as data, with a link to its page', async () => {
    const { content, structuredContent } = await call(client, 'explain_transaction', {
      transaction: hash,
      chain: String(chain),
    })
    const url = `${running.url}/chain/${chain}/tx/${hash}`
    expect(content[0]?.text).toMatch(
      /^Failed: the reason is not known \(502: the node of Test Chain cannot be reached\).*\nBlock 1, 2023-11-14 22:13:30 UTC/,
    )
    expect(content[0]?.text).toContain(url)
    expect(structuredContent).toMatchObject({
      transaction: hash,
      chain: '43113',
      blockNumber: '1',
      timestamp: 1_700_000_010,
      url,
      evm: {
        isSuccess: false,
        from: { address: alice },
        to: { address: bob },
        value: '0.5',
        gasUsed: '21000',
      },
    })
    // Without a chain, it is found by its hash.
    expect((await call(client, 'explain_transaction', { transaction: hash })).structuredContent).toEqual(
      structuredContent,
    )
  })

  test('an amount of a token says what it counts', async () => {
    const units = [
      [plain, '55.55', 'PLAIN'],
      [huge, '5555', 'smallest units of HUGE'],
      [untold, '5555', 'smallest units of UNTOLD'],
    ] as const
    const moved = await call(client, 'explain_transaction', {
      transaction: transactionHash(chain, block, 1),
      chain: String(chain),
    })
    expect(moved.structuredContent).toMatchObject({
      evm: {
        transfers: [
          ...units.map(([token, amount, unit]) => ({ token, amount, unit })),
          { token: art, tokenId: '7' },
        ],
      },
    })
    const { tokens } = (await call(client, 'address_balances', { address: alice, chain: String(chain) }))
      .structuredContent as { tokens: Record<string, unknown>[] }
    for (const [token, amount, unit] of [...units, [art, '1', 'ART'] as const]) {
      const { content, structuredContent } = await call(client, 'get_token', {
        address: token,
        chain: String(chain),
      })
      expect(structuredContent).toMatchObject({
        token: { supply: amount, unit },
        holders: [{ balance: amount }],
      })
      expect(content[0]?.text).toContain(`supply ${amount} ${unit}, `)
      if (token === art) continue
      expect(tokens.find(({ address }) => address === token)).toMatchObject({
        balance: amount,
        raw: '5555',
        unit,
      })
      expect(moved.content[0]?.text).toContain(`: ${amount} ${unit} from `)
    }
  })

  test('a refusal of the API is an answer with its status and message', async () => {
    const missing = `0x${'12'.repeat(32)}`
    const expected = await running.service.app.inject(`/v1/chains/${chain}/transactions/${missing}`)
    const { isError, content } = await call(client, 'explain_transaction', {
      transaction: missing,
      chain: String(chain),
    })
    expect(isError).toBe(true)
    expect(content[0]?.text).toBe(`404: ${expected.json<{ message: string }>().message}`)
  })

  test.each([
    ['find', { query: '' }, 'query'],
    ['find', { query: 'x', chain: 'a b' }, 'EVM chain ID'],
    ['find', { query: 'x', nothing: 1 }, 'nothing'],
    ['explain_transaction', { transaction: '0x12' }, 'transaction hash'],
    ['address_balances', { address: alice, chain: '43113', at: '2026-02-30' }, 'a date that does not exist'],
    ['address_balances', { address: alice, chain: '43113', at: 'yesterday' }, 'must be a date'],
    ['wallet_balances', { addresses: ['fuji1'] }, 'must be an address'],
    ['get_validator', { nodeId: 'NodeID-0' }, 'must be a node ID'],
    ['list_l1s', { subnetId: '0x12' }, 'must be a subnet ID'],
    ['metric', { metric: 'nothing' }, 'txCount'],
    ['metric', { metric: 'totalStake', chain: '43113' }, 'leave out the chain'],
    ['metric', { metric: 'txCount', chain: '43113', limit: 501 }, 'limit'],
    ['nothing', {}, 'nothing not found'],
  ])('%s refuses %j', async (name, args, reason) => {
    const { isError, content } = await call(client, name, args)
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining(reason)])
  })

  test.each([
    ['2023-11-14', '404: chain 43113 has no indexed block at or before 2023-11-14 00:00:00 UTC'],
    ['2023-11-14T22:13:25Z', 'at block 0'],
    ['2023-11-14T22:13:30', 'at block 1'],
    ['2023-11-15T00:13:29+02:00', 'at block 0'],
    [1_700_000_010, 'at block 1'],
  ])('balances at %s are those of the last block by then', async (at, expected) => {
    const { content } = await call(client, 'address_balances', { address: alice, chain: '43113', at })
    expect(content[0]?.text).toContain(expected)
  })

  test('has the glossary, the metrics and the tables for SQL as resources', async () => {
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([
      'ridgeline://glossary',
      'ridgeline://metrics',
      'ridgeline://sql/tables',
    ])
    const read = async (uri: string) =>
      (await client.readResource({ uri })).contents.map((each) => ('text' in each ? each.text : ''))
    expect(await read('ridgeline://glossary')).toEqual([
      readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8'),
    ])
    expect((await read('ridgeline://metrics'))[0]).toContain('- `txCount`: Transactions (tx). ')
  })

  test('answers GET and DELETE with 405: it has no sessions', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const { statusCode, headers } = await running.service.app.inject({ method, url: '/mcp' })
      expect([statusCode, headers['allow']]).toEqual([405, 'POST'])
    }
  })

  test.each([
    ['an own page', { host: 'localhost', origin: 'http://localhost' }, 200],
    ['a page of another site', { host: 'localhost', origin: 'https://evil.example' }, 403],
    ['a page whose name leads here', { host: 'evil.example', origin: 'http://evil.example' }, 403],
    ['a program', { host: 'ridgeline.example' }, 200],
  ])('the request of %s', async (_, headers, status) => {
    const { statusCode } = await running.service.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { accept: 'application/json, text/event-stream', ...headers },
      payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
    })
    expect(statusCode).toBe(status)
  })

  test('/llms.txt leads to what the service has', async () => {
    const { statusCode, headers, body } = await running.service.app.inject('/llms.txt')
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const links = [...body.matchAll(/\]\((\/[^)?]+)/g)].map(([, path = '']) => path)
    expect(links).toContain('/mcp')
    // The dashboard has the page; this service runs without it.
    expect(links).toContain(pages.docs.path)
    for (const url of links.filter((link) => link !== pages.docs.path)) {
      const answer = await running.service.app.inject({ url, headers: { host: 'localhost' } })
      expect([url, answer.statusCode]).not.toEqual([url, 404])
    }
  })
})

describe('who asks', () => {
  test('the tool sql has the privileges of its caller', async () => {
    const running = await listening({
      apiKeys: [
        { name: 'plain', key: key('plain') },
        { name: 'analyst', key: key('analyst'), privileges: ['sql'] },
      ],
    })
    const asked = async (headers: Record<string, string>) => {
      const { isError, content } = await call(await running.client(headers), 'sql', {
        statement: 'select number, txs from blocks order by number',
      })
      return isError === true ? content[0]?.text.slice(0, 3) : 'passes'
    }
    expect(await asked({})).toBe('401')
    expect(await asked({ 'x-service-api-key': key('plain') })).toBe('403')
    expect(await asked({ 'x-ridgeline-token': 'another' })).toBe('401')
    await expect(asked({ 'x-service-api-key': 'unknown' })).rejects.toThrow('unknown key')
    // What passes reaches the statement, which names a column that does not exist.
    for (const headers of [{ 'x-service-api-key': key('analyst') }, { 'x-ridgeline-token': testToken }]) {
      const { isError, content } = await call(await running.client(headers as never), 'sql', {
        statement: 'select nothing from nowhere',
      })
      expect([isError, content[0]?.text.slice(0, 3)]).toEqual([true, '400'])
    }
    await running.close()
  })

  test('the requests of a tool count as those of its caller', async () => {
    const running = await listening({
      apiKeys: [{ name: 'tight', key: key('tight'), requestsPerMinute: 6 }],
      limits: { requestsPerMinute: 1_000 },
    })
    const headers = { 'x-service-api-key': key('tight') }
    // initialize and its notification; the call, and the one operation that it asks.
    const client = await running.client(headers)
    expect((await call(client, 'find', { query: alice })).isError).toBeUndefined()
    const left = await running.service.app.inject({ url: '/v1/chains', headers })
    expect(left.headers['ratelimit-remaining']).toBe('1')
    // The request to /mcp passes, the operation does not.
    const { isError, content } = await call(client, 'find', { query: alice })
    expect([isError, content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/^429: more than 6 requests a minute/),
    ])
    // Others are not affected.
    expect((await call(await running.client(), 'find', { query: alice })).isError).toBeUndefined()
    await running.close()
  })

  test('the client that a trusted proxy names is the one that asks, and links lead to its address', async () => {
    const limits = { requestsPerMinute: 6 }
    const running = await listening({ trustedProxies: ['127.0.0.1'], limits })
    const from = (address: string) => ({
      'x-forwarded-for': address,
      'x-forwarded-host': 'ridgeline.example',
      'x-forwarded-proto': 'https',
    })
    const client = await running.client(from('192.0.2.1'))
    const asked = await call(client, 'explain_transaction', { transaction: hash, chain: String(chain) })
    expect(asked.structuredContent?.['url']).toBe(`https://ridgeline.example/chain/${chain}/tx/${hash}`)
    expect((await call(client, 'find', { query: alice })).isError).toBe(true)
    // Another client behind the same proxy has a limit of its own.
    const other = await running.client(from('192.0.2.2'))
    expect((await call(other, 'find', { query: alice })).isError).toBeUndefined()
    await running.close()
  })

  test('with sign-in, a tool asks as the user whom the proxy names', async () => {
    const running = await listening({
      signIn: {
        proxies: ['127.0.0.1'],
        secret: key('the-proxy-of-this-test'),
        roles: { read: ['staff'], administrate: ['ops'] },
      },
    })
    const as = (group: string) => ({
      'x-forwarded-user': 'ann',
      'x-forwarded-groups': group,
      'x-ridgeline-proxy-secret': key('the-proxy-of-this-test'),
    })
    await expect(running.client()).rejects.toThrow('not signed in')
    const statusOf = async (group: string) => {
      const { isError, content } = await call(await running.client(as(group)), 'sql', {
        statement: 'select nothing',
      })
      return [isError, content[0]?.text.slice(0, 3)]
    }
    expect(await statusOf('staff')).toEqual([true, '403'])
    // It reaches the statement, which names a column that does not exist.
    expect(await statusOf('ops')).toEqual([true, '400'])
    await running.close()
  })

  test('the local token does not count from another machine', async () => {
    const running = await listening()
    const askedFrom = async (remoteAddress: string): Promise<string> => {
      const { body } = await running.service.app.inject({
        method: 'POST',
        url: '/mcp',
        remoteAddress,
        headers: { ...asOperator, accept: 'application/json, text/event-stream' },
        payload: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'sql', arguments: { statement: 'select nothing' } },
        },
      })
      const { result } = JSON.parse(body) as { result: Answer }
      return result.content[0]?.text.slice(0, 3) ?? ''
    }
    expect(await askedFrom('192.0.2.7')).toBe('403')
    // It reaches the statement, which names a column that does not exist.
    expect(await askedFrom('127.0.0.1')).toBe('400')
    await running.close()
  })
})
