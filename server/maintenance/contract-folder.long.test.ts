import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installCompilers } from '../contracts/testing/compilers.ts'
import { sourcifyCase } from '../contracts/testing/sourcify-cases.ts'
import { startAnvil, type Anvil } from '../node/testing/anvil.ts'
import { addressOf, seedChain } from '../testing/chain-rows.ts'
import { testConfig } from '../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startTestService, type TestService } from '../testing/service.ts'
import { exportContracts, importContracts, type Service } from './contract-folder.ts'

/* Contracts go from one service into a folder, and from there into another one of the same chain. */

const chain = 43113
const names = ['libraries_manually_linked', 'multi_source_solidity'] as const
const at = (name: string): Hex => addressOf(name) as Hex

let folder: string
let anvil: Anvil
const opened: { store: TestDatabase; service: TestService; url: string }[] = []

async function open(): Promise<Service> {
  const store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: [{ number: 0, ts: 1_700_000_000, txs: [] }] })
  const service = await startTestService(store.database, {
    config: {
      ...testConfig({ chains: [{ evmChainId: chain, name: 'Test Chain', rpcUrl: anvil.url }] }),
      home: join(folder, 'home'),
    },
  })
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 })
  opened.push({ store, service, url })
  return { url, token: undefined }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-contracts-'))
  await installCompilers(join(folder, 'home'), ['solc-0.8.18'])
  anvil = await startAnvil(['--chain-id', String(chain)])
  for (const name of names)
    await anvil.ask('anvil_setCode', [at(name), sourcifyCase(name).onchain.deployedBytecode])
})
afterAll(async () => {
  for (const { service, store } of opened) {
    await service.close()
    await store.drop()
  }
  await anvil.stop()
  await rm(folder, { recursive: true, force: true })
})

const verdicts = async ({ url }: Service): Promise<unknown[]> => {
  const response = await fetch(`${url}/sourcify/v2/contracts/${chain}`)
  const { results } = (await response.json()) as { results: { address: string; runtimeMatch: string }[] }
  return results.map(({ address, runtimeMatch }) => [address, runtimeMatch]).sort()
}

test('contracts are the same after an export and an import, and a changed source is refused', async () => {
  const first = await open()
  for (const name of names) {
    const { stdJsonInput, compilerVersion, contractIdentifier } = sourcifyCase(name)
    const body = JSON.stringify({ stdJsonInput, compilerVersion, contractIdentifier })
    const headers = { 'content-type': 'application/json' }
    const url = `${first.url}/sourcify/v2/verify/${chain}/${at(name)}`
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(202)
  }
  await expect.poll(() => verdicts(first), { timeout: 120_000, interval: 500 }).toHaveLength(2)
  const out = join(folder, 'out')
  expect(await exportContracts(first, String(chain), out)).toEqual({ written: 2, left: 0 })
  const placeOf = (name: string): string =>
    join(out, 'contracts/full_match', String(chain), getAddress(at(name)))
  expect((await readdir(placeOf(names[0]))).sort()).toEqual(['library-map.json', 'metadata.json', 'sources'])
  expect((await readdir(join(placeOf(names[1]), 'sources/contracts'))).sort()).toEqual([
    'Counter.sol',
    'Math.sol',
  ])

  const second = await open()
  const said: string[] = []
  const say = (line: string): void => void said.push(line)
  expect(await importContracts(second, out, say)).toEqual({ verified: 2, failed: 0 })
  expect(await verdicts(second)).toEqual(await verdicts(first))

  const source = join(placeOf(names[1]), 'sources/contracts/Math.sol')
  await writeFile(source, `${await readFile(source, 'utf8')}// changed`)
  const third = await open()
  expect(await importContracts(third, out, say)).toEqual({ verified: 1, failed: 1 })
  expect(said).toEqual([expect.stringMatching(/no source has the hash .*Math\.sol/)])
})
