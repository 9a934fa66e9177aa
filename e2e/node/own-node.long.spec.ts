import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { listBlocks } from '../../contract/evm/blocks.ts'
import { listTransactions } from '../../contract/evm/transactions.ts'
import { startAnvil, type RunningAnvil } from '../support/anvil.ts'
import { exact, integer } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import {
  descendantsOf,
  launch,
  survivors,
  temporaryFolder,
  writeConfig,
  type Launched,
} from '../support/launcher.ts'
import { nodeAt, type Node } from '../support/node.ts'
import { fact } from '../support/parts.ts'
import { ask, askAll, statusOf } from '../support/stack.ts'

const chain = { id: '31337', name: 'A plain anvil' }
const startBlock = 5
const blocksAtFirst = 12

/** Sends the native token once; anvil mines a block for it immediately. */
async function pay(node: Node, value: bigint): Promise<string> {
  const [from, to] = await node.call<readonly string[]>('eth_accounts', [])
  return node.call<string>('eth_sendTransaction', [{ from, to, value: `0x${value.toString(16)}` }])
}

async function holdPort(): Promise<{ server: Server; port: string }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, port: String(address.port) }
}

test.describe('a node of one’s own', () => {
  test.describe.configure({ mode: 'serial' })
  const folder = temporaryFolder()
  let anvil: RunningAnvil
  let node: Node
  let stack: Launched
  let config: string

  test.beforeAll(async () => {
    anvil = await startAnvil()
    node = nodeAt(anvil.url)
    for (let block = 1; block <= blocksAtFirst; block += 1) await pay(node, BigInt(block) * 10n ** 15n)
    config = writeConfig(folder.path, {
      chains: [{ evmChainId: 31337, name: chain.name, rpcUrl: anvil.url, startBlock, pollSeconds: 0.5 }],
    })
    stack = launch({ home: folder.path, args: ['--config', config] })
    const url = await stack.url
    await expect
      .poll(async () => (await statusOf(chain, url).catch(() => undefined))?.indexedBlock)
      .toBe(String(blocksAtFirst))
  })

  test.afterAll(async () => {
    await stack.stop()
    anvil.stop()
    folder.remove()
  })

  test('is indexed and shown from the configured block on', async ({ page }) => {
    const url = await stack.url
    const blocks = await askAll(listBlocks, 'blocks', { base: url, params: { chainId: chain.id } })
    expect(blocks.map(({ blockNumber }) => Number(blockNumber))).toEqual([12, 11, 10, 9, 8, 7, 6, 5])
    await page.goto(`${url}/`)
    await expect(page.getByRole('table', { name: 'Chains' }).locator('tbody tr')).toHaveCount(1)
    await page.getByRole('link', { name: chain.name }).first().click()
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await expect(fact(page, 'Configuration', 'First indexed block')).toHaveText(String(startBlock))

    await page.goto(`${url}/chain/${chain.id}/blocks`)
    await expect(page.getByRole('status', { name: 'Rows' })).toHaveText('8 blocks')
    const { transactions } = await ask(listTransactions, {
      base: url,
      params: { chainId: chain.id },
      query: { pageSize: 1 },
    })
    const hash = transactions[0]?.txHash ?? ''
    const receipt = await node.receipt(hash)
    await page.goto(`${url}/chain/${chain.id}/tx/${hash}`)
    await expect(fact(page, 'Transaction', 'Value')).toHaveText('0.012 ETH')
    const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
    await expect(fact(page, 'Transaction', 'Fee')).toHaveText(`${exact(fee, 18)} ETH`)
    await page.goto(`${url}/chain/${chain.id}/metrics/txCount?range=all&table=txCount`)
    const cells = page.getByRole('region', { name: /Transactions, by day/ }).locator('tbody td')
    // The day may have changed between the blocks.
    await expect(cells.first()).toBeVisible()
    const counts = (await cells.allInnerTexts()).map(Number)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(8)
  })

  test('is followed', async ({ page }) => {
    const url = await stack.url
    await page.goto(`${url}/chain/${chain.id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(chain.name)
    await pay(node, 5n)
    const head = await node.head()
    const first = page.getByRole('list', { name: 'Latest blocks' }).getByRole('link').first()
    await expect(first).toHaveText(integer(head))
  })

  test('a second start with the same home folder is refused with one line', async () => {
    const second = launch({ home: folder.path, args: ['--config', config] })
    expect(await second.ended).toBe(2)
    expect(second.output()).toContain(
      `${folder.path} is in use by process ${stack.child.pid}: end it with kill ${stack.child.pid}, or choose another folder`,
    )
    expect((await fetch(`${await stack.url}/health`)).status).toBe(200)
  })

  test('Ctrl-C ends every process that was started', async () => {
    const before = descendantsOf(stack.child.pid ?? 0)
    expect(before.some(({ command }) => command.includes('postgres'))).toBe(true)
    expect(await stack.stop()).toBe(0)
    expect(survivors(before).map(({ command }) => command)).toEqual([])
  })

  test.describe('after that', () => {
    // The page is open before the database is.
    test.use({ expectedErrors: [/503 \(Service Unavailable\)/] })

    test('the next start continues with the stored data, and a page that was opened too early fills', async ({
      page,
    }) => {
      stack = launch({ home: folder.path, args: ['--config', config] })
      const url = await stack.url
      await page.goto(`${url}/chain/${chain.id}`)
      const head = await node.head()
      await expect(page.getByRole('list', { name: 'Latest blocks' }).getByRole('link').first()).toHaveText(
        integer(head),
      )
      await expect(page.getByRole('alert')).toHaveCount(0)
      expect((await statusOf(chain, url)).firstBlock).toBe(String(startBlock))
    })
  })
})

test.describe('npm start refuses', () => {
  const folder = temporaryFolder()
  test.afterAll(() => folder.remove())
  const chains = [{ evmChainId: 1, name: 'One', rpcUrl: 'http://127.0.0.1:9/' }]

  test('a port in use: names the port and how to choose another one', async () => {
    const { server, port } = await holdPort()
    const config = writeConfig(folder.path, { chains })
    const launched = launch({ home: folder.path, args: ['--config', config], env: { PORT: port } })
    expect(await launched.ended).toBe(2)
    expect(launched.output()).toContain(`port ${port}`)
    expect(launched.output()).toContain('PORT=')
    server.close()
  })

  test('a port of the sample network in use', async () => {
    const { server, port } = await holdPort()
    const launched = launch({ home: folder.path, env: { SAMPLE_PORT: port } })
    expect(await launched.ended).not.toBe(0)
    expect(launched.output()).toContain(`port ${port} is in use`)
    expect(launched.output()).toContain('SAMPLE_PORT')
    server.close()
  })

  test('an invalid setting: names the key, its value and the allowed values', async () => {
    const bad = { chains: [{ ...chains[0], reorgLimit: 0 }], speed: 'fast' }
    const launched = launch({ home: folder.path, args: ['--config', writeConfig(folder.path, bad)] })
    expect(await launched.ended).toBe(2)
    expect(launched.output()).toMatch(/chains.*reorgLimit.*0/s)
    expect(launched.output()).toContain('speed')
    const port = launch({
      home: folder.path,
      args: ['--config', writeConfig(folder.path, { chains })],
      env: { PORT: 'many' },
    })
    expect(await port.ended).toBe(2)
    expect(port.output()).toMatch(/PORT.*many.*65535/s)
  })
})
