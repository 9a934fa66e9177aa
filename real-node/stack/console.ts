import { QueryClient } from '@tanstack/react-query'
export { localToken } from '../../src/api/local-token.ts'
// Uses the console's own client: its schemas must accept the answers of real nodes.
import * as queries from '../../src/api/node/node-queries.ts'
import { openSocket } from '../../src/api/node/node-socket.ts'
import type { NodeTarget } from '../../src/api/node/node-targets.ts'
import type { NodeCall } from './node-calls.ts'
import { callNode, NodeError } from '../../src/api/node/node-client.ts'
import { nameOn, pathOf } from '../../src/api/node/node-request.ts'

/** A target of the console: the gateway with the API reference's names, or a node with its own names. */
export function targetOf(base: string, names: NodeTarget['names']): NodeTarget {
  const kind = names === 'interface' ? 'gateway' : 'added'
  return { id: base, name: base, base, kind, names, isOfProfile: true, keyOf: undefined, problem: undefined }
}

/** All data that the console's tabs read. Rejects if an answer does not match its schema. */
export async function readTabs(
  target: NodeTarget,
  {
    l1,
    administrated,
    validationId,
    addresses,
    atomicTx,
  }: Record<'l1' | 'administrated' | 'validationId' | 'atomicTx', string> & {
    readonly addresses: readonly string[]
  },
): Promise<Record<string, unknown>> {
  const client = new QueryClient()
  const all = {
    version: queries.versionQuery(target),
    identity: queries.identityQuery(target),
    networkName: queries.networkNameQuery(target),
    uptime: queries.uptimeQuery(target),
    vms: queries.vmsQuery(target),
    bootstrapped: queries.bootstrappedQuery(target, l1),
    peers: queries.peersQuery(target),
    health: queries.healthQuery(target),
    blockchains: queries.nodeBlockchainsQuery(target),
    loggers: queries.loggersQuery(target),
    aliases: queries.aliasesQuery(target, l1),
    baseFee: queries.liveQuery(target, 'C', 'eth_baseFee'),
    tip: queries.liveQuery(target, l1, 'eth_maxPriorityFeePerGas'),
    clientVersion: queries.clientVersionQuery(target, l1),
    chainConfig: queries.chainConfigQuery(target, 'C'),
    l1Config: queries.chainConfigQuery(target, l1),
    feeConfig: queries.feeConfigQuery(target, l1, 'latest'),
    rules: queries.rulesQuery(target, l1, undefined),
    precompiles: queries.precompilesQuery(target, l1, undefined),
    vmConfig: queries.vmConfigQuery(target, administrated),
    validators: queries.currentValidatorsQuery(target, l1, []),
    l1Balance: queries.nodeL1BalanceQuery(target, validationId),
    stakingAsset: queries.stakingAssetQuery(target),
    atomicTx: queries.atomicTxQuery(target, atomicTx),
  }
  const read: Record<string, unknown> = {}
  for (const [name, query] of Object.entries(all)) {
    const { queryKey, queryFn } = query as unknown as { queryKey: readonly unknown[]; queryFn: never }
    read[name] = await client.fetchQuery({ queryKey, queryFn, retry: false })
  }
  const utxos = queries.utxosQuery(target, { addresses, sourceChain: 'X' })
  const { pages } = await client.fetchInfiniteQuery({ ...utxos, retry: false })
  read['utxos'] = queries.distinctUtxos(pages)
  read['atomicStatus'] = await queries.atomicStatusOf(target, atomicTx)
  client.clear()
  return read
}

/** The request tab's outcome of a call: a result, or the node's error message. */
export async function request(target: NodeTarget, { method, place, params }: NodeCall): Promise<unknown> {
  const wish = { chain: place, index: place }
  const path = pathOf(method.endpoint, target.names, wish)
  try {
    return { result: await callNode(target, path, nameOn(method, target.names), params) }
  } catch (error) {
    if (error instanceof NodeError && error.kind === 'refused') return { error: error.message }
    throw error
  }
}

/** Subscribes to a chain's heads like the socket tab, until one matches; then ends the subscription. */
export function listen(
  base: string,
  chain: string,
  act: () => Promise<unknown>,
  fits: (event: unknown) => boolean,
): Promise<unknown> {
  const url = queries.nodePaths.socket(chain)
  return new Promise((resolve, reject) => {
    const socket = openSocket(`${base.replace(/^http/, 'ws')}${url}`, {
      onState: (state) => {
        if (state.state === 'closed') reject(new Error(`the socket closed: ${state.reason}`))
      },
      onEvent: (subscription, event) => {
        if (!fits(event)) return
        const ended = socket.unsubscribe(subscription).then(() => resolve(event), reject)
        void ended.finally(() => socket.close())
      },
    })
    socket.subscribe(['newHeads']).then(act).catch(reject)
  })
}
