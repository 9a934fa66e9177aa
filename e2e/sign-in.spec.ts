import { expect, test } from './support/fixtures.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from './support/launcher.ts'

test.describe('a service whose proxy signs people in', () => {
  // What is refused to some of them, and the node that does not answer.
  test.use({ expectedErrors: [/the server responded with a status of (403|502|503)/] })
  const folder = temporaryFolder()
  const secret = 'a-secret-of-the-proxy-0123456789-0123'
  let stack: Launched

  test.beforeAll(async () => {
    const config = {
      networks: [{ id: 'fuji', name: 'Own', networkId: 5, prefix: 'fuji', nodeUrl: 'http://127.0.0.1:9' }],
      chains: [{ evmChainId: 5, name: 'Five', rpcUrl: 'http://127.0.0.1:9' }],
      signIn: {
        proxies: ['127.0.0.1'],
        secret,
        roles: { read: ['staff'], watch: ['validators'], administrate: ['ops'] },
      },
    }
    stack = launch({ home: folder.path, args: ['--config', writeConfig(folder.path, config)] })
    await stack.ready('connection refused')
  })

  test.afterAll(async () => {
    await stack.stop()
    folder.remove()
  })

  /** The headers that the proxy would add to every request of a browser. */
  const headersOf = (user: string, groups: string) => ({
    'x-forwarded-user': user,
    'x-forwarded-groups': groups,
    'x-ridgeline-proxy-secret': secret,
  })

  test('shows a reader who they are, and what the role lacks', async ({ page }) => {
    await page.setExtraHTTPHeaders(headersOf('ann', 'staff, guests'))
    await page.goto(`${await stack.url}/settings`)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Signed in as ann, read' })).toBeVisible()
    const facts = page.getByRole('main').getByLabel('Signed in', { exact: true })
    await expect(facts).toContainText('staff, guests')
    await expect(facts).toContainText('change the validator watch, administrate nodes')
    await page.goto(`${await stack.url}/fleets`)
    const main = page.getByRole('main')
    await expect(main).toContainText('You are signed in as ann with the role “read”. You may not change')
    await expect(main.getByLabel('Local token')).toHaveCount(0)
  })

  test('shows a user without a role why everything is refused', async ({ page }) => {
    await page.setExtraHTTPHeaders(headersOf('dee', 'guests'))
    await page.goto(`${await stack.url}/settings`)
    const facts = page.getByRole('main').getByLabel('Signed in', { exact: true })
    await expect(facts).toContainText('none of these groups has one')
    await page.goto(`${await stack.url}/chains`)
    await expect(page.getByRole('main')).toContainText('none of your groups has a role')
  })

  test('gives an administrator what others need the local token for', async ({ page }) => {
    await page.setExtraHTTPHeaders(headersOf('cid', 'ops'))
    await page.goto(`${await stack.url}/settings`)
    await expect(page.getByRole('main').getByLabel('Signed in', { exact: true })).toContainText(
      'nothing is closed to you',
    )
    await page.goto(`${await stack.url}/fleets`)
    await expect(page.getByRole('main').getByRole('button', { name: 'Create a fleet' }).first()).toBeVisible()
    await page.goto(`${await stack.url}/node`)
    await expect(page.getByRole('main').getByLabel('Local token')).toHaveCount(0)
  })
})
