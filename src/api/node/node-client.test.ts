import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import recorded from '../fixtures/node-answers.json' with { type: 'json' }
import { callNode, isAbsent, NodeError, resultOf } from './node-client.ts'
import * as nodeShapes from './node-shapes.ts'
import { distinctUtxos, nextUtxos } from './node-queries.ts'
import type { NodeTarget } from './node-targets.ts'

type Name = keyof typeof recorded

/** A recorded answer of avalanchego 1.14.0, or of a subnet EVM 0.8.0 on it. */
const answer = (name: Name) => ({ ...recorded[name], retryAfter: undefined })

function failure(run: () => unknown): NodeError {
  try {
    run()
  } catch (error) {
    if (error instanceof NodeError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

test('refusals of a node have a kind, a status, a code and the node’s message', () => {
  const seen = (
    [
      'error.unknownMethod.C',
      'error.unknownMethod.P',
      'error.wrongPath',
      'error.GET.P',
      'error.malformed.P',
      'error.notification.P',
      'C.eth_feeConfig',
    ] as const
  ).map((name) => {
    const error = failure(() => resultOf(answer(name)))
    return [name, error.kind, error.status, error.code, isAbsent(error)]
  })
  expect(seen).toEqual([
    ['error.unknownMethod.C', 'refused', 200, -32601, true],
    ['error.unknownMethod.P', 'refused', 200, -32000, true],
    ['error.wrongPath', 'status', 404, undefined, true],
    ['error.GET.P', 'status', 405, undefined, false],
    ['error.malformed.P', 'refused', 200, -32700, false],
    ['error.notification.P', 'answer', 200, undefined, false],
    ['C.eth_feeConfig', 'refused', 200, -32601, true],
  ])
  expect(failure(() => resultOf(answer('error.wrongPath'))).message).toBe('404 page not found')
})

test('a REST error and a proxy’s error page are reported by their status', () => {
  const limited = '{"message":["slow down"],"error":"Too Many Requests","statusCode":429}'
  expect(failure(() => resultOf({ status: 429, text: limited, retryAfter: 7 }))).toMatchObject({
    kind: 'status',
    status: 429,
    message: 'slow down',
    retryAfter: 7,
  })
  expect(
    failure(() => resultOf({ status: 502, text: '<html>Bad Gateway', retryAfter: undefined })).message,
  ).toBe('The node answered 502.')
})

describe('over the wire', () => {
  let server: Server
  let base = ''
  const asked: { path: string | undefined; type: string | undefined; body: string }[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString()))
      request.on('end', () => {
        asked.push({ path: request.url, type: request.headers['content-type'], body })
        if (request.url === '/moved') response.writeHead(307, { location: '/ext/info' }).end()
        else if (request.url === '/long')
          for (let left = 40; left > 0; left -= 1) response.write(' '.repeat(1_048_576))
        else response.end('{"jsonrpc":"2.0","id":1,"result":{"weight":18446744073709551615}}')
        if (request.url === '/long') response.end()
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const target = (more: Partial<NodeTarget> = {}): NodeTarget => ({
    id: base,
    name: 'test',
    base,
    kind: 'added',
    names: 'node',
    isOfProfile: false,
    keyOf: undefined,
    problem: undefined,
    ...more,
  })

  test('posts a call as JSON-RPC 2.0 and keeps every digit of its result', async () => {
    expect(await callNode(target(), '/ext/info', 'info.peers', { nodeIDs: [] })).toEqual({
      weight: 18_446_744_073_709_551_615n,
    })
    expect(asked.at(-1)).toEqual({
      path: '/ext/info',
      type: 'application/json',
      body: '{"jsonrpc":"2.0","id":1,"method":"info.peers","params":{"nodeIDs":[]}}',
    })
  })

  test('sends nothing to a node that the page may not reach', async () => {
    const before = asked.length
    const blocked = target({ problem: 'not open' })
    await expect(callNode(blocked, '/ext/info', 'info.peers', {})).rejects.toMatchObject({ kind: 'blocked' })
    expect(asked).toHaveLength(before)
  })

  test('follows no redirect and cuts an endless answer', async () => {
    await expect(callNode(target(), '/moved', 'a', {})).rejects.toMatchObject({ kind: 'network' })
    expect(asked.at(-1)?.path).toBe('/moved')
    await expect(callNode(target(), '/long', 'a', {})).rejects.toMatchObject({ kind: 'answer', status: 200 })
  })

  test('rejects with the abort’s reason, and reports a closed port as no answer', async () => {
    const controller = new AbortController()
    const call = callNode(target(), '/ext/info', 'a', {}, controller.signal)
    controller.abort(new Error('left'))
    await expect(call).rejects.toThrow('left')
    const away = target({ base: 'http://127.0.0.1:1' })
    await expect(callNode(away, '/ext/info', 'a', {})).rejects.toMatchObject({ kind: 'network', status: 0 })
  })
})

const shapes: readonly (readonly [Name, z.ZodMiniType])[] = [
  ['info.getNodeVersion', nodeShapes.nodeVersion],
  ['info.getNodeID', nodeShapes.nodeIdentity],
  ['info.uptime', nodeShapes.nodeUptime],
  ['info.getVMs', nodeShapes.nodeVms],
  ['info.getNetworkName', nodeShapes.networkIdentity],
  ['info.isBootstrapped.C', nodeShapes.bootstrapped],
  ['info.peers', nodeShapes.nodePeers],
  ['health.health', nodeShapes.nodeHealth],
  ['platform.getBlockchains', nodeShapes.nodeBlockchains],
  ['platform.getL1Validator', nodeShapes.l1Balance],
  ['platform.getStakingAssetID', nodeShapes.stakingAsset],
  ['admin.getLoggerLevel', nodeShapes.loggerLevels],
  ['admin.getChainAliases', nodeShapes.chainAliases],
  ['admin.getChainAliases.unknownID', nodeShapes.chainAliases],
  ['admin.loadVMs.good', nodeShapes.loadedVms],
  ['admin.loadVMs.broken', nodeShapes.loadedVms],
  ['C.eth_baseFee', nodeShapes.hexQuantity],
  ['C.eth_getChainConfig', nodeShapes.chainConfig],
  ['L1.eth_getChainConfig.upg', nodeShapes.chainConfig],
  ['L1.eth_feeConfig.upg.latest', nodeShapes.feeConfig],
  ['L1.eth_getActiveRulesAt.upg.T2', nodeShapes.activeRules],
  ['L1.eth_getActivePrecompilesAt.upg.T1', nodeShapes.activePrecompiles],
  ['C.chainadmin.admin.getVMConfig.__', nodeShapes.vmConfig],
  ['L1.validators.getCurrentValidators.l1b', nodeShapes.currentValidators],
  ['L1.validators.getCurrentValidators.subnet', nodeShapes.currentValidators],
  ['L1.validators.getCurrentValidators.l1.unknown', nodeShapes.currentValidators],
  ['C.avax.getUTXOs.all', nodeShapes.utxoPage],
  ['C.avax.issueTx.ok', nodeShapes.issuedTx],
  ['C.avax.getAtomicTxStatus.unknown', nodeShapes.atomicStatus],
  ['C.avax.getAtomicTxStatus.accepted', nodeShapes.atomicStatus],
  ['C.avax.getAtomicTx.accepted', nodeShapes.atomicTx],
]

test('every recorded result is parsed', () => {
  for (const [name, shape] of shapes) expect(() => shape.parse(resultOf(answer(name))), name).not.toThrow()
  expect(
    nodeShapes.currentValidators.parse(resultOf(answer('L1.validators.getCurrentValidators.l1b'))),
  ).toMatchObject({ validators: [{ weight: 100n, isConnected: true, uptimePercentage: 100 }] })
  expect(nodeShapes.chainAliases.parse(resultOf(answer('admin.getChainAliases.unknownID')))).toEqual({
    aliases: [],
  })
  expect(nodeShapes.loadedVms.parse(resultOf(answer('admin.loadVMs.good')))).toMatchObject({ failedVMs: {} })
})

test('pages that repeat the last UTXO yield each UTXO once, and end', () => {
  const page = (name: Name) => nodeShapes.utxoPage.parse(resultOf(answer(name)))
  const all = page('C.avax.getUTXOs.all').utxos
  const walked = ['', '.page2', '.page3', '.page4'].map((suffix) =>
    page(`C.avax.getUTXOs.limit2${suffix}` as Name),
  )
  expect(all).toHaveLength(5)
  expect(distinctUtxos(walked)).toEqual(all)
  const [first, ...others] = walked
  if (!first) throw new Error('no first page')
  const pages = [first]
  expect(nextUtxos(first, pages, 2)).toEqual(first.endIndex)
  for (const next of others) {
    pages.push(next)
    expect(nextUtxos(next, pages, 2)).toEqual(next.endIndex)
  }
  // A node's page after its last UTXO contains that one alone; with a limit of 1 this repeats for ever.
  const last = { ...first, utxos: all.slice(-1) }
  expect(nextUtxos(last, [...pages, last], 2)).toBeUndefined()
  expect(nextUtxos(last, [...pages, last], 1)).toBeUndefined()
})
