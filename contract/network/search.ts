import * as z from 'zod/mini'
import { chainId, openEnum, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'

/** The kinds from `primaryBlock` on belong to the primary network: `chainId` is an alias such as `p-chain`. */
export const searchKinds = [
  'block',
  'transaction',
  'address',
  'contract',
  'chain',
  'primaryBlock',
  'primaryTransaction',
  'vertex',
  'wallet',
  'node',
  'subnet',
  'blockchain',
  'l1Validation',
] as const

/** One hit: `id` is the height, hash, address or chain id to link to; `detail` distinguishes similar hits. */
export const searchResult = record({
  kind: openEnum(searchKinds),
  network: z.optional(z.string()).with(z.describe('Of the primary network: mainnet or fuji')),
  chainId: z.string(),
  chainName: z.string(),
  id: z.string(),
  title: z.string(),
  detail: z.optional(z.string()),
})
export type SearchResult = z.infer<typeof searchResult>

/**
 * Only in Ridgeline: the possible meanings of a height, hash, address, name or id, over all chains or one. At
 * most 20 results.
 */
export const search = operation({
  id: 'search',
  api: 'ridgeline',
  path: '/v1/search',
  summary: 'Resolve a height, hash, address, name or id',
  tag: 'Ridgeline',
  query: z.object({
    query: z.string().check(z.trim(), z.minLength(1), z.maxLength(256)),
    chainId: z.optional(chainId),
  }),
  response: record({ results: z.array(searchResult) }),
})
