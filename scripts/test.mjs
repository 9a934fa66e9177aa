// npm test: units and the service on a real database (npm run test:unit), then the browser on the real stack
// (npm run test:e2e). Files named *.long.* are left out, and npm run test:long runs them alone. Ends with the failures
// of both parts, then the line that counts what ran. Further words choose test files, long ones too:
// npm run test:unit -- server/routes
import { readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import {
  ensureBuilt,
  ensureInstalled,
  fail,
  findChromium,
  findFirefox,
  root,
  runBinary,
  say,
} from './support/bootstrap.mjs'
import { keepTemporaryFilesInMemory } from './support/memory-folder.mjs'

const parts = { unit: [runUnit], e2e: [runBrowser], long: [runUnit, runBrowser] }
const [part, ...files] = process.argv.slice(2)
if (part !== undefined && !(part in parts))
  fail(`there is no part "${part}"; allowed: ${Object.keys(parts).join(', ')}`, 2)
const chosen = parts[part] ?? [runUnit, runBrowser]
if (part === 'long') process.env.RIDGELINE_TESTS = 'long'
else if (files.length === 0) process.env.RIDGELINE_TESTS ??= 'quick'

ensureInstalled()
await ensureBuilt()
const chromium = chosen.includes(runBrowser) ? await findChromium() : undefined
// Its tests are long ones. RIDGELINE_BROWSER=firefox runs all in it (playwright.config.ts).
const needsFirefox =
  part === 'long' ||
  process.env.RIDGELINE_TESTS?.includes('/') ||
  process.env.RIDGELINE_BROWSER === 'firefox' ||
  files.some((word) => word.includes('firefox'))
const firefox = chosen.includes(runBrowser) && needsFirefox ? findFirefox() : {}
if (firefox.missing !== undefined) say(`tests in Firefox are skipped: ${firefox.missing}`)
keepTemporaryFilesInMemory()
// The long tests run after the others: both keep what failed.
const results = join(root, 'test-results', part === 'long' ? 'long' : '')
rmSync(results, { recursive: true, force: true })

const total = { passed: 0, failed: 0 }
/** Named once more at the end: a log of two suites is long, and of some logs only the end is kept. */
const named = []
for (const run of chosen) {
  const { code, passed, failed, failures } = await run(files)
  named.push(...failures)
  total.passed += passed
  // A run that failed before it could count is also a failure.
  total.failed += code !== 0 && failed === 0 ? 1 : failed
}
for (const name of named) console.log(`failed: ${name}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

async function runUnit(files) {
  const file = join(results, 'unit.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await runBinary('vitest', 'vitest', ['run', ...reporters, ...files], {
    RIDGELINE_BUILT: join(root, 'dist/node'),
  })
  const counted = read(file)
  const failures = (counted?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    const place = relative(root, name)
    if (failed.length === 0 && status === 'failed') return [`${place}: ${firstLine(message)}`]
    return failed.map((test) => `${place} › ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
  })
  return { code, passed: counted?.numPassedTests ?? 0, failed: counted?.numFailedTests ?? 0, failures }
}

async function runBrowser(files) {
  const file = join(results, 'browser.json')
  const code = await runBinary('@playwright/test', 'playwright', ['test', ...files], {
    RIDGELINE_CHROMIUM: chromium,
    ...(firefox.path !== undefined && { RIDGELINE_FIREFOX: firefox.path }),
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  })
  const report = read(file)
  const { expected = 0, flaky = 0, unexpected = 0 } = report?.stats ?? {}
  const failures = specsOf(report?.suites ?? []).filter(({ ok }) => !ok)
  return {
    code,
    passed: expected + flaky,
    failed: unexpected,
    failures: failures.map(({ file: place, line, title }) => `e2e/${place}:${line} › ${title}`),
  }
}

function specsOf(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [...specs, ...specsOf(inner)])
}

function firstLine(text = '') {
  return text.split('\n', 1)[0]
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
