import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from './support/fixtures.ts'
import { ownChain, sendFrom, useOwnChain } from './support/own-chain.ts'

/*
 * Untrusted text: names that a chain, a caller or a link may give itself. A dialog, an exception or a report of the
 * content security policy fails these tests (fixtures.ts). That the sample's untrusted text makes no element is checked
 * with the layout of every page (layout.long.spec.ts).
 */
const image = '<img src=x onerror=alert(1)>'
const script = '"><script>alert(2)</script>'
const turned = 'safe\u202Egnp.exe\u0000\u200B'

test.describe('untrusted text', () => {
  let hash: string
  const dashboard = useOwnChain(async (node) => {
    const [, to] = await node.call<readonly string[]>('eth_accounts', [])
    const abi = parseAbi(['function setURI(string newUri)'])
    const data = encodeFunctionData({ abi, functionName: 'setURI', args: [`${script}${turned}`] })
    hash = (await sendFrom(node, { to, data })).transactionHash
    return {
      chain: {
        name: image,
        description: `${script} javascript:alert(3)`,
        token: { name: script, symbol: '<svg/onload=a()>' },
      },
    }
  })

  test('is shown as text on every page', async ({ page }) => {
    const url = await dashboard.url()
    const of = `/chain/${ownChain.id}`
    const pages = [
      '/',
      '/chains',
      of,
      `${of}?tab=configuration`,
      `${of}/blocks`,
      `${of}/block/1`,
      `${of}/transactions`,
    ]
    for (const path of [...pages, `${of}/tx/${hash}`, `${of}/metrics`, `${of}/metrics/feesPaid`]) {
      await page.goto(`${url}${path}`)
      await expect(page.getByRole('main').getByText(image).first(), path).toBeVisible()
      await expect(page.locator('main img, main script, main svg[onload]'), path).toHaveCount(0)
    }
    await expect(page).toHaveTitle(`Fees paid · ${image} · Ridgeline`)
  })

  test('arguments of a call are shown without characters that reverse or hide text', async ({ page }) => {
    await page.goto(`${await dashboard.url()}/chain/${ownChain.id}/tx/${hash}`)
    const call = page.getByRole('definition').filter({ hasText: 'setURI(string)' })
    await expect(call).toContainText(`${script}safegnp.exe`)
    for (const hidden of ['\u202E', '\u0000', '\u200B']) expect(await call.innerText()).not.toContain(hidden)
  })
})

test.describe('untrusted links', () => {
  test.use({ expectedErrors: [/40[04] \((Not Found|Bad Request)\)/] })

  test('show their contents as text', async ({ page }) => {
    const text = encodeURIComponent(script)
    for (const path of [
      `/search?q=${text}`,
      `/chain/${text}`,
      `/chain/43113/block/${text}`,
      `/chain/43113/tx/${text}`,
      `/chain/43113/address/${text}`,
      `/chain/43113/metrics/${text}`,
      `/chain/43113/metrics?compare=${text}&from=${text}&to=1&interval=${text}&table=${text}`,
      `/chains?filter=${text}&sort=${text}&order=__proto__`,
      `/?chain=__proto__`,
      `/${text}`,
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
      await expect(page.locator('main script'), path).toHaveCount(0)
    }
  })

  test('a private label is shown as text', async ({ page }) => {
    await page.goto(`/chain/43113/address/0x${'12'.repeat(20)}`)
    await page.getByRole('textbox', { name: 'Name of this address' }).fill(image)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(image)
    await page.goto('/watch-list?tab=labels')
    await expect(page.getByRole('main').getByText(image)).toBeVisible()
  })
})
