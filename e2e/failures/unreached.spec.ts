import { expect, test } from '../support/fixtures.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from '../support/launcher.ts'

test.describe('a chain whose node does not answer', () => {
  const folder = temporaryFolder()
  let stack: Launched

  test.beforeAll(async () => {
    const rpcUrl = 'http://user:hunter2@127.0.0.1:9/hunter2'
    stack = launch({
      home: folder.path,
      args: ['--config', writeConfig(folder.path, { chains: [{ evmChainId: 5, name: 'Five', rpcUrl }] })],
    })
    const url = await stack.url
    await expect.poll(async () => (await fetch(`${url}/ready`)).text()).toContain('connection refused')
  })

  test.afterAll(async () => {
    await stack.stop()
    folder.remove()
  })

  test('says why on its page, without the rest of the URL', async ({ page }) => {
    await page.goto(`${await stack.url}/chain/5`)
    const main = page.getByRole('main')
    await expect(main).toContainText('127.0.0.1:9: connection refused: does the node run, and listen there?')
    await expect(page.locator('body')).not.toContainText('hunter2')
  })
})
