import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { metricNames } from '../../contract/metrics/catalogue.ts'

test('docs/metrics.md says of every metric what is counted, and of no other', () => {
  const text = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8')
  const [, section = ''] = /^## What counts\n([^]*?)^## /m.exec(text) ?? []
  // The first two lines of the table are its head.
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
  const named = rows.flatMap((row) => (row.split('|')[1] ?? '').split(',').map((name) => name.trim()))
  expect(named.toSorted()).toEqual([...metricNames].toSorted())
})
