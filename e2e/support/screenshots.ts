/*
 * Saves screenshots of every page, in both themes, wide and narrow, of the stack at the ports of stack.ts:
 * `npx tsx e2e/support/screenshots.ts FOLDER [PAGE …]`. This is not a test.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { everyPage } from './pages.ts'
import { serviceUrl } from './stack.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const [folder = 'test-results/pictures', ...wanted] = positionals
mkdirSync(folder, { recursive: true })

const executablePath = process.env['RIDGELINE_CHROMIUM']
const browser = await chromium.launch({
  ...(executablePath !== undefined && { executablePath }),
  args: ['--no-sandbox', '--disable-gpu'],
})
const pages = (await everyPage()).filter(({ name }) => wanted.length === 0 || wanted.includes(name))
for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 390]) {
    const context = await browser.newContext({
      baseURL: serviceUrl,
      colorScheme,
      viewport: { width, height: width === 1440 ? 900 : 844 },
    })
    const page = await context.newPage()
    for (const { name, path } of pages) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForFunction(() =>
        [...document.querySelectorAll('.skeleton')].every(
          (one) => one.getBoundingClientRect().top > window.innerHeight,
        ),
      )
      const file = `${name}-${width}-${colorScheme}.png`
      await page.screenshot({
        path: join(folder, file),
        fullPage: !/^(blocks|transactions|metrics)$/.test(name),
      })
      process.stdout.write(`${file}\n`)
    }
    await context.close()
  }
}
await browser.close()
