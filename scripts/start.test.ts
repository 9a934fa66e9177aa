import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { programFile } from '../server/kernel/programs/program-file.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from '../e2e/support/launcher.ts'

/** For waiting on other programs on a busy machine. */
const patient = { interval: 200 }
const folder = temporaryFolder()
const stacks: Launched[] = []
afterAll(async () => {
  for (const stack of stacks) if (stack.child.exitCode === null) await stack.stop()
  folder.remove()
})

describe('an unknown flag is refused with code 2 and the list of all', () => {
  test.each([
    [
      'the service',
      programFile('server', '../server/main.ts', import.meta.url),
      ['--config', '--network', '--node', '--role'],
    ],
    [
      'the sample network',
      programFile('sample', '../sample/main.ts', import.meta.url),
      [
        '--host',
        '--port',
        '--home',
        '--seed',
        '--now',
        '--hours',
        '--density',
        '--live',
        '--archive',
        '--admin',
        '--test-controls',
      ],
    ],
    [
      'npm run verify',
      programFile('verify', '../server/verify/verify.ts', import.meta.url),
      ['--chain', '--tables', '--rewind', '--network', '--config', '--help'],
    ],
    [
      'npm run bench',
      programFile('bench', '../bench/main.ts', import.meta.url),
      ['--full', 'bytes', 'search'],
    ],
  ])('%s', async (_, { path, isSource }, flags) => {
    const args = [...(isSource ? ['--import', 'tsx'] : []), path, '--nope']
    const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
      execFile(
        process.execPath,
        args,
        { cwd: fileURLToPath(new URL('..', import.meta.url)) },
        (error, out, err) => resolve({ code: error?.code, output: out + err }),
      )
    })
    expect(code).toBe(2)
    const [, allowed] = output.split('; allowed: ')
    expect(output).toContain("Unknown option '--nope'")
    for (const flag of flags) expect(allowed).toContain(flag)
  })
})

describe('what the operator has to change is said with code 2', () => {
  const startIn = async (env: Record<string, string>): Promise<{ code: number | null; output: string }> => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('start.mjs', import.meta.url))], {
      env: { ...process.env, PORT: '0', ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const [code] = (await once(child, 'exit')) as [number | null]
    return { code, output }
  }

  test('a data folder that cannot be written', async () => {
    const file = join(folder.path, 'a file')
    writeFileSync(file, '')
    const home = join(file, 'home')
    const { code, output } = await startIn({ RIDGELINE_HOME: home, SAMPLE_PORT: '0' })
    expect(code).toBe(2)
    expect(output).toContain(
      `the data folder ${home} can't be written (ENOTDIR): give it to this user, or choose`,
    )
    expect(output).not.toContain('    at ')
  })

  test('a port of the sample network that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    try {
      const { code, output } = await startIn({
        RIDGELINE_HOME: join(folder.path, 'taken'),
        SAMPLE_PORT: String(port),
        RIDGELINE_SAMPLE_ARGS: '--hours 6',
      })
      expect(output).toContain(`port ${port} is in use: choose another with SAMPLE_PORT=${port + 10}`)
      expect(code).toBe(2)
    } finally {
      taken.close()
    }
  })
})

test('the terminal says why a chain does not reach its node', async () => {
  const config = writeConfig(folder.path, {
    chains: [{ evmChainId: 5, name: 'Five', rpcUrl: 'http://user:hunter2@127.0.0.1:9/hunter2' }],
  })
  const stack = launch({ home: folder.path, args: ['--config', config] })
  stacks.push(stack)
  await expect.poll(stack.output, patient).toContain('Five is waiting: 127.0.0.1:9: connection refused')
  expect(stack.output()).not.toContain('hunter2')
  expect(await stack.stop()).toBe(0)
})

test('npm run verify takes the home and the configuration of a local network', async () => {
  const { path: home, remove } = temporaryFolder()
  const verify = fileURLToPath(new URL('verify.mjs', import.meta.url))
  const run = async (): Promise<{ code: unknown; output: string }> =>
    new Promise((resolve) => {
      const env = { ...process.env, RIDGELINE_HOME: home }
      execFile(process.execPath, [verify, '--network', 'local', '--tables'], { env }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, output: out + err }),
      )
    })
  expect(await run()).toMatchObject({
    code: 2,
    output: expect.stringContaining('is not there; npm start writes it'),
  })
  const folderOfNetwork = join(home, 'local', 'validators')
  mkdirSync(folderOfNetwork, { recursive: true })
  const nodeUrl = 'http://127.0.0.1:9'
  writeFileSync(
    join(folderOfNetwork, 'ridgeline.json'),
    JSON.stringify({
      networks: [{ id: 'fuji', name: 'Local network', networkId: 1337, prefix: 'custom', nodeUrl }],
      chains: [{ evmChainId: 43112, name: 'C-Chain', rpcUrl: nodeUrl, network: 'fuji' }],
    }),
  )
  const { code, output } = await run()
  expect(output).toContain('C-Chain (43112), head none: tables only')
  expect(output).toContain('Local network (P, X, C): tables only')
  // Nothing was ever indexed there, which is an error.
  expect(output).toContain('the chain has no row')
  expect(code).toBe(1)
  remove()
})

test('nobody needs to read what the launcher says', async () => {
  const script = fileURLToPath(new URL('start.mjs', import.meta.url))
  const config = writeConfig(folder.path, {
    chains: [{ evmChainId: 5, name: 'Five', rpcUrl: 'http://127.0.0.1:9' }],
  })
  const child = spawn(process.execPath, [script, '--config', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', RIDGELINE_HOME: folder.path },
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await expect.poll(() => said, patient).toContain('the dashboard is at')
  const url = /dashboard is at (\S+)/.exec(said)?.[1] ?? ''
  child.stdout.destroy()
  child.stderr.destroy()
  // Its next line is that the chain waits, which the status also contains.
  await expect.poll(async () => (await fetch(`${url}/v1/status`)).text(), patient).toContain('refused')
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
})
