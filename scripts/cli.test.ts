import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../e2e/support/launcher.ts'

const commands = [
  'verify',
  'config',
  'backup',
  'restore',
  'upgrade',
  'database',
  'compilers',
  'contracts',
  'lake',
  'forecast',
  'mcp',
]
const folder = mkdtempSync(join(tmpdir(), 'ridgeline-cli-'))
beforeAll(() => {
  execFileSync(process.execPath, [fileURLToPath(new URL('build.mjs', import.meta.url))])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs `npx ridgeline` with these words, as an installed package does. */
const ridgeline = (...words: string[]): Promise<{ code: unknown; out: string; err: string }> =>
  new Promise((resolve) => {
    const program = fileURLToPath(new URL('ridgeline.mjs', import.meta.url))
    execFile(process.execPath, [program, ...words], { cwd: folder }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    )
  })

test('--help names every flag and command, and --version the version', async () => {
  const { code, out } = await ridgeline('--help')
  expect(code).toBe(0)
  for (const word of ['--config', '--network', '--node', '--network-config', '--role', ...commands])
    expect(out).toContain(`  ${word} `)
  expect(await ridgeline('--version')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  })
})

test.each(commands)('%s explains itself in both ways under its one name', async (name) => {
  const [asked, own] = await Promise.all([ridgeline('help', name), ridgeline(name, '--help')])
  expect(asked).toEqual(own)
  expect(own).toMatchObject({ code: 0, err: '' })
  expect(own.out).toMatch(new RegExp(`^ridgeline ${name} `))
})

test.each([
  ['an unknown flag', ['--nope'], "unknown option '--nope'"],
  ['an unknown network', ['--network', 'x'], 'sample, local, mainnet, fuji'],
  ['an unknown command', ['help', 'nope'], "unknown command 'nope'"],
  ['an unknown flag of a command', ['verify', '--nope'], '--network-config'],
  ['an unknown flag of a check', ['config', 'check', '--nope'], '--network-config'],
  ['an unknown word', ['config', 'nope'], 'schema, or check'],
])('%s ends with code 2 and what is allowed', async (_, words, text) => {
  const { code, err } = await ridgeline(...words)
  expect(code).toBe(2)
  expect(err).toContain(text)
})

test('every command but that for assistants is a script of a clone: npm writes lines of its own', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(commands.filter((name) => scripts[name] === undefined)).toEqual(['mcp'])
})

test('shells complete flags and commands', async () => {
  expect((await ridgeline('complete', '--', '--network')).out).toMatch(/^--network\t.*\n--network-config\t/)
  expect((await ridgeline('complete', '--', 'ver')).out).toMatch(/^verify\t/)
  expect((await ridgeline('complete', 'bash')).out).toContain('ridgeline')
})

test('config checks what a service would be started with, and says what is wrong with it', async () => {
  const good = join(folder, 'good.json')
  writeFileSync(
    good,
    JSON.stringify({ chains: [{ evmChainId: 1, name: 'One', rpcUrl: 'http://127.0.0.1:1' }] }),
  )
  const checks = (...flags: string[]) => ridgeline('config', 'check', ...flags)
  expect(await checks('--config', good)).toMatchObject({ code: 0, out: 'The settings can be used: One\n' })
  expect(await ridgeline('config', '--check', good)).toMatchObject({ code: 0 })
  expect(await ridgeline('config', '--check')).toMatchObject({
    code: 2,
    err: expect.stringContaining('config check --config FILE'),
  })
  // The one that Docker Compose takes without another.
  const example = fileURLToPath(new URL('../ops/docker/config.example.json', import.meta.url))
  expect(await checks('--config', example)).toMatchObject({
    code: 0,
    out: 'The settings can be used: Mainnet, C-Chain\n',
  })
  // What is added to the settings of a public network is checked together with them.
  const added = join(folder, 'added.json')
  const fuji = ['--network', 'fuji', '--node', 'http://127.0.0.1:9650', '--network-config', added]
  writeFileSync(
    added,
    JSON.stringify({ chains: [{ evmChainId: 9, name: 'Mine', rpcUrl: 'http://127.0.0.1:1' }] }),
  )
  expect(await checks(...fuji)).toMatchObject({ code: 0, out: expect.stringMatching(/Fuji.*, Mine\n$/) })
  writeFileSync(added, JSON.stringify({ chain: [] }))
  expect(await checks(...fuji)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${added}: the file: the key chain is unknown`),
  })
  expect(await checks('--config', good, '--role', 'api')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--role api: needs DATABASE_URL'),
  })
  const bad = join(folder, 'bad.json')
  writeFileSync(bad, JSON.stringify({ chain: [], chains: [{ evmChainId: 0, rpcUrl: 'x' }] }))
  const { code, err } = await checks('--config', bad)
  expect(code).toBe(2)
  expect(err).toContain('the key chain is unknown; did you mean chains?')
  expect(err).toContain('chains.0.name: got nothing; allowed: a text')
  expect(err).toContain('chains.0.rpcUrl: got "x"; allowed: a URL that starts with http:// or https://')
})

test('a forecast of a node that does not answer says so of each chain, and ends with code 1', async () => {
  // Nobody listens at a port that was free a moment ago.
  const port = await freePort()
  const node = `http://127.0.0.1:${port}`
  const { code, out, err } = await ridgeline('forecast', '--network', 'fuji', '--node', node)
  expect([code, err]).toEqual([1, ''])
  expect(out.trim().split('\n')).toEqual(
    ['C-Chain', 'P-Chain of Fuji', 'X-Chain of Fuji'].map(
      (name) => `${name}: unknown: the node does not answer at 127.0.0.1:${port}`,
    ),
  )
})

test('the schema has the keys of a configuration file', async () => {
  const { out } = await ridgeline('config', 'schema')
  const { properties, required } = JSON.parse(out) as {
    properties: Record<string, object>
    required: string[]
  }
  expect(required).toEqual(['chains'])
  for (const key of ['$schema', 'chains', 'networks', 'apiKeys', 'watch', 'sql', 'gateway'])
    expect(properties).toHaveProperty([key])
})
