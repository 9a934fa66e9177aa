/** The headers of an answer that tell of limits and name the request; pages of other origins may read them. */
export const limitHeaders = [
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'x-request-id',
] as const
