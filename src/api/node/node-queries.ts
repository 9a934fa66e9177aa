import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { callNode, isAbsent, NodeError } from './node-client.ts'
import * as shapes from './node-shapes.ts'
import type { NodeTarget } from './node-targets.ts'

/** The paths of a node (docs/gateway.md, Paths); `chain` is an alias such as C, or a blockchain ID. */
export const nodePaths = {
  admin: '/ext/admin',
  health: '/ext/health',
  info: '/ext/info',
  p: '/ext/bc/P',
  rpc: (chain: string) => `/ext/bc/${encodeURIComponent(chain)}/rpc`,
  socket: (chain: string) => `/ext/bc/${encodeURIComponent(chain)}/ws`,
  chainAdmin: (chain: string) => `/ext/bc/${encodeURIComponent(chain)}/admin`,
  validators: (chain: string) => `/ext/bc/${encodeURIComponent(chain)}/validators`,
} as const

/** Calls a method and parses its result. Throws a NodeError, also for a result of another shape. */
export async function askNode<S extends z.ZodMiniType>(
  target: NodeTarget,
  path: string,
  method: string,
  params: unknown,
  schema: S,
  signal?: AbortSignal,
): Promise<z.output<S>> {
  const result = schema.safeParse(await callNode(target, path, method, params, signal))
  if (result.success) return result.data
  throw new NodeError('answer', `The node returned an unexpected response to ${method}.`, {
    cause: result.error,
  })
}

/** The first parts of the query keys of a node's answers. */
export const nodeKey = (target: NodeTarget): readonly [string, string] => ['node', target.id]

const passing = (error: unknown): boolean =>
  error instanceof NodeError && (error.kind === 'network' || (error.status >= 502 && error.status <= 504))

/** One method of one node. A transient failure is retried once, a refusal is not. */
function methodQuery<S extends z.ZodMiniType>(
  target: NodeTarget,
  path: string,
  method: string,
  params: unknown,
  schema: S,
) {
  return queryOptions({
    queryKey: [...nodeKey(target), path, method, params],
    queryFn: ({ signal }) => askNode(target, path, method, params, schema, signal),
    retry: (failures, error) => failures < 1 && passing(error),
    staleTime: 5_000,
  })
}

const info = <S extends z.ZodMiniType>(target: NodeTarget, method: string, params: unknown, schema: S) =>
  methodQuery(target, nodePaths.info, `info.${method}`, params, schema)

/** Versions of the node and its virtual machines. */
export const versionQuery = (target: NodeTarget) => info(target, 'getNodeVersion', {}, shapes.nodeVersion)
export const identityQuery = (target: NodeTarget) => info(target, 'getNodeID', {}, shapes.nodeIdentity)
export const networkNameQuery = (target: NodeTarget) =>
  info(target, 'getNetworkName', {}, shapes.networkIdentity)
export const uptimeQuery = (target: NodeTarget) => info(target, 'uptime', {}, shapes.nodeUptime)
export const vmsQuery = (target: NodeTarget) => info(target, 'getVMs', {}, shapes.nodeVms)

export const bootstrappedQuery = (target: NodeTarget, chain: string) => ({
  ...info(target, 'isBootstrapped', { chain }, shapes.bootstrapped),
  refetchInterval: 30_000,
})

/** Peers, refetched every half minute while the page is visible. */
export const peersQuery = (target: NodeTarget) => ({
  ...info(target, 'peers', {}, shapes.nodePeers),
  refetchInterval: 30_000,
})

/** Every health check of a node. */
export const healthQuery = (target: NodeTarget) => ({
  ...methodQuery(target, nodePaths.health, 'health.health', {}, shapes.nodeHealth),
  refetchInterval: 15_000,
})

/** The blockchains of a network; pages show those with an EVM. */
export const nodeBlockchainsQuery = (target: NodeTarget) => ({
  ...methodQuery(target, nodePaths.p, 'platform.getBlockchains', {}, shapes.nodeBlockchains),
  staleTime: 60_000,
})

/** The levels of every logger. */
export const loggersQuery = (target: NodeTarget) =>
  methodQuery(target, nodePaths.admin, 'admin.getLoggerLevel', {}, shapes.loggerLevels)

/** The names of a chain on this node. */
export const aliasesQuery = (target: NodeTarget, chain: string) =>
  methodQuery(target, nodePaths.admin, 'admin.getChainAliases', { chain }, shapes.chainAliases)

const evm = <S extends z.ZodMiniType>(
  target: NodeTarget,
  chain: string,
  method: string,
  params: readonly unknown[],
  schema: S,
) => methodQuery(target, nodePaths.rpc(chain), method, params, schema)

/** The interval of head figures, in milliseconds. */
const liveEvery = 2_000

/** A figure of the head, refetched while the page is visible. */
export const liveQuery = (
  target: NodeTarget,
  chain: string,
  method: 'eth_baseFee' | 'eth_maxPriorityFeePerGas' | 'eth_blockNumber',
) => ({
  ...evm(target, chain, method, [], shapes.hexQuantity),
  // A refused call would be refused every two seconds.
  refetchInterval: (query: { state: { error: unknown } }) => (query.state.error ? false : liveEvery),
  staleTime: 0,
})

export const clientVersionQuery = (target: NodeTarget, chain: string) =>
  evm(target, chain, 'web3_clientVersion', [], shapes.nodeVersion.shape.version)

/** The running configuration of an EVM chain: forks, fees, precompiles, and `upgrades` on a subnet EVM. */
export const chainConfigQuery = (target: NodeTarget, chain: string) => ({
  ...evm(target, chain, 'eth_getChainConfig', [], shapes.chainConfig),
  staleTime: 60_000,
})

/** The fee configuration at a block: a tag, a number as hex, or a hash. Subnet EVM only. */
export const feeConfigQuery = (target: NodeTarget, chain: string, block: string) => ({
  ...evm(target, chain, 'eth_feeConfig', [block], shapes.feeConfig),
  placeholderData: keepPreviousData,
})

/** Rules and precompiles at a moment in Unix seconds; undefined for the newest block. Subnet EVM only. */
export const rulesQuery = (target: NodeTarget, chain: string, at: number | undefined) => ({
  ...evm(target, chain, 'eth_getActiveRulesAt', at === undefined ? [] : [at], shapes.activeRules),
  placeholderData: keepPreviousData,
})

/** The configurations of the precompiles that are active at a time. Deprecated, but a node has no other method. */
export const precompilesQuery = (target: NodeTarget, chain: string, at: number | undefined) => ({
  ...evm(target, chain, 'eth_getActivePrecompilesAt', at === undefined ? [] : [at], shapes.activePrecompiles),
  placeholderData: keepPreviousData,
})

/** The method name of chain administration: the API reference has admin_x, released nodes have admin.x. */
export const chainAdminMethod = (target: NodeTarget, name: string): string =>
  target.names === 'interface' ? `admin_${name}` : `admin.${name}`

/** The running configuration of a chain's virtual machine. */
export const vmConfigQuery = (target: NodeTarget, chain: string) =>
  methodQuery(
    target,
    nodePaths.chainAdmin(chain),
    chainAdminMethod(target, 'getVMConfig'),
    [],
    shapes.vmConfig,
  )

/** The validators of a chain as seen by this node; all of them without ids. */
export const currentValidatorsQuery = (target: NodeTarget, chain: string, nodeIDs: readonly string[]) => ({
  ...methodQuery(
    target,
    nodePaths.validators(chain),
    'validators.getCurrentValidators',
    nodeIDs.length === 0 ? {} : { nodeIDs },
    shapes.currentValidators,
  ),
  placeholderData: keepPreviousData,
  refetchInterval: 30_000,
})

/** The remaining balance of an L1 validator, from the P-Chain of the same node; null for an unknown one. */
export const nodeL1BalanceQuery = (target: NodeTarget, validationID: string) =>
  queryOptions({
    queryKey: [...nodeKey(target), nodePaths.p, 'platform.getL1Validator', validationID],
    queryFn: async ({ signal }) => {
      try {
        const params = { validationID }
        const method = 'platform.getL1Validator'
        return await askNode(target, nodePaths.p, method, params, shapes.l1Balance, signal)
      } catch (error) {
        // A validation of a permissioned subnet is not an L1 validator: the node does not find it.
        if (isAbsent(error) || (error instanceof NodeError && error.kind === 'refused')) return null
        throw error
      }
    },
    staleTime: 30_000,
  })

/** The path and prefix of the atomic methods: `svc` in the API reference, `avax` on released nodes. */
export function atomicCall(target: NodeTarget, name: string): { path: string; method: string } {
  const word = target.names === 'interface' ? 'svc' : 'avax'
  return { path: `/ext/bc/C/${word}`, method: `${word}.${name}` }
}

/** Filters of waiting UTXOs. */
export type UtxoSearch = { addresses: readonly string[]; sourceChain: string }

const utxosPerPage = 100

type UtxoPage = z.output<typeof shapes.utxoPage>

/**
 * UTXOs exported from another chain for some addresses, page by page. A node's page repeats the last UTXO of the
 * previous page (docs/real-node.md): it is dropped, and a page without a new UTXO is the last.
 */
export const utxosQuery = (target: NodeTarget, { addresses, sourceChain }: UtxoSearch) =>
  infiniteQueryOptions({
    queryKey: [...nodeKey(target), 'getUTXOs', addresses, sourceChain],
    queryFn: ({ signal, pageParam }) => {
      const { path, method } = atomicCall(target, 'getUTXOs')
      const params = {
        addresses,
        sourceChain,
        limit: utxosPerPage,
        encoding: 'hex',
        ...(pageParam && { startIndex: pageParam }),
      }
      return askNode(target, path, method, [params], shapes.utxoPage, signal)
    },
    initialPageParam: undefined as shapes.UtxoIndex | undefined,
    getNextPageParam: (page, pages) => nextUtxos(page, pages, utxosPerPage),
  })

/** The start of the next page; undefined when the last page had no new UTXO. */
export function nextUtxos(
  page: UtxoPage,
  pages: readonly UtxoPage[],
  perPage: number,
): shapes.UtxoIndex | undefined {
  if (page.utxos.length < perPage) return undefined
  const before = new Set(pages.slice(0, -1).flatMap((one) => one.utxos))
  return page.utxos.some((utxo) => !before.has(utxo)) ? page.endIndex : undefined
}

/** The UTXOs of all pages in order, each once. */
export function distinctUtxos(pages: readonly Pick<UtxoPage, 'utxos'>[]): string[] {
  return [...new Set(pages.flatMap((page) => page.utxos))]
}

/** The asset of the primary network, AVAX, by its id on the node's network. */
export const stakingAssetQuery = (target: NodeTarget) => ({
  ...methodQuery(target, nodePaths.p, 'platform.getStakingAssetID', {}, shapes.stakingAsset),
  staleTime: Infinity,
})

/** The status of an atomic transaction: Unknown, Processing, Accepted or Dropped. */
export const atomicStatusOf = (target: NodeTarget, txID: string, signal?: AbortSignal) => {
  const { path, method } = atomicCall(target, 'getAtomicTxStatus')
  return askNode(target, path, method, [{ txID }], shapes.atomicStatus, signal)
}

/** The bytes of an atomic transaction as hex. */
export const atomicTxQuery = (target: NodeTarget, txID: string) => {
  const { path, method } = atomicCall(target, 'getAtomicTx')
  return methodQuery(target, path, method, [{ txID, encoding: 'hex' }], shapes.atomicTx)
}
