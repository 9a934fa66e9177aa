import { expect, test } from 'vitest'
import { versionCounts } from './peer-versions.ts'

test('versions are counted, the newest first', () => {
  const peers = ['a/1.9.0', 'a/1.14.2', 'a/1.9.0', 'a/1.14.10'].map((version) => ({ version }))
  expect(versionCounts(peers)).toEqual([
    { version: 'a/1.14.10', count: 1, share: 25 },
    { version: 'a/1.14.2', count: 1, share: 25 },
    { version: 'a/1.9.0', count: 2, share: 50 },
  ])
  expect(versionCounts([])).toEqual([])
})
