import { describe, expect, test } from 'vitest'
import type { Operation } from './base/operation.ts'
import { openApiDocument } from './document/openapi.ts'
import { operations } from './operations.ts'
import { operationLists } from './profile-settings.ts'

const chain = '/v1/chains/{chainId}'
const address = `${chain}/addresses/{address}`
const network = '/v1/networks/{network}'
const primary = `${network}/blockchains/{blockchainId}`
const aggregator = '/v1/signatureAggregator/{network}'
const signatures = `${aggregator}/aggregateSignatures`

const byRoute = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]))
function at(path: string, method = 'GET'): Operation {
  const operation = byRoute.get(`${method} ${path}`)
  if (!operation) throw new Error(`no operation ${method} ${path}`)
  return operation
}

/** Every REST operation of the API reference with its query parameters. */
const interfaceOperations: [method: string, path: string, query: string[]][] = [
  ['POST', signatures, []],
  ['GET', `${signatures}/{txHash}`, []],
  [
    'GET',
    `${primary}/transactions`,
    [
      'addresses',
      'l1ValidationId',
      'txTypes',
      'startTimestamp',
      'endTimestamp',
      'pageToken',
      'pageSize',
      'sortOrder',
    ],
  ],
  ['GET', `${network}/blockchains`, ['pageToken', 'pageSize', 'sortOrder']],
  ['GET', `${primary}/balances`, ['blockTimestamp', 'addresses']],
  ['GET', `${network}/rewards`, ['addresses', 'nodeIds', 'pageToken', 'pageSize', 'sortOrder', 'currency']],
  ['GET', `${network}/validators/{nodeId}`, ['pageToken', 'pageSize', 'validationStatus', 'sortOrder']],
  ['GET', `${primary}/nodes/{nodeId}/blocks`, ['startTimestamp', 'endTimestamp', 'pageToken', 'pageSize']],
  ['GET', `${primary}/vertices`, ['pageToken', 'pageSize']],
  ['GET', `${address}/transactions:listErc1155`, ['startBlock', 'endBlock', 'pageToken', 'pageSize']],
  [
    'GET',
    `${address}/balances:listErc20`,
    ['blockNumber', 'pageToken', 'pageSize', 'filterSpamTokens', 'contractAddresses', 'currency'],
  ],
  ['GET', `${address}/balances:listErc1155`, ['blockNumber', 'pageToken', 'pageSize', 'contractAddress']],
  ['GET', `${chain}/blocks/{blockId}/transactions`, ['pageToken', 'pageSize']],
  ['GET', `${chain}/contracts/{address}/deployments`, ['pageToken', 'pageSize']],
  ['GET', address, []],
  ['POST', `${chain}/nfts/collections/{address}/tokens/{tokenId}:reindex`, []],
  [
    'GET',
    '/v2/chains/{chainId}/metrics/{metric}',
    ['startTimestamp', 'endTimestamp', 'timeInterval', 'pageToken', 'pageSize'],
  ],
  [
    'GET',
    '/v2/chains/{chainId}/contracts/{address}/balances',
    ['threshold', 'startTimestamp', 'endTimestamp', 'pageToken', 'pageSize'],
  ],
  ['GET', '/v1/avg_tps/{chainId}', ['pageToken']],
]

/** Parameters that operations of the API reference have beyond it. */
const ownParameters = new Map([
  ['/v2/chains/{chainId}/contracts/{address}/balances', ['ercType']],
  [`${network}/rewards`, ['rewardTypes']],
])

/** The operations that the hosted API has beyond the API reference. */
const hostedPaths = [
  '/v1/chains',
  chain,
  `${chain}/blocks`,
  `${chain}/blocks/{blockId}`,
  `${chain}/transactions`,
  `${chain}/transactions/{txHash}`,
  `${address}/transactions`,
  `${address}/transactions:listNative`,
  `${address}/transactions:listErc20`,
  `${address}/transactions:listErc721`,
  `${address}/transactions:listInternals`,
  `${address}/balances:getNative`,
  `${address}/balances:listErc721`,
  `${address}/balances:listCollectibles`,
  network,
  `${network}/validators`,
  `${network}/delegators`,
  `${network}/l1Validators`,
  `${network}/subnets`,
  `${network}/rewards:listPending`,
  primary,
  `${primary}/blocks`,
  `${primary}/blocks/{blockId}`,
  `${primary}/transactions/{txHash}`,
  `${primary}/utxos`,
  `${primary}/vertices/{vertexHash}`,
  `${primary}/vertices:listByHeight`,
]

const token = `${chain}/tokens/{address}`
const collection = `${chain}/nfts/collections/{address}`

/** The charts that are pictures and pages for iframes. */
const pictured = [
  '/chain/{chainId}/metrics/{metric}',
  '/chain/{chainId}/token/{address}/distribution',
  '/chain/{chainId}/token/{address}/{chart}',
  '/chains/transactions',
  '/networks/{network}/l1-validators/{validationId}/{chart}',
  '/networks/{network}/metrics/{metric}',
  '/networks/{network}/transactions',
  '/networks/{network}/validators/{chart}',
  '/networks/{network}/validators/{nodeId}/{chart}',
  '/networks/{network}/{chain}/transactions',
  '/chain/{chainId}/metrics/{metric}/week',
  '/networks/{network}/metrics/{metric}/week',
  '/networks/{network}/breakdowns/{breakdown}',
  '/networks/{network}/addresses/{addresses}/unlocks',
  '/networks/{network}/vertices',
]

/** What no document asks for and the dashboard's pages need. */
const ownOperations = [
  'GET /v1/status',
  'GET /v1/traffic',
  'GET /v1/traffic:listLargest',
  'GET /v1/latest',
  'GET /v1/search',
  `GET ${address}/overview`,
  `GET ${chain}/transactions/{txHash}/changes`,
  `GET ${chain}/transactions/{txHash}/envelope`,
  `GET ${chain}/transactions/{txHash}/failure`,
  `GET ${chain}/transactions/{txHash}/calls`,
  `GET ${chain}/transactions:listMovements`,
  `GET ${chain}/contracts`,
  `GET ${chain}/deployers`,
  `GET ${chain}/contracts/{address}/code`,
  `GET ${chain}/contracts/{address}/source`,
  `GET ${chain}/addresses/{address}/approvals`,
  `GET ${chain}/addresses/{address}/label`,
  `POST ${chain}/addresses/{address}/label`,
  `GET ${chain}/contracts/{address}/events`,
  `GET ${chain}/contracts/{address}/powers`,
  `POST ${chain}/contracts/{address}/read`,
  `GET ${chain}/contracts/{address}/views`,
  `POST ${chain}/contracts/{address}/simulate`,
  `GET ${chain}/tokens`,
  `GET ${token}`,
  `GET ${token}/transfers`,
  `GET ${token}/holders`,
  `GET ${token}/distribution`,
  `GET ${token}/history`,
  `GET ${collection}/tokens`,
  `GET ${collection}/tokens/{tokenId}`,
  `GET ${network}/overview`,
  `GET ${network}/blockchainSummaries`,
  `GET ${primary}/genesis`,
  `GET ${primary}/genesis/allocations`,
  `GET ${primary}/transactions:listByType`,
  `GET ${network}/unlocks`,
  `GET ${network}/rewards:byYear`,
  `GET ${network}/validators/{nodeId}/uptime`,
  `GET ${network}/validators/{nodeId}/stake`,
  `GET ${network}/validators/{nodeId}/cycles`,
  `GET ${network}/validators/{nodeId}/feed`,
  `GET ${network}/l1Validators/{validationId}/history`,
  `GET ${network}/subnets/{subnetId}/stopSafety`,
  `GET ${network}/validatorDistribution`,
  `GET ${primary}/vertices:graph`,
  `POST ${aggregator}/messages:decode`,
  `GET ${aggregator}/messages`,
  `GET ${aggregator}/transactions/{txHash}/message`,
  `GET ${aggregator}/signers/{subnetId}`,
  'GET /v2/networks/{network}/metrics/{metric}',
  'GET /v2/networks/{network}/breakdowns/{breakdown}',
  'GET /v2/chains/{chainId}/metrics/{metric}/distinct',
  'GET /v2/chains/{chainId}/metrics/{metric}/proof',
  'GET /v2/networks/{network}/metrics/{metric}/proof',
  'GET /v2/chains/{chainId}/rankings/contracts',
  'GET /v2/chains/{chainId}/rankings/methods',
  'GET /v2/chains/{chainId}/rankings/tokens',
  ...pictured.flatMap((path) => [`GET /embed${path}.{format}`, `GET /embed${path}`]),
  `GET ${network}/validators/{nodeId}/outlook`,
  'GET /v1/watch/summary',
  'GET /v1/watch/fleets',
  'POST /v1/watch/fleets',
  'POST /v1/watch/fleets:import',
  'GET /v1/watch/fleets/{fleetId}',
  'POST /v1/watch/fleets/{fleetId}',
  'POST /v1/watch/fleets/{fleetId}:delete',
  'POST /v1/watch/fleets/{fleetId}/members',
  'POST /v1/watch/fleets/{fleetId}/members:remove',
  'GET /v1/watch/fleets/{fleetId}/export',
  'GET /v1/watch/fleets/{fleetId}/changes',
  'GET /v1/watch/rules',
  'POST /v1/watch/rules',
  'POST /v1/watch/rules:dryRun',
  'GET /v1/watch/rules/{ruleId}',
  'POST /v1/watch/rules/{ruleId}',
  'POST /v1/watch/rules/{ruleId}:delete',
  'GET /v1/watch/states',
  'GET /v1/watch/alarms',
  'GET /v1/watch/deliveries',
  'POST /v1/watch/deliveries/{deliveryId}:retry',
  'GET /v1/watch/channels',
  'POST /v1/watch/channels',
  'POST /v1/watch/channels/{channelId}',
  'POST /v1/watch/channels/{channelId}:delete',
  'POST /v1/watch/channels/{channelId}:test',
  'GET /v1/watch/silences',
  'POST /v1/watch/silences',
  'POST /v1/watch/silences/{silenceId}:end',
  'GET /v1/watch/feeds/{feedToken}/alarms.{format}',
  'GET /v1/status/storage',
  'GET /v1/session',
  'GET /v1/sql/tables',
  'POST /v1/sql',
  'GET /v1/exports/{table}',
  'GET /v1/networks/{network}/exports/{table}',
]

describe('the list of operations', () => {
  test('is the API reference, the hosted API and our own', () => {
    expect([...byRoute.keys()].sort()).toEqual(
      [
        ...interfaceOperations.map(([method, path]) => `${method} ${path}`),
        ...hostedPaths.map((path) => `GET ${path}`),
        ...ownOperations,
      ].sort(),
    )
  })

  test('says which of them a service of the API reference, or a hosted one, has', () => {
    const reference = interfaceOperations.map(([method, path]) => at(path, method).id)
    expect(operationLists.interface.toSorted()).toEqual(reference.toSorted())
    const hosted = hostedPaths.map((path) => at(path).id)
    expect(operationLists.hosted.toSorted()).toEqual([...reference, ...hosted].toSorted())
  })

  test.each(interfaceOperations)('has the query parameters of %s %s', (method, path, query) => {
    expect(Object.keys(at(path, method).query.shape).sort()).toEqual(
      [...query, ...(ownParameters.get(path) ?? [])].toSorted(),
    )
  })
})

/** docs/api.md, Keys and limits, row by row; then hosted lists, by the comments of the hosted client. */
const pageSizes: [group: string, path: string, min: number, max: number, initial: number][] = [
  ['Primary network transactions list', `${primary}/transactions`, 1, 100, 10],
  ['Primary network transactions by type (own)', `${primary}/transactions:listByType`, 1, 100, 10],
  ['Blockchains list', `${network}/blockchains`, 1, 10000, 100],
  ['Rewards list', `${network}/rewards`, 1, 100, 10],
  ['Validators of one node', `${network}/validators/{nodeId}`, 1, 100, 10],
  ['Blocks by node', `${primary}/nodes/{nodeId}/blocks`, 1, 100, 10],
  ['Vertices', `${primary}/vertices`, 1, 100, 10],
  ['ERC-1155 transfers', `${address}/transactions:listErc1155`, 1, 100, 10],
  ['Deployed contracts', `${chain}/contracts/{address}/deployments`, 1, 100, 10],
  ['Events of a contract', `${chain}/contracts/{address}/events`, 1, 100, 10],
  ['ERC-20 balances', `${address}/balances:listErc20`, 1, 500, 10],
  ['ERC-1155 balances', `${address}/balances:listErc1155`, 1, 500, 10],
  ['Block transactions', `${chain}/blocks/{blockId}/transactions`, 0, 100, 0],
  ['Chain metrics', '/v2/chains/{chainId}/metrics/{metric}', 1, 2160, 100],
  ['Addresses by balance over time', '/v2/chains/{chainId}/contracts/{address}/balances', 1, 5000, 1000],
  ['Blocks (hosted)', `${chain}/blocks`, 1, 100, 10],
  ['Transactions (hosted)', `${chain}/transactions`, 1, 100, 10],
  ['Address transactions (hosted)', `${address}/transactions`, 1, 100, 10],
  ['Native transactions (hosted)', `${address}/transactions:listNative`, 1, 100, 10],
  ['ERC-20 transfers (hosted)', `${address}/transactions:listErc20`, 1, 100, 10],
  ['ERC-721 transfers (hosted)', `${address}/transactions:listErc721`, 1, 100, 10],
  ['Internal transactions (hosted)', `${address}/transactions:listInternals`, 1, 100, 10],
  ['ERC-721 balances (hosted)', `${address}/balances:listErc721`, 1, 500, 10],
  ['Collectibles (hosted)', `${address}/balances:listCollectibles`, 1, 500, 10],
  ['Validators (hosted)', `${network}/validators`, 1, 100, 10],
  ['Delegators (hosted)', `${network}/delegators`, 1, 100, 10],
  ['L1 validators (hosted)', `${network}/l1Validators`, 1, 100, 10],
  ['Subnets (hosted)', `${network}/subnets`, 1, 10000, 100],
  ['Pending rewards (hosted)', `${network}/rewards:listPending`, 1, 100, 10],
  ['Primary blocks (hosted)', `${primary}/blocks`, 1, 100, 10],
  ['UTXOs (hosted)', `${primary}/utxos`, 1, 100, 10],
  ['Vertices by height (hosted)', `${primary}/vertices:listByHeight`, 1, 100, 10],
  ['Deployments of a chain (own)', `${chain}/contracts`, 1, 100, 10],
  ['Tokens (own)', `${chain}/tokens`, 1, 100, 10],
  ['Transfers of a token (own)', `${token}/transfers`, 1, 100, 10],
  ['Holders now (own)', `${token}/holders`, 1, 500, 25],
  ['History of a token (own)', `${token}/history`, 1, 2160, 100],
  ['Tokens of a collection (own)', `${collection}/tokens`, 1, 100, 10],
  ['Blockchain summaries (own)', `${network}/blockchainSummaries`, 1, 10000, 100],
  ['Allocations of a genesis (own)', `${primary}/genesis/allocations`, 1, 500, 100],
  ['Unlocks (own)', `${network}/unlocks`, 1, 500, 100],
  ['Uptime of a validator (own)', `${network}/validators/{nodeId}/uptime`, 1, 2160, 100],
  ['Stake of a validator (own)', `${network}/validators/{nodeId}/stake`, 1, 2160, 100],
  ['Periods of a validator (own)', `${network}/validators/{nodeId}/cycles`, 1, 100, 10],
  ['Changes of an L1 validator (own)', `${network}/l1Validators/{validationId}/history`, 1, 100, 10],
  ['Cross-chain messages (own)', `${aggregator}/messages`, 1, 100, 25],
  ['Network metrics (own)', '/v2/networks/{network}/metrics/{metric}', 1, 2160, 100],
  ['Traffic of many chains (own)', '/v1/traffic:listLargest', 1, 2160, 100],
  ['Breakdowns (own)', '/v2/networks/{network}/breakdowns/{breakdown}', 1, 2160, 100],
  ['Ranked contracts (own)', '/v2/chains/{chainId}/rankings/contracts', 1, 100, 25],
  ['Ranked methods (own)', '/v2/chains/{chainId}/rankings/methods', 1, 100, 25],
  ['Ranked tokens (own)', '/v2/chains/{chainId}/rankings/tokens', 1, 100, 25],
  ['Alarms (own)', '/v1/watch/alarms', 1, 500, 50],
  ['Deliveries of alarms (own)', '/v1/watch/deliveries', 1, 500, 50],
]

describe('page sizes', () => {
  test('are listed here for every operation that has one', () => {
    const paged = operations.filter((operation) => 'pageSize' in operation.query.shape)
    expect(paged.map((operation) => operation.path).sort()).toEqual(pageSizes.map(([, path]) => path).sort())
  })

  test.each(pageSizes)('%s', (_, path, min, max, initial) => {
    const pageSize = at(path).query.shape['pageSize']
    const accepts = (value: unknown) => pageSize?.safeParse(value).success
    expect(pageSize?.parse(undefined)).toBe(initial)
    expect(pageSize?.parse(String(min))).toBe(min)
    expect(pageSize?.parse(max)).toBe(max)
    for (const bad of [min - 1, max + 1, String(max + 1), '1.5', '', ' ', '1e1', '0x5', 'ten', ['5', '6']]) {
      expect(accepts(bad), `pageSize ${JSON.stringify(bad)}`).toBe(false)
    }
  })
})

const blockchainIds = [
  '11111111111111111111111111111111LpoYY',
  '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM',
  '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
  '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
  'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
  'p-chain',
  'x-chain',
  'c-chain',
]
const metrics =
  'activeAddresses activeSenders cumulativeAddresses txCount avgTps maxTps cumulativeTxCount gasUsed avgGps maxGps ' +
  'feesPaid avgGasPrice maxGasPrice contracts deployers cumulativeContracts cumulativeDeployers'
const currencies = 'usd eur aud cad chf clp cny czk dkk gbp hkd huf jpy nzd'

/** Every enumeration of a request in the API reference and the hosted API, and the default where one is given. */
const enumerations: [path: string, parameter: string, values: string[], initial?: string][] = [
  [`${network}/blockchains`, 'network', ['mainnet', 'fuji', 'testnet']],
  [`${primary}/transactions`, 'blockchainId', blockchainIds],
  [`${primary}/balances`, 'blockchainId', blockchainIds],
  [`${primary}/nodes/{nodeId}/blocks`, 'blockchainId', blockchainIds],
  [`${primary}/utxos`, 'blockchainId', blockchainIds],
  [`${primary}/vertices`, 'blockchainId', [...blockchainIds.slice(1, 3), 'x-chain']],
  [`${primary}/vertices/{vertexHash}`, 'blockchainId', [...blockchainIds.slice(1, 3), 'x-chain']],
  [`${primary}/vertices:listByHeight`, 'blockchainId', [...blockchainIds.slice(1, 3), 'x-chain']],
  [`${network}/rewards`, 'sortOrder', ['asc', 'desc']],
  [`${network}/rewards`, 'currency', currencies.split(' '), 'usd'],
  [`${address}/balances:listErc20`, 'currency', currencies.split(' '), 'usd'],
  [`${address}/balances:getNative`, 'currency', currencies.split(' '), 'usd'],
  [`${network}/validators/{nodeId}`, 'validationStatus', ['completed', 'active', 'pending', 'removed']],
  [`${network}/validators`, 'validationStatus', ['completed', 'active', 'pending', 'removed']],
  [
    `${network}/validators`,
    'sortBy',
    [
      'blockIndex',
      'delegationCapacity',
      'timeRemaining',
      'delegationFee',
      'uptimePerformance',
      // Ridgeline's own: what the page calls "Begins".
      'startTimestamp',
    ],
  ],
  [`${network}/delegators`, 'delegationStatus', ['completed', 'active', 'pending']],
  ['/v2/chains/{chainId}/metrics/{metric}', 'metric', metrics.split(' ')],
  ['/v2/chains/{chainId}/metrics/{metric}', 'timeInterval', ['hour', 'day', 'week', 'month']],
]

type Parameter = { name: string; schema: { enum?: string[]; items?: { enum: string[] }; default?: unknown } }
const documented = openApiDocument(operations, '0')['paths'] as Record<
  string,
  { get: { parameters: Parameter[] } }
>
const parameter = (path: string, name: string) =>
  documented[path]?.get.parameters.find((candidate) => candidate.name === name)

describe('enumerations', () => {
  test.each(enumerations)('%s %s', (path, name, values, initial) => {
    const { params, query } = at(path)
    const schema = params.shape[name] ?? query.shape[name]
    for (const value of values) expect(schema?.safeParse(value).success, value).toBe(true)
    for (const value of ['nonsense', '', values[0]?.toUpperCase().concat('X')]) {
      expect(schema?.safeParse(value).success, value).toBe(false)
    }
    const documentedValues = parameter(path, name)?.schema.enum
    // Metrics of our own come on top.
    if (name === 'metric') expect(documentedValues).toEqual(expect.arrayContaining(values))
    else expect(documentedValues).toEqual(values)
    if (initial !== undefined) {
      expect(schema?.safeParse(undefined).data).toBe(initial)
      expect(parameter(path, name)?.schema.default).toBe(initial)
    }
  })

  test('knows the transaction types of the three chains', () => {
    const p =
      'AddValidatorTx AddSubnetValidatorTx AddDelegatorTx CreateChainTx CreateSubnetTx ImportTx ExportTx ' +
      'AdvanceTimeTx RewardValidatorTx RemoveSubnetValidatorTx TransformSubnetTx AddPermissionlessValidatorTx ' +
      'AddPermissionlessDelegatorTx BaseTx TransferSubnetOwnershipTx ConvertSubnetToL1Tx RegisterL1ValidatorTx ' +
      'SetL1ValidatorWeightTx DisableL1ValidatorTx IncreaseL1ValidatorBalanceTx UNKNOWN'
    const x = 'BaseTx CreateAssetTx OperationTx ImportTx ExportTx UNKNOWN'
    const helicon = 'AddAutoRenewedValidatorTx SetAutoRenewedValidatorConfigTx RewardAutoRenewedValidatorTx'
    const all = new Set([p, x, helicon].flatMap((types) => types.split(' ')))
    expect(new Set(parameter(`${primary}/transactions`, 'txTypes')?.schema.items?.enum)).toEqual(all)
    expect(all.size).toBe(26)
  })
})

describe('other limits', () => {
  const body = at(signatures, 'POST').body

  test('fill in a quorum of 67, no buffer and the proposed height', () => {
    expect(body?.parse({ message: '0x00' })).toEqual({
      message: '0x00',
      quorumPercentage: 67,
      quorumPercentageBuffer: 0,
      pChainHeight: 0,
    })
  })

  test.each([
    [0, 0, true],
    [100, 0, true],
    [0, 100, true],
    [67, 33, true],
    [67, 34, false],
    [101, 0, false],
    [-1, 0, false],
    [50, -1, false],
    [66.5, 0, false],
  ])('quorum %d with buffer %d: %s', (quorumPercentage, quorumPercentageBuffer, allowed) => {
    const parsed = body?.safeParse({ message: '0x00', quorumPercentage, quorumPercentageBuffer })
    expect(parsed?.success).toBe(allowed)
  })

  test('count the default quorum in the sum', () => {
    expect(body?.safeParse({ message: '0x00', quorumPercentageBuffer: 33 }).success).toBe(true)
    expect(body?.safeParse({ message: '0x00', quorumPercentageBuffer: 34 }).success).toBe(false)
  })

  test('hold timestamps and heights at 0 or more', () => {
    const names = [
      'startTimestamp',
      'endTimestamp',
      'blockTimestamp',
      'startBlock',
      'endBlock',
      'vertexHeight',
    ]
    const schemas = operations.flatMap(({ query }) => names.map((name) => query.shape[name]))
    const held = schemas.filter((schema) => schema !== undefined)
    expect(held.length).toBeGreaterThan(20)
    for (const schema of held) {
      expect(schema.safeParse('0').data).toBe(0)
      expect(schema.safeParse(1763715600).data).toBe(1763715600)
      for (const bad of ['-1', -1, '', '1.5', '1e9', 'now']) expect(schema.safeParse(bad).success).toBe(false)
    }
  })

  test('leave out spam unless asked otherwise', () => {
    const { query } = at(`${address}/balances:listErc20`)
    expect(query.parse({})).toMatchObject({ filterSpamTokens: true })
    expect(query.parse({ filterSpamTokens: 'false' })).toMatchObject({ filterSpamTokens: false })
    expect(query.safeParse({ filterSpamTokens: '0' }).success).toBe(false)
  })
})
