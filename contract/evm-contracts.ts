import { z } from 'zod'
import { ercType, nextPageToken, openEnum, paging, record } from './fields.ts'
import { addressParams } from './evm-addresses.ts'
import { operation } from './operation.ts'
import { pageBounds } from './query.ts'

/** The kinds of links that the hosted service's client lists. */
export const resourceLinkTypes = [
  'Blog',
  'CoinGecko',
  'CoinMarketCap',
  'Discord',
  'Documentation',
  'Facebook',
  'Github',
  'Instagram',
  'LinkedIn',
  'Medium',
  'Reddit',
  'Support',
  'Telegram',
  'TikTok',
  'Twitter',
  'Website',
  'Whitepaper',
  'Youtube',
] as const

const imageAsset = record({ assetId: z.string().optional(), imageUri: z.string().optional() })

/** Contract metadata (interface.md); `decimals` belongs to ERC-20 contracts. */
export const contractMetadata = record({
  name: z.string().optional(),
  description: z.string().optional(),
  officialSite: z.string().optional(),
  email: z.string().optional(),
  logoAsset: imageAsset.optional(),
  bannerAsset: imageAsset.optional(),
  color: z.string().optional(),
  resourceLinks: z.array(record({ type: openEnum(resourceLinkTypes), url: z.string() })).optional(),
  tags: z.array(z.string()).optional(),
  address: z.string(),
  deploymentDetails: record({
    txHash: z.string(),
    deployerAddress: z.string(),
    deployerContractAddress: z.string().optional().describe('The contract that created this one, if one did'),
  }).optional(),
  ercType,
  symbol: z.string().optional(),
  decimals: z.number().int().optional(),
})
export type ContractMetadata = z.infer<typeof contractMetadata>

/** A uint256 in decimal digits, as `tokenId` of a path. */
export const tokenId = z
  .string()
  .regex(/^\d{1,78}$/, 'must be a token id in decimal digits')
  .pipe(z.string().refine((digits) => BigInt(digits) < 2n ** 256n, { error: 'must be below 2^256' }))

/** `/v1/chains/{chainId}/addresses/{address}` (interface.md, EVM chain operations). */
export const getContractMetadata = operation({
  id: 'getContractMetadata',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}',
  summary: 'Get what is known of a contract',
  tag: 'EVM contracts',
  params: addressParams,
  response: contractMetadata,
})

/** `/v1/chains/{chainId}/contracts/{address}/deployments` (interface.md, EVM chain operations). */
export const listContractDeployments = operation({
  id: 'listContractDeployments',
  api: 'data',
  path: '/v1/chains/{chainId}/contracts/{address}/deployments',
  summary: 'List the contracts that an address deployed',
  tag: 'EVM contracts',
  params: addressParams,
  query: z.object(paging(pageBounds.activity)),
  response: record({ nextPageToken, contracts: z.array(contractMetadata) }),
})

/**
 * POST `/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}:reindex` (interface.md, EVM
 * chain operations). The answer has no body, so nothing of it is checked.
 */
export const reindexNft = operation({
  id: 'reindexNft',
  api: 'data',
  method: 'POST',
  path: '/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}:reindex',
  summary: 'Read the metadata of an NFT again; once an hour for each token',
  tag: 'EVM contracts',
  params: addressParams.extend({ tokenId }),
  response: z.unknown(),
  success: 201,
})
