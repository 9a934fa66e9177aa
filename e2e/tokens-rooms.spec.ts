import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { sampleContract } from '../sample/testing/addresses.ts'
import { expect, test } from './fixtures.ts'
import { nodeAt } from './node.ts'
import { chains, rpcUrlOf, sampleUrl, serviceUrl } from './stack.ts'
import { movesOf } from './tokens-recount.ts'

const c = chains.c
const node = nodeAt(rpcUrlOf(c))
const of = `/chain/${c.id}`
const contract = (name: string): Promise<`0x${string}`> => sampleContract(sampleUrl, 'c', name)

const rooms = async (): Promise<readonly string[]> => {
  const [susd, fake, sky, link, relics, hostile] = await Promise.all(
    ['Sample Dollar', 'False SUSD', 'Skyline Prints', 'Every Kind of Link', 'Relics', 'Hostile Text'].map(
      contract,
    ),
  )
  return [
    `${of}/tokens?spam=shown`,
    `${of}/token/${fake}`,
    `${of}/token/${susd}?tab=holders`,
    `${of}/token/${susd}?tab=distribution`,
    `${of}/token/${susd}?tab=distribution&table=bands`,
    `${of}/token/${susd}?tab=history`,
    `${of}/token/${susd}?tab=window&since2=1`,
    `${of}/token/${sky}?tab=items`,
    `${of}/token/${link}?tab=items&view=table`,
    `${of}/nft/${relics}/1?tab=holders`,
    `${of}/nft/${hostile}/1`,
    `${of}/contracts`,
    `${of}/contracts?tab=deployers`,
  ]
}

async function settle(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
}

test('axe finds nothing on these pages, in both themes', async ({ page }) => {
  test.setTimeout(400_000)
  for (const path of await rooms())
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      if (colorScheme === 'light') await settle(page, path)
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
      const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map((one) => `${id}: ${one.target.join(' ')}`),
      )
      expect.soft(found, `${path}, ${colorScheme}`).toEqual([])
    }
})

test('nothing scrolls sideways at 390 and 320 px', async ({ page }) => {
  test.setTimeout(240_000)
  for (const path of await rooms())
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      await settle(page, path)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect.soft(wide, `${path} at ${width}`).toBeLessThanOrEqual(0)
    }
})

test.describe('text and pictures of strangers', () => {
  // Chromium says so itself when a script in a sandboxed document was not run.
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
      const strange = await page
        .locator('main')
        .evaluate((main) =>
          [...main.querySelectorAll('*')].flatMap((element) => [
            ...(element.tagName === 'SCRIPT' ? ['a script'] : []),
            ...element.getAttributeNames().filter((name) => name.startsWith('on')),
            ...(element instanceof HTMLImageElement && new URL(element.src).origin !== location.origin
              ? [element.src]
              : []),
            ...(element instanceof HTMLAnchorElement && !/^(https?|ipfs):$/.test(element.protocol)
              ? [element.href]
              : []),
          ]),
        )
      expect(strange, path).toEqual([])
    }
    await settle(page, `${of}/nft/${address}/1`)
    await expect(page.getByRole('main').getByText('<img src=x onerror=alert(1)>').first()).toBeVisible()
  })

  test('a scripted picture runs nothing when it is opened by itself', async ({ page }) => {
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
