import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { port, samplePort, serviceUrl } from './e2e/support/stack.ts'
import { chosenTests, leftOutTests } from './scripts/testing/left-out.ts'

// Workers read this file too, each as a process of its own: the home is the runner's.
const home = (process.env['RIDGELINE_E2E_HOME'] ??= join(tmpdir(), `ridgeline-e2e-${process.pid}`))
// The stack ends after every hook of Playwright, so its home goes when the runner itself goes.
if (process.env['TEST_WORKER_INDEX'] === undefined)
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))

const long = '**/*.long.spec.ts'
const leftOut = leftOutTests(['e2e'], '.long.spec.ts').map((file) => `**/${file}`)

/**
 * The Firefox of the system, driven by WebDriver BiDi instead of a build of Playwright's own. A relay adds what Playwright
 * expects beyond the protocol of a stable Firefox.
 */
const firefox = {
  browserName: 'firefox',
  channel: 'moz-firefox',
  launchOptions: {
    executablePath: join(import.meta.dirname, 'scripts/support/firefox.mjs'),
    // Firefox 153 crashes when a script reads ariaLabelledByElements twice, as Playwright's does to find elements by name.
    firefoxUserPrefs: { 'accessibility.ARIAElementReflection.enabled': false },
  },
} as const

const chromium = {
  launchOptions: {
    ...(process.env['RIDGELINE_CHROMIUM'] && { executablePath: process.env['RIDGELINE_CHROMIUM'] }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  },
}

/** What runs in Firefox: a tour of every page, and, with the long tests, what people do on some of them. */
const inFirefox = 'firefox.long.spec.ts'
const alsoInFirefox = ['frame.spec.ts', 'tasks.spec.ts']
const isInFirefox = chosenTests !== undefined && !leftOut.includes(`**/e2e/${inFirefox}`)

/** The browser tests run against the stack of `npm start` itself, in a home of its own. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: `test-results/${chosenTests === 'long' ? 'long/' : ''}browser`,
  projects: [
    { name: 'history', testMatch: 'history.setup.ts' },
    // First, beside files that only need the EVM chains: these tests mostly wait, in a row, and at the end one of the
    // two workers would wait with them. They also silence the P-Chain, which tests of its pages must not meet.
    {
      name: 'watch',
      testMatch: 'watch/**',
      testIgnore: leftOut,
      dependencies: ['history'],
    },
    {
      name: 'pages',
      ...(chosenTests === 'long' && { testMatch: long }),
      testIgnore: ['watch/**', inFirefox, ...leftOut],
      dependencies: ['history'],
    },
    {
      name: 'firefox',
      testMatch: [
        inFirefox,
        ...(isInFirefox && process.env['RIDGELINE_FIREFOX'] !== undefined ? alsoInFirefox : []),
      ],
      testIgnore: leftOut,
      use: firefox,
      dependencies: ['history'],
    },
  ],
  // One browser keeps one of two cores busy. The tests of a file share state and run one after another.
  workers: 2,
  fullyParallel: false,
  // They end only what hangs, as in vitest.config.ts: a busy machine may take ten times as long as a quiet one. No test has
  // a deadline of its own.
  timeout: 900_000,
  expect: { timeout: 120_000, toPass: { timeout: 180_000 } },
  forbidOnly: true,
  // A loaded machine may miss a deadline once; a test that needed its second try is reported as flaky.
  retries: process.env['CI'] ? 1 : 0,
  reporter: [['list'], ['json']],
  use: {
    baseURL: serviceUrl,
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    viewport: { width: 1440, height: 900 },
    trace: 'on-first-retry',
    ...(process.env['RIDGELINE_BROWSER'] === 'firefox' ? firefox : chromium),
  },
  webServer: {
    command: 'node scripts/start.mjs',
    url: `${serviceUrl}/health`,
    timeout: 1_800_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: {
      PORT: String(port),
      SAMPLE_PORT: String(samplePort),
      RIDGELINE_HOME: home,
      RIDGELINE_SAMPLE_ARGS: '--test-controls',
    },
  },
})
