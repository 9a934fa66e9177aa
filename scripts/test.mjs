// npm test: units and the service on a real database (npm run test:unit), then the browser on the real stack
// (npm run test:e2e). Prints the closing line that counts what ran. Further words choose test files:
// npm run test:unit -- server/routes
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, fail, findChromium, root, runBinary } from './support/bootstrap.mjs'

const parts = { unit: runUnit, e2e: runBrowser }
const [part, ...files] = process.argv.slice(2)
if (part !== undefined && !(part in parts)) fail(`there is no part "${part}"; allowed: unit, e2e`, 2)
const chosen = part === undefined ? Object.values(parts) : [parts[part]]

ensureInstalled()
await ensureBuilt()
const chromium = chosen.includes(runBrowser) ? await findChromium() : undefined
const results = join(root, 'test-results')
rmSync(results, { recursive: true, force: true })

const total = { passed: 0, failed: 0 }
for (const run of chosen) {
  const { code, passed, failed } = await run(files)
  total.passed += passed
  // A run that failed before it could count is also a failure.
  total.failed += code !== 0 && failed === 0 ? 1 : failed
}
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

async function runUnit(files) {
  const file = join(results, 'unit.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await runBinary('vitest', 'vitest', ['run', ...reporters, ...files])
  const counted = read(file)
  return { code, passed: counted?.numPassedTests ?? 0, failed: counted?.numFailedTests ?? 0 }
}

async function runBrowser(files) {
  const file = join(results, 'browser.json')
  const code = await runBinary('@playwright/test', 'playwright', ['test', ...files], {
    RIDGELINE_CHROMIUM: chromium,
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  })
  const stats = read(file)?.stats
  return { code, passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0), failed: stats?.unexpected ?? 0 }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
