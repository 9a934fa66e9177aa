import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { programFile } from './program-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ridgeline-program-'))
  for (const name of ['sources', 'built', 'installed/shared'])
    mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['sources/main.ts', 'built/job.js', 'installed/job.js'])
    writeFileSync(join(folder, name), '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const find = (from: string) => programFile('job', 'main.ts', pathToFileURL(join(folder, from)).href)

test('sources start sources, unless a folder of built programs is named', () => {
  vi.stubEnv('RIDGELINE_BUILT', '')
  expect(find('sources/caller.ts')).toEqual({ path: join(folder, 'sources/main.ts'), isSource: true })
  vi.stubEnv('RIDGELINE_BUILT', join(folder, 'built'))
  expect(find('sources/caller.ts')).toEqual({ path: join(folder, 'built/job.js'), isSource: false })
})

test('built programs start those next to them, whatever folder is named', () => {
  vi.stubEnv('RIDGELINE_BUILT', join(folder, 'built'))
  const expected = { path: join(folder, 'installed/job.js'), isSource: false }
  expect(find('installed/server.js')).toEqual(expected)
  expect(find('installed/shared/caller.js')).toEqual(expected)
})

test('a program that is nowhere is named', () => {
  vi.stubEnv('RIDGELINE_BUILT', join(folder, 'installed/shared'))
  expect(() => find('installed/shared/deep/caller.ts')).toThrow('the program job is not built')
})
