import * as z from 'zod/mini'
import { notIndexedHeader } from '../base/errors.ts'
import type { Operation } from '../base/operation.ts'

/** When an operation fails with a status. docs/api.md, Errors, has the same table, and 405, which no operation answers. */
export const failureTexts = {
  400: 'an invalid parameter, body or page token, a range that ends before it starts, an interval that is not allowed',
  401: 'the key is unknown, or missing on a route that needs one',
  403: "the key lacks the route's privilege",
  404: 'an unknown path, a chain that is not served, a block or transaction that neither the index nor the node has, a state the node dropped',
  408: 'the request did not arrive in time',
  409: 'a reorganization replaced the block as of which an export began; one label too many',
  410: 'rows that this service no longer keeps: see What is not kept',
  413: 'a body larger than `limits.bodyBytes`',
  415: 'a body that is not JSON',
  422: 'a statement or an export that exceeds a limit; a proof of a series that blocks do not contain',
  429: 'more requests than allowed; `retry-after` is the number of seconds to wait',
  431: 'headers larger than 16 kB',
  500: 'the service failed; its log has the reason under the request ID',
  502: "the chain's node does not answer or refuses the call",
  503: 'the database is starting or does not answer in time, no block of a range is traced, nothing of a list is indexed yet, all live connections are used, the process is overloaded',
} as const

export type FailureStatus = keyof typeof failureTexts

/** What every operation may answer: statuses of callers, of requests that are not read, and of a service that cannot. */
const ofAll: readonly FailureStatus[] = [401, 403, 408, 429, 431, 500, 503]

/**
 * The operations that never ask a node, so that none is a 502. server/routes/statuses.test.ts derives them from what their
 * handlers can reach.
 */
export const withoutNode: ReadonlySet<string> = new Set([
  'countDistinct',
  'getAddressLabel',
  'getAverageTps',
  'getChain',
  'getMetric',
  'getMetricFrame',
  'getMetricPicture',
  'getNetworkBreakdown',
  'getNetworkDetails',
  'getNetworkMetric',
  'getNetworkMetricFrame',
  'getNetworkMetricPicture',
  'getNetworkOverview',
  'getNft',
  'getStorage',
  'getToken',
  'getTokenDistribution',
  'getValidatorOutlook',
  'getVertex',
  'getVertexGraph',
  'listAddressTransactions',
  'listChainStatus',
  'listChainTraffic',
  'listChains',
  'listCollectionTokens',
  'listContractEvents',
  'listHolders',
  'listInternalTransactions',
  'listLargestTraffic',
  'listLatest',
  'listNativeTransactions',
  'listSqlTables',
  'listTokenHistory',
  'listTokenHolders',
  'listTokenTransfers',
  'listTokens',
  'listTransactionMovements',
  'listTransactions',
  'listVertices',
  'listVerticesByHeight',
  'proveMetric',
  'proveNetworkMetric',
  'rankContracts',
  'rankMethods',
  'rankTokens',
  'reindexNft',
  'runSql',
  'setAddressLabel',
])

/** Inputs that name something which may not exist, or not be served. */
const namesSomething = /^(network|chain|(chain|fleet|rule|member|alarm)Ids?|rule)$/

const inputsOf = ({ params, query, body }: Operation): string[] =>
  [params, query, body].flatMap((each) => (each instanceof z.ZodMiniObject ? Object.keys(each.shape) : []))

/** What follows from an operation's inputs: without any, none is invalid; where nothing is named, nothing is missing. */
function ofInputs(operation: Operation): readonly FailureStatus[] {
  const inputs = inputsOf(operation)
  const isNamed = operation.path.includes('{') || inputs.some((name) => namesSomething.test(name))
  return [...(inputs.length > 0 ? ([400] as const) : []), ...(isNamed ? ([404] as const) : [])]
}

/** What only some operations answer: the service answers nothing else (server/http/bind.ts). */
const ofSome: Readonly<Record<string, readonly FailureStatus[]>> = {
  listErc20Transfers: [410],
  listErc721Transfers: [410],
  listErc1155Transfers: [410],
  listInternalTransactions: [410],
  listTokenTransfers: [410],
  setAddressLabel: [409],
  runSql: [422],
  exportTable: [409, 410, 422],
  exportPrimaryTable: [409, 422],
  proveMetric: [410, 422],
  proveNetworkMetric: [410, 422],
}

/** The statuses with which an operation may fail. */
export const failuresOf = (operation: Operation): readonly FailureStatus[] => [
  ...ofAll,
  ...ofInputs(operation),
  ...(withoutNode.has(operation.id) ? [] : ([502] as const)),
  ...(ofSome[operation.id] ?? []),
  ...(operation.body ? ([413, 415] as const) : []),
]

/** Whether an operation answers 304 to a caller that names the ETag of what it has: pictures, their pages, feeds. */
export const isRevalidated = ({ id, tag }: Operation): boolean => tag === 'Pictures' || id === 'getWatchFeed'

/** Headers of answers: their type, and what they say. */
export const headerTexts = {
  'x-request-id': ['string', 'The ID of the request, as in the log'],
  'ratelimit-policy': ['string', 'The requests allowed in a window of seconds, such as `600;w=60`'],
  'ratelimit-limit': ['integer', 'Requests allowed in the window'],
  'ratelimit-remaining': ['integer', 'Requests left in the window'],
  'ratelimit-reset': ['integer', 'Seconds until the window ends'],
  'retry-after': ['integer', 'Seconds after which the request may succeed'],
  etag: ['string', 'The tag of the content, for `if-none-match`'],
  [notIndexedHeader]: [
    'string',
    'Only while the index of a chain is behind its node: the chain, the height of its index and that of its node, such as `p-chain 1200 5000`; `-` is unknown. Of several chains, at most 16 are named, with commas between them',
  ],
  'x-export-snapshot': ['string', 'The block as of which the rows are, for `snapshot`'],
  'x-sql-not-kept': ['string', 'Tables without the rows of earlier blocks, such as `logs 43113 1200`'],
} as const

export type HeaderName = keyof typeof headerTexts

/** The headers of every answer: the id of the request, and what its caller may still ask. */
export const ofEveryAnswer: readonly HeaderName[] = [
  'x-request-id',
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
]

/** The headers of a failure. Requests that are not read are answered before anything is known of their caller. */
export function headersOfFailure(status: FailureStatus): readonly HeaderName[] {
  if (status === 408 || status === 431) return []
  return status === 429 || status === 503 ? [...ofEveryAnswer, 'retry-after'] : ofEveryAnswer
}

/** Whether an operation is of one EVM chain or group of them. */
export const isOfEvmChain = ({ id, path }: Operation): boolean =>
  (/^\/v\d\//.test(path) && path.includes('{chainId}')) || id === 'exportTable'

/** Whether an operation is of one chain of the primary network. The parts of a breakdown are of many chains, or sampled. */
export const isOfPrimaryChain = ({ path }: Operation): boolean =>
  /^\/v\d\/networks\//.test(path) && !path.includes('{breakdown}')

/** Whether the answers of an operation depend on how far the index of a chain is. */
const isOfIndex = (operation: Operation): boolean => isOfEvmChain(operation) || isOfPrimaryChain(operation)

/** The headers of a success. */
export function headersOfSuccess(operation: Operation): readonly HeaderName[] {
  if (operation.id === 'runSql') return [...ofEveryAnswer, 'x-sql-not-kept']
  return [
    ...ofEveryAnswer,
    ...(operation.id.startsWith('export') && operation.tag === 'SQL' ? (['x-export-snapshot'] as const) : []),
    ...(isOfIndex(operation) ? ([notIndexedHeader] as const) : []),
    ...(isRevalidated(operation) ? (['etag'] as const) : []),
  ]
}
