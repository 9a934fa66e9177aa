import * as z from 'zod/mini'
import { chainId, openEnum, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'

/** The kinds from `primaryBlock` on belong to the primary network: `chainId` is an alias such as `p-chain`. */
export const searchKinds = [
  'block',
  'transaction',
  'address',
  'contract',
  'token',
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

/**
 * How a result fits the search: it is the text; it begins with it; its words do; it contains it; or it is like it
 * but for a few typing mistakes.
 */
export const searchMatches = ['exact', 'prefix', 'word', 'part', 'similar'] as const

/** One hit: `id` is the height, hash, address or chain id to link to; `detail` distinguishes similar hits. */
const searchResult = record({
  kind: openEnum(searchKinds),
  network: z.optional(z.string()).with(z.describe('For the primary network: mainnet or fuji')),
  chainId: z.string(),
  chainName: z.string(),
  id: z.string(),
  title: z.string(),
  detail: z.optional(z.string()),
  match: openEnum(searchMatches),
  tokenReputation: z.optional(
    z.literal('Malicious').with(z.describe('Set for tokens that the service considers malicious')),
  ),
})
export type SearchResult = z.infer<typeof searchResult>

/**
 * Only in Ridgeline: the possible meanings of a height, hash, address, name or id, over all chains or one. Six
 * characters of a hash, address or id are enough, names may have typing mistakes, and forms such as "block 12",
 * "tx 0x…", "token SUSD" and "P-fuji1…" say what is meant. At most 20 results, the best first, malicious tokens
 * last.
 */
export const search = operation({
  id: 'search',
  path: '/v1/search',
  summary: 'Find by height, hash, address, name or ID, or the beginning of one',
  tag: 'Ridgeline',
  query: z.object({
    query: z.string().check(z.trim(), z.minLength(1), z.maxLength(256)),
    chainId: z.optional(chainId),
  }),
  response: record({
    results: z.array(searchResult),
    missingChains: z
      .optional(z.array(z.string()))
      .with(z.describe('Chains that could not be searched, because their database server does not answer')),
  }),
})
