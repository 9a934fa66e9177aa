import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'ridgeline-bootstrap-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bootstrap = fileURLToPath(new URL('bootstrap.mjs', import.meta.url))
const installed = join(folder, 'installed')
// A machine without a browser whose apt-get records its calls.
writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho "$*" >> ${installed}\n`)
chmodSync(join(folder, 'apt-get'), 0o755)

/** Searches for a browser on that machine; returns the exit code and the output. */
function find(
  browser: 'Chromium' | 'Firefox',
  env: Record<string, string> = {},
): Promise<{ code: unknown; output: string }> {
  const { CHROMIUM_PATH: _, FIREFOX_PATH: __, ...inherited } = process.env
  const load = `import(${JSON.stringify(bootstrap)}).then((module) => module.find${browser}()).then(console.log)`
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--eval', load],
      { env: { ...inherited, PATH: folder, PLAYWRIGHT_BROWSERS_PATH: folder, ...env } },
      (error, out, err) => resolve({ code: error?.code ?? 0, output: out + err }),
    )
  })
}

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a machine without a browser',
  () => {
    test('installs nothing if a setting prevents it, and reports what is missing', async () => {
      const { code, output } = await find('Chromium', { RIDGELINE_INSTALL: 'no' })
      expect(code).toBe(2)
      expect(output).toContain('no Chromium found')
      expect(existsSync(installed)).toBe(false)
    })

    test('uses the configured browser', async () => {
      expect(await find('Chromium', { CHROMIUM_PATH: '/opt/browser' })).toEqual({
        code: 0,
        output: '/opt/browser\n',
      })
      expect(existsSync(installed)).toBe(false)
    })

    test('reports what it installs and which setting prevents it', async () => {
      const { output } = await find('Chromium')
      expect(output).toMatch(
        /^ridgeline {2}installing a system package of chromium .*RIDGELINE_INSTALL=no prevents it/,
      )
      const lines = readFileSync(installed, 'utf8').trim().split('\n')
      expect(lines.map((line) => line.split(' ').at(-1))).toEqual([
        '-qq',
        'chromium-headless-shell',
        'chromium',
      ])
    })

    test('has its own Firefox, which is not needed by all tests', async () => {
      rmSync(installed)
      expect(await find('Firefox', { FIREFOX_PATH: '/opt/browser' })).toEqual({
        code: 0,
        output: "{ path: '/opt/browser' }\n",
      })
      const { code, output } = await find('Firefox', { RIDGELINE_INSTALL: 'no' })
      expect({ code, output }).toEqual({
        code: 0,
        output: "{ missing: 'no Firefox found; install one, or set FIREFOX_PATH' }\n",
      })
      expect(existsSync(installed)).toBe(false)
      await find('Firefox')
      expect(readFileSync(installed, 'utf8').trim()).toMatch(/ firefox-esr$/)
    })
  },
)
