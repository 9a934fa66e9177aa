import { expect, test } from 'vitest'
import { maxHits, searchSources } from './search-sources.ts'

const sources = [
  { path: 'a/Token.sol', content: 'contract Token {\n  function mint() external onlyOwner {}\n}' },
  { path: 'b/Owned.sol', content: 'modifier onlyOwner() {\n  _;\n}\n' },
]

test('lines of all files that have the text are found, whatever its case', () => {
  expect(searchSources(sources, 'ONLYowner ')).toEqual({
    hits: [
      { path: 'a/Token.sol', line: 2, text: 'function mint() external onlyOwner {}' },
      { path: 'b/Owned.sol', line: 1, text: 'modifier onlyOwner() {' },
    ],
    count: 2,
  })
  expect(searchSources(sources, ' ')).toEqual({ hits: [], count: 0 })
  expect(searchSources(sources, '.')).toEqual({ hits: [], count: 0 })
})

test('a text that stands everywhere is listed a hundred times, and one in a very long line is in what is shown', () => {
  const many = searchSources([{ path: 'x', content: 'x\n'.repeat(1_000) }], 'x')
  expect([many.hits.length, many.count]).toEqual([maxHits, 1_000])
  const [hit] = searchSources(
    [{ path: 'x', content: `${'y'.repeat(5_000)}here${'y'.repeat(5_000)}` }],
    'here',
  ).hits
  expect(hit?.text).toMatch(/here/)
  expect(hit?.text.length).toBe(200)
})
