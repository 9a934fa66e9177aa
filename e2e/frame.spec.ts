import { sampleContract } from '../sample/testing/addresses.ts'
import { expect, test } from './support/fixtures.ts'
import { chains, sampleUrl } from './support/stack.ts'

test.use({ isOperator: true })

const rail = [
  ['Overview', 'Overview', '/'],
  ['Chains', 'Chains', '/chains'],
  ['Blocks', 'Blocks · C-Chain', '/chain/43113/blocks'],
  ['Transactions', 'Transactions · C-Chain', '/chain/43113/transactions'],
  ['Tokens', 'Tokens · C-Chain', '/chain/43113/tokens'],
  ['Contracts', 'Contracts · C-Chain', '/chain/43113/contracts'],
  ['Metrics', 'Metrics · C-Chain', '/chain/43113/metrics'],
  ['SQL', 'SQL', '/sql'],
  ['Primary network', /^Primary Network · /, '/networks/fuji'],
  ['Validators', /^Validators · /, '/networks/fuji/validators'],
  ['Subnets and L1s', /^Subnets/, '/networks/fuji/subnets'],
  ['Vertices', /^Vertices/, '/networks/fuji/vertices'],
  ['Watch list', /./, '/watch-list'],
  ['Alarms', 'Alarms', '/alarms'],
  ['Signatures', 'Signatures', '/signatures'],
  ['Node', 'Node', '/node'],
  ['API', 'API', '/docs'],
] as const

test('the navigation links to every section and marks the open one', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/')
  const main = page.getByRole('navigation', { name: 'Main' })
  for (const [name, title, path] of rail) {
    const link = main.getByRole('link', { name, exact: true })
    await expect(link, `${name} at 900 px`).toBeInViewport({ ratio: 1 })
    await link.click()
    await expect(page).toHaveURL(path)
    await expect(page).toHaveTitle(typeof title === 'string' ? `${title} · Ridgeline` : title)
    await expect(link).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  }
})

test('the marked link is the one that the page belongs to, and in view in a low window', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 420 })
  const main = page.getByRole('navigation', { name: 'Main' })
  const [contract, skyline] = await Promise.all(
    ['Trouble', 'Skyline Prints'].map((name) => sampleContract(sampleUrl, 'c', name)),
  )
  for (const [path, label] of [
    [`/chain/${chains.c.id}/nfts`, 'Tokens'],
    [`/chain/${chains.c.id}/token/${skyline}`, 'Tokens'],
    [`/chain/${chains.c.id}/hot`, 'Contracts'],
    [`/chain/${chains.c.id}/address/${contract}`, 'Contracts'],
    // An account is in none of the lists.
    [`/chain/${chains.c.id}/address/0x00000000000000000000000000000000000000aa`, undefined],
    ['/networks/fuji/addresses/fuji1t8kvwseljvfytpnnlkt8f8y9hzx4vnf2we8tqa', 'Primary network'],
    ['/networks/fuji/metrics/totalStake', 'Metrics'],
    ['/networks/fuji/l1-validators', 'Validators'],
    ['/fleets', 'Alarms'],
    ['/alarms/rules', 'Alarms'],
    ['/docs', 'API'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
    const marked = main.locator('[aria-current]')
    if (label === undefined) {
      await expect(page.getByRole('tab', { name: 'Deployments' }), path).toBeVisible()
      await expect(marked, path).toHaveCount(0)
    } else {
      await expect(marked, path).toHaveText(label)
      await expect(marked, path).toBeInViewport()
    }
  }
})

test('the settings are in the top bar, which marks them', async ({ page }) => {
  await page.goto('/')
  const link = page.getByRole('banner').getByRole('link', { name: 'Settings' })
  await link.click()
  await expect(page).toHaveURL('/settings')
  await expect(link).toHaveAttribute('aria-current', 'page')
})

test('pages without a link of their own are a click from their section', async ({ page }) => {
  for (const [from, label, to] of [
    ['Tokens', 'NFTs', `/chain/${chains.c.id}/nfts`],
    ['Contracts', 'Most used', `/chain/${chains.c.id}/hot`],
    ['Metrics', 'Network', '/networks/fuji/metrics'],
    ['Metrics', 'Compare chains', /metrics\/txCount\?compare=/],
    ['Validators', 'L1 validators', '/networks/fuji/l1-validators'],
    ['Alarms', 'Fleets', '/fleets'],
  ] as const) {
    await page.goto(`/chain/${chains.c.id}/blocks`)
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: from, exact: true })
      .click()
    await page.getByRole('main').getByRole('link', { name: label, exact: true }).first().click()
    await expect(page).toHaveURL(to)
  }
})

test('the navigation is one tab stop, in which arrow keys move', async ({ page }) => {
  await page.goto('/chains')
  const main = page.getByRole('navigation', { name: 'Main' })
  const links = main.getByRole('link')
  await expect(links).toHaveCount(rail.length)
  await expect(main.getByRole('list', { name: 'Explore' }).getByRole('link')).toHaveCount(6)
  await expect(main.locator('a[tabindex="0"]')).toHaveText('Chains')
  await main.getByRole('link', { name: 'Chains', exact: true }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(main.getByRole('link', { name: 'Blocks', exact: true })).toBeFocused()
  await page.keyboard.press('Home')
  await expect(links.first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(links.first()).toBeFocused()
  for (const [name] of rail.slice(1)) {
    await page.keyboard.press('ArrowDown')
    await expect(main.getByRole('link', { name, exact: true })).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(main.locator(':focus')).toHaveCount(0)
  await page.keyboard.press('Shift+Tab')
  await expect(links.last()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/docs')
})

test('the first row of a table is a few tab stops away, and three keys by the skip link', async ({
  page,
}) => {
  const row = page.getByRole('table').locator('tbody tr').first()
  // One of them is the button for rows that have come meanwhile, and one explains the heading.
  for (const [path, max] of [
    ['/chain/43113/blocks', 19],
    ['/chain/43113/transactions', 24],
    ['/networks/fuji/validators', 30],
  ] as const) {
    await page.goto(path)
    await expect(row.getByRole('link').first()).toBeVisible()
    await page.locator('body').press('Tab')
    let stops = 1
    for (; stops < 60 && !(await row.evaluate((one) => one === document.activeElement)); stops += 1)
      await page.keyboard.press('Tab')
    expect.soft(stops, path).toBeLessThanOrEqual(max)

    await page.goto(path)
    await expect(row.getByRole('link').first()).toBeVisible()
    await page.locator('body').press('Tab')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to the table' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(row).toBeFocused()
  }
})

test('the switcher says where a page does not depend on the chain', async ({ page }) => {
  await page.goto('/node')
  const switcher = page.getByRole('banner').getByRole('button', { name: /^Network and chain: / })
  await expect(switcher).toHaveAccessibleName(
    'Network and chain: Sample network · All chains: this page does not depend on the chain',
  )
  await expect(switcher).toContainText('All chains')
  await page.goto('/chain/43113/blocks')
  await expect(switcher).toHaveAccessibleName('Network and chain: Sample network · C-Chain')
})

test('the chain switcher opens the same page of another chain', async ({ page }) => {
  await page.goto('/chain/43113/blocks')
  await page.getByRole('button', { name: 'Network and chain: Sample network · C-Chain' }).click()
  await page.getByRole('menuitem', { name: chains.harbor.name }).click()
  await expect(page).toHaveURL(`/chain/${chains.harbor.id}/blocks`)
  await expect(page).toHaveTitle('Blocks · Harbor · Ridgeline')
  const main = page.getByRole('navigation', { name: 'Main' })
  await main.getByRole('link', { name: 'Transactions', exact: true }).click()
  await expect(page).toHaveURL(`/chain/${chains.harbor.id}/transactions`)
})

test('what is typed while the command palette opens is in its field', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('#main').getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('meridian')
  const field = page.getByRole('combobox', { name: 'Search, or type a command' })
  await expect(field).toHaveValue('meridian')
  await field.press('Escape')
  await expect(field).toHaveCount(0)
  // The next time it begins empty.
  await page.keyboard.press('Control+k')
  await expect(field).toHaveValue('')
})

test('the command palette opens pages and chains and changes settings', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('#main').getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const field = palette.getByRole('combobox', { name: 'Search, or type a command' })
  await expect(field).toBeFocused()
  await field.fill('meridian')
  await expect(palette.getByRole('option', { name: /Meridian/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(palette).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`/chain/${chains.meridian.id}`))

  await page.keyboard.press('Control+k')
  await field.fill('dark theme')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)
})

test('a tooltip stays in the window', async ({ page }) => {
  await page.goto(`/chain/${chains.c.id}/metrics/txCount`)
  const menu = page.getByRole('button', { name: /^C-Chain, Transactions: export/ })
  const shown = page.getByRole('tooltip')
  // The code of tooltips comes after the page.
  await expect(async () => {
    await page.mouse.move(0, 0)
    await menu.hover()
    await expect(shown).toBeVisible({ timeout: 1_000 })
  }).toPass()
  const [tip, button] = [await shown.boundingBox(), await menu.boundingBox()]
  if (!tip || !button) throw new Error('no tooltip, or no button')
  // Its text is longer than the way from the button to the edge, twice.
  expect(tip.width).toBeGreaterThan(2 * (1440 - button.x))
  expect(tip.x + tip.width).toBeLessThanOrEqual(1440)
  expect(tip.x + tip.width).toBeGreaterThan(button.x)
})

test('theme, time zone, time format and columns are stored', async ({ page }) => {
  await page.goto('/chain/43113/blocks')
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await page.getByRole('button', { name: 'Time zone and times' }).click()
  await page.getByRole('menuitem', { name: 'Date and time' }).click()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Gas limit' }).click()
  await page.keyboard.press('Escape')

  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('columnheader', { name: 'Gas limit' })).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC/)

  await page.getByRole('button', { name: 'Time zone and times' }).click()
  await page.getByRole('menuitem', { name: 'Local time' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText(/[+-]\d{2}:\d{2}/)
})

test('a reload keeps the place in a page, and another address opens at its top', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/chain/43113/transactions')
  const rows = page.getByRole('table').locator('[data-row]')
  await expect(rows.nth(45)).toBeAttached()
  await page.evaluate(() => scrollTo(0, 700))
  await page.reload()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(700)
  await page.goto(`/chain/${chains.meridian.id}/transactions`)
  await expect(rows.nth(45)).toBeAttached()
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('a filter that is written into the URL late does not hold up another page', async ({ page }) => {
  await page.clock.install()
  await page.goto('/chain/43113/tokens')
  let arrive: () => void = () => undefined
  const late = new Promise<void>((resolve) => (arrive = resolve))
  await page.route(/assets\/node-/, async (route) => {
    await late
    await route.continue()
  })
  await page.getByLabel('Name or symbol').fill('dollar')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Node' }).click()
  // The filter is written when typing has rested.
  await page.clock.runFor(600)
  arrive()
  await expect(page).toHaveURL(/\/node$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Node')
})

test.describe('without the code that draws pages', () => {
  test.use({ expectedErrors: [/assets\/draw-|^$|^Not loaded: /] })

  test('the page in the document leads on', async ({ page }) => {
    await page.route(/assets\/draw-/, (route) => route.abort())
    await page.goto('/chains')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Watch list' }).click()
    await expect(page).toHaveTitle(/^Watch list/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Watch list')
  })
})

test('keys and wheels are told in one dialog, by ? and by a button, which touch does not show', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.locator('#main').getByRole('heading', { level: 1 })).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'Keys and mouse' })
  await page.keyboard.press('?')
  await expect(dialog.getByText('Choose a range; a double click resets it')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Keys and mouse' }).click()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  // In a field it is a character.
  await page.keyboard.press('/')
  await page.keyboard.type('a?')
  await expect(dialog).toHaveCount(0)
})
