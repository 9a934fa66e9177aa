import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLocalToken } from './local-token.ts'

let home: string
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'ridgeline-token-')), 'home')
})
afterEach(() => rmSync(join(home, '..'), { recursive: true, force: true }))

const path = (): string => join(home, 'token')
const kept = (): string => readFileSync(path(), 'utf8').trim()

describe('the local token', () => {
  test('is made at the first start, of 256 random bits, and only its owner may read it', () => {
    const token = openLocalToken({ home })
    expect(Buffer.from(kept(), 'base64url')).toHaveLength(32)
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(token.matches(kept())).toBe(true)
    for (const other of [undefined, '', kept().slice(1), `${kept()} `, kept().toUpperCase()])
      expect(token.matches(other)).toBe(false)
    expect(token.place).not.toContain(home)
    const first = kept()
    rmSync(path())
    openLocalToken({ home })
    expect(kept()).not.toBe(first)
  })

  test('holds over starts, of processes beside each other too', () => {
    const first = openLocalToken({ home })
    const token = kept()
    expect(openLocalToken({ home }).matches(token)).toBe(true)
    expect(first.matches(token)).toBe(true)
  })

  test.each([0o644, 0o640, 0o604])('is made anew when others could read it: mode %o', (mode) => {
    openLocalToken({ home })
    const seen = kept()
    chmodSync(path(), mode)
    const token = openLocalToken({ home })
    expect(token.matches(seen)).toBe(false)
    expect(token.matches(kept())).toBe(true)
    expect(statSync(path()).mode & 0o777).toBe(0o600)
  })

  test.each(['', 'short', 'a token with spaces in it, long enough for one'])(
    'is made anew from %j',
    (text) => {
      openLocalToken({ home })
      writeFileSync(path(), text)
      expect(openLocalToken({ home }).matches(kept())).toBe(true)
      expect(Buffer.from(kept(), 'base64url')).toHaveLength(32)
    },
  )

  test('a link to another file is not followed', () => {
    openLocalToken({ home })
    const elsewhere = join(home, 'elsewhere')
    writeFileSync(elsewhere, 'x'.repeat(43), { mode: 0o600 })
    rmSync(path())
    symlinkSync(elsewhere, path())
    expect(() => openLocalToken({ home })).toThrow(/ELOOP/)
  })

  test('is the setting where there is one, and no file is made then', () => {
    const localToken = 'of-the-setting-0123456789-0123456789'
    const token = openLocalToken({ home, localToken })
    expect(token.matches(localToken)).toBe(true)
    expect(token.place).toContain('RIDGELINE_TOKEN')
    expect(existsSync(home)).toBe(false)
  })
})
