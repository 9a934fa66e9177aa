import { primaryNetworkId } from '../primary/chains.ts'

/** The endpoints of a node below `/ext`, by kind. */
export type NodeEndpoint =
  'admin' | 'atomic' | 'chainAdmin' | 'evm' | 'health' | 'index' | 'info' | 'p' | 'validators' | 'x'

/** The settings by which an operator enables a method in the gateway. */
type NodeOpening = 'administration' | 'debug' | 'txpool' | 'personal'

type NodeEndpointFacts = {
  /**
   * The path in the API reference; `{chain}` is an alias such as C, or a blockchain id, `{index}` one of
   * `nodeIndexes`.
   */
  readonly path: string
  /** The path in released nodes, if it differs. */
  readonly nodePath?: string
  readonly isBatchable: boolean
}

/** A node method that the gateway forwards. */
export type NodeMethod = {
  /** The name in the API reference. */
  readonly method: string
  /** The name in released nodes, if it differs. Both are accepted. */
  readonly nodeMethod?: string
  readonly endpoint: NodeEndpoint
  readonly namespace: string
  readonly summary: string
  /** An example: a list for EVM methods, an object or a list of one object for others. */
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>
  readonly isBatchable: boolean
  /** Changes the node or the chain; ask the user before sending it. */
  readonly isWriting: boolean
  /** Available only over a websocket. */
  readonly isSocketOnly: boolean
  /** Refused unless the operator enables this. */
  readonly closedBy?: NodeOpening
}

export const nodeEndpoints: Readonly<Record<NodeEndpoint, NodeEndpointFacts>> = {
  admin: { path: '/ext/admin', isBatchable: false },
  atomic: { path: '/ext/bc/{chain}/svc', nodePath: '/ext/bc/{chain}/avax', isBatchable: false },
  chainAdmin: { path: '/ext/bc/{chain}/admin', isBatchable: false },
  evm: { path: '/ext/bc/{chain}/rpc', isBatchable: true },
  health: { path: '/ext/health', isBatchable: false },
  index: { path: '/ext/index/{index}', isBatchable: false },
  info: { path: '/ext/info', isBatchable: false },
  p: { path: '/ext/bc/P', isBatchable: false },
  validators: { path: '/ext/bc/{chain}/validators', isBatchable: false },
  x: { path: '/ext/bc/X', isBatchable: false },
}

/** The possible values of `{index}`. */
export const nodeIndexes = ['P/block', 'X/block', 'X/tx', 'X/vtx', 'C/block'] as const

/** The kinds of eth_subscribe. */
export const subscriptionKinds = [
  'newHeads',
  'logs',
  'newPendingTransactions',
  'newAcceptedTransactions',
] as const
export type SubscriptionKind = (typeof subscriptionKinds)[number]

/** The default maximum number of calls in one batch (docs/api.md, Keys and limits). */
export const maxBatchItems = 40

type Options = {
  readonly writes?: true
  readonly socket?: true
  readonly closedBy?: NodeOpening
  readonly nodeMethod?: string
}
type Row = readonly [method: string, summary: string, params?: NodeMethod['params'], options?: Options]

const writes = { writes: true } as const
const address = '0x0100000000000000000000000000000000000000'
const bytes32 = `0x${'0'.repeat(64)}`
const id = primaryNetworkId
const transaction = { from: address, to: address, value: '0x0' }
const byTransaction = { txID: id, encoding: 'hex' }

const evm: readonly Row[] = [
  ['web3_clientVersion', 'Name and version of the client'],
  ['web3_sha3', 'Keccak-256 of bytes', ['0x68656c6c6f']],
  ['net_version', 'The network ID'],
  ['net_listening', 'Whether the node listens to peers'],
  ['net_peerCount', 'Peers of the EVM client'],
  ['rpc_modules', 'Namespaces that the node has on'],
  ['eth_accounts', 'Accounts that the node holds'],
  ['eth_baseFee', 'Base fee of the next block'],
  ['eth_blockNumber', 'Height of the last accepted block'],
  ['eth_call', 'Runs a call without a transaction', [{ to: address, data: '0x' }, 'latest']],
  ['eth_callDetailed', 'A call with its gas, error and bytes', [{ to: address, data: '0x' }, 'latest']],
  ['eth_chainId', 'The chain ID'],
  ['eth_coinbase', 'Who receives the fees'],
  ['eth_etherbase', 'Who receives the fees'],
  ['eth_createAccessList', 'Slots that a call would touch', [transaction, 'latest']],
  ['eth_estimateGas', 'Gas that a transaction would take', [transaction]],
  ['eth_feeConfig', 'Fee configuration at a block (subnet EVM)', ['latest']],
  ['eth_feeHistory', 'Base fees and tips of past blocks', ['0x5', 'latest', [50]]],
  ['eth_fillTransaction', 'Fills in the missing fields of a transaction', [transaction]],
  ['eth_gasPrice', 'A price that is likely to be included'],
  ['eth_getActivePrecompilesAt', 'Active precompiles at a time (subnet EVM, deprecated)', []],
  ['eth_getActiveRulesAt', 'Rules and precompiles at a time (subnet EVM)', []],
  ['eth_getBadBlocks', 'Blocks that were refused'],
  ['eth_getBalance', 'Balance of an address', [address, 'latest']],
  ['eth_getBlockByHash', 'A block by its hash', [bytes32, false]],
  ['eth_getBlockByNumber', 'A block by its number', ['latest', false]],
  ['eth_getBlockReceipts', 'Every receipt of a block', ['latest']],
  ['eth_getBlockTransactionCountByHash', 'Transactions in a block', [bytes32]],
  ['eth_getBlockTransactionCountByNumber', 'Transactions in a block', ['latest']],
  ['eth_getChainConfig', 'Forks, fees and precompiles of the chain'],
  ['eth_getCode', 'Code of a contract', [address, 'latest']],
  ['eth_getFilterChanges', 'What is new for a filter', ['0x1']],
  ['eth_getFilterLogs', 'Every log of a filter', ['0x1']],
  ['eth_getHeaderByHash', 'A header by its hash', [bytes32]],
  ['eth_getHeaderByNumber', 'A header by its number', ['latest']],
  ['eth_getLogs', 'Logs by address and topics', [{ fromBlock: 'latest', toBlock: 'latest' }]],
  ['eth_getProof', 'Merkle proof of an account', [address, [], 'latest']],
  ['eth_getRawTransactionByBlockHashAndIndex', 'Bytes of a transaction', [bytes32, '0x0']],
  ['eth_getRawTransactionByBlockNumberAndIndex', 'Bytes of a transaction', ['latest', '0x0']],
  ['eth_getRawTransactionByHash', 'Bytes of a transaction', [bytes32]],
  ['eth_getStorageAt', 'A slot of a contract', [address, '0x0', 'latest']],
  ['eth_getTransactionByBlockHashAndIndex', 'A transaction by its place', [bytes32, '0x0']],
  ['eth_getTransactionByBlockNumberAndIndex', 'A transaction by its place', ['latest', '0x0']],
  ['eth_getTransactionByHash', 'A transaction', [bytes32]],
  ['eth_getTransactionCount', 'The next nonce of an address', [address, 'latest']],
  ['eth_getTransactionReceipt', 'The receipt of a transaction', [bytes32]],
  ['eth_getUncleByBlockHashAndIndex', 'An uncle; there are none here', [bytes32, '0x0']],
  ['eth_getUncleByBlockNumberAndIndex', 'An uncle; there are none here', ['latest', '0x0']],
  ['eth_getUncleCountByBlockHash', 'Uncles of a block', [bytes32]],
  ['eth_getUncleCountByBlockNumber', 'Uncles of a block', ['latest']],
  ['eth_maxPriorityFeePerGas', 'A tip that is likely to be included'],
  ['eth_newBlockFilter', 'Begins a filter of new blocks'],
  ['eth_newFilter', 'Begins a filter of logs', [{ fromBlock: 'latest', address }]],
  ['eth_newPendingTransactionFilter', 'Begins a filter of pending transactions'],
  ['eth_pendingTransactions', 'Pending transactions of the node’s own accounts'],
  ['eth_sendRawTransaction', 'Sends a signed transaction', ['0x'], writes],
  ['eth_subscribe', 'Begins a subscription', ['newHeads'], { socket: true }],
  ['eth_suggestPriceOptions', 'Slow, normal and fast prices'],
  ['eth_syncing', 'Whether the node catches up'],
  ['eth_uninstallFilter', 'Ends a filter', ['0x1']],
  ['eth_unsubscribe', 'Ends a subscription', ['0x1'], { socket: true }],
  ['warp_getMessage', 'A cross-chain message of this chain', [id]],
  ['warp_getMessageSignature', 'This node’s signature of a message', [id]],
  ['warp_getBlockSignature', 'This node’s signature of a block', [id]],
]

/** Methods that sign with the node's own keys are as restricted as the namespace that manages those keys. */
const nodeKeys = { writes: true, closedBy: 'personal' } as const
const readKeys = { closedBy: 'personal' } as const
const personal: readonly Row[] = [
  ['eth_resend', 'Resends a pending transaction', [transaction, '0x1', '0x5208'], nodeKeys],
  ['eth_sendTransaction', 'Signs by a key of the node and sends', [transaction], nodeKeys],
  ['eth_sign', 'Signs bytes by a key of the node', [address, '0x68656c6c6f'], nodeKeys],
  ['eth_signTransaction', 'Signs a transaction by a key of the node', [transaction], nodeKeys],
  ['personal_deriveAccount', 'Derives an account of a wallet', ['', "m/44'/60'/0'/0/0", false], nodeKeys],
  ['personal_ecRecover', 'Who signed a text', ['0x68656c6c6f', `0x${'00'.repeat(65)}`], readKeys],
  ['personal_importRawKey', 'Gives the node a key', ['', ''], nodeKeys],
  ['personal_listAccounts', 'Accounts that the node holds', [], readKeys],
  ['personal_listWallets', 'Wallets that the node knows', [], readKeys],
  ['personal_lockAccount', 'Locks an account', [address], nodeKeys],
  ['personal_newAccount', 'Makes an account', [''], nodeKeys],
  ['personal_openWallet', 'Opens a hardware wallet', ['', ''], nodeKeys],
  ['personal_sendTransaction', 'Signs by an account and sends', [transaction, ''], nodeKeys],
  ['personal_sign', 'Signs a text by an account', ['0x68656c6c6f', address, ''], nodeKeys],
  ['personal_signTransaction', 'Signs a transaction by an account', [transaction, ''], nodeKeys],
  ['personal_unlockAccount', 'Unlocks an account', [address, '', 300], nodeKeys],
]

const pool = { closedBy: 'txpool' } as const
const txpool: readonly Row[] = [
  ['txpool_content', 'Every transaction of the pool', [], pool],
  ['txpool_contentFrom', 'Transactions of one sender in the pool', [address], pool],
  ['txpool_inspect', 'The pool in short', [], pool],
  ['txpool_status', 'How many transactions the pool holds', [], pool],
]

/** Without those that write files, stop the node or reset it. */
const debugs = { closedBy: 'debug' } as const
const tracer = { tracer: 'callTracer' }
const debug: readonly Row[] = [
  ['debug_accountRange', 'Accounts of a state', ['latest', '0x', 10, true, true, true], debugs],
  ['debug_getAccessibleState', 'A block whose state is there', ['0x0', 'latest'], debugs],
  ['debug_getBadBlocks', 'Blocks that were refused', [], debugs],
  ['debug_getModifiedAccountsByHash', 'Accounts that changed', [bytes32, bytes32], debugs],
  ['debug_getModifiedAccountsByNumber', 'Accounts that changed', [0, 1], debugs],
  ['debug_getRawBlock', 'Bytes of a block', ['latest'], debugs],
  ['debug_getRawHeader', 'Bytes of a header', ['latest'], debugs],
  ['debug_getRawReceipts', 'Bytes of receipts', ['latest'], debugs],
  ['debug_getRawTransaction', 'Bytes of a transaction', [bytes32], debugs],
  ['debug_intermediateRoots', 'State roots after each transaction', [bytes32, {}], debugs],
  ['debug_preimage', 'What hashes to this', [bytes32], debugs],
  ['debug_printBlock', 'A block as text', [0], debugs],
  ['debug_storageRangeAt', 'Slots of a contract', [bytes32, 0, address, '0x', 10], debugs],
  ['debug_traceBadBlock', 'Traces a refused block', [bytes32, tracer], debugs],
  ['debug_traceBlock', 'Traces the bytes of a block', ['0x', tracer], debugs],
  ['debug_traceBlockByHash', 'Traces a block', [bytes32, tracer], debugs],
  ['debug_traceBlockByNumber', 'Traces a block', ['latest', tracer], debugs],
  ['debug_traceCall', 'Traces a call', [transaction, 'latest', tracer], debugs],
  ['debug_traceTransaction', 'Traces a transaction', [bytes32, tracer], debugs],
]

const administers = { writes: true, closedBy: 'administration' } as const
const administration = { closedBy: 'administration' } as const
const admin: readonly Row[] = [
  ['admin.alias', 'Gives an endpoint another path', { endpoint: 'bc/X', alias: 'myAlias' }, administers],
  ['admin.aliasChain', 'Gives a chain another name', { chain: id, alias: 'myChain' }, administers],
  ['admin.getChainAliases', 'Names of a chain', { chain: id }, administration],
  ['admin.getLoggerLevel', 'Levels of one or all loggers', { loggerName: 'C' }, administration],
  ['admin.loadVMs', 'Loads virtual machines from the plugin folder', {}, administers],
  ['admin.lockProfile', 'Writes lock.profile', {}, administers],
  ['admin.memoryProfile', 'Writes mem.profile', {}, administers],
  [
    'admin.setLoggerLevel',
    'Sets levels of one or all loggers',
    { loggerName: 'C', logLevel: 'DEBUG', displayLevel: 'INFO' },
    administers,
  ],
  ['admin.startCPUProfiler', 'Starts the CPU profiler', {}, administers],
  ['admin.stopCPUProfiler', 'Stops it and writes cpu.profile', {}, administers],
]

/** The API reference writes `admin_x`; released nodes accept only `admin.x`. */
function chainAdmin(name: string, summary: string, reading = false, params: NodeMethod['params'] = []): Row {
  const options = reading ? administration : administers
  return [`admin_${name}`, summary, params, { ...options, nodeMethod: `admin.${name}` }]
}
const chainAdmins: readonly Row[] = [
  chainAdmin('getVMConfig', 'Configuration of the chain', true),
  chainAdmin('lockProfile', 'Writes the mutex profile'),
  chainAdmin('memoryProfile', 'Writes the memory profile'),
  chainAdmin('setLogLevel', 'Sets the level of the chain’s log', false, [{ level: 'info' }]),
  chainAdmin('startCPUProfiler', 'Starts the CPU profiler'),
  chainAdmin('stopCPUProfiler', 'Stops it and writes its profile'),
]

/** The API reference writes `svc.x`, released nodes `avax.x`. */
function atomicMethod(name: string, summary: string, params: Record<string, unknown>, changes = false): Row {
  return [`svc.${name}`, summary, [params], { nodeMethod: `avax.${name}`, ...(changes && writes) }]
}
const atomic: readonly Row[] = [
  atomicMethod('getAtomicTx', 'Bytes of an atomic transaction', byTransaction),
  atomicMethod('getAtomicTxStatus', 'Status of an atomic transaction', { txID: id }),
  atomicMethod('getUTXOs', 'Outputs that wait on another chain', {
    addresses: ['C-fuji1'],
    sourceChain: 'P',
    limit: 100,
    encoding: 'hex',
  }),
  atomicMethod('issueTx', 'Sends a signed atomic transaction', { tx: '0x', encoding: 'hex' }, true),
  atomicMethod('version', 'Version of the chain’s software', {}),
]

const validators: readonly Row[] = [
  ['validators.getCurrentValidators', 'Validators of the chain, as this node sees them', { nodeIDs: [] }],
]

const info: readonly Row[] = [
  ['info.acps', 'Stakes for and against proposals', {}],
  ['info.getBlockchainID', 'ID of a chain by its alias', { alias: 'C' }],
  ['info.getNetworkID', 'The network ID', {}],
  ['info.getNetworkName', 'Name of the network', {}],
  ['info.getNodeID', 'Node ID and proof of possession', {}],
  ['info.getNodeIP', 'Address of the node', {}],
  ['info.getNodeVersion', 'Versions of node and virtual machines', {}],
  ['info.getTxFee', 'Fees of the network', {}],
  ['info.getVMs', 'Virtual machines that are there', {}],
  ['info.isBootstrapped', 'Whether a chain has caught up', { chain: 'C' }],
  ['info.peers', 'Peers, their versions and uptimes', { nodeIDs: [] }],
  ['info.upgrades', 'When upgrades of the network are', {}],
  ['info.uptime', 'How the others see this node', {}],
]

const health: readonly Row[] = [
  ['health.health', 'Every check of the node', { tags: [] }],
  ['health.liveness', 'Whether it runs', {}],
  ['health.readiness', 'Whether it has caught up', { tags: [] }],
]

const at = { height: 'proposed', subnetID: id }
const p: readonly Row[] = [
  ['platform.getAllValidatorsAt', 'Every validator set at a height', { height: 'proposed' }],
  ['platform.getBalance', 'Balance of addresses', { addresses: ['P-fuji1'] }],
  ['platform.getBlock', 'A block by its ID', { blockID: id, encoding: 'json' }],
  ['platform.getBlockByHeight', 'A block by its height', { height: '1', encoding: 'json' }],
  ['platform.getBlockchainStatus', 'State of a chain', { blockchainID: 'C' }],
  ['platform.getBlockchains', 'Every chain', {}],
  ['platform.getCurrentSupply', 'Supply of a subnet', { subnetID: id }],
  ['platform.getCurrentValidators', 'Validators of a subnet', { subnetID: id, nodeIDs: [] }],
  ['platform.getFeeConfig', 'How fees are made', {}],
  ['platform.getFeeState', 'Capacity, excess and price', {}],
  ['platform.getHeight', 'Height of the chain', {}],
  ['platform.getL1Validator', 'An L1 validator by its validation', { validationID: id }],
  ['platform.getMinStake', 'Least stakes', { subnetID: id }],
  ['platform.getProposedHeight', 'Height that the next block names', {}],
  ['platform.getRewardUTXOs', 'Outputs that pay a reward', byTransaction],
  ['platform.getStake', 'Stake of addresses', { addresses: ['P-fuji1'] }],
  ['platform.getStakingAssetID', 'The asset that is staked', { subnetID: id }],
  ['platform.getSubnet', 'Owners and manager of a subnet', { subnetID: id }],
  ['platform.getSubnets', 'Subnets by their IDs', { ids: [id] }],
  ['platform.getTimestamp', 'Time of the chain', {}],
  ['platform.getTotalStake', 'Stake of a subnet', { subnetID: id }],
  ['platform.getTx', 'A transaction', byTransaction],
  ['platform.getTxStatus', 'Status of a transaction', { txID: id }],
  ['platform.getUTXOs', 'Outputs of addresses', { addresses: ['P-fuji1'], limit: 100, encoding: 'hex' }],
  ['platform.getValidatorFeeConfig', 'How the fees of L1 validators are made', {}],
  ['platform.getValidatorFeeState', 'Their excess and price', {}],
  ['platform.getValidatorsAt', 'A validator set at a height', at],
  ['platform.issueTx', 'Sends a signed transaction', { tx: '0x', encoding: 'hex' }, writes],
  ['platform.sampleValidators', 'Draws validators by weight', { size: 2, subnetID: id }],
  ['platform.validatedBy', 'The subnet of a chain', { blockchainID: id }],
  ['platform.validates', 'Chains of a subnet', { subnetID: id }],
]

const x: readonly Row[] = [
  ['avm.getAllBalances', 'Every balance of an address', { address: 'X-fuji1' }],
  ['avm.getAssetDescription', 'Name and symbol of an asset', { assetID: 'AVAX' }],
  ['avm.getBalance', 'Balance of an address', { address: 'X-fuji1', assetID: 'AVAX' }],
  ['avm.getBlock', 'A block by its ID', { blockID: id, encoding: 'json' }],
  ['avm.getBlockByHeight', 'A block by its height', { height: '1', encoding: 'json' }],
  ['avm.getHeight', 'Height of the chain', {}],
  ['avm.getTx', 'A transaction', byTransaction],
  ['avm.getTxFee', 'Fees of the chain', {}],
  ['avm.getTxStatus', 'Status of a transaction', { txID: id }],
  ['avm.getUTXOs', 'Outputs of addresses', { addresses: ['X-fuji1'], limit: 100, encoding: 'hex' }],
  ['avm.issueTx', 'Sends a signed transaction', { tx: '0x', encoding: 'hex' }, writes],
]

const index: readonly Row[] = [
  ['index.getContainerByID', 'A container by its ID', { id, encoding: 'hex' }],
  ['index.getContainerByIndex', 'A container by its place', { index: '0', encoding: 'hex' }],
  [
    'index.getContainerRange',
    'Containers from a place',
    { startIndex: '0', numToFetch: 10, encoding: 'hex' },
  ],
  ['index.getIndex', 'The place of a container', { id }],
  ['index.getLastAccepted', 'The last container', { encoding: 'hex' }],
  ['index.isAccepted', 'Whether a container is accepted', { id }],
]

const expand = (endpoint: NodeEndpoint, rows: readonly Row[]): NodeMethod[] =>
  rows.map(([method, summary, params = [], options = {}]) => ({
    method,
    ...(options.nodeMethod !== undefined && { nodeMethod: options.nodeMethod }),
    endpoint,
    namespace: method.split(/[._]/, 1)[0] ?? '',
    summary,
    params,
    isBatchable: nodeEndpoints[endpoint].isBatchable,
    isWriting: options.writes === true,
    isSocketOnly: options.socket === true,
    ...(options.closedBy !== undefined && { closedBy: options.closedBy }),
  }))

/**
 * Every node method of the API reference, and those that a node console needs in addition. The gateway
 * forwards only these; an editor completes them and shows their examples. `svc.x` and `admin_x` are listed
 * with the API's names, and with the names of released nodes in `nodeMethod`.
 */
export const nodeMethods: readonly NodeMethod[] = [
  ...expand('admin', admin),
  ...expand('info', info),
  ...expand('health', health),
  ...expand('evm', [...evm, ...personal, ...txpool, ...debug]),
  ...expand('chainAdmin', chainAdmins),
  ...expand('atomic', atomic),
  ...expand('validators', validators),
  ...expand('p', p),
  ...expand('x', x),
  ...expand('index', index),
]

/** The text of one JSON-RPC call, by default without parameters. */
export const callText = (method: string, params: unknown = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
