/** The headers with limits and the request id; pages of other origins may read them. */
export const limitHeaders = [
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'x-request-id',
] as const
