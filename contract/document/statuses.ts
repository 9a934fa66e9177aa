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
  500: 'the service failed; its log has the reason under the request id',
  502: "the chain's node does not answer or refuses the call",
  503: 'the database is starting or does not answer in time, no block of a range is traced, all live connections are used, the process is overloaded',
} as const

export type FailureStatus = keyof typeof failureTexts

/** What every operation may answer: the eight statuses of the interface, and those of requests that are not read. */
const ofAll: readonly FailureStatus[] = [400, 401, 403, 404, 408, 429, 431, 500, 502, 503]

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
export const failuresOf = ({ id, body }: Operation): readonly FailureStatus[] => [
  ...ofAll,
  ...(ofSome[id] ?? []),
  ...(body ? ([413, 415] as const) : []),
]

/** Whether an operation answers 304 to a caller that names the ETag of what it has: pictures, their pages, feeds. */
export const isRevalidated = ({ id, tag }: Operation): boolean => tag === 'Pictures' || id === 'getWatchFeed'

/** Headers of answers: their type, and what they say. */
export const headerTexts = {
  'x-request-id': ['string', 'The id of the request, as in the log'],
  'ratelimit-policy': ['string', 'The requests allowed in a window of seconds, such as `600;w=60`'],
  'ratelimit-limit': ['integer', 'Requests allowed in the window'],
  'ratelimit-remaining': ['integer', 'Requests left in the window'],
  'ratelimit-reset': ['integer', 'Seconds until the window ends'],
  'retry-after': ['integer', 'Seconds after which the request may succeed'],
  etag: ['string', 'The tag of the content, for `if-none-match`'],
  'x-export-snapshot': ['string', 'The block as of which the rows are, for `snapshot`'],
  'x-sql-not-kept': ['string', 'Tables without the rows of earlier blocks, such as `logs 43113 1200`'],
} as const

export type HeaderName = keyof typeof headerTexts

const ofEveryAnswer: readonly HeaderName[] = [
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

/** The headers of a success. */
export function headersOfSuccess(operation: Operation): readonly HeaderName[] {
  if (operation.id === 'runSql') return [...ofEveryAnswer, 'x-sql-not-kept']
  if (operation.id.startsWith('export') && operation.tag === 'SQL')
    return [...ofEveryAnswer, 'x-export-snapshot']
  return isRevalidated(operation) ? [...ofEveryAnswer, 'etag'] : ofEveryAnswer
}
