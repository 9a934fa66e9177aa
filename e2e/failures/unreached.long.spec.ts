import { expect, test } from '../support/fixtures.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from '../support/launcher.ts'
import { readLocalToken } from '../support/stack.ts'

test.describe('a chain whose node does not answer', () => {
  test.use({ expectedErrors: [/503 \(Service Unavailable\)/] })
  const folder = temporaryFolder()
  let stack: Launched

  test.beforeAll(async () => {
    const rpcUrl = 'http://user:hunter2@127.0.0.1:9/hunter2'
    stack = launch({
      home: folder.path,
      args: [
        '--config',
        writeConfig(folder.path, {
          chains: [{ evmChainId: 5, name: 'Five', rpcUrl }],
          networks: [
            { id: 'fuji', name: 'Unreached', networkId: 5, prefix: 'fuji', nodeUrl: 'http://127.0.0.1:9' },
          ],
        }),
      ],
    })
    await stack.ready('connection refused')
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

  test('a network without a block says so, and counts nothing', async ({ page }) => {
    const root = `${await stack.url}/networks/fuji`
    const main = page.getByRole('main')
    await page.goto(root)
    await expect(main).toContainText('No block is indexed yet. Reason: 127.0.0.1:9: connection refused')
    const figures = main.locator('dl').first().locator('dd').filter({ hasText: '–' })
    await expect(figures).toHaveCount(6)
    await expect(main.getByText('not indexed yet', { exact: true })).toHaveCount(6)

    await page.goto(`${root}/validators`)
    await expect(main).toContainText('No block of the P-Chain is indexed yet.')
    await expect(main.getByRole('alert')).toHaveCount(0)
    await expect(main.getByRole('toolbar', { name: 'Validators by uptime' })).toHaveCount(0)
    await expect(main.getByText('No active validators.')).toHaveCount(0)

    await page.goto(`${root}/vertices`)
    await expect(main).toContainText('No block of the X-Chain is indexed yet.')

    await page.goto(`${await stack.url}/sql#token=${readLocalToken(folder.path)}`)
    await expect(page.getByRole('textbox').first()).toContainText('where chain = 5')
  })
})
