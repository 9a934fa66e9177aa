import { expect, test } from 'vitest'
import { misspoken, readWords } from './words.mjs'

const glossary = [
  '| word | meaning |',
  '| room | a folder |',
  '',
  '| say | not |',
  '| --- | --- |',
  '| cannot | `can not` |',
  '| `max…` | `most…` |',
  '| `…TimeoutMs` | `…Patience`, `patienceMs` |',
].join('\n')

test('finds the words that the glossary replaces, whole and as parts of names', () => {
  const words = readWords(glossary)
  const text = 'mostly\nmostRows\nit can not\nclosePatience\npatience\nconst patienceMs = 1\natMost'
  expect(misspoken(words, new Map([['a.ts', text]]))).toEqual([
    'a.ts:2: say max… instead of mostRows (docs/glossary.md)',
    'a.ts:3: say cannot instead of can not (docs/glossary.md)',
    'a.ts:4: say …TimeoutMs instead of closePatience (docs/glossary.md)',
    'a.ts:6: say …TimeoutMs instead of patienceMs (docs/glossary.md)',
  ])
})
