import type { BrowserContext, Page } from '@playwright/test'
import { getMetric } from '../../contract/metrics/metrics.ts'
import { listStakeHistory } from '../../contract/network/staking.ts'
import { listTokenHistory, listTokens } from '../../contract/tokens/tokens.ts'
import { listValidators } from '../../contract/network/validators.ts'
import { getVertexGraph } from '../../contract/primary/blocks.ts'
import { primaryChainIds } from '../../contract/primary/chains.ts'
import { expect, test } from '../support/fixtures.ts'
import { ask, askAll, chains, serviceUrl } from '../support/stack.ts'

const network = 'fuji'
const c = chains.c
const blue = '#0462d3'
const orange = '#d87d4c'

/** Chooses an entry of a chart's menu and returns the text that it copied. */
async function copied(page: Page, context: BrowserContext, chart: string, entry: string): Promise<string> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const menu = page.getByRole('button', { name: `${chart}: export and view`, exact: true })
  await expect(menu).toBeVisible()
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await menu.click()
  await page.getByRole('menuitem', { name: entry }).click()
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(clipboard).not.toBe('')
  return clipboard()
}

/** An SVG as the browser reads it: the values of its bars and lines of a colour, by the labels of its own axis. */
async function valuesOf(page: Page, address: string, colour: string): Promise<number[]> {
  return page.evaluate(
    async ([from, shown]) => {
      const response = await fetch(from)
      const type = response.headers.get('content-type')
      if (type !== 'image/svg+xml') throw new Error(`${response.status} ${type}`)
      const document = new DOMParser().parseFromString(await response.text(), 'image/svg+xml')
      const sizes: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, B: 1e9 }
      const labels = [...document.querySelectorAll('text[text-anchor="end"]')].flatMap((text) => {
        const read = /^([\d.,]+)([kMB]?)$/.exec(text.textContent ?? '')
        const value = Number(read?.[1]?.replaceAll(',', '')) * (sizes[read?.[2] ?? ''] ?? 1)
        return read === null ? [] : [{ value, y: Number(text.getAttribute('y')) - 4 }]
      })
      const [low, high] = [labels[0], labels.at(-1)]
      if (low === undefined || high === undefined || low === high) throw new Error('no axis')
      const valueAt = (y: number): number =>
        low.value + ((y - low.y) * (high.value - low.value)) / (high.y - low.y)
      return [...document.querySelectorAll('path')].flatMap((path) => {
        const d = path.getAttribute('d') ?? ''
        const isLine = path.getAttribute('fill') === 'none' && path.getAttribute('stroke') === shown
        if (isLine && path.getAttribute('stroke-width') === '1.5')
          // A level is steps.
          return [...d.matchAll(/(?:[ML][-\d.]+,|V)([-\d.]+)/g)].map(([, y]) => valueAt(Number(y)))
        if (path.getAttribute('fill') !== shown) return []
        return [...d.matchAll(/M[-\d.]+,[-\d.]+V([-\d.]+)h/g)].map(([, y]) => valueAt(Number(y)))
      })
    },
    [address, colour] as const,
  )
}

const about = (value: number, tolerance: number): unknown => ({
  asymmetricMatch: (drawn: unknown) => Math.abs(Number(drawn) - value) <= tolerance,
})

test.describe('a metric', () => {
  // A page for iframes has no icon; browsers ask for one only where it is opened by itself.
  test.use({ expectedErrors: [/favicon\.ico/] })

  test('the copied addresses answer its chart, and the code of an iframe shows it', async ({
    page,
    context,
  }) => {
    const from = Date.UTC(2026, 9, 20) / 1000
    const to = from + 12 * 86_400
    const points = await askAll(getMetric, 'results', {
      params: { chainId: c.id, metric: 'txCount' },
      query: { timeInterval: 'day', startTimestamp: from - 1, endTimestamp: to, pageSize: 100 },
    })
    const counts = points.toReversed().map(({ value }) => Number(value))
    expect(counts).toHaveLength(12)
    const chart = 'C-Chain, Transactions'
    await page.goto(`/chain/${c.id}/metrics/txCount?from=${from}&to=${to}`)
    const svg = await copied(page, context, chart, 'Copy picture address')
    expect(svg).toBe(`${serviceUrl}/embed/chain/${c.id}/metrics/txCount.svg?from=${from}&to=${to}`)
    const max = Math.max(...counts)
    expect(await valuesOf(page, svg, blue)).toEqual(counts.map((count) => about(count, max / 100)))

    const png = await copied(page, context, chart, 'Copy PNG address')
    const shown = await page.evaluate(async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.naturalWidth
      canvas.height = image.naturalHeight
      const drawing = canvas.getContext('2d')
      drawing?.drawImage(image, 0, 0)
      const { data } = drawing?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
      let bars = 0
      // The bars are blue at an opacity of 0.85 on white.
      for (let at = 0; at < data.length; at += 4)
        if ((data[at] ?? 255) < 60 && (data[at + 2] ?? 0) > 200) bars += 1
      return { width: canvas.width, height: canvas.height, share: bars / (canvas.width * canvas.height) }
    }, png)
    expect([shown.width, shown.height]).toEqual([800, 420])
    expect(shown.share).toBeGreaterThan(0.1)

    const code = await copied(page, context, chart, 'Copy iframe code')
    const source = /^<iframe src="([^"]+)"[^>]*><\/iframe>$/.exec(code)?.[1]?.replaceAll('&amp;', '&')
    await page.goto(source ?? 'about:blank')
    const picture = page.getByRole('img', { name: 'Transactions · C-Chain, open in Ridgeline' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(800)
    await expect(page.getByRole('link')).toHaveAttribute(
      'href',
      `/chain/${c.id}/metrics/txCount?from=${from}&to=${to}&scale=auto&mode=plain`,
    )
  })
})

test('a validator: the copied address answers its stake', async ({ page, context }) => {
  const { validators } = await ask(listValidators, {
    params: { network },
    query: { pageSize: 1, validationStatus: 'active' },
  })
  const nodeId = validators[0]?.nodeId ?? ''
  const { points } = await ask(listStakeHistory, {
    params: { network, nodeId },
    query: { pageSize: 2160 },
  })
  const last = points.at(-1)
  await page.goto(`/networks/${network}/validators/${nodeId}?tab=history&range=30d&scale=zero`)
  const svg = await copied(page, context, `${nodeId}, Delegated and own stake`, 'Copy picture address')
  expect(svg).toBe(
    `${serviceUrl}/embed/networks/${network}/validators/${nodeId}/stake.svg?range=30d&scale=zero`,
  )
  for (const [colour, amount] of [
    [blue, last?.amountDelegated],
    [orange, last?.amountStaked],
  ] as const) {
    const max = Number(last?.amountStaked) + Number(last?.amountDelegated)
    expect((await valuesOf(page, svg, colour)).at(-1)).toEqual(
      about(Number(amount) / 1e9, Math.max(1, max / 1e9 / 100)),
    )
  }
})

test('the validators by stake: the menu has their figures and the address of the picture', async ({
  page,
  context,
}) => {
  const validators = await askAll(listValidators, 'validators', {
    params: { network },
    query: { pageSize: 100, validationStatus: 'active', subnetId: primaryChainIds.p },
  })
  await page.goto(`/networks/${network}/validators`)
  const svg = await copied(page, context, 'Validators by stake', 'Copy picture address')
  expect(svg).toBe(`${serviceUrl}/embed/networks/${network}/validators/stake.svg`)
  const title = await page.evaluate(async (address) => (await fetch(address)).text(), svg)
  expect(title).toContain('Validators by stake')

  await page.getByRole('button', { name: 'Validators by stake: export and view' }).click()
  await page.getByRole('menuitem', { name: 'View as table' }).click()
  await expect(page).toHaveURL(/[?&]table=stake/)
  const rows = page.getByRole('table', { name: 'Validators by stake' }).locator('tbody tr')
  const counts = await rows.locator('td:nth-child(3)').allInnerTexts()
  expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(validators.length)
})

test('the vertices: the copied address answers their graph from a height on', async ({ page, context }) => {
  const { vertices } = await ask(getVertexGraph, {
    params: { network, blockchainId: 'x-chain' },
    query: { count: 300, startHeight: 2 },
  })
  await page.goto(`/networks/${network}/vertices?from=2&size=100`)
  const svg = await copied(page, context, 'Vertices of the X-Chain', 'Copy picture address')
  expect(svg).toBe(`${serviceUrl}/embed/networks/${network}/vertices.svg?from=2`)
  const drawn = await page.evaluate(async (address) => (await fetch(address)).text(), `${svg}&width=1600`)
  const heights = [...drawn.matchAll(/text-anchor="middle">(\d+)</g)].map(([, height]) => Number(height))
  expect(heights[0]).toBe(2)
  const last = heights.at(-1) ?? 0
  const shown = vertices.filter(({ vertexHeight, isStop }) => vertexHeight <= last && !isStop)
  const circles = drawn.match(/A[\d.]+,[\d.]+,0,1,1,[^A]*A/g) ?? []
  // Those of the next height may begin to show at the edge.
  expect(circles.length).toBeGreaterThanOrEqual(shown.length)
  expect(circles.length).toBeLessThanOrEqual(vertices.length)
})

test('the overview and a token: the copied addresses answer their charts', async ({ page, context }) => {
  await page.goto('/?range=30d')
  const stack = await copied(page, context, 'Transactions by chain', 'Copy picture address')
  expect(stack).toBe(`${serviceUrl}/embed/chains/transactions.svg?range=30d`)
  const days = await askAll(getMetric, 'results', {
    params: { chainId: c.id, metric: 'txCount' },
    query: { timeInterval: 'day', pageSize: 5 },
  })
  // The lowest layer is the first chain: its values are its own; the last whole day is before the open one.
  const whole = Number(days[1]?.value)
  expect(await valuesOf(page, stack, blue)).toContainEqual(about(whole, whole / 20 + 2))

  const { tokens } = await ask(listTokens, {
    params: { chainId: c.id },
    query: { pageSize: 1, sortBy: 'holderCount' },
  })
  const token = tokens[0]
  const address = token?.address ?? ''
  const { points } = await ask(listTokenHistory, {
    params: { chainId: c.id, address },
    query: { pageSize: 2160 },
  })
  await page.goto(`/chain/${c.id}/token/${address}?tab=history&range=all`)
  const holders = await copied(page, context, `${token?.name ?? ''}, Holders`, 'Copy picture address')
  const max = Number(points.at(-1)?.holderCount)
  expect((await valuesOf(page, holders, blue)).at(-1)).toEqual(about(max, max / 100))
})
