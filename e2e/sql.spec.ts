import { readFileSync } from 'node:fs'
import { expect, test } from './support/fixtures.ts'
import { nodeAt } from './support/node.ts'
import { chains, rpcUrlOf } from './support/stack.ts'

// The last statement is refused.
test.use({ expectedErrors: [/status of 400 .*\/v1\/sql/] })

test('a statement is typed with completions, run, shown as table and chart, and carried by its link', async ({
  page,
}) => {
  const block = await nodeAt(rpcUrlOf(chains.c)).block(7)
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'SQL' }).click()
  // The first example is answered already, as a chart beside its table; the day that has not ended is dashed.
  const result = page.getByRole('region', { name: 'Result' })
  const figure = result.getByRole('figure', { name: 'Result' })
  await expect(figure).toBeVisible()
  await expect(result.getByRole('table', { name: 'Result' })).toBeVisible()
  await expect(figure.locator('[stroke-dasharray]').first()).toBeAttached()
  const field = page.getByRole('textbox', { name: 'SQL' })
  await field.fill('')
  await field.pressSequentially('select hash from bloc')
  await expect(page.getByRole('option', { name: /^blocks/ })).toHaveAttribute('aria-selected', 'true')
  await field.press('Tab')
  await expect(field).toHaveText('select hash from blocks')
  // A column of the table that is named, without the table before it; the search key is a character here.
  await field.pressSequentially(' where gas_u')
  await expect(page.getByRole('option', { name: /^gas_used.*of blocks/ })).toBeVisible()
  await field.pressSequentially('sed / 2 > 0')
  await expect(field).toHaveText('select hash from blocks where gas_used / 2 > 0')
  await field.fill('select hash from blocks')
  await field.pressSequentially(` where chain = ${chains.c.id} and number = 7`)
  await field.press('Control+Enter')
  await expect(result).toContainText(block.hash)
  await expect(result).toContainText('No chart: the result has no column of times.')
  await expect(page).toHaveURL(/q=select\+hash/)

  await page
    .getByRole('list', { name: 'Examples' })
    .getByRole('button', { name: /^How does the median gas price/ })
    .click()
  await expect(figure).toBeVisible()

  await page.goBack()
  await page.reload()
  await expect(result).toContainText(block.hash)
  const saved = page.waitForEvent('download')
  await result.getByRole('button', { name: 'Download as csv' }).click()
  expect(readFileSync(await (await saved).path(), 'utf8')).toBe(`hash\r\n${block.hash}\r\n`)

  await field.fill("select * from read_text('/etc/passwd')")
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByRole('alert')).toContainText('read_text() is not available')

  // A mistake is explained and marked, and the table that it is about opens.
  await field.fill('select tx_hsh from transactions limit 1')
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'There is no column tx_hsh in transactions. Did you mean hash',
  )
  await expect(page.locator('.cm-wrong')).toHaveText('tx_hsh')
  const tables = page.getByRole('complementary', { name: 'Questions and tables' })
  await expect(tables.getByRole('button', { name: 'recipient', exact: true })).toBeVisible()

  // A statement is saved under a name, and found again in a later visit.
  await field.fill('select 1 as one')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByLabel('Name of the statement').fill('One')
  await page.keyboard.press('Enter')
  await page.goto('/sql')
  await tables.getByRole('button', { name: 'Saved' }).click()
  await tables.getByRole('button', { name: 'One', exact: true }).click()
  await expect(result.getByRole('table', { name: 'Result' })).toContainText('1')
})
