import { utils } from '@avalabs/avalanchejs'
import { createHash } from 'node:crypto'
import { keccak256, type Address } from 'viem'
import { nodeEndpoints, nodeIndexes, nodeMethods, type NodeMethod } from '../../contract/node/node-methods.ts'
import type { EvmChain } from './evm.ts'
import type { L1 } from './l1.ts'
import { ask, parseExactly } from './node.ts'
import type { Wallet } from './wallet.ts'

/** A call of a method of the catalogue at one endpoint, with parameters that exist on the network. */
export type NodeCall = {
  /** Names the call in failures. */
  readonly title: string
  readonly method: NodeMethod
  /** The chain or index of the endpoint. */
  readonly place: string
  /** The path in the API reference. */
  readonly path: string
  readonly nodePath: string
  readonly params: unknown
}

/** The unchanged answer to a call, except that numbers of 16 digits and more are text. */
export type NodeAnswer = {
  readonly status: number
  readonly body: unknown
}

type Params = Readonly<Record<string, unknown>>

/** Methods that change their own answers. Tests of their own call them in order. */
const stateful = new Set([
  'admin.alias',
  'admin.aliasChain',
  'admin.startCPUProfiler',
  'admin.stopCPUProfiler',
  'admin_startCPUProfiler',
  'admin_stopCPUProfiler',
])

/**
 * Every method of the catalogue that can be called in any order, at every endpoint that has it, with ids of the
 * network instead of those of the examples. Filters are created here, so that several callers can use the same.
 */
export async function nodeCalls(options: {
  readonly url: string
  readonly wallet: Wallet
  readonly cChain: EvmChain
  readonly l1: L1
  /** An accepted atomic transaction of the C-Chain. */
  readonly atomicTx: string
  /** Whether the C-Chain holds keys and can be administrated, which Helicon removed. */
  readonly cHasKeys: boolean
}): Promise<NodeCall[]> {
  const { url, wallet, cChain, l1, atomicTx, cHasKeys } = options
  const chains = [
    { name: 'C', params: await evmParams(cChain, cHasKeys), hasKeys: cHasKeys },
    { name: l1.blockchainId, params: await evmParams(l1.evm, true), hasKeys: true },
  ]
  const atomic = { txID: atomicTx, encoding: 'hex' }
  const other = {
    ...(await otherParams(url, wallet, l1)),
    'svc.getAtomicTx': atomic,
    'svc.getAtomicTxStatus': { txID: atomicTx },
  }

  function placesOf({ endpoint, namespace }: NodeMethod): { name: string; params: Params }[] {
    // Decrypting keys is slow, and the same on every chain.
    if (namespace === 'personal') return chains.filter(({ hasKeys }) => hasKeys).slice(0, 1)
    if (endpoint === 'chainAdmin') return chains.filter(({ hasKeys }) => hasKeys)
    if (endpoint === 'evm') return chains
    if (endpoint === 'validators') return [{ name: l1.blockchainId, params: other }]
    if (endpoint !== 'index') return [{ name: 'C', params: other }]
    // X has blocks from the start in this network, so there is no index of vertices.
    return nodeIndexes.filter((name) => name !== 'X/vtx').map((name) => ({ name, params: other }))
  }
  const inOrder = nodeMethods
    .filter(({ method, isSocketOnly }) => !stateful.has(method) && !isSocketOnly)
    // Reads come first, because sent transactions appear in pools and filters for a moment.
    .toSorted((a, b) => Number(a.isWriting) - Number(b.isWriting))
  return inOrder.flatMap((method) => {
    const { path, nodePath } = nodeEndpoints[method.endpoint]
    return placesOf(method).map(({ name, params }) => {
      const at = (template: string): string => template.replace(/\{(chain|index)\}/, name)
      return {
        title: `${method.method} at ${name}`,
        method,
        place: name,
        path: at(path),
        nodePath: at(nodePath ?? path),
        params: params[`${name} ${method.method}`] ?? params[method.method] ?? method.params,
      }
    })
  })
}

/** Calls a method at `path` of a node or of the gateway. */
export async function call(
  base: string,
  path: string,
  method: string,
  params: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<NodeAnswer> {
  const answer = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    signal: AbortSignal.timeout(240_000),
  })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') ? parseExactly(text) : text }
}

type Block = {
  readonly hash: string
  readonly number: string
}

const password = 'of a test'

/** Parameters of a chain's EVM methods. With `hasKeys` its node holds keys and returns raw blocks. */
async function evmParams({ url, account, emit, send }: EvmChain, hasKeys: boolean): Promise<Params> {
  const rpc = <T>(method: string, ...params: unknown[]): Promise<T> => ask<T>(url, method, params)
  const { id, txHash } = await emit('0x66616374')
  const { blockHash } = await rpc<{ blockHash: string }>('eth_getTransactionReceipt', txHash)
  const block = await rpc<Block>('eth_getBlockByHash', blockHash, false)
  const parent = (await rpc<{ parentHash: string }>('eth_getBlockByHash', blockHash, false)).parentHash
  const [filter, bytes, header] = await Promise.all([
    rpc<string>('eth_newFilter', { fromBlock: block.number, toBlock: block.number }),
    hasKeys ? rpc<string>('debug_getRawBlock', block.number) : '0x',
    rpc<string>('eth_newBlockFilter'),
  ])
  const cb58 = (hex: string): string => utils.base58check.encode(utils.hexToBuffer(hex))
  const text = '0x68656c6c6f'
  const { own, signature } = hasKeys ? await openAccount() : { own: account, signature: text }
  const sending = { from: own, to: account, value: '0x1', gas: '0x5208' }
  const signing = { ...sending, nonce: '0x9', maxFeePerGas: '0xba43b7400', maxPriorityFeePerGas: '0x1' }
  const transfer = { from: account, to: account, value: '0x1' }
  const tracer = { tracer: 'callTracer' }
  const { number, hash } = block
  // Empties the filter, so that all later callers get the same answer.
  await rpc('eth_getFilterChanges', header)

  /** Creates, funds and unlocks an account of the node's keystore. */
  async function openAccount(): Promise<{ readonly own: Address; readonly signature: string }> {
    const made = await rpc<Address>('personal_newAccount', password)
    await send({ to: made, value: 10n ** 18n })
    await rpc('personal_unlockAccount', made, password, 600)
    return { own: made, signature: await rpc<string>('personal_sign', text, made, password) }
  }

  return {
    eth_call: [transfer, 'latest'],
    eth_callDetailed: [transfer, 'latest'],
    eth_createAccessList: [transfer, 'latest'],
    eth_estimateGas: [transfer],
    eth_fillTransaction: [{ ...transfer, gas: '0x5208', maxFeePerGas: '0xba43b7400' }],
    eth_getBalance: [account, 'latest'],
    eth_getBlockByHash: [hash, true],
    eth_getBlockByNumber: [number, true],
    eth_getBlockReceipts: [number],
    eth_getBlockTransactionCountByHash: [hash],
    eth_getBlockTransactionCountByNumber: [number],
    eth_getFilterChanges: [header],
    eth_getFilterLogs: [filter],
    eth_getHeaderByHash: [hash],
    eth_getHeaderByNumber: [number],
    eth_getLogs: [{ fromBlock: number, toBlock: number }],
    eth_getProof: [account, [`0x${'00'.repeat(32)}`], 'latest'],
    eth_getRawTransactionByBlockHashAndIndex: [hash, '0x0'],
    eth_getRawTransactionByBlockNumberAndIndex: [number, '0x0'],
    eth_getRawTransactionByHash: [txHash],
    eth_getTransactionByBlockHashAndIndex: [hash, '0x0'],
    eth_getTransactionByBlockNumberAndIndex: [number, '0x0'],
    eth_getTransactionByHash: [txHash],
    eth_getTransactionCount: [account, 'latest'],
    eth_getTransactionReceipt: [txHash],
    eth_uninstallFilter: [filter],
    eth_sendTransaction: [sending],
    eth_sign: [own, text],
    eth_signTransaction: [signing],
    personal_ecRecover: [text, signature],
    personal_lockAccount: [own],
    personal_newAccount: [password],
    personal_sendTransaction: [sending, password],
    personal_sign: [text, own, password],
    personal_signTransaction: [signing, password],
    personal_unlockAccount: [own, password, 60],
    warp_getMessage: [cb58(id)],
    warp_getMessageSignature: [cb58(id)],
    warp_getBlockSignature: [cb58(hash)],
    txpool_contentFrom: [account],
    debug_getAccessibleState: [number, '0x0'],
    debug_getModifiedAccountsByHash: [parent, hash],
    debug_getModifiedAccountsByNumber: [Number(number) - 1, Number(number)],
    debug_getRawBlock: [number],
    debug_getRawHeader: [number],
    debug_getRawReceipts: [number],
    debug_getRawTransaction: [txHash],
    debug_intermediateRoots: [hash, {}],
    debug_preimage: [keccak256(account)],
    debug_printBlock: [Number(number)],
    debug_storageRangeAt: [hash, 0, account, '0x', 10],
    debug_traceBlock: [bytes, tracer],
    debug_traceBlockByHash: [hash, tracer],
    debug_traceBlockByNumber: [number, tracer],
    debug_traceCall: [transfer, 'latest', tracer],
    debug_traceTransaction: [txHash, tracer],
  }
}

async function otherParams(url: string, wallet: Wallet, l1: L1): Promise<Params> {
  const { cBlockchainID, avaxAssetID } = wallet.context
  const last = async (index: string): Promise<string> =>
    (await ask<{ id: string }>(`${url}/ext/index/${index}`, 'index.getLastAccepted', { encoding: 'hex' })).id
  const [p, x, c] = await Promise.all([last('P/block'), last('X/block'), last('C/block')])
  const blockOf = async (chain: 'P' | 'X', service: string): Promise<string> => {
    const { height } = await ask<{ height: string }>(`${url}/ext/bc/${chain}`, `${service}.getHeight`)
    const { block } = await ask<{ block: string }>(`${url}/ext/bc/${chain}`, `${service}.getBlockByHeight`, {
      height,
      encoding: 'hex',
    })
    const bytes = Buffer.from(block.slice(2), 'hex').subarray(0, -4)
    return utils.base58check.encode(createHash('sha256').update(bytes).digest())
  }
  const [pBlock, xBlock] = await Promise.all([blockOf('P', 'platform'), blockOf('X', 'avm')])
  const { validators } = await ask<{ validators: { validationID: string }[] }>(
    `${url}/ext/bc/${l1.blockchainId}/validators`,
    'validators.getCurrentValidators',
  )
  const address = (chain: string): string => `${chain}-${wallet.addressText}`
  const byTransaction = { txID: l1.conversionTx, encoding: 'hex' }
  const primary = '11111111111111111111111111111111LpoYY'
  const containers = { 'P/block': p, 'X/block': x, 'C/block': c }
  return {
    'admin.getChainAliases': { chain: cBlockchainID },
    'platform.getBalance': { addresses: [address('P')] },
    'platform.getBlock': { blockID: pBlock, encoding: 'hex' },
    'platform.getBlockchainStatus': { blockchainID: l1.blockchainId },
    'platform.getCurrentSupply': {},
    'platform.getCurrentValidators': { subnetID: l1.subnetId },
    'platform.getL1Validator': { validationID: validators[0]?.validationID },
    'platform.getMinStake': { subnetID: primary },
    'platform.getRewardUTXOs': byTransaction,
    'platform.getStake': { addresses: [address('P')] },
    'platform.getStakingAssetID': { subnetID: primary },
    'platform.getSubnet': { subnetID: l1.subnetId },
    'platform.getSubnets': { ids: [l1.subnetId] },
    'platform.getTotalStake': { subnetID: primary },
    'platform.getTx': byTransaction,
    'platform.getTxStatus': { txID: l1.conversionTx },
    'platform.getUTXOs': { addresses: [address('P')], limit: 100, encoding: 'hex' },
    'platform.getValidatorsAt': { height: 'proposed', subnetID: l1.subnetId },
    'platform.sampleValidators': { size: 2, subnetID: primary },
    'platform.validatedBy': { blockchainID: l1.blockchainId },
    'platform.validates': { subnetID: l1.subnetId },
    'avm.getAllBalances': { address: address('X') },
    'avm.getAssetDescription': { assetID: avaxAssetID },
    'avm.getBalance': { address: address('X'), assetID: avaxAssetID },
    'avm.getBlock': { blockID: xBlock, encoding: 'hex' },
    'avm.getBlockByHeight': { height: '0', encoding: 'hex' },
    'avm.getTx': { txID: avaxAssetID, encoding: 'hex' },
    'avm.getTxStatus': { txID: avaxAssetID },
    'avm.getUTXOs': { addresses: [address('X')], limit: 100, encoding: 'hex' },
    'svc.getUTXOs': { addresses: [address('C')], sourceChain: 'X', limit: 100, encoding: 'hex' },
    ...Object.fromEntries(
      Object.entries(containers).flatMap(([name, id]) => [
        [`${name} index.getContainerByID`, { id, encoding: 'hex' }],
        [`${name} index.getIndex`, { id }],
        [`${name} index.isAccepted`, { id }],
      ]),
    ),
  }
}
