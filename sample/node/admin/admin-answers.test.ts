import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EvmChain } from '../../evm/evm-chain.ts'
import { chainPlans } from '../../evm/chains.ts'
import type { ChainPlan } from '../../evm/chains.ts'
import { answerOf, resultOf } from '../../testing/ask.ts'
import type { Recorded } from '../../testing/recorded-answers.ts'
import { recordedCalls, repeat } from '../../testing/recorded-answers.ts'
import { recordedLedger } from '../../testing/recorded-ledger.ts'
import { createChainRegistry } from '../rpc/chain-names.ts'
import type { Front } from '../../kernel/front.ts'
import { startFront } from '../../kernel/front.ts'
import { createManagement } from './management.ts'
import { primaryConcern } from '../primary/concern.ts'
import { createRouteAliases } from './route-aliases.ts'

const IDS = {
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
    { id: IDS.P, names: ['P'] },
    { id: IDS.X, names: ['X'] },
    { id: IDS.C, names: ['C', 'evm'] },
    { id: IDS.L1, names: [] },
  ])
  const routes = createRouteAliases()
  const management = createManagement({
    settings: { folder, admin: true, pruning: () => false },
    registry,
    routes,
    plans: [plan('c', IDS.C, ['C']), plan('meridian', IDS.L1, [IDS.subnet])],
    isBootstrapped: () => true,
    chains: new Map(),
  })
  const primary = primaryConcern({
    ledger: Promise.resolve(recordedLedger()),
    c: new Promise<EvmChain>(() => undefined),
    registry,
    prefix: 'local',
    proposers: [],
    hook: undefined,
    loggers: management.loggers,
  })
  const concerns = [primary, management.concern]
  routes.know(concerns)
  front = await startFront('127.0.0.1', 0, concerns)
  // A node shows what it logs; the sample keeps its words in files.
  await resultOf(`${front.url}/ext/admin`, 'admin.setLoggerLevel', { displayLevel: 'OFF' })
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

/** Each is recorded, and answered in the state that those before it have left. */
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

describe('the administration of the node answers what a real node answered', () => {
  it('gives endpoints and chains other names', async () => {
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
    expect(await resultOf(node, 'admin.getChainAliases', { chain: IDS.X })).toEqual({
      aliases: ['X', IDS.X, 'myXchain'],
    })
    // What lies below an endpoint comes with it, and the new name counts where a chain is named.
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

  it('changes what its logs hold', async () => {
    await resultOf(`${front.url}/ext/admin`, 'admin.setLoggerLevel', { displayLevel: 'INFO' })
    await expectAll([
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
    ])
    const main = (): string => readFileSync(path.join(folder, 'logs', 'main.log'), 'utf8')
    expect(main()).not.toContain('DEBUG')
    const node = `${front.url}/ext/admin`
    await resultOf(node, 'admin.setLoggerLevel', {
      loggerName: 'main',
      logLevel: 'DEBUG',
      displayLevel: 'OFF',
    })
    await resultOf(node, 'admin.getChainAliases', { chain: IDS.P })
    expect(main()).toMatch(
      /^\[\d\d-\d\d\|[\d:.]{12}\] DEBUG <main> API called \{"service":"admin","method":"admin.getChainAliases"\}$/m,
    )
    await resultOf(node, 'admin.setLoggerLevel', { loggerName: 'P', logLevel: 'DEBUG', displayLevel: 'OFF' })
    await resultOf(`${front.url}/ext/bc/P`, 'platform.getHeight')
    expect(readFileSync(path.join(folder, 'logs', 'P.log'), 'utf8')).toContain('platform.getHeight')
    const length = main().length
    await resultOf(node, 'admin.setLoggerLevel', { loggerName: 'main', logLevel: 'OFF' })
    await resultOf(node, 'admin.aliasChain', { chain: 'P', alias: 'quiet' })
    expect(main().slice(length)).not.toContain('quiet')
    await resultOf(node, 'admin.setLoggerLevel', { displayLevel: 'OFF' })
  })

  it('takes in what is new in its folder of virtual machines', async () => {
    const node = `${front.url}/ext/admin`
    // What the sample ships: one that can be taken in, and one that cannot.
    expect(await resultOf(node, 'admin.loadVMs')).toEqual({
      newVMs: { sqja3uK17MJxfC7AN8nGadBw9JK5BcrsNwNynsqP5Gih8M5Bm: ['spaces'] },
      failedVMs: (found('admin.loadVMs.broken').answer as { result: { failedVMs: unknown } }).result
        .failedVMs,
    })
    await expectAll(['node.admin.loadVMs', 'admin.loadVMs.brokenAgain'])
    const plugins = path.join(folder, 'plugins')
    const good = path.join(plugins, 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy')
    writeFileSync(good, 'ridgeline sample virtual machine:\n')
    await expectAll(['admin.loadVMs.good', 'admin.loadVMs.goodAgain'])
    writeFileSync(path.join(plugins, 'not-an-id'), '')
    await expectAll(['admin.loadVMs.badName'])
    rmSync(path.join(plugins, 'not-an-id'))
  })

  it('measures, one CPU profile for a process, and leaves profiles in the format of pprof', async () => {
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
      'node.admin.stacktrace',
    ])
    for (const name of ['cpu', 'mem', 'lock']) {
      const bytes = gunzipSync(readFileSync(path.join(folder, 'profiles', `${name}.profile`)))
      // Field 1 of the message, a kind of values, comes first.
      expect(bytes[0]).toBe(0x0a)
    }
    const strings = gunzipSync(readFileSync(path.join(folder, 'profiles', 'cpu.profile'))).toString('latin1')
    expect(['samples', 'cpu', 'nanoseconds'].filter((word) => !strings.includes(word))).toEqual([])
  })

  it('has no database to read', () => expectAll(['admin.dbGet.bad', 'admin.dbGet.missing']))
})

describe('the administration of a chain answers what a real node answered', () => {
  const here = (text: string): string =>
    text.replace(
      '"admin-api-dir":""',
      `"admin-api-dir":${JSON.stringify(`${path.join(folder, 'profiles')}${path.sep}`)}`,
    )

  it('tells its configuration', () =>
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

  it('takes only names with a dot', () =>
    expectAll([
      'C.chainadmin.admin_getVMConfig.__',
      'C.chainadmin.admin_setLogLevel._levelinfo_',
      'C.chainadmin.admin_startCPUProfiler.__',
      'C.chainadmin.admin.nope.__',
    ]))

  it('changes its log', async () => {
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

  it('measures', async () => {
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

it('is not there when it is off, and the logs are', () => {
  const off = mkdtempSync(path.join(tmpdir(), 'ridgeline-sample-'))
  const { concern, loggers } = createManagement({
    settings: { folder: off, admin: false, pruning: () => true },
    registry: createChainRegistry([{ id: IDS.C, names: ['C'] }]),
    routes: createRouteAliases(),
    plans: [plan('c', IDS.C, ['C'])],
    isBootstrapped: () => true,
    chains: new Map(),
  })
  expect([...(concern.routes?.keys() ?? [])]).toEqual([])
  expect(loggers.names).toContain('main')
  concern.close?.()
  rmSync(off, { recursive: true, force: true })
})
