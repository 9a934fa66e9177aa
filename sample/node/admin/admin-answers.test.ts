import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvmChain } from '../../evm/evm-chain.ts'
import { type ChainPlan, chainPlans } from '../../evm/chains.ts'
import { answerOf, resultOf } from '../../testing/ask.ts'
import { type Recorded, recordedCalls, repeat } from '../../testing/recorded-answers.ts'
import { recordedLedger } from '../../testing/recorded-ledger.ts'
import { createChainRegistry } from '../rpc/chain-names.ts'
import { type Front, startFront } from '../../kernel/front.ts'
import { adminRoutes } from './admin.ts'
import { primaryRoutes } from '../primary/routes.ts'
import { createRouteAliases } from './route-aliases.ts'

const ids = {
  P: '11111111111111111111111111111111LpoYY',
  X: '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed',
  C: '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC',
  L1: 'fdQAmkMvc3HNDHLZZhSxy1pX4114QmwTcTDu4Pf1PUFRBWSpF',
  subnet: 'zBJbw5fQuQvgUfnRnV3UvwhZjKPAztTgLc8GMDmwfz1icYUnT',
}
const recorded = recordedCalls('admin-answers.json')

let folder = ''
let front: Front

function plan(key: ChainPlan['key'], blockchainId: string, aliases: readonly string[]): ChainPlan {
  const found = chainPlans.find((each) => each.key === key)
  if (found === undefined) throw new Error(`no chain ${key}`)
  return { ...found, blockchainId, aliases }
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridgeline-sample-'))
  const registry = createChainRegistry([
    { id: ids.P, names: ['P'] },
    { id: ids.X, names: ['X'] },
    { id: ids.C, names: ['C', 'evm'] },
    { id: ids.L1, names: [] },
  ])
  const routes = createRouteAliases()
  const admin = adminRoutes({
    settings: { folder, admin: true, pruning: false },
    registry,
    routes,
    plans: [plan('c', ids.C, ['C']), plan('meridian', ids.L1, [ids.subnet])],
  })
  const primary = primaryRoutes({
    ledger: Promise.resolve(recordedLedger()),
    c: new Promise<EvmChain>(() => undefined),
    registry,
    prefix: 'local',
    proposers: [],
    hook: undefined,
  })
  const routeGroups = [primary, admin]
  routes.know(routeGroups)
  front = await startFront('127.0.0.1', 0, routeGroups)
})
afterAll(async () => {
  await front.close()
  rmSync(folder, { recursive: true, force: true })
})

function found(name: string): Recorded {
  const call = recorded.get(name)
  if (call === undefined) throw new Error(`${name} has not been recorded`)
  return call
}

/** Runs recorded calls in order: each answer depends on the state that the calls before it left. */
async function expectAll(
  names: readonly string[],
  change: (text: string) => string = (text) => text,
): Promise<void> {
  for (const name of names) {
    const { status, answer } = found(name)
    const wanted: unknown = JSON.parse(change(JSON.stringify(answer)))
    expect([name, await repeat(front.url, found(name))]).toEqual([name, { status, answer: wanted }])
  }
}

describe('the admin API of the node gives the recorded answers of a real node', () => {
  test('adds aliases to endpoints and chains', async () => {
    await expectAll([
      'node.admin.getChainAliases',
      'node.admin.getChainAliases.alias',
      'admin.getChainAliases.bad',
      'admin.getChainAliases.unknownID',
      'node.admin.alias',
      'node.admin.alias.viaAlias',
      'node.admin.aliasChain',
      'node.admin.aliasChain.viaAlias',
      'admin.alias.512',
      'admin.alias.513',
      'admin.alias.repeat',
      'admin.alias.unknownEndpoint',
      'admin.alias.viaNew',
      'admin.aliasChain.513',
      'admin.aliasChain.taken',
      'admin.aliasChain.unknownChain',
    ])
    const node = `${front.url}/ext/admin`
    expect(await resultOf(node, 'admin.getChainAliases', { chain: ids.X })).toEqual({
      aliases: ['X', ids.X, 'myXchain'],
    })
    // An alias of an endpoint covers the paths below it and holds wherever a chain is named.
    await resultOf(node, 'admin.aliasChain', { chain: 'C', alias: 'contracts' })
    const atomic = `${front.url}/ext/bc/contracts/avax`
    expect(await resultOf(atomic, 'avax.version')).toEqual({ version: 'v0.15.4' })
    const unspent = {
      addresses: ['contracts-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'],
      sourceChain: 'myXchain',
    }
    expect(await resultOf(atomic, 'avax.getUTXOs', unspent)).toMatchObject({ numFetched: '5' })
    const taken = await answerOf(node, 'admin.alias', { endpoint: 'bc/P', alias: 'bc/X' })
    expect(taken.error?.message).toBe(
      'route is either already aliased or already maps to a handle: /ext/bc/X',
    )
  })

  test('keeps the log levels that were set', () =>
    expectAll([
      'node.admin.getLoggerLevel',
      'node.admin.getLoggerLevel.C',
      'admin.getLoggerLevel.unknown',
      'node.admin.setLoggerLevel.C',
      'admin.setLoggerLevel.lowercase',
      'admin.setLoggerLevel.displayOnly',
      'admin.setLoggerLevel.bothMissing',
      'admin.setLoggerLevel.empty',
      'admin.setLoggerLevel.numeric',
      'admin.setLoggerLevel.unknownLevel',
      'admin.setLoggerLevel.unknownLogger',
    ]))

  test('reports one loaded and one failed virtual machine, on the first call only', async () => {
    expect(await resultOf(`${front.url}/ext/admin`, 'admin.loadVMs')).toEqual({
      newVMs: { sqja3uK17MJxfC7AN8nGadBw9JK5BcrsNwNynsqP5Gih8M5Bm: ['spaces'] },
      failedVMs: (found('admin.loadVMs.broken').answer as { result: { failedVMs: unknown } }).result
        .failedVMs,
    })
    await expectAll(['node.admin.loadVMs', 'admin.loadVMs.brokenAgain'])
  })

  test('runs one CPU profile per process and writes profiles in pprof format', async () => {
    await expectAll([
      'admin.stopCPUProfiler.notRunning',
      'admin.startCPUProfiler',
      'admin.startCPUProfiler.twice',
      'C.admin.startCPUProfiler.whileNodeProfiling',
      'L1.admin.admin.startCPUProfiler.2',
      'L1.admin.admin.startCPUProfiler.3',
      'L1.admin.admin.stopCPUProfiler.4',
      'L1.admin.admin.stopCPUProfiler.5',
      'admin.stopCPUProfiler',
      'admin.memoryProfile',
      'admin.lockProfile',
    ])
    const written = (name: string): Buffer => readFileSync(path.join(folder, 'profiles', `${name}.profile`))
    // The string table of a profile names its units; a lock profile is text.
    expect(gunzipSync(written('cpu')).includes('nanoseconds')).toBe(true)
    expect(gunzipSync(written('mem')).includes('inuse_space')).toBe(true)
    expect(written('lock').includes('--- mutex:')).toBe(true)
  })
})

describe('the admin API of a chain gives the recorded answers of a real node', () => {
  const here = (text: string): string =>
    text.replace(
      '"admin-api-dir":""',
      `"admin-api-dir":${JSON.stringify(`${path.join(folder, 'profiles')}${path.sep}`)}`,
    )

  test('returns its configuration', () =>
    expectAll(
      [
        'C.chainadmin.admin.getVMConfig._1_',
        'C.chainadmin.admin.getVMConfig.__',
        'C.chainadmin.admin.getVMConfig.____',
        'C.chainadmin.admin.getVMConfig.absent',
        'C.chainadmin.dot.getVMConfig.7',
        'L1.admin.admin.getVMConfig.1',
      ],
      here,
    ))

  test('accepts only method names with a dot', () =>
    expectAll([
      'C.chainadmin.admin_getVMConfig.__',
      'C.chainadmin.admin_setLogLevel._levelinfo_',
      'C.chainadmin.admin_startCPUProfiler.__',
      'C.chainadmin.admin.nope.__',
    ]))

  test('changes its log level', async () => {
    await expectAll([
      'C.chainadmin.admin.setLogLevel.__',
      'C.chainadmin.admin.setLogLevel.__levelinfo__',
      'C.chainadmin.admin.setLogLevel._info_',
      'C.chainadmin.admin.setLogLevel._levelLOUD_',
      'L1.admin.setLogLevel',
      'C.chainadmin.admin.setLogLevel._leveldebug_',
    ])
    const levels = await resultOf(`${front.url}/ext/admin`, 'admin.getLoggerLevel', { loggerName: 'C' })
    expect(levels).toMatchObject({ loggerLevels: { C: { logLevel: 'DEBUG' } } })
  })

  test('measures', async () => {
    await expectAll([
      'C.chainadmin.dot.stopCPUProfiler.1',
      'C.chainadmin.dot.startCPUProfiler.2',
      'C.chainadmin.dot.startCPUProfiler.3',
      'C.chainadmin.dot.stopCPUProfiler.4',
      'C.chainadmin.dot.memoryProfile.5',
      'C.chainadmin.dot.lockProfile.6',
      'L1.admin.admin.memoryProfile.6',
      'L1.admin.admin.lockProfile.7',
    ])
    const file = path.join(folder, 'profiles', '_coreth_performance_C', 'cpu.profile')
    expect(gunzipSync(readFileSync(file)).length).toBeGreaterThan(0)
  })
})

test('the admin API is absent when it is disabled', () => {
  const { routes } = adminRoutes({
    settings: { folder, admin: false, pruning: true },
    registry: createChainRegistry([{ id: ids.C, names: ['C'] }]),
    routes: createRouteAliases(),
    plans: [plan('c', ids.C, ['C'])],
  })
  expect(routes).toBeUndefined()
})
