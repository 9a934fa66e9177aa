// npm test: units and the service on a real database, then the browser on the real stack. Prints the
// closing line that counts both.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, findChromium, root, runBinary } from './bootstrap.mjs'

ensureInstalled()
await ensureBuilt()
const chromium = await findChromium()
const results = join(root, 'test-results')
rmSync(results, { recursive: true, force: true })

const unitFile = join(results, 'unit.json')
const browserFile = join(results, 'browser.json')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${unitFile}`]
const unitCode = await runBinary('vitest', 'vitest', ['run', ...reporters, ...process.argv.slice(2)], {
  RIDGELINE_CHROMIUM: chromium,
})
const browserCode = await runBinary('@playwright/test', 'playwright', ['test'], {
  RIDGELINE_CHROMIUM: chromium,
  PLAYWRIGHT_JSON_OUTPUT_FILE: browserFile,
})

const unit = read(unitFile)
const browser = read(browserFile)
const passed = (unit?.numPassedTests ?? 0) + (browser?.stats.expected ?? 0) + (browser?.stats.flaky ?? 0)
const failed = (unit?.numFailedTests ?? 0) + (browser?.stats.unexpected ?? 0)
// A run that broke before it could count is a failure too.
const broken = (unitCode !== 0 || browserCode !== 0) && failed === 0 ? 1 : 0
console.log(`${passed} passed, ${failed + broken} failed`)
process.exit(failed + broken === 0 && passed > 0 ? 0 : 1)

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
