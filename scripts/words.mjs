// Enforces the words of docs/glossary.md: `npm run lint` fails on a word that its second table replaces.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './support/bootstrap.mjs'
import { readTracked } from './support/tracked-files.mjs'

/** Where other words stand as they are: the list itself, its test, and what was told of releases. */
const untouched = new Set(['docs/glossary.md', 'scripts/words.test.ts', 'CHANGELOG.md'])

/**
 * The replaced words: rows `| say | not |` with words in code marks, where `…` stands for the rest of a name.
 * @returns {{ say: string, not: RegExp }[]}
 */
export function readWords(glossary) {
  const [, table = ''] = glossary.split('| say ')
  return table.split('\n').flatMap((row) => {
    const [, say, not = ''] = row.split('|')
    return [...not.matchAll(/`([^`]+)`/g)].map(([, word]) => ({
      say: say.trim().replaceAll('`', ''),
      not: new RegExp(`\\b${word.replace(/^…/, '\\w+').replace(/…$/, '[A-Z]\\w*')}\\b`),
    }))
  })
}

/** A line for each place of `files` (path to text) that has such a word. */
export function misspoken(words, files) {
  return [...files].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) =>
      words.flatMap(({ say, not }) => {
        const found = not.exec(line)
        return found ? [`${file}:${index + 1}: say ${say} instead of ${found[0]} (docs/glossary.md)`] : []
      }),
    ),
  )
}

/** Whether the project's code and documents keep to the words; prints each place that does not. */
export function checkWords() {
  const files = readTracked(/\.(ts|tsx|mjs|md)$/)
  for (const file of untouched) files.delete(file)
  const places = misspoken(readWords(readFileSync(join(root, 'docs/glossary.md'), 'utf8')), files)
  for (const place of places) console.log(place)
  return places.length === 0
}
