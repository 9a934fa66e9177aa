import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startSample, type RunningSample } from '../../sample/testing/start.ts'
import { violationsInBothThemes } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from '../support/launcher.ts'

/** Whole blocks, asked for at once as only an indexer does. */
const ofIndexer = /^\[.*eth_getBlockReceipts/s

/** A way to a node that keeps the indexer waiting until `release`. */
async function holdIndexer(target: URL): Promise<{ server: Server; url: string; release: () => void }> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const server = createServer((asked, answer) => {
    const chunks: Buffer[] = []
    asked.on('data', (chunk: Buffer) => chunks.push(chunk))
    asked.on('end', () => {
      const body = Buffer.concat(chunks)
      const pass = (): void => {
        const { method, url: path, headers } = asked
        const { hostname, port, host } = target
        const passed = request({ hostname, port, path, method, headers: { ...headers, host } }, (got) => {
          answer.writeHead(got.statusCode ?? 502, got.headers)
          got.pipe(answer)
        })
        passed.on('error', () => answer.destroy())
        passed.end(body)
      }
      if (ofIndexer.test(body.toString())) void released.then(pass)
      else pass()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, release }
}

test.describe('a chain of which nothing is indexed yet', () => {
  test.use({ expectedErrors: [/404 \(Not Found\)|503 \(Service Unavailable\)|401 \(Unauthorized\)/] })
  const folder = temporaryFolder()
  let sample: RunningSample
  let node: Awaited<ReturnType<typeof holdIndexer>>
  let stack: Launched
  let url: string

  test.beforeAll(async () => {
    const program = fileURLToPath(new URL('../../dist/node/sample.js', import.meta.url))
    sample = await startSample({ program, hours: 48 })
    node = await holdIndexer(new URL(sample.url))
    const { evmChainId, blockchainId, rpcUrl } = sample.chain('C-Chain')
    const chain = {
      evmChainId,
      blockchainId,
      name: 'C-Chain',
      rpcUrl: `${node.url}${new URL(rpcUrl).pathname}`,
    }
    stack = launch({
      home: folder.path,
      args: ['--config', writeConfig(folder.path, { chains: [chain] })],
    })
    url = `${await stack.url}/chain/${evmChainId}`
    await stack.ready('C-Chain')
  })
  test.afterAll(async () => {
    node.release()
    await stack.stop()
    node.server.closeAllConnections()
    node.server.close()
    await sample.stop()
    folder.remove()
  })

  test('is no failure, and is shown by itself once it is indexed', async ({ page }) => {
    const main = page.getByRole('main')
    const notYet = 'No block of C-Chain is indexed yet.'
    for (const [path, part] of [
      ['', 'Transactions'],
      ['/transactions', 'The transactions'],
      [`/address/0x${'ab'.repeat(20)}`, 'The transactions'],
      ['/tokens', 'The tokens'],
      ['/contracts', 'The contracts'],
      ['/metrics/txCount', 'Transactions'],
      ['/blocks', 'The blocks'],
    ] as const) {
      await page.goto(`${url}${path}`)
      await expect(main.getByText(`${part}: not indexed yet`).first(), path).toBeVisible()
      // Once on a page, however many parts wait.
      await expect(main.getByText(notYet), path).toHaveCount(1)
      await expect(main.getByRole('alert'), path).toHaveCount(0)
      await expect(main.getByRole('button', { name: 'Try again' }), path).toHaveCount(0)
    }
    expect(await violationsInBothThemes(page)).toEqual([])

    // What the node has is shown meanwhile.
    await page.goto(`${url}/block/1`)
    await expect(main.getByText('Not indexed: this is what the node of C-Chain says now')).toBeVisible()

    await page.goto(`${url}/blocks`)
    await expect(main.getByText('The blocks: not indexed yet')).toBeVisible()
    node.release()
    await expect(main.getByRole('row').nth(1)).toBeVisible({ timeout: 60_000 })
    await expect(main.getByText('not indexed yet')).toHaveCount(0)
  })
})
