import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testConfig } from '../testing/config.ts'
import { SqlService } from './sql-service.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sql-service-'))
  vi.stubEnv('TMPDIR', folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

test('a statement that fails before it runs leaves its slot and no folder', async () => {
  const service = new SqlService({
    settings: testConfig({ sql: { perCaller: 1 } }).sql,
    lakeFolder: folder,
    chains: [],
    networks: [],
    abis: [],
    database: () => {
      throw new Error('the database is gone')
    },
  })
  const signal = new AbortController().signal
  const ask = () => service.run({ sql: 'select 1', format: 'json', caller: 'one', isTrusted: true, signal })
  // A slot that was not given back would be a 429.
  for (let tries = 0; tries < 2; tries += 1) await expect(ask()).rejects.toThrow('the database is gone')
  expect(readdirSync(folder)).toEqual([])
  service.close()
})
