import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { files } from './ops.mjs'
import { dashboardQueries, ruleQueries, selectorsOf } from './support/promql.ts'

/** scripts/ops.long.test.ts finds every series in the metrics of a running service. */

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

test('every query of rules and dashboards is valid, and names series', () => {
  const queries = [...ruleQueries(root), ...dashboardQueries(root)]
  expect(queries.length).toBeGreaterThan(40)
  for (const query of queries) expect(selectorsOf(query).length, query).toBeGreaterThan(0)
  for (const query of [
    'sum by (kind (ridgeline_watch)',
    'ridgeline_watch{kind=~}',
    'rate(ridgeline_watch[5m)',
  ])
    expect(() => selectorsOf(query), query).toThrow(query)
})

test('every dashboard is provisioned, and its panels do not overlap', () => {
  const names = readdirSync(join(root, 'ops/grafana'))
  expect(names).toEqual(['ridgeline-service.json', 'ridgeline-validators.json', 'ridgeline-watch.json'])
  for (const name of names) {
    const { panels, uid } = JSON.parse(readFileSync(join(root, 'ops/grafana', name), 'utf8')) as {
      uid: string
      panels: { title: string; gridPos: { x: number; y: number; w: number; h: number } }[]
    }
    expect(`${uid}.json`).toBe(name)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, place) => `${x + (place % w)} ${y + Math.floor(place / w)}`),
    )
    expect(new Set(cells).size, name).toBe(cells.length)
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24)
  }
})

test.skipIf(!hasPromtool)('promtool accepts the rules and the example of a configuration', () => {
  execFileSync('promtool', ['check', 'rules', join(root, 'ops/prometheus/rules.yml')])
  execFileSync('promtool', ['check', 'config', join(root, 'ops/prometheus/prometheus.yml')])
})
