import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { launch, temporaryFolder, writeConfig, type Launched } from '../e2e/support/launcher.ts'
import { startSample, type RunningSample } from '../sample/testing/start.ts'

const folder = temporaryFolder()
let sample: RunningSample
let stack: Launched

beforeAll(async () => {
  sample = await startSample({ hours: 6 })
})
afterAll(async () => {
  await stack?.stop()
  await sample?.stop()
  folder.remove()
})

/** The sample is a node of network 5, as Fuji's are, but with a genesis of its own. */
test('npm start -- --network fuji --node URL indexes P, X and C of that node', async () => {
  const added = writeConfig(folder.path, {
    networks: [{ id: 'fuji', genesisFile: join(sample.home, 'genesis.bin') }],
  })
  const home = join(folder.path, 'home')
  stack = launch({
    home,
    args: ['--network', 'fuji', '--node', sample.url, '--network-config', added],
  })
  const url = await stack.url
  await vi.waitUntil(async () => (await fetch(`${url}/ready`)).ok, { timeout: 300_000, interval: 500 })
  const ask = async (path: string): Promise<Record<string, never>> =>
    (await (await fetch(`${url}${path}`)).json()) as Record<string, never>
  // What the first start takes was foretold, from all blocks: there are few.
  const last = await node('C/rpc', 'eth_getBlockByNumber', ['latest', false])
  const [, blocks = '', transactions = ''] =
    /C-Chain: (\d+) blocks, about (\d+) transactions: .* of disk, /.exec(stack.output()) ?? []
  expect(Number(blocks)).toBe(Number(last['number']) + 1)
  const counts = await Promise.all(
    Array.from({ length: Number(blocks) }, async (_, height) => {
      const block = await node('C/rpc', 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false])
      return (block['transactions'] as unknown[]).length
    }),
  )
  expect(counts.length).toBeLessThanOrEqual(40)
  expect(Number(transactions)).toBe(counts.reduce((sum, each) => sum + each, 0))
  expect(stack.output()).toMatch(/P-Chain of Fuji: \d+ blocks: .* of disk, /)
  const { chains } = await ask('/v1/chains')
  expect(chains).toMatchObject([
    { chainId: '43113', chainName: 'C-Chain', networkToken: { symbol: 'AVAX' }, isTestnet: true },
  ])
  const genesisBlock = await node('P', 'platform.getBlockByHeight', { height: '1', encoding: 'json' })
  const block = await ask('/v1/networks/fuji/blockchains/p-chain/blocks/1')
  expect(block).toMatchObject({ blockNumber: '1', blockHash: (genesisBlock['block'] as { id: string }).id })
  const { blocks: listed } = await ask('/v1/networks/fuji/blockchains/c-chain/blocks')
  expect(Array.isArray(listed)).toBe(true)
  expect(existsSync(join(home, 'fuji', 'token'))).toBe(true)
})

async function node(chain: string, method: string, params: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${sample.url}/ext/bc/${chain}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: Record<string, unknown> }).result
}
