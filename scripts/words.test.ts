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
  '| ID | _id_, _Id_ |',
  '| P-Chain | _P-chain_ |',
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

test('finds words of texts in documents, and leaves their code and the code itself', () => {
  const words = readWords(glossary)
  const text =
    'Its id.\nThe `id` and /ids, [one](#id)\n```\nid\n```\nId of all\nvalid ids <id>\nThe P-chain of /p-chain'
  expect(misspoken(words, new Map([['docs/a.md', text]]))).toEqual([
    'docs/a.md:1: say ID instead of id (docs/glossary.md)',
    'docs/a.md:6: say ID instead of Id (docs/glossary.md)',
    'docs/a.md:8: say P-Chain instead of P-chain (docs/glossary.md)',
  ])
  expect(misspoken(words, new Map([['a.ts', text]]))).toEqual([])
})
