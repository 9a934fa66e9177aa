// Enforces the words of docs/glossary.md: `npm run lint` fails on a word that its second table replaces.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './support/bootstrap.mjs'
import { readTracked } from './support/tracked-files.mjs'

/** Where other words stand as they are: the list itself, its test, and what was told of releases. */
const untouched = new Set(['docs/glossary.md', 'scripts/words.test.ts', 'CHANGELOG.md'])

/**
 * The replaced words: rows `| say | not |` with words in code marks, where `…` stands for the rest of a name. One in italics
 * is replaced in the text of documents only.
 * @returns {{ say: string, not: RegExp, isProse: boolean }[]}
 */
export function readWords(glossary) {
  const [, table = ''] = glossary.split('| say ')
  return table.split('\n').flatMap((row) => {
    const [, say, not = ''] = row.split('|')
    return [...not.matchAll(/`([^`]+)`|_([\w-]+)_/g)].map(([, word, inProse]) => ({
      say: say.trim().replaceAll('`', ''),
      // A placeholder, and a part of a longer name, are not words of a text.
      not: inProse
        ? new RegExp(`(?<![\\w/:.<-])${inProse}(?![\\w/>(=-])`)
        : new RegExp(`\\b${word.replace(/^…/, '\\w+').replace(/…$/, '[A-Z]\\w*')}\\b`),
      isProse: inProse !== undefined,
    }))
  })
}

/** The text of a document with its code, its links' targets and its line breaks as they are: letters of code are blanks. */
const proseOf = (markdown) =>
  markdown.replaceAll(/```[^]*?```|`[^`\n]*`|\]\([^)]*\)/g, (code) => code.replaceAll(/[^\n]/g, ' '))

/** A line for each place of `files` (path to text) that has such a word. */
export function misspoken(words, files) {
  return [...files].flatMap(([file, text]) => {
    const prose = file.endsWith('.md') ? proseOf(text).split('\n') : []
    return text.split('\n').flatMap((line, index) =>
      words.flatMap(({ say, not, isProse }) => {
        const found = not.exec(isProse ? (prose[index] ?? '') : line)
        return found ? [`${file}:${index + 1}: say ${say} instead of ${found[0]} (docs/glossary.md)`] : []
      }),
    )
  })
}

/** Whether the project's code and documents keep to the words; prints each place that does not. */
export function checkWords() {
  const files = readTracked(/\.(ts|tsx|mjs|md)$/)
  for (const file of untouched) files.delete(file)
  const places = misspoken(readWords(readFileSync(join(root, 'docs/glossary.md'), 'utf8')), files)
  for (const place of places) console.log(place)
  return places.length === 0
}
