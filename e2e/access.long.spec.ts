import { violationsOf } from './support/axe.ts'
import { expect, test } from './support/fixtures.ts'
import { overflowOf } from './support/layout-measures.ts'
import { settle } from './support/parts.ts'
import { chains } from './support/stack.ts'

test('menus, dialogs and the palette have no axe violation', async ({ page }) => {
  await settle(page, `/chain/${chains.c.id}/blocks`)
  for (const name of ['Theme', 'Columns', 'Export', 'Time zone and times: UTC']) {
    await page.getByRole('button', { name, exact: true }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    expect.soft(await violationsOf(page), name).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search, or type a command' }).fill('12')
  await expect(page.getByRole('option', { name: /Block 12/ }).first()).toBeVisible()
  expect.soft(await violationsOf(page), 'palette').toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('/')
  await page.keyboard.type('12')
  await expect(page.getByRole('option', { name: /Block 12/ }).first()).toBeVisible()
  expect.soft(await violationsOf(page), 'search').toEqual([])
})

test.describe('an operator', () => {
  test.use({ isOperator: true })

  test('finds the focus where a menu or a dialog was opened, once it is closed', async ({ page }) => {
    await settle(page, `/chain/${chains.c.id}/address/0x00000000000000000000000000000000000000aa`)
    for (const [name, role] of [
      ['Theme', 'menu'],
      ['Columns', 'menu'],
      ['Keys and mouse', 'dialog'],
      ['Warn me', 'dialog'],
    ] as const) {
      const button = page.getByRole('button', { name, exact: true })
      for (const open of [() => button.click(), () => button.press('Enter')]) {
        await open()
        await expect(page.getByRole(role)).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.getByRole(role)).toHaveCount(0)
        await expect(button, name).toBeFocused()
      }
    }
    // A key opens these from anywhere.
    const link = page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Tokens', exact: true })
    for (const key of ['Control+k', '?']) {
      await link.focus()
      await page.keyboard.press(key)
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(link, key).toBeFocused()
    }
  })
})

test('a narrow page shows its navigation in a sheet and its rows on two lines', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await settle(page, '/')
  await page.getByRole('button', { name: 'Menu' }).click()
  const sheet = page.getByRole('dialog', { name: 'Ridgeline' })
  await expect(sheet.getByRole('link', { name: 'Blocks' })).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  await sheet.getByRole('link', { name: 'Blocks' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(page).toHaveTitle('Blocks · C-Chain · Ridgeline')
  const row = page.getByRole('table').locator('tbody tr').first()
  expect((await row.boundingBox())?.height).toBe(60)
})

test('pages work at twice the text size', async ({ page }) => {
  // A 1280 px window at 200 % zoom has 640 px and the same text size.
  await page.setViewportSize({ width: 640, height: 450 })
  for (const path of ['/', `/chain/${chains.c.id}/blocks`, `/chain/${chains.c.id}/metrics/txCount`]) {
    await settle(page, path)
    expect(await overflowOf(page), path).toBeLessThanOrEqual(0)
  }
})

test('the keyboard reaches everything on the overview, with the focus always visible', async ({ page }) => {
  await settle(page, '/')
  const reachable = await page
    .locator('a[href]:visible, button:visible:enabled, input:visible:enabled')
    .evaluateAll((all) => all.filter((one) => one instanceof HTMLElement && one.tabIndex >= 0).length)
  // The feed pauses while it has the focus; the rows of a table are one tab stop, and so is the navigation.
  const names = new Set<string>()
  await page.locator('body').press('Tab')
  for (let step = 0; step < reachable + 10; step += 1) {
    const seen = await page.evaluate(() => {
      const active = document.activeElement
      if (!(active instanceof HTMLElement) || active === document.body) return undefined
      const style = getComputedStyle(active)
      const box = active.getBoundingClientRect()
      return {
        name: active.getAttribute('aria-label') ?? active.textContent ?? '',
        outlined: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0,
        inside: box.bottom > 0 && box.top < window.innerHeight && box.width > 0,
      }
    })
    if (seen === undefined) break
    expect.soft(seen.outlined, `the focus shows on “${seen.name}”`).toBe(true)
    expect.soft(seen.inside, `“${seen.name}” is in view`).toBe(true)
    expect.soft(seen.name.trim(), `what has the focus at stop ${step} has a name`).not.toBe('')
    names.add(seen.name.trim())
    await page.keyboard.press('Tab')
  }
  for (const name of ['Skip to content', 'Overview', 'Theme', 'Pause', 'All figures'])
    expect([...names], name).toContain(name)
})

test('the first tab stop is a link that skips the frame', async ({ page }) => {
  await settle(page, '/chains')
  await page.locator('body').press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('after every navigation the heading of the new page has the focus', async ({ page }) => {
  await settle(page, '/chains')
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
  await page.getByRole('navigation').getByRole('link', { name: 'Blocks', exact: true }).click()
  await expect(heading('Blocks')).toBeFocused()
  // In quiet hours the latest blocks are runs of empty ones.
  await page.getByRole('button', { name: 'Show empty blocks' }).click()
  await page
    .getByRole('table')
    .getByRole('link', { name: /^[\d,]+$/ })
    .first()
    .click()
  await expect(heading(/^Block /)).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.type('12')
  await page
    .getByRole('option', { name: /Block 12/ })
    .first()
    .click()
  await expect(heading(/^Block 12/)).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search, or type a command' }).fill('validators')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  // What is typed while a page is still loading is not lost to its heading.
  let goOn = (): void => undefined
  const isHeld = new Promise<void>((resolve) => (goOn = resolve))
  await page.route('**/*.js', async (route) => {
    await isHeld
    await route.continue()
  })
  await page.getByRole('navigation').getByRole('link', { name: 'API', exact: true }).click()
  await page.keyboard.press('/')
  const field = page.getByRole('combobox', { name: 'Search by height, hash, address, name or ID' })
  await expect(field).toBeFocused()
  goOn()
  await expect(heading(/API/)).toBeVisible()
  await page.keyboard.type('12')
  await expect(field).toHaveValue('12')
  // A filter changes the address, and the focus stays where it is.
  await settle(page, `/chain/${chains.c.id}/blocks`)
  const button = page.getByRole('button', { name: 'Columns', exact: true })
  await button.focus()
  await page.evaluate(() => history.replaceState(history.state, '', '?x=1'))
  await expect(button).toBeFocused()
})

test('a form that was sent with mistakes moves the focus to the first of them', async ({ page }) => {
  await settle(page, '/signatures?tab=request')
  await page.getByRole('button', { name: 'Collect signatures' }).click()
  const first = page.locator('form [aria-invalid="true"]').first()
  await expect(first).toBeFocused()
  await expect(page.getByRole('button', { name: 'Collect signatures' })).toBeEnabled()
})

test('forced colours keep bars and the marks of legends, and outline what is chosen', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await settle(page, `/chain/${chains.c.id}/metrics/txCount?compare=${chains.meridian.id}`)
  const marks = await page
    .locator("#main [style*='background:']")
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))
  expect(marks.length).toBeGreaterThan(1)
  expect(new Set(marks).size).toBeGreaterThan(1)
  await settle(page, `/chain/${chains.c.id}`)
  const chosen = page.getByRole('tab', { selected: true }).first()
  const other = page.getByRole('tab', { selected: false }).first()
  const outlineOf = (tab: typeof chosen) => tab.evaluate((one) => getComputedStyle(one).outlineStyle)
  expect(await outlineOf(chosen)).toBe('solid')
  expect(await outlineOf(other)).toBe('none')
})

test('reduced motion turns animations off', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const path of ['/', `/chain/${chains.c.id}/metrics`]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .filter((one) => Number(one.effect?.getComputedTiming().activeDuration ?? 0) > 50)
        .map((one) => (one.effect instanceof KeyframeEffect ? (one.effect.target?.className ?? '') : '')),
    )
    expect(moving, path).toEqual([])
  }
})
