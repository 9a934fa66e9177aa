import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, launch, temporaryFolder, writeConfig, type Launched } from '../e2e/support/launcher.ts'

const run = promisify(execFile)
const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** For waiting on other programs on a busy machine. */
const patient = { interval: 250 }
// The environment that npm sets for the test run belongs to this project, not to the test's folder.
const names = Object.keys(process.env).filter((name) => /^npm_|^INIT_CWD$|^NODE_ENV$/i.test(name))
const env = { ...process.env, ...Object.fromEntries(names.map((name) => [name, undefined])) }

const folder = temporaryFolder()
const stacks: Launched[] = []
afterAll(async () => {
  for (const stack of stacks) if (stack.child.exitCode === null) await stack.stop()
  folder.remove()
})

describe('the packed package, installed in an empty folder', () => {
  const place = join(folder.path, 'somewhere else')
  // The command that npx runs. npx itself forwards no signals, except that a terminal sends Ctrl-C to both.
  const command = [process.execPath, join(place, 'node_modules/.bin/ridgeline')] as const

  beforeAll(async () => {
    await run('npm', ['run', 'build'], { cwd: root, env })
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder.path], {
      cwd: root,
      env,
    })
    const [packed] = JSON.parse(stdout) as [{ filename: string }]
    mkdirSync(place)
    writeFileSync(join(place, 'package.json'), '{"private":true}')
    const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
    await run('npm', ['install', ...flags, join(folder.path, packed.filename)], { cwd: place, env })
  })

  test('contains no build tools', () => {
    expect(existsSync(join(place, 'node_modules/fastify'))).toBe(true)
    for (const tool of ['vite', 'react', 'typescript', '@playwright/test', 'swagger-ui-dist', '@scarf/scarf'])
      expect(existsSync(join(place, 'node_modules', tool)), tool).toBe(false)
  })

  test('npx finds it', async () => {
    const { stdout } = await run('npx', ['--no-install', 'ridgeline', 'verify', '--help'], {
      cwd: place,
      env,
    })
    expect(stdout).toContain('--rewind')
  })

  test('serves the dashboard on the sample network, with its data below the folder', async () => {
    const ports = { SAMPLE_PORT: await freePort(), RIDGELINE_SAMPLE_ARGS: '--hours 24' }
    const stack = launch({ command, cwd: place, env: ports })
    stacks.push(stack)
    const url = await stack.ready()
    expect(await (await fetch(url)).text()).toContain('<title>Overview · Ridgeline')
    expect(existsSync(join(place, '.ridgeline/token'))).toBe(true)
    expect(await stack.stop()).toBe(0)
  })

  test('its client compiles under strict, and reads a service page by page', async () => {
    const program = `import { ApiError, connect, getBlock, listBlocks } from 'ridgeline/client'
declare const process: { readonly argv: readonly string[] }
const service = connect(process.argv[2] ?? '')
const heights: string[] = []
for await (const { blocks } of service.pages(listBlocks, { params: { chainId: '43113' }, query: { pageSize: 2 } })) {
  heights.push(...blocks.map(({ blockNumber }) => blockNumber))
  if (heights.length >= 6) break
}
const { txCount } = await service.call(getBlock, { params: { chainId: '43113', blockId: heights[0] ?? '' } })
const failure: unknown = await service
  .call(getBlock, { params: { chainId: '43113', blockId: '999999999' } })
  .catch((error: unknown) => error)
console.log(JSON.stringify({ heights, txCount, status: failure instanceof ApiError ? failure.status : 0 }))
`
    writeFileSync(join(place, 'main.mts'), program)
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const flags = '--strict --noEmit false --target es2023 --lib es2023,dom,dom.iterable --module nodenext'
    await run(process.execPath, [compiler, ...flags.split(' '), '--types', '', 'main.mts'], {
      cwd: place,
    }).catch((error: { stdout?: string }) => {
      throw new Error(error.stdout)
    })
    const ports = { SAMPLE_PORT: await freePort(), RIDGELINE_SAMPLE_ARGS: '--hours 24' }
    const stack = launch({ command, cwd: place, env: ports })
    stacks.push(stack)
    const url = await stack.ready()
    const { stdout } = await run(process.execPath, ['main.mjs', url], { cwd: place })
    const { heights, txCount, status } = JSON.parse(stdout) as Record<string, unknown>
    expect(new Set(heights as string[]).size).toBe(6)
    expect(txCount).toBeTypeOf('number')
    expect(status).toBe(404)
    expect(await stack.stop()).toBe(0)
  })

  test('takes a configuration by its path from the folder', async () => {
    writeConfig(place, { chains: [{ evmChainId: 5, name: 'Five', rpcUrl: 'http://127.0.0.1:9' }] })
    const stack = launch({ command, cwd: place, args: ['--config', 'config.json'] })
    stacks.push(stack)
    await expect.poll(stack.output, patient).toContain('Five is waiting')
    expect(await stack.stop()).toBe(0)
  })
})
