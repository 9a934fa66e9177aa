import { avm, evm, TransferableOutput, utils } from '@avalabs/avalanchejs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, vi, test } from 'vitest'
import { WebSocket } from 'ws'
import { localTokenHeader } from '../contract/base/local-token.ts'
import { nodeMethods, subscriptionKinds, type NodeEndpoint } from '../contract/node/node-methods.ts'
import { getNetworkOverview } from '../contract/network/overview.ts'
import { temporaryFolder } from '../e2e/support/launcher.ts'
import { testKey } from '../scripts/support/staking-network.mjs'
import { compareAnswers, shapeOf, stablePartOf } from './compare/answer-comparison.ts'
import { listen, localToken, readTabs, request, targetOf } from './stack/console.ts'
import { compareEvmChain } from './compare/evm-comparison.ts'
import { playEvm } from './stack/evm-story.ts'
import { openEvm, type EvmChain } from './stack/evm.ts'
import { chainOf, makeL1, type L1 } from './stack/l1.ts'
import { startNetwork, type RealNetwork } from './stack/network.ts'
import { call, nodeCalls, type NodeAnswer, type NodeCall } from './stack/node-calls.ts'
import { ask } from './stack/node.ts'
import { startService, untilIndexed, type Service } from './stack/service.ts'
import { openSocket, type NodeSocket } from './stack/socket.ts'
import { openWallet, type Wallet } from './stack/wallet.ts'

const folder = temporaryFolder()
const serviceFolder = temporaryFolder()
let network: RealNetwork
let service: Service
/** The header that identifies the operator to the gateway. Nodes ignore it. */
let asOperator: Readonly<Record<string, string>>
let wallet: Wallet
let l1: L1
/** The same chains through the node and through the gateway. */
let cChain: EvmChain
let throughGateway: { readonly c: EvmChain; readonly l1: EvmChain }
let calls: NodeCall[]
let atomicTx: string
/** Before Helicon the C-Chain holds keys, signs with them and can be administrated. */
const cHasKeys = !inject('knowsHelicon')

beforeAll(async () => {
  if (inject('subnetEvm') === '') return
  network = await startNetwork({
    program: inject('avalanchego'),
    folder: folder.path,
    size: 5,
    // Helicon is active from the start; an older node does not know it.
    heliconIn: -3_600,
    plugins: inject('subnetEvm'),
  })
  const direct = await openWallet(network.node.url, testKey)
  l1 = await makeL1(network, direct)
  cChain = await openEvm(`${network.node.url}/ext/bc/C/rpc`, testKey)
  service = await startService(network.node.url, serviceFolder.path, {
    chains: [chainOf(l1)],
    gateway: { namespaces: ['debug', 'txpool', 'personal'] },
  })
  asOperator = { [localTokenHeader]: service.token }
  localToken.set(service.token)
  await untilIndexed(service, network.node.url, getNetworkOverview)
  // From here on everything is issued through the gateway: the libraries are its first clients.
  wallet = await openWallet(service.url, testKey)
  const [c, mountain] = await Promise.all(
    ['C', l1.blockchainId].map((name) => openEvm(`${service.url}/ext/bc/${name}/rpc`, testKey)),
  )
  if (c === undefined || mountain === undefined) throw new Error('there are two chains')
  throughGateway = { c, l1: mountain }
  atomicTx = await moveToC()
  calls = await nodeCalls({ url: network.node.url, wallet: direct, cChain, l1, atomicTx, cHasKeys })
})

afterAll(async () => {
  await service?.stop()
  await network?.stop()
  serviceFolder.remove()
  folder.remove()
})

/** Moves AVAX from X to C and leaves a second export without its import. Resolves with the import's id. */
async function moveToC(): Promise<string> {
  const { context, address } = wallet
  const exportToC = async (): Promise<string> =>
    wallet.issueX(
      avm.newExportTx(context, context.cBlockchainID, [address], await wallet.utxos('X'), [
        TransferableOutput.fromNative(context.avaxAssetID, 2_000_000_000n, [address]),
      ]),
    )
  await exportToC()
  const atomics = await wallet.utxos('C', 'X')
  const to = utils.hexToBuffer(wallet.evmAddress)
  const imported = await wallet.issueC(
    evm.newImportTxFromBaseFee(context, to, [address], atomics, context.xBlockchainID, 60n),
  )
  await exportToC()
  return imported
}

/** Methods that answer with an error on this release or in this setup, with the reason. */
const refusals: Readonly<Record<string, string>> = {
  eth_sendRawTransaction: 'typed transaction too short',
  eth_resend: 'missing transaction nonce',
  personal_deriveAccount: 'protocol scheme missing',
  personal_openWallet: 'protocol scheme missing',
  personal_importRawKey: 'invalid length',
  debug_dbAncients: 'does not exist',
  debug_traceBadBlock: 'not found',
  'svc.version': "can't find method",
  'svc.issueTx': 'input string is smaller than the checksum size',
  'platform.issueTx': 'problem decoding transaction',
  'avm.issueTx': 'problem decoding transaction',
}

const endpoints = [...new Set(nodeMethods.map(({ endpoint }) => endpoint))]

describe.skipIf(inject('subnetEvm') === '')('the gateway', () => {
  test.each(endpoints)('answers every method of %s as the node does', async (endpoint: NodeEndpoint) => {
    const own = calls.filter(({ method }) => method.endpoint === endpoint)
    expect(own.length).toBeGreaterThan(0)
    const answered = new Set<string>()
    for (const each of own) {
      const { title, method, path, nodePath, params } = each
      const nodeMethod = method.nodeMethod ?? method.method
      const direct = (): Promise<NodeAnswer> => call(network.node.url, nodePath, nodeMethod, params)
      const stable = ({ status, body }: NodeAnswer): unknown => ({ status, body: stablePartOf(method, body) })
      // Both the API reference's name and the node's own name of a method reach the node.
      let theirs = await compareAnswers(
        title,
        stable,
        () => call(service.url, path, method.method, params, asOperator),
        direct,
      )
      if (path !== nodePath || method.method !== nodeMethod)
        theirs = await compareAnswers(
          title,
          stable,
          () => call(service.url, nodePath, nodeMethod, params, asOperator),
          direct,
        )
      await compareAnswers(
        `${title}, in the console`,
        (result) => stablePartOf(method, result),
        () => request(targetOf(service.url, 'interface'), each),
        async () => resultOf((await direct()).body),
      )
      const error = (theirs.body as { error?: { message: string } }).error
      if (error === undefined) answered.add(method.method)
      else if (refusals[method.method] !== undefined) expect(error.message).toContain(refusals[method.method])
    }
    const silent = own.filter(({ method }) => !answered.has(method.method) && !(method.method in refusals))
    expect(silent.map(({ title }) => title)).toEqual([])
  })

  test('forwards transactions of the libraries, and a signed atomic one under the name of the API reference', async () => {
    const { context, evmAddress, address } = wallet
    const nonce = await ask<string>(cChain.url, 'eth_getTransactionCount', [evmAddress, 'latest'])
    const to = { fee: 60n, amount: 1_000_000_000n, chain: context.pBlockchainID }
    const from = utils.hexToBuffer(evmAddress)
    const tx = await wallet.signed(
      evm.newExportTxFromBaseFee(context, to.fee, to.amount, to.chain, from, [address], BigInt(nonce)),
    )
    const svc = `${service.url}/ext/bc/C/svc`
    const { txID } = await ask<{ txID: string }>(svc, 'svc.issueTx', [{ tx, encoding: 'hex' }])
    for (let status = ''; status !== 'Accepted'; await delay(100)) {
      ;({ status } = await ask<{ status: string }>(svc, 'svc.getAtomicTxStatus', [{ txID }]))
      expect(['Unknown', 'Processing', 'Accepted']).toContain(status)
    }
    const theirs = await ask<{ tx: string }>(`${network.node.url}/ext/bc/C/avax`, 'avax.getAtomicTx', {
      txID,
      encoding: 'hex',
    })
    expect(theirs.tx).toBe(tx)
    expect((await throughGateway.l1.emit('0x01')).message).toContain('01')
  })

  test('allows administration and the node’s keys to its operator only', async () => {
    for (const { method, path, params } of calls.filter(({ method }) => method.closedBy !== undefined)) {
      const { status } = await call(service.url, path, method.method, params)
      expect([method.method, status]).toEqual([method.method, 401])
    }
  })

  test('lets the operator administrate the node', async () => {
    const admin = (base: string, method: string, params: unknown = {}): Promise<unknown> =>
      call(base, '/ext/admin', method, params, asOperator).then(({ body }) => resultOrMessage(body))
    const [ours, theirs] = [service.url, network.node.url]
    expect(await admin(ours, 'admin.startCPUProfiler')).toEqual({})
    expect(await admin(theirs, 'admin.startCPUProfiler')).toBe('cpu profiler already running')
    expect(await admin(ours, 'admin.startCPUProfiler')).toBe('cpu profiler already running')
    expect(await admin(ours, 'admin.stopCPUProfiler')).toEqual({})
    expect(await admin(theirs, 'admin.stopCPUProfiler')).toBe("cpu profiler doesn't exist")

    const levels = { loggerName: 'C', logLevel: 'DEBUG', displayLevel: 'ERROR' }
    expect(await admin(ours, 'admin.setLoggerLevel', levels)).toMatchObject({ loggerLevels: {} })
    expect(await admin(theirs, 'admin.getLoggerLevel', { loggerName: 'C' })).toEqual({
      loggerLevels: { C: { logLevel: 'DEBUG', displayLevel: 'ERROR' } },
    })
  })

  test.each([
    ...(cHasKeys ? [{ chain: 'C', name: (): string => 'C' }] : []),
    { chain: 'the L1', name: (): string => l1.blockchainId },
  ])('lets the operator administrate $chain, under both names of its methods', async ({ name }) => {
    const admin = (base: string, method: string): Promise<unknown> =>
      call(base, `/ext/bc/${name()}/admin`, method, [], asOperator).then(({ body }) => resultOrMessage(body))
    expect(await admin(service.url, 'admin_startCPUProfiler')).toEqual({})
    expect(await admin(network.node.url, 'admin.startCPUProfiler')).toBe('cpu profiler already running')
    expect(await admin(service.url, 'admin.stopCPUProfiler')).toEqual({})
    expect(await admin(service.url, 'admin_stopCPUProfiler')).toBe("cpu profiler doesn't exist")
  })

  test('answers the L1’s rules at a time', async () => {
    const rules = (at: number): Promise<{ precompiles: Record<string, unknown> }> =>
      ask(throughGateway.l1.url, 'eth_getActiveRulesAt', [at])
    const [before, after, later] = await Promise.all([
      rules(l1.opensAt - 1),
      rules(l1.opensAt),
      rules(l1.closesAt),
    ])
    const names = ({ precompiles }: { precompiles: Record<string, unknown> }): number =>
      Object.keys(precompiles).length
    expect(names(after)).toBe(names(before) - 1)
    expect(names(later)).toBe(names(before) - 2)
    const { upgrades } = await ask<{ upgrades: { precompileUpgrades: unknown[] } }>(
      throughGateway.l1.url,
      'eth_getChainConfig',
      [],
    )
    expect(upgrades.precompileUpgrades).toEqual([
      { txAllowListConfig: { blockTimestamp: l1.opensAt, disable: true } },
      { feeManagerConfig: { blockTimestamp: l1.closesAt, disable: true } },
    ])
  })

  test('accepts batches of up to 40 calls', async () => {
    const batch = async (base: string, size: number): Promise<unknown> => {
      const answer = await fetch(`${base}/ext/bc/C/rpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(
          Array.from({ length: size }, (_, id) => ({
            jsonrpc: '2.0',
            id,
            method: 'eth_chainId',
            params: [],
          })),
        ),
      })
      return answer.json()
    }
    expect(await batch(service.url, 40)).toEqual(await batch(network.node.url, 40))
    expect(JSON.stringify(await batch(service.url, 41))).toContain('-32600')
  })

  test.each([
    { chain: 'the C-Chain', of: (): [string, EvmChain] => ['C', throughGateway.c] },
    { chain: 'the L1', of: (): [string, EvmChain] => [l1.blockchainId, throughGateway.l1] },
  ])('sends the node’s websocket events of $chain', async ({ of }) => {
    const [name, chain] = of()
    const sockets = await Promise.all(
      [network.node.url, service.url].map((base) => openSocket(base, `/ext/bc/${name}/ws`)),
    )
    try {
      await Promise.all(sockets.map((socket) => subscribeAll(socket)))
      const { txHash } = await chain.emit('0x77617463686564')
      const { blockHash } = await ask<{ blockHash: string }>(chain.url, 'eth_getTransactionReceipt', [txHash])
      const [theirs, ours] = await Promise.all(sockets.map((socket) => eventsOf(socket, txHash, blockHash)))
      expect(ours).toEqual(theirs)
      const ended = await Promise.all(
        sockets.map(async (socket) => {
          const id = await socket.call('eth_subscribe', ['newHeads'])
          const first = await socket.call('eth_unsubscribe', [id])
          return [first, await socket.call('eth_unsubscribe', [id]).catch((error: Error) => error.message)]
        }),
      )
      for (const each of ended) expect(each).toEqual([true, 'subscription not found'])
    } finally {
      for (const socket of sockets) socket.close()
    }
  })

  test('gives the console the same data as the node itself', async () => {
    const { validators } = await ask<{ validators: { validationID: string }[] }>(
      `${network.node.url}/ext/bc/${l1.blockchainId}/validators`,
      'validators.getCurrentValidators',
    )
    const facts = {
      l1: l1.blockchainId,
      administrated: cHasKeys ? 'C' : l1.blockchainId,
      validationId: validators[0]?.validationID ?? '',
      addresses: [`C-${wallet.addressText}`],
      atomicTx,
    }
    const ours = await readTabs(targetOf(service.url, 'interface'), facts)
    expect(shapeOf(ours)).toEqual(shapeOf(await readTabs(targetOf(network.node.url, 'node'), facts)))
    expect(ours['atomicStatus']).toMatchObject({ status: 'Accepted' })
    vi.stubGlobal('WebSocket', WebSocket)
    const { emit } = throughGateway.l1
    const head = await listen(service.url, l1.blockchainId, () => emit('0x68656164'), isObject)
    expect(head).toMatchObject({ hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  })

  test('forwards transactions to an L1, whose index equals its node in every field', async () => {
    const accounts = await playEvm(throughGateway.l1.url, testKey)
    const compared = await compareEvmChain(l1.evm.url, service, accounts)
    expect(compared.calls).toBeGreaterThan(30)
  })

  test('adds aliases that work through the gateway too', async () => {
    // While a websocket is open at its API, avalanchego 1.14 blocks on adding an alias, and on any later request.
    // The indexer holds one, and this test another through the gateway.
    const socket = await openSocket(service.url, '/ext/bc/C/ws')
    await socket.call('eth_subscribe', ['newHeads'])
    const admin = (base: string, method: string, params: unknown): Promise<unknown> =>
      call(base, '/ext/admin', method, params, asOperator).then(({ body }) => resultOrMessage(body))
    expect(await admin(service.url, 'admin.alias', { endpoint: 'bc/X', alias: 'exchange' })).toEqual({})
    const chain = l1.blockchainId
    expect(await admin(service.url, 'admin.aliasChain', { chain, alias: 'mountain' })).toEqual({})
    expect(await admin(network.node.url, 'admin.getChainAliases', { chain })).toEqual({
      aliases: [chain, 'mountain'],
    })
    const height = await ask(`${network.node.url}/ext/bc/X`, 'avm.getHeight')
    expect(await ask(`${service.url}/ext/exchange`, 'avm.getHeight')).toEqual(height)
    expect(await ask(`${service.url}/ext/bc/mountain/rpc`, 'eth_chainId', [])).toBe('0x185c1')
    socket.close()
  })
})

const filterOf = { logs: { address: '0x0200000000000000000000000000000000000005' } }

async function subscribeAll(socket: NodeSocket): Promise<void> {
  for (const kind of subscriptionKinds)
    await socket.call('eth_subscribe', kind === 'logs' ? [kind, filterOf.logs] : [kind])
}

/** The events of a socket about one transaction and its block, by kind; waits until all kinds have arrived. */
async function eventsOf(socket: NodeSocket, txHash: string, blockHash: string): Promise<unknown> {
  return {
    head: await socket.until((event) => isObject(event) && event['hash'] === blockHash),
    log: await socket.until((event) => isObject(event) && event['transactionHash'] === txHash),
    // Pending first, then accepted: both are the hash only.
    hashes: [
      await socket.until((event) => event === txHash),
      await socket.until((event) => event === txHash, 2),
    ],
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The console's result of an answer. */
function resultOf(body: unknown): unknown {
  const { result, error } = body as { result?: unknown; error?: { message: string } }
  return error === undefined ? { result } : { error: error.message }
}

/** The result, or the message of the error. */
function resultOrMessage(body: unknown): unknown {
  const { result, error } = body as { result?: unknown; error?: { message: string } }
  return error?.message ?? result
}
