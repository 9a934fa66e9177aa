import { expect, test } from 'vitest'
import markdown from '../../../docs/glossary.md?raw'
import { wordsOf } from './words.ts'

const words = wordsOf(markdown)
const pages = import.meta.glob<string>('../../pages/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('every label that leads to the glossary finds its word there, and every word has a meaning and a label', () => {
  expect(words.filter(({ word, meaning }) => word === '' || !meaning.endsWith('.'))).toEqual([])
  const used = Object.values(pages).flatMap((page) =>
    [...page.matchAll(/(?:<Term word=|\bterm: )["']([^"']+)["']/g)].map(([, word = '']) => word),
  )
  expect([...new Set(used)].toSorted()).toEqual(words.map(({ word }) => word).toSorted())
})

test('a table ends where the next heading begins', () => {
  expect(
    wordsOf(
      '# G\n\n## Words of the pages\n\n| word | meaning |\n| - | - |\n| a | One. |\n\n## Rest\n\n| b | Two. |\n',
    ),
  ).toEqual([{ word: 'a', meaning: 'One.' }])
})
