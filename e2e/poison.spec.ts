import { encodeFunctionData, parseAbi } from 'viem'
import { startAnvil, type RunningAnvil } from './anvil.ts'
import { expect, test } from './fixtures.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from './launcher.ts'
import { nodeAt } from './node.ts'
import { statusOf } from './stack.ts'

/*
 * Text of strangers: what a chain, a caller or a link may call itself. A dialog, an exception or a report
 * of the content security policy fails these tests (fixtures.ts).
 */
const image = '<img src=x onerror=alert(1)>'
const script = '"><script>alert(2)</script>'
const turned = 'safe\u202Egnp.exe\u0000\u200B'
const chain = { id: '31337', name: image }

test.describe('text of strangers', () => {
  const folder = temporaryFolder()
  let anvil: RunningAnvil
  let stack: Launched
  let hash: string

  test.beforeAll(async () => {
    anvil = await startAnvil()
    const node = nodeAt(anvil.url)
    const [from, to] = await node.call<readonly string[]>('eth_accounts', [])
    const abi = parseAbi(['function setURI(string newUri)'])
    const data = encodeFunctionData({ abi, functionName: 'setURI', args: [`${script}${turned}`] })
    hash = await node.call<string>('eth_sendTransaction', [{ from, to, data }])
    stack = launch({
      home: folder.path,
      args: [
        '--config',
        writeConfig(folder.path, {
          chains: [
            {
              evmChainId: 31337,
              name: image,
              description: `${script} javascript:alert(3)`,
              token: { name: script, symbol: '<svg/onload=a()>' },
              rpcUrl: anvil.url,
              pollSeconds: 0.5,
            },
          ],
        }),
      ],
    })
    const url = await stack.url
    await expect
      .poll(async () => (await statusOf(chain, url).catch(() => undefined))?.indexedBlock, {
        timeout: 60_000,
      })
      .toBe('1')
  })

  test.afterAll(async () => {
    await stack.stop()
    anvil.stop()
    folder.remove()
  })

  test('is shown as text on every page', async ({ page }) => {
    const url = await stack.url
    const of = `/chain/${chain.id}`
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

  test('arguments of a call lose what would turn or hide them', async ({ page }) => {
    await page.goto(`${await stack.url}/chain/${chain.id}/tx/${hash}`)
    const call = page.getByRole('definition').filter({ hasText: 'setURI(string)' })
    await expect(call).toContainText(`${script}safegnp.exe`)
    for (const hidden of ['\u202E', '\u0000', '\u200B']) expect(await call.innerText()).not.toContain(hidden)
  })
})

test.describe('links of strangers', () => {
  test.use({ expectedErrors: [/40[04] \((Not Found|Bad Request)\)/] })

  test('show what they carry as text', async ({ page }) => {
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

  test('a private label is text too', async ({ page }) => {
    await page.goto(`/chain/43113/address/0x${'12'.repeat(20)}`)
    await page.getByRole('textbox', { name: 'Name of this address' }).fill(image)
    await page.getByRole('button', { name: 'Keep' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(image)
    await page.goto('/addresses')
    await expect(page.getByRole('main').getByText(image)).toBeVisible()
  })
})
