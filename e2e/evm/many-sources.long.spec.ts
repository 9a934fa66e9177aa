import { expect, test } from '../support/fixtures.ts'
import { compileManySources, verifyManySources } from '../support/many-sources.ts'
import { ownChain, sendFrom, useOwnChain } from '../support/own-chain.ts'
import { installCompiler } from '../support/verification-tools.ts'

/* A contract of a hundred files: one finds a line in all of them, and the editor comes with the first file that is opened. */

test.describe('a contract of a hundred files', () => {
  let address = ''
  const dashboard = useOwnChain(async (node, home) => {
    installCompiler(home)
    address = (await sendFrom(node, { data: compileManySources() })).contractAddress ?? ''
    return { chain: { name: 'Desk' } }
  })

  test.beforeAll(async () => verifyManySources(await dashboard.url(), ownChain.id, address))

  test('lists its files, finds a line in all of them, and loads the editor when one is opened', async ({
    page,
  }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.goto(`${await dashboard.url()}/chain/${ownChain.id}/address/${address}?tab=contract`)
    const files = page.getByRole('list', { name: 'Source files' })
    await expect(files.getByRole('listitem')).toHaveCount(100)
    const before = scripts.length

    await page.getByRole('searchbox', { name: 'Search all files' }).fill('X * 42')
    const found = page.getByRole('list', { name: 'Lines found' }).getByRole('button')
    await expect(found).toHaveCount(1)
    expect(scripts).toHaveLength(before)
    await found.click()
    await expect(page).toHaveURL(/[?&]file=src%2Fparts%2FPart42\.sol/)
    await expect(page).toHaveURL(/[?&]line=63/)
    const editor = page.getByRole('textbox', { name: 'src/parts/Part42.sol' })
    await expect(editor.getByText('return x * 42;')).toBeVisible()
    expect(scripts.length).toBeGreaterThan(before)
  })
})
