import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { schema } from './schema.ts'

/** The comment lines right above a line that matches, and those above each of the same kind that follow without a gap. */
function commentsOf(pattern: RegExp): { name: string; comment: string }[] {
  const found: { name: string; comment: string }[] = []
  let comment: string[] = []
  let last = ''
  for (const line of schema.split('\n')) {
    const text = /^\s*-- (.*)$/.exec(line)?.[1]
    if (text !== undefined) comment.push(text)
    else {
      const name = pattern.exec(line)?.[1]
      if (comment.length > 0) last = comment.join(' ')
      if (name !== undefined) found.push({ name, comment: last })
      // An index may go over two lines, and two indexes may have one comment.
      if (line === '') last = ''
      comment = []
    }
  }
  return found
}

test('a comment says what a row of each table is', () => {
  const tables = commentsOf(/^create table (\w+)/)
  expect(tables.length).toBeGreaterThan(60)
  expect(tables.filter(({ comment }) => comment === '')).toEqual([])
})

test('a comment names the files of the queries that need each index', () => {
  const indexes = commentsOf(/^\s*create (?:unique )?index (\w+)/)
  expect(indexes.length).toBeGreaterThan(80)
  const problems = indexes.flatMap(({ name, comment }) => {
    const files = comment.match(/[\w/-]+\.ts/g) ?? []
    const missing = files.filter(
      (file) => !existsSync(fileURLToPath(new URL(`../../${file}`, import.meta.url))),
    )
    return files.length === 0 ? [`${name}: no file`] : missing.map((file) => `${name}: ${file} is missing`)
  })
  expect(problems).toEqual([])
})
