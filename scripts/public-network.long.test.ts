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
  const { chains } = await ask('/v1/chains')
  expect(chains).toMatchObject([
    { chainId: '43113', chainName: 'C-Chain', networkToken: { symbol: 'AVAX' }, isTestnet: true },
  ])
  const genesisBlock = await node('P', 'platform.getBlockByHeight', { height: '1', encoding: 'json' })
  const block = await ask('/v1/networks/fuji/blockchains/p-chain/blocks/1')
  expect(block).toMatchObject({ blockNumber: '1', blockHash: (genesisBlock['block'] as { id: string }).id })
  const { blocks } = await ask('/v1/networks/fuji/blockchains/c-chain/blocks')
  expect(Array.isArray(blocks)).toBe(true)
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
