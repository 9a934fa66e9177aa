import { expect, test } from 'vitest'
import markdown from '../../../docs/glossary.md?raw'
import { wordsOf } from './words.ts'

const words = wordsOf(markdown)
const pages = import.meta.glob<string>('../../pages/**/*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('every label that leads to the glossary finds its word there, and every word has a meaning', () => {
  const known = new Set(words.map(({ word }) => word))
  expect(words.filter(({ word, meaning }) => word === '' || !meaning.endsWith('.'))).toEqual([])
  const used = Object.values(pages).flatMap((page) =>
    [...page.matchAll(/<Term word="([^"]+)"/g)].map(([, word = '']) => word),
  )
  expect(used.length).toBeGreaterThan(4)
  expect(used.filter((word) => !known.has(word))).toEqual([])
})

test('a table ends where the next heading begins', () => {
  expect(
    wordsOf(
      '# G\n\n## Words of the pages\n\n| word | meaning |\n| - | - |\n| a | One. |\n\n## Rest\n\n| b | Two. |\n',
    ),
  ).toEqual([{ word: 'a', meaning: 'One.' }])
})
