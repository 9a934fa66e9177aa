import { afterEach, expect, test } from 'vitest'
import { createChainDirectory, type Chain } from '../kernel/settings/chains.ts'
import { testConfig } from '../testing/config.ts'
import { NodeClient, type NodeClientOptions } from './client.ts'
import { NodeRefusal, NodeUnavailable, StateNotKept } from './failures.ts'
import { createNodes, type Nodes } from './nodes.ts'
import { ifKnown, nativeBalanceAt } from './state.ts'
import { NodeError, startScriptedNode, type Script, type ScriptedNode } from './testing/scripted-node.ts'

let node: ScriptedNode | undefined
const cleanups: (() => void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) cleanup()
  await node?.close()
  node = undefined
})

const canary = 'canary-key-0123456789'

/**
 * A client of a node that answers by the script, with a key in every part of its URL. Its clock stands still.
 */
async function clientOf(script: Script, options: Partial<NodeClientOptions> = {}): Promise<NodeClient> {
  node = await startScriptedNode(script)
  const url = new URL(`${node.url}/v3/${canary}?apikey=${canary}`)
  url.username = 'user'
  url.password = canary
  const client = new NodeClient({
    url: url.href,
    chainName: 'Test Chain',
    timeout: 5_000,
    now: () => 0,
    ...options,
  })
  cleanups.push(() => client.close())
  return client
}

const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: unknown) => error as Error,
  )

/** Everything that an error would show or log. */
const everythingIn = (error: Error): string =>
  [
    error.message,
    error.stack,
    JSON.stringify(error),
    String(error.cause),
    (error.cause as Error)?.stack,
  ].join(' ')

test('a call carries the credentials, and equal calls share one answer', async () => {
  let authorization: string | undefined
  const client = await clientOf((asked, _response, request) => {
    authorization = request.headers.authorization
    return asked.params
  })
  const answers = await Promise.all([
    client.call('eth_a', [1]),
    client.call('eth_a', [1]),
    client.call('eth_a', [2]),
  ])
  expect(answers).toEqual([[1], [1], [2]])
  expect(await client.call('eth_a', [1])).toEqual([1])
  expect(node?.asked).toHaveLength(2)
  expect(authorization).toBe(`Basic ${Buffer.from(`user:${canary}`).toString('base64')}`)
})

test('an answer is cached briefly, a failure is not', async () => {
  let time = 0
  let answers = 0
  const client = await clientOf(
    () => {
      answers += 1
      if (answers === 1) throw new NodeError(-32000, 'not yet')
      return answers
    },
    { now: () => time, keepFor: 500 },
  )
  expect(await failureOf(client.call('eth_a', []))).toBeInstanceOf(NodeRefusal)
  expect(await client.call('eth_a', [])).toBe(2)
  time = 499
  expect(await client.call('eth_a', [])).toBe(2)
  time = 500
  expect(await client.call('eth_a', [])).toBe(3)
})

const failures: readonly (readonly [string, Script])[] = [
  ['a page of HTML', (_asked, response) => void response.end(`<html>${canary}</html>`)],
  ['cut JSON', (_asked, response) => void response.end('{"jsonrpc":"2.0","id":1,"resu')],
  ['a list', (_asked, response) => void response.end('[]')],
  ['another ID', ({ id }, response) => void response.end(JSON.stringify({ id: Number(id) + 1, result: 1 }))],
  ['no result', ({ id }, response) => void response.end(JSON.stringify({ id }))],
  ['429', (_asked, response) => void response.writeHead(429).end(canary)],
  ['503', (_asked, response) => void response.writeHead(503).end(canary)],
  ['401', (_asked, response) => void response.writeHead(401).end(canary)],
  [
    'a rate limit inside',
    () => {
      throw new NodeError(-32005, `limit of ${canary}`)
    },
  ],
  ['a connection that breaks', (_asked, response) => void response.destroy()],
  [
    'a body that breaks off',
    (_asked, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      response.destroy()
    },
  ],
  ['a large answer', () => 'x'.repeat(2_000)],
  [
    'a refusal with the URL',
    () => {
      throw new NodeError(-32601, `no eth_a at https://node/${canary}?k=${canary} ${canary}`)
    },
  ],
]

test.each(failures)('%s is a 502 that names no key', async (_name, script) => {
  const client = await clientOf(script, { maxBytes: 1_000 })
  const error = await failureOf(client.call('eth_a', []))
  expect(error).toBeInstanceOf(NodeUnavailable)
  expect(error).toMatchObject({ status: 502 })
  expect((error as NodeUnavailable).detail).toMatch(/^the node of Test Chain /)
  expect(everythingIn(error)).not.toContain(canary)
})

test('a body that stalls after the headers ends at the timeout', async () => {
  const client = await clientOf((_asked, response) => void response.writeHead(200).write('{'), {
    timeout: 100,
  })
  expect(await failureOf(client.call('eth_a', []))).toMatchObject({ kind: 'timeout' })
})

test('a node that is not running fails, and is not asked again for a moment', async () => {
  let time = 0
  const client = await clientOf(() => 1, { now: () => time, keepFor: 500 })
  const running = node?.script
  if (node) node.script = (_asked, response) => void response.destroy()
  expect(await failureOf(client.call('eth_a', []))).toMatchObject({ kind: 'network' })
  if (node && running) node.script = running
  expect(await failureOf(client.call('eth_b', []))).toMatchObject({ kind: 'network' })
  expect(node?.asked).toHaveLength(1)
  time = 500
  expect(await client.call('eth_b', [])).toBe(1)
})

test('calls wait for a free slot, and fail at once when too many wait', async () => {
  const held: (() => void)[] = []
  const client = await clientOf(
    ({ id }, response) => void held.push(() => response.end(JSON.stringify({ id, result: id }))),
    { concurrency: 2, maxWaiting: 1 },
  )
  const calls = [1, 2, 3].map((call) => client.call('eth_a', [call]))
  expect(await failureOf(client.call('eth_a', [4]))).toMatchObject({ kind: 'busy' })
  // The third is sent only after one of the first two was answered.
  await expect.poll(() => held.length).toBe(2)
  expect(node?.asked).toHaveLength(2)
  held[0]?.()
  await expect.poll(() => held.length).toBe(3)
  for (const release of held.slice(1)) release()
  expect(await Promise.all(calls)).toHaveLength(3)
})

// Error messages of geth, coreth, erigon and anvil.
const lacking = [
  'missing trie node 2984ee50 (path ) state 0x2984ee50 is not available, not found',
  'required historical state unavailable (reexec=0)',
  'header not found',
  'header for hash not found',
  'cannot query unfinalized data',
  'historical state 0xab is not available',
  'BlockOutOfRangeError: block height is 10 but requested was 20',
] as const

function chainAt(url: string): { nodes: Nodes; chain: Chain } {
  const { chains } = testConfig({ chains: [{ evmChainId: 1, name: 'Test Chain', rpcUrl: url }] })
  const [chain] = createChainDirectory(chains).all
  const nodes = createNodes()
  cleanups.push(() => nodes.close())
  if (!chain) throw new Error('no chain')
  return { nodes, chain }
}

test.each(lacking)('"%s" means that the state is not kept', async (message) => {
  node = await startScriptedNode(() => {
    throw new NodeError(-32000, message)
  })
  const { nodes, chain } = chainAt(node.url)
  const error = await failureOf(nativeBalanceAt(nodes, chain, '0xab', 12n))
  expect(error).toBeInstanceOf(StateNotKept)
  expect(error).toMatchObject({
    status: 404,
    detail: 'the node of Test Chain does not keep the state of block 12',
  })
  expect(await ifKnown(nativeBalanceAt(nodes, chain, '0xab', 12n))).toBeUndefined()
})

test('balances are exact, and read at the block', async () => {
  node = await startScriptedNode(() => `0x${(2n ** 256n - 1n).toString(16)}`)
  const { nodes, chain } = chainAt(node.url)
  expect(await nativeBalanceAt(nodes, chain, '0xAB', 255n)).toBe(2n ** 256n - 1n)
  await nativeBalanceAt(nodes, chain, '0xAB')
  expect(node.asked.map(({ method, params }) => [method, ...params])).toEqual([
    ['eth_getBalance', '0xab', '0xff'],
    ['eth_getBalance', '0xab', 'latest'],
  ])
})

test.each([null, 5, '12', '0x', '0xzz', `0x1${'0'.repeat(64)}`])('%j is not a balance', async (result) => {
  node = await startScriptedNode(({ id }, response) => void response.end(JSON.stringify({ id, result })))
  const { nodes, chain } = chainAt(node.url)
  expect(await failureOf(nativeBalanceAt(nodes, chain, '0xab'))).toMatchObject({ status: 502 })
})

test('traces that take long hold up no other call, and only four run at once', async () => {
  const held: (() => void)[] = []
  node = await startScriptedNode(({ id, method }, response) => {
    if (method === 'eth_blockNumber') return '0x7'
    held.push(() => void response.end(JSON.stringify({ id, result: {} })))
    return undefined
  })
  const { nodes, chain } = chainAt(node.url)
  const traces = Array.from({ length: 20 }, (_, index) =>
    nodes.forTraces(chain).call('debug_traceTransaction', [index]),
  )
  await expect.poll(() => held.length).toBe(4)
  expect(await nodes.of(chain).call('eth_blockNumber', [])).toBe('0x7')
  expect(held).toHaveLength(4)
  for (let released = 0; released < traces.length; released += 1) {
    await expect.poll(() => held.length).toBeGreaterThan(released)
    held[released]?.()
  }
  expect(await Promise.all(traces)).toHaveLength(20)
})
