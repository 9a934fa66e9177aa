import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { dashboardFile, files, rulesFile } from './ops.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const hasPromtool = (() => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.each(Object.entries(files))('%s is what scripts/ops.mjs writes', (path, write) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(write())
})

test('every series of rules and dashboard is one that the service has', () => {
  const source = readFileSync(join(root, 'server/http/prometheus.ts'), 'utf8')
  const named = new Set(`${rulesFile()}${dashboardFile()}`.match(/ridgeline_\w+/g))
  expect(named.size).toBeGreaterThan(3)
  for (const name of named) expect(source, name).toContain(`'${name}'`)
})

test.skipIf(!hasPromtool)('promtool accepts the rules', () => {
  execFileSync('promtool', ['check', 'rules', join(root, 'ops/prometheus/rules.yml')])
})
