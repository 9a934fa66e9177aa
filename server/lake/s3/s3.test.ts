import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { storedHead, until } from '../../indexer/testing/harness.ts'
import type { RecordedNode } from '../../indexer/primary/testing/recorded-node.ts'
import { contentOf as fileContent } from '../../kernel/durable-files.ts'
import type { NetworkConfig } from '../../kernel/settings/config.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { indexRewarded, rewardedNetworks, rewardedNode } from '../primary/testing/rewarded-node.ts'
import { runLakeSealer } from '../program/run-sealer.ts'
import { livelyChainId, startLivelyChain, type LivelyChain } from '../testing/lively-chain.ts'
import { contentOf, runLake, startLake } from '../testing/run-lake.ts'
import { openBucket, type Bucket } from './bucket.ts'
import { LakeMirror } from './mirror.ts'

/** versitygw, a server of S3 over a folder, as `npm run test:s3` names it. Without it nothing here is tested. */
const program = process.env['RIDGELINE_VERSITYGW']
const last = 19
const size = 5
const prefix = 'lakes/one'

let folder: string
let chain: LivelyChain
let port: number
let server: ChildProcess
/** What an extraction to a folder writes. */
let expected: Record<string, string>

const bucket = (...path: string[]): string => join(folder, 'storage', 'bucket', ...path)
const inBucket = (lake = prefix): Promise<Record<string, string>> => contentOf(bucket(lake))

/** Starts the server on its folder, which outlives it, and waits until it answers. */
async function startServer(): Promise<void> {
  const args = ['--port', `127.0.0.1:${port}`, '--access', 'user', '--secret', 'password', 'posix']
  const options = ['--sidecar', join(folder, 'sidecar'), '--disable-object-lock-file']
  server = spawn(program ?? '', [...args, ...options, join(folder, 'storage')], { stdio: 'pipe' })
  if (server.stdout === null) throw new Error('no output')
  for await (const line of createInterface(server.stdout)) if (line.includes(`:${port}`)) break
  server.stdout.resume()
}

/** The environment of one machine with a home folder of its own. */
const machine = (home: string): NodeJS.ProcessEnv => ({
  RIDGELINE_HOME: join(folder, home),
  AWS_ACCESS_KEY_ID: 'user',
  AWS_SECRET_ACCESS_KEY: 'password',
  AWS_REGION: 'us-east-1',
  AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
})
const extractTo = (root: string): string[] =>
  `extract --root ${root} --chain ${livelyChainId} --rpc ${chain.url} --to ${last} --range-size ${size} --confirmations 0`.split(
    ' ',
  )
const remote = `s3://bucket/${prefix}`

/** Deletes an object, which a lake never does. */
async function remove(Key: string): Promise<void> {
  const client = new S3Client({ forcePathStyle: true })
  await client.send(new DeleteObjectCommand({ Bucket: 'bucket', Key }))
  client.destroy()
}

describe.skipIf(program === undefined)('a lake in S3-compatible storage', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ridgeline-s3-'))
    await mkdir(bucket(), { recursive: true })
    await mkdir(join(folder, 'sidecar'))
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    port = (probe.address() as AddressInfo).port
    await new Promise((closed) => probe.close(closed))
    chain = await startLivelyChain(last + 1)
    expect((await runLake(extractTo(join(folder, 'local')))).code).toBe(0)
    expected = await contentOf(join(folder, 'local'))
    await startServer()
  })

  afterAll(async () => {
    server?.kill('SIGKILL')
    await chain?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('gets the bytes of an extraction to a folder, though the storage fails on the way', async () => {
    const args = extractTo(remote)
    const run = startLake(args, machine('one'))
    run.process.stdout?.on('data', () => {
      if (run.output.some((line) => line.endsWith('uploaded'))) server.kill('SIGKILL')
    })
    expect(await run.ended).toBe(1)
    const [stored, all] = [Object.keys(await inBucket()).length, Object.keys(expected).length]
    expect(stored).toBeGreaterThan(0)
    expect(stored).toBeLessThan(all)
    await startServer()
    const again = await runLake(args, machine('one'))
    expect(again.output).toMatch(/uploaded/)
    expect(again.code).toBe(0)
    expect(await inBucket()).toEqual(expected)
    // Another machine finds nothing left to do, and neither keeps the files.
    const other = await runLake(args, machine('two'))
    expect(other.output).toBe('0 ranges written')
    for (const home of ['one', 'two'])
      expect(
        Object.keys(await contentOf(join(folder, home))).filter((name) => name.endsWith('.parquet')),
      ).toEqual([])
  })

  test('is verified, loaded and copied from there', async () => {
    const verified = await runLake(['verify', '--root', remote], machine('reader'))
    expect(verified.output).toContain(`chain ${livelyChainId}`)
    expect(verified.code).toBe(0)
    const store = await createTestDatabase()
    const load = ['load', '--root', remote, '--chain', `${livelyChainId}`]
    const loaded = await runLake(load, { ...machine('reader'), DATABASE_URL: store.url })
    // What verifying downloaded is there.
    expect(loaded.output).not.toContain('downloaded')
    expect((await storedHead(store.database, livelyChainId))?.number).toBe(last)
    await store.drop()
    const into = join(folder, 'copy')
    expect((await runLake(['pull', '--root', remote, '--into', into], machine('reader'))).code).toBe(0)
    expect(await contentOf(into)).toEqual(expected)
  })

  test('is shared by machines without a common folder', async () => {
    const store = await createTestDatabase()
    const lake = 'lakes/shared'
    const args = [...extractTo(`s3://bucket/${lake}`), '--leases', 'shared']
    const runs = await Promise.all(
      ['one', 'two'].map((home) => runLake(args, { ...machine(home), DATABASE_URL: store.url })),
    )
    const written = runs.map(({ output }) => Number(/(\d+) ranges written/.exec(output)?.[1]))
    expect((written[0] ?? 0) + (written[1] ?? 0)).toBe((last + 1) / size)
    expect(await inBucket(lake)).toEqual(expected)
    await store.drop()
  })

  test('gets what `seal` writes of an EVM chain', async () => {
    const sealed = extractTo('s3://bucket/lakes/sealed').map((arg) => (arg === 'extract' ? 'seal' : arg))
    const args = [...sealed.filter((arg, place) => arg !== '--to' && sealed[place - 1] !== '--to'), '--once']
    expect(await runLake(args, machine('one'))).toMatchObject({ code: 0 })
    expect(await inBucket('lakes/sealed')).toEqual(expected)
  })

  describe('the P- and the X-Chain', () => {
    let node: RecordedNode
    let networks: NetworkConfig[]
    let local: Record<string, string>
    const extraction = (chainAlias: string, root: string): string[] =>
      `extract --root ${root} --chain ${chainAlias} --rpc ${networks[0]?.nodeUrl} --range-size 4`.split(' ')
    const genesis = (): string[] => ['--genesis', join(folder, 'genesis.bin')]

    beforeAll(async () => {
      node = rewardedNode()
      networks = rewardedNetworks(await node.start(), folder)
      for (const chainAlias of ['P', 'X'])
        expect((await runLake([...extraction(chainAlias, join(folder, 'primary')), ...genesis()])).code).toBe(
          0,
        )
      local = await contentOf(join(folder, 'primary'))
    })
    afterAll(() => node?.stop())

    test('are extracted to it, and another machine continues from there', async () => {
      const root = 's3://bucket/lakes/primary'
      for (const chainAlias of ['P', 'X']) {
        const first = [...extraction(chainAlias, root), ...genesis(), '--to', chainAlias === 'P' ? '11' : '3']
        expect((await runLake(first, machine('one'))).code).toBe(0)
        // The genesis is in the lake.
        const { code, output } = await runLake(extraction(chainAlias, root), machine('two'))
        expect([code, output]).toEqual([0, expect.stringContaining('0000000000-0000000003: downloaded')])
      }
      expect(await inBucket('lakes/primary')).toEqual(local)
      expect(await runLake(['verify', '--root', root], machine('reader'))).toMatchObject({ code: 0 })
      // The first machine goes on behind what the other one wrote.
      const again = await runLake(extraction('P', root), machine('one'))
      expect(again.output).toMatch(/0000000012-0000000015: downloaded[^]*0 ranges written/)
    })

    test('are sealed to it by the service, which waits for a storage that fails', async () => {
      const store = await createTestDatabase()
      await indexRewarded(store.database, networks)
      for (const [key, value] of Object.entries(machine('service'))) vi.stubEnv(key, value)
      server.kill('SIGKILL')
      await once(server, 'exit')
      const abort = new AbortController()
      const log: string[] = []
      const write = (_fields: object, message: string) => void log.push(message)
      const ended = runLakeSealer({
        config: {
          lake: { seal: true, rangeSize: 4, storage: 's3://bucket/lakes/service' },
          home: join(folder, 'service'),
          chains: [],
          networks,
        },
        databaseUrl: store.url,
        logger: { info: write, warn: write },
        signal: abort.signal,
        every: 50,
      })
      await until('it tries again', async () => log.includes('the lake tries again'))
      await mkdir(bucket('lakes/service'), { recursive: true })
      await startServer()
      const files = Object.keys(local).length
      await until('all is sealed', async () => Object.keys(await inBucket('lakes/service')).length === files)
      abort.abort()
      await ended
      vi.unstubAllEnvs()
      await store.drop()
      expect(await inBucket('lakes/service')).toEqual(local)
    })
  })

  describe('where another upload came first', () => {
    const name = '0000000005-0000000009'
    const logs = `${livelyChainId}/logs/${name}.parquet`
    let storage: Bucket
    beforeEach(() => {
      for (const [key, value] of Object.entries(machine('one'))) vi.stubEnv(key, value)
      storage = openBucket(remote, machine('one'))
    })
    afterEach(() => {
      storage.close()
      vi.unstubAllEnvs()
    })

    test('a file without a manifest is replaced', async () => {
      const other = join(folder, 'other')
      await writeFile(other, 'of another engine')
      await remove(`${prefix}/${livelyChainId}/manifests/${name}.json`)
      expect(await storage.put(logs, other, await fileContent(other), true)).toBe(true)
      expect((await runLake(extractTo(remote), machine('one'))).output).toContain('1 ranges written')
      expect(await inBucket()).toEqual(expected)
    })

    test('a range with another content is not', async () => {
      const manifest = join(folder, 'manifest')
      const key = `${livelyChainId}/manifests/${name}.json`
      await writeFile(
        manifest,
        (await readFile(join(folder, 'local', key), 'utf8')).replace('"engine": "', '"engine": "Another '),
      )
      expect(await storage.put(key, manifest, await fileContent(manifest), true)).toBe(true)
      const before = await inBucket()
      expect(before).not.toEqual(expected)
      // As if the other upload had ended after this one's list of what there is.
      const late = join(folder, 'late')
      await cp(join(folder, 'local'), late, { recursive: true })
      await appendFile(join(late, logs), 'other bytes')
      const files = JSON.parse(await readFile(join(late, key), 'utf8')) as { files: { logs: object } }
      const { size: bytes, sha256 } = await fileContent(join(late, logs))
      Object.assign(files.files.logs, { bytes, sha256 })
      await writeFile(join(late, key), JSON.stringify(files))
      await expect(new LakeMirror(storage, late).push(`${livelyChainId}`, name)).rejects.toThrow(
        `${key}: the bucket has this range with another content`,
      )
      expect(await inBucket()).toEqual(before)
    })

    test('storage refuses a file that is not what its checksum says', async () => {
      const other = join(folder, 'other')
      const content = { ...(await fileContent(other)), sha256: '0'.repeat(64) }
      await expect(storage.put('checksum', other, content, true)).rejects.toThrow()
      expect(await storage.checksum('checksum')).toBeUndefined()
    })
  })

  test('is refused where an object is not what its manifest says', async () => {
    const file = bucket(prefix, `${livelyChainId}`, 'logs', '0000000000-0000000004.parquet')
    await writeFile(file, 'damaged')
    const { code, output } = await runLake(['verify', '--root', remote], machine('new reader'))
    expect(output).toContain('logs/0000000000-0000000004.parquet: the bucket has another content')
    expect(code).toBe(1)
  })
})
