import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { testConfig } from '../testing/config.ts'
import { startTestService, type TestService } from '../testing/service.ts'
import { rewindChain } from './rewind.ts'
import {
  chainConfig,
  chainRow,
  startIndexer,
  storedHead,
  until,
  type RunningIndexer,
} from './testing/harness.ts'
import { SimulatedChain } from './testing/simulated-chain.ts'
import { SimulatedNode } from './testing/simulated-node.ts'

const id = 5
/** A part of the URL that must not be published. */
const secret = 'canary-3f9a'

let testDatabase: TestDatabase
let service: TestService
const stops: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  const config = testConfig({ chains: [{ evmChainId: id, name: 'Five', rpcUrl: 'http://127.0.0.1:9' }] })
  service = await startTestService(testDatabase.database, { config })
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await service.close()
  await testDatabase.drop()
})

async function serve(listener: RequestListener): Promise<number> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const page: RequestListener = (_, response) => response.end('<!doctype html><title>Welcome</title>')
const nothing: RequestListener = (_, response) => response.writeHead(404).end('404 page not found')
const answer =
  (result: unknown): RequestListener =>
  async (request, response) => {
    // A slow machine asks again, with another id.
    const { id } = (await json(request)) as { id: number }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }

function start(rpcUrl: string, startBlock = 0): RunningIndexer {
  const indexer = startIndexer(
    testDatabase.database,
    chainConfig({ evmChainId: id, rpcUrl, startBlock, requestSeconds: 0.5 }),
  )
  stops.push(() => indexer.stop())
  return indexer
}

async function read(path: string): Promise<string> {
  return (await service.app.inject(path)).body
}

describe('a chain whose node has never answered reports the reason', () => {
  test.each([
    ['another chain', answer('0x7a69'), 'http', 'stopped', 'serves chain 31337, not 5: check the chain'],
    ['a web page', page, 'http', 'waiting', 'answered HTML, not JSON: check the path'],
    ['a wrong path', nothing, 'http', 'waiting', 'answered 404: check the path'],
    ['no TLS', page, 'https', 'waiting', 'does the node speak https there?'],
    ['silence', () => undefined, 'http', 'waiting', 'no complete answer within 500 ms'],
  ] as const)('%s', async (_, listener, scheme, state, words) => {
    const port = await serve(listener)
    start(`${scheme}://user:${secret}@127.0.0.1:${port}/${secret}`)
    await until('the status says why', async () => (await read('/v1/status')).includes(words))
    const [status] = (JSON.parse(await read('/v1/status')) as { chains: { reason: string }[] }).chains
    expect(status).toMatchObject({
      chainId: '5',
      state,
      reason: expect.stringContaining(`127.0.0.1:${port}`),
    })
    const ready = await read('/ready')
    expect(ready).toContain(words)
    expect(ready + JSON.stringify(status)).not.toContain(secret)
  })

  test('a closed port, and no longer once the node answers', async () => {
    const chain = new SimulatedChain(3, { id })
    chain.mine(5)
    const node = new SimulatedNode({ chain })
    const url = await node.start()
    await node.stop()
    const indexer = start(url)
    await until('it is refused', async () => (await read('/ready')).includes('connection refused'))
    await indexer.stop()
    const other = new SimulatedNode({ chain })
    stops.push(() => other.stop())
    start(await other.start())
    await until('it is indexed', async () => (await storedHead(testDatabase.database, id))?.number === 5)
    await until('it is ready', async () => (await read('/ready')).includes('"ready"'))
    expect(await read('/v1/status')).not.toContain('refused')
    expect(await testDatabase.database`select key from service where key like 'unreached%'`).toEqual([])
  })

  test('tries a node of the wrong chain again, because only the node can be repaired', async () => {
    let served = '0x7a69'
    let asked = 0
    const port = await serve((request, response) => {
      asked += 1
      answer(served)(request, response)
    })
    start(`http://127.0.0.1:${port}`)
    await until('it is stopped', async () => (await read('/ready')).includes('serves chain 31337'))
    const before = asked
    served = '0x5'
    await until('it was asked again', async () => asked > before)
    await until('the reason is another', async () => !(await read('/ready')).includes('serves chain 31337'))
  })
})

describe('a start block that changes', () => {
  const chain = new SimulatedChain(7, { id })
  chain.mine(40)

  async function indexedFrom(url: string, startBlock: number): Promise<void> {
    const indexer = start(url, startBlock)
    await until('all is indexed', async () => (await storedHead(testDatabase.database, id))?.number === 40)
    await indexer.stop()
  }

  test.each([
    ['earlier', 10, "earlier ones can't be put before them"],
    ['later', 30, 'those before it would be lost'],
  ])('%s is refused in words, loses nothing, and is applied after a rewind', async (_, changed, words) => {
    const node = new SimulatedNode({ chain })
    stops.push(() => node.stop())
    const url = await node.start()
    await indexedFrom(url, 20)
    start(url, changed)
    await until('it is stopped', async () => (await chainRow(testDatabase.database, id))?.state === 'stopped')
    const reason = (await chainRow(testDatabase.database, id))?.reason
    expect(reason).toContain(`startBlock is ${changed}, but blocks from 20 on are indexed`)
    expect(reason).toContain(words)
    expect(reason).toContain('set startBlock back to 20')
    expect(reason).toContain('npm run verify -- --chain 5 --rewind=-1')
    const count = async (): Promise<unknown> =>
      (await testDatabase.database`select count(*)::int as blocks, min(number)::int as first from blocks`)[0]
    expect(await count()).toEqual({ blocks: 21, first: 20 })
    await rewindChain(testDatabase.database, id, -1)
    await until(
      'all is indexed anew',
      async () => (await storedHead(testDatabase.database, id))?.number === 40,
    )
    expect(await count()).toEqual({ blocks: 41 - changed, first: changed })
  })

  test('is applied while no block is stored', async () => {
    const node = new SimulatedNode({ chain })
    stops.push(() => node.stop())
    const url = await node.start()
    const early = start(url, 500)
    await until(
      'it waits',
      async () => (await chainRow(testDatabase.database, id))?.reason?.includes('500') === true,
    )
    await early.stop()
    await indexedFrom(url, 15)
    const [row] = await testDatabase.database<{ start_block: bigint }[]>`select start_block from chains`
    expect(row?.start_block).toBe(15n)
  })
})
