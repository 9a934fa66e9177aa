import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig, SettingsError } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'ridgeline-config-'))
const chain = { evmChainId: 31337, name: 'Mine', rpcUrl: 'http://127.0.0.1:8545' }

function file(value: unknown): string {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.json`)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

function problem(argv: string[], env: NodeJS.ProcessEnv = {}): string {
  try {
    loadConfig(argv, env)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return 'no problem'
}

test('one chain and its URL are enough', () => {
  const config = loadConfig(['--config', file({ chains: [chain] })], {})
  expect(config).toMatchObject({ host: '127.0.0.1', port: 4400, role: 'all' })
  expect(config).not.toHaveProperty('databaseUrl')
  expect(config.chains[0]).toMatchObject({
    ...chain,
    startBlock: 0,
    traces: 'auto',
    token: { symbol: 'ETH' },
  })
})

test('profiles are other services, by default the hosted ones', () => {
  const profiles = (more: object) => loadConfig(['--config', file({ chains: [chain], ...more })], {}).profiles
  expect(profiles({})).toEqual([{ id: 'mainnet' }, { id: 'fuji' }])
  const mine = { name: 'Mine', network: 'fuji', dataUrl: 'https://data.example/api' }
  expect(profiles({ profiles: [mine] })).toEqual([mine])
  expect(profiles({ profiles: [] })).toEqual([])
  const refused = (...all: object[]) => problem(['--config', file({ chains: [chain], profiles: all })])
  expect(refused({ name: 'Mine' })).toContain('profiles.0.network: got nothing; allowed: mainnet or fuji')
  expect(refused({ name: 'Mine' })).toContain('profiles.0.dataUrl: got nothing')
  expect(refused({ ...mine, dataUrl: 'https://me:secret@data.example' })).toContain('profiles.0.dataUrl')
  expect(refused({ ...mine, offers: 'interface', lacks: [] })).toContain('either offers or lacks')
  expect(refused({ ...mine, keyHeder: 'x-key' })).toContain('did you mean keyHeader?')
  expect(refused(mine, { ...mine, name: 'mine' })).toContain('different IDs')
  expect(refused({ ...mine, lacks: ['listBlocks', 'listBlock'] })).toContain(
    'profiles.0.lacks.1: got "listBlock"; allowed: the ID of an operation',
  )
  expect(refused({ ...mine, id: 'local' })).toContain('other IDs than local')
})

test('a public network needs its node’s URL only', () => {
  const config = loadConfig(['--network', 'mainnet', '--node', 'https://node.example:9650/'], {})
  expect(config.networks).toMatchObject([
    { id: 'mainnet', networkId: 1, prefix: 'avax', nodeUrl: 'https://node.example:9650' },
  ])
  expect(config.chains).toMatchObject([
    {
      evmChainId: 43_114,
      network: 'mainnet',
      rpcUrl: 'https://node.example:9650/ext/bc/C/rpc',
      wsUrl: 'wss://node.example:9650/ext/bc/C/ws',
      token: { symbol: 'AVAX' },
      isTestnet: false,
      startBlock: 0,
    },
  ])
})

test('a file adds chains and settings to a public network, and completes what is built in', () => {
  const added = {
    networks: [{ id: 'fuji', concurrency: 3, genesisFile: 'genesis.bin' }],
    chains: [{ evmChainId: 43_113, traces: 'off' }, chain],
    watch: { roundSeconds: 30 },
  }
  const path = file(added)
  const config = loadConfig(['--network', 'fuji', '--node', 'http://h:9650', '--network-config', path], {})
  expect(config.networks).toMatchObject([
    { id: 'fuji', networkId: 5, concurrency: 3, genesisFile: join(folder, 'genesis.bin') },
  ])
  expect(config.chains).toMatchObject([
    { evmChainId: 43_113, name: 'C-Chain', traces: 'off', network: 'fuji' },
    { evmChainId: 31_337, name: 'Mine' },
  ])
  expect(config.watch.roundSeconds).toBe(30)
  expect(
    problem(['--network', 'fuji', '--node', 'http://h', '--network-config', file({ chains: 7 })]),
  ).toMatch(/chains: got 7/)
})

test.each([
  ['a port that is none', ['--config', 'x'], { PORT: 'abc' }, /^PORT: got "abc"; allowed: .*65535/],
  ['an unknown role', ['--role', 'boss'], {}, /^--role: got "boss"; allowed: all, api, indexer/],
  ['an unknown flag', ['--confg', 'x'], {}, /--confg.*allowed: --config FILE/],
  ['a role without a database', ['--role', 'api'], {}, /--role api: needs DATABASE_URL/],
  ['no file', [], {}, /--config: not given; allowed: the path/],
  [
    'a public network without a node',
    ['--network', 'fuji'],
    {},
    /--node: not given; allowed: the base URL of a node of fuji/,
  ],
  ['a node without a network', ['--node', 'http://h'], {}, /need --network; allowed: mainnet, fuji/],
  ['a network that is not public', ['--network', 'x', '--node', 'http://h'], {}, /got "x"; allowed: mainnet/],
  ['a node that is not a URL', ['--network', 'fuji', '--node', 'h:9650'], {}, /--node: got "h:9650"/],
  [
    'two configurations',
    ['--network', 'fuji', '--node', 'http://h', '--config', 'x'],
    {},
    /--config: with --network; allowed: --network-config FILE/,
  ],
  [
    'a missing file',
    ['--config', join(folder, 'none.json')],
    {},
    /none\.json: there is no such file; allowed: a readable JSON file/,
  ],
  ['a folder', ['--config', folder], {}, /: is a folder; allowed: a readable JSON file/],
  [
    'a missing file of what is added',
    ['--network', 'fuji', '--node', 'http://h', '--network-config', join(folder, 'none.json')],
    {},
    /none\.json: there is no such file; allowed/,
  ],
  [
    'a short token, without repeating it',
    [],
    { RIDGELINE_TOKEN: 'short-and-secret' },
    /^RIDGELINE_TOKEN: got a value; allowed: 32 to 256 letters/,
  ],
  [
    'a bad database URL, without repeating it',
    [],
    { DATABASE_URL: 'mysql://u:pw@h/d' },
    /^DATABASE_URL: got a value; allowed: a URL that starts with postgres:/,
  ],
  [
    'a bad host in a list of hosts',
    [],
    { DATABASE_URL: 'postgres://u:pw@one:5432,two:port/d' },
    /^DATABASE_URL: got a value; allowed: a URL that starts with postgres:/,
  ],
  [
    'pgbouncer for writes',
    [],
    { DATABASE_URL: 'postgres://u:pw@h/d?sslmode=require&pgbouncer=true' },
    /^DATABASE_URL: got a value; allowed: the server itself/,
  ],
  [
    'a bad URL of replicas, without repeating it',
    [],
    { DATABASE_READ_URL: 'http://u:pw@h/d' },
    /^DATABASE_READ_URL: got a value; allowed: a URL that starts with postgres:/,
  ],
  [
    'replicas without a primary',
    [],
    { DATABASE_READ_URL: 'postgres://h/d' },
    /^DATABASE_READ_URL: needs DATABASE_URL/,
  ],
])('%s is refused with key, value and what is allowed', (_, argv, env, pattern) => {
  expect(problem(argv, env)).toMatch(pattern)
})

test.each<readonly [string, unknown, RegExp]>([
  ['cut JSON', '{"chains": [', /: is not JSON: .*; allowed: a readable JSON file/],
  [
    'a number that is too large',
    { chains: [{ ...chain, concurrency: 65 }] },
    /chains\.0\.concurrency: got 65; allowed: at most 64$/,
  ],
  [
    'a word that is none of those allowed',
    { chains: [{ ...chain, traces: 'on' }] },
    /chains\.0\.traces: got "on"; allowed: auto, off$/,
  ],
  ['an empty name', { chains: [{ ...chain, name: '' }] }, /got ""; allowed: a text of at least 1 character$/],
  ['no chain', { chains: [] }, /chains: got \[\]; allowed/],
  [
    'a wrong URL',
    { chains: [{ ...chain, rpcUrl: 'ftp://x' }] },
    /chains\.0\.rpcUrl: got "ftp:\/\/x"; allowed: a URL that starts with http:/,
  ],
  [
    'a public address that is not a URL',
    { chains: [chain], publicUrl: 'ridgeline.example' },
    /publicUrl: got "ridgeline.example"; allowed: a URL that starts with http:/,
  ],
  ...[
    '*',
    "'self'",
    'https:',
    'wiki.example',
    'http://wiki.example',
    'https://wiki.example/x',
    'https://a;script-src',
    'https://a b',
    'https://*',
  ].map(
    (origin) =>
      [
        `the frame origin ${origin}`,
        { chains: [chain], frameOrigins: [origin] },
        /frameOrigins\.0: got .*; allowed: an origin such as/,
      ] as const,
  ),
  [
    'a misspelt key',
    { chains: [{ ...chain, startblock: 3 }] },
    /chains\.0: the key startblock is unknown; did you mean startBlock\?/,
  ],
  [
    'a misspelt key of the file',
    { chains: [chain], limit: {} },
    /the file: the key limit is unknown; did you mean limits\?/,
  ],
  [
    'a misspelt key inside another',
    { chains: [chain], watch: { host: [] } },
    /watch: the key host is unknown; did you mean hosts\?/,
  ],
  [
    'a key that is like none',
    { chains: [{ ...chain, colour: 'red' }] },
    /chains\.0: the key colour is unknown; allowed: .*rpcUrl.*startBlock/,
  ],
  ['a chain given twice', { chains: [chain, chain] }, /evmChainId 31337 is given twice/],
  ['a network that is not listed', { chains: [{ ...chain, network: 'fuji' }] }, /names the network "fuji"/],
  [
    'a key that is too short, without repeating it',
    { chains: [chain], apiKeys: [{ name: 'a', key: 'hunter2' }] },
    /apiKeys\.0\.key: got a value/,
  ],
])('a file with %s is refused', (_, value, pattern) => {
  expect(problem(['--config', file(value)])).toMatch(pattern)
})

test('sites that may frame charts are origins, with TLS or on this machine', () => {
  const frameOrigins = [
    'https://wiki.example',
    'https://*.example.org:8443',
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]:8080',
  ]
  const config = loadConfig(
    ['--config', file({ chains: [chain], frameOrigins, publicUrl: 'https://a.example/x' })],
    {},
  )
  expect(config.frameOrigins).toEqual(frameOrigins)
  expect(config.publicUrl).toBe('https://a.example')
})

describe('what containers set', () => {
  const node = 'http://host.docker.internal:9650'
  const public1 = { RIDGELINE_NETWORK: 'fuji', RIDGELINE_NODE: node }

  test('names a network and its node, also beside a configuration file', () => {
    const { networks, chains } = loadConfig([], { ...public1, RIDGELINE_CONFIG: '/nothing' })
    expect(networks).toMatchObject([{ id: 'fuji', nodeUrl: node }])
    expect(chains).toMatchObject([{ evmChainId: 43113, rpcUrl: `${node}/ext/bc/C/rpc` }])
    const added = file({ chains: [chain] })
    expect(loadConfig([], { ...public1, RIDGELINE_NETWORK_CONFIG: added }).chains).toHaveLength(2)
  })

  test('gives way to flags', () => {
    expect(loadConfig(['--network', 'mainnet'], public1).networks).toMatchObject([{ id: 'mainnet' }])
    expect(loadConfig(['--node', 'http://other:1'], public1).networks).toMatchObject([
      { nodeUrl: 'http://other:1' },
    ])
    const own = loadConfig(['--config', file({ chains: [chain] })], public1)
    expect([own.networks, own.chains.length]).toEqual([[], 1])
    const env = { DATABASE_URL: 'postgres://x@y/z', RIDGELINE_ROLE: 'api' }
    expect(loadConfig(['--config', file({ chains: [chain] })], env).role).toBe('api')
    expect(loadConfig(['--config', file({ chains: [chain] }), '--role', 'indexer'], env).role).toBe('indexer')
  })

  test('overrides the file where it says under which address the service is reached', () => {
    const path = file({ chains: [chain], publicUrl: 'https://a.example', trustedProxies: ['10.0.0.1'] })
    const env = {
      RIDGELINE_PUBLIC_URL: 'https://b.example/x',
      RIDGELINE_TRUSTED_PROXIES: '172.16.0.0/12, ::1',
    }
    expect(loadConfig(['--config', path], env)).toMatchObject({
      publicUrl: 'https://b.example',
      trustedProxies: ['172.16.0.0/12', '::1'],
    })
    expect(loadConfig(['--config', path], {})).toMatchObject({
      publicUrl: 'https://a.example',
      trustedProxies: ['10.0.0.1'],
    })
  })

  test('is not given where it is empty, and refused where it is wrong', () => {
    const names = ['NETWORK', 'NODE', 'NETWORK_CONFIG', 'ROLE', 'PUBLIC_URL', 'TRUSTED_PROXIES']
    const empty = Object.fromEntries(names.map((name) => [`RIDGELINE_${name}`, '']))
    expect(loadConfig([], { ...empty, RIDGELINE_CONFIG: file({ chains: [chain] }) })).toMatchObject({
      role: 'all',
      networks: [],
      trustedProxies: [],
    })
    // A node for whichever network is chosen, and none is.
    const unchosen = { RIDGELINE_NODE: node, RIDGELINE_CONFIG: file({ chains: [chain] }) }
    expect(loadConfig([], unchosen).networks).toEqual([])
    for (const [env, reason] of [
      [{ RIDGELINE_NETWORK: 'other', RIDGELINE_NODE: node }, /got "other"; allowed: mainnet, fuji/],
      [{ RIDGELINE_NETWORK: 'fuji' }, /--node: not given/],
      [{ RIDGELINE_ROLE: 'x' }, /RIDGELINE_ROLE: got "x"; allowed: all, api, indexer/],
      [{ RIDGELINE_PUBLIC_URL: 'b.example' }, /RIDGELINE_PUBLIC_URL: got "b.example"; allowed: a URL/],
      [{ RIDGELINE_TRUSTED_PROXIES: 'nowhere' }, /RIDGELINE_TRUSTED_PROXIES/],
    ] as const)
      expect(() => loadConfig([], env)).toThrow(reason)
  })
})
