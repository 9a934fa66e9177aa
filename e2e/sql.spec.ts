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
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result).toContainText(block.hash)
  await expect(page).toHaveURL(/q=select\+hash/)

  await page.getByRole('combobox', { name: 'Examples' }).selectOption({ index: 1 })
  await result.getByRole('tab', { name: 'Chart' }).click()
  await expect(result.getByRole('figure', { name: 'Result' })).toBeVisible()

  await page.goBack()
  await page.reload()
  await expect(result).toContainText(block.hash)
  const saved = page.waitForEvent('download')
  await result.getByRole('button', { name: 'Download as csv' }).click()
  expect(readFileSync(await (await saved).path(), 'utf8')).toBe(`hash\r\n${block.hash}\r\n`)

  await field.fill("select * from read_text('/etc/passwd')")
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByRole('alert')).toContainText('read_text() is not available')
})
