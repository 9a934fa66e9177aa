import { sampleContract } from '../../sample/testing/addresses.ts'
import { expect, test } from '../support/fixtures.ts'
import { nodeAt } from '../support/node.ts'
import { foreignElements, settle } from '../support/parts.ts'
import { chains, rpcUrlOf, sampleUrl, serviceUrl } from '../support/stack.ts'
import { movesOf } from '../support/tokens-recount.ts'

const c = chains.c
const node = nodeAt(rpcUrlOf(c))
const of = `/chain/${c.id}`
const contract = (name: string): Promise<`0x${string}`> => sampleContract(sampleUrl, 'c', name)

test.describe('untrusted text and pictures', () => {
  // Chromium logs when it blocks a script in a sandboxed document.
  test.use({ expectedErrors: [/Blocked script execution .* sandboxed|40[04] \(/] })

  test('are shown as text on every page of a hostile collection', async ({ page }) => {
    const address = await contract('Hostile Text')
    const ids = [...new Set((await movesOf(node, address)).map(({ tokenId }) => tokenId))]
    const tabs = ['', 'items', 'holders', 'distribution', 'history', 'window'].map(
      (tab) => `/token/${address}?tab=${tab}`,
    )
    const nfts = ids.map((id) => `/nft/${address}/${id}`)
    for (const path of ['/tokens?spam=shown', '/contracts', ...tabs, ...nfts, `/nft/${address}/1?tab=raw`]) {
      await settle(page, `${of}${path}`)
      expect(await foreignElements(page), path).toEqual([])
    }
    await settle(page, `${of}/nft/${address}/1`)
    await expect(page.getByRole('main').getByText('<img src=x onerror=alert(1)>').first()).toBeVisible()
  })

  test('a picture with a script does not run it when it is opened alone', async ({ page }) => {
    const address = await contract('Hostile Text')
    const response = await page.goto(
      `${serviceUrl}/v1/chains/${c.id}/nfts/collections/${address}/tokens/1/media`,
    )
    const headers = response?.headers() ?? {}
    expect(headers['content-type']).toMatch(/^image\/svg\+xml/)
    expect(headers['content-security-policy']).toContain('sandbox')
    expect(headers['x-content-type-options']).toBe('nosniff')
    await expect(page.locator('svg')).toBeVisible()
  })
})
