import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

test('a setting is named', () => {
  const line = tokenLine('http://127.0.0.1:4400', home, { ...onTerminal, setting: token })
  expect(line).toContain('RIDGELINE_TOKEN')
  expect(line).not.toContain(token)
})

test('a token that is not there or can’t be read is announced as such, wherever the line goes', () => {
  const odd = join(home, 'odd')
  // What is there is not a file, which nobody can read, not even root.
  mkdirSync(join(odd, 'token'), { recursive: true })
  for (const folder of [join(home, 'none'), odd])
    for (const isTerminal of [true, false])
      for (const url of ['http://127.0.0.1:4400', 'http://192.0.2.1:4400'])
        expect(tokenLine(url, folder, { ...onTerminal, isTerminal })).toBe(
          `there is no local token: ${join(folder, 'token')} can't be read`,
        )
})
