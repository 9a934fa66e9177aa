import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenLine } from './token-line.mjs'

const home = mkdtempSync(join(tmpdir(), 'ridgeline-token-line-'))
const token = 'wYJm7tTzqkG3-4u_8vB2nQ5xR1sL0pD9fH6aKcEeMgI'
beforeAll(() => writeFileSync(join(home, 'token'), `${token}\n`))
afterAll(() => rmSync(home, { recursive: true }))

const onTerminal = { isTerminal: true, setting: undefined }

test('a terminal shows the link, with the token behind the fragment', () => {
  expect(tokenLine('http://127.0.0.1:4400', home, onTerminal)).toMatch(
    new RegExp(` http://127\\.0\\.0\\.1:4400/#token=${token}$`),
  )
})

test('what may be a log, and an address that others reach, name the file only', () => {
  for (const line of [
    tokenLine('http://127.0.0.1:4400', home, { ...onTerminal, isTerminal: false }),
    tokenLine('http://192.0.2.1:4400', home, onTerminal),
    tokenLine('http://127.0.0.1.example:4400', home, onTerminal),
  ]) {
    expect(line).not.toContain(token)
    expect(line).toContain(join(home, 'token'))
  }
})

test('a setting is named, and a file that is not there', () => {
  const line = tokenLine('http://127.0.0.1:4400', home, { ...onTerminal, setting: token })
  expect(line).toContain('RIDGELINE_TOKEN')
  expect(line).not.toContain(token)
  expect(tokenLine('http://127.0.0.1:4400', join(home, 'none'), onTerminal)).toContain("can't be read")
})
