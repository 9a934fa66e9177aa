import * as z from 'zod/mini'
import {
  alwaysSent,
  chainId,
  evmAddress,
  nextPageToken,
  openEnum,
  paging,
  queryInteger,
  record,
  timestamp,
} from '../base/fields.ts'
import { addressParams, tokenId } from './token-fields.ts'
import { ercType } from '../base/token.ts'
import { operationsOf } from '../base/operation.ts'
import { pageBounds } from '../base/query.ts'

const operation = operationsOf('EVM contracts')

/** The kinds of links that the hosted service's client defines. */
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

const imageAsset = record({ assetId: z.optional(z.string()), imageUri: z.optional(z.string()) })

/** Contract metadata (docs/api.md); only ERC-20 contracts have `decimals`. */
const contractMetadata = record({
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  officialSite: z.optional(z.string()),
  email: z.optional(z.string()),
  logoAsset: z.optional(imageAsset),
  bannerAsset: z.optional(imageAsset),
  color: z.optional(z.string()),
  resourceLinks: alwaysSent(z.array(record({ type: openEnum(resourceLinkTypes), url: z.string() }))),
  tags: alwaysSent(z.array(z.string())),
  address: z.string(),
  deploymentDetails: z.optional(
    record({
      txHash: z.string(),
      deployerAddress: z.string(),
      deployerContractAddress: z
        .optional(z.string())
        .with(z.describe('The contract that created this one, if any')),
    }),
  ),
  ercType,
  symbol: z.optional(z.string()),
  label: z.optional(z.string()),
  sourceName: z.optional(z.string()),
  decimals: z.optional(z.int()),
  isIndexed: z
    .optional(z.literal(false))
    .with(z.describe('False for a contract that no indexed block names, so that only the node knows of it')),
})
export type ContractMetadata = z.infer<typeof contractMetadata>

export const getContractMetadata = operation({
  id: 'getContractMetadata',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}',
  summary: 'Get what is known of a contract',
  params: addressParams,
  response: contractMetadata,
})

export const listContractDeployments = operation({
  id: 'listContractDeployments',
  api: 'data',
  path: '/v1/chains/{chainId}/contracts/{address}/deployments',
  summary: 'List the contracts that an address deployed',
  params: addressParams,
  query: z.object(paging(pageBounds.activity)),
  response: record({ nextPageToken, contracts: z.array(contractMetadata) }),
})

/**
 * POST `/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}:reindex` (docs/api.md, Tokens and
 * NFTs). The answer has no body to validate.
 */
export const reindexNft = operation({
  id: 'reindexNft',
  api: 'data',
  method: 'POST',
  path: '/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}:reindex',
  summary: 'Read the metadata of an NFT again; once an hour for each token',
  params: z.extend(addressParams, { tokenId }),
  response: z.unknown(),
  success: 201,
})

/** How a contract came to be. */
export const creation = record({
  blockTimestamp: timestamp,
  txHash: z.string(),
  deployerAddress: z.string().with(z.describe('The sender of the transaction')),
  deployerContractAddress: z
    .optional(z.string())
    .with(z.describe('The contract that created this one, if any')),
})

/** One creation in a chain's list. */
const deployment = record({
  address: z.string(),
  blockNumber: z.string(),
  ...creation.shape,
  ercType: z.optional(ercType),
  name: z.optional(z.string()),
  symbol: z.optional(z.string()),
  label: z.optional(z.string()),
  sourceName: z.optional(z.string()),
  isVerified: z
    .boolean()
    .with(z.describe('Whether its source was verified here, or that of another contract with the same code')),
  balance: z
    .optional(z.string())
    .with(
      z.describe(
        'What it holds of the native token now, in the smallest unit; absent if the node does not answer',
      ),
    ),
  recentUse: z
    .optional(
      record({
        transactionCount: z.string(),
        callerCount: z.string(),
        isCapped: z.boolean().with(z.describe('Whether there were more: the counts are of the latest ones')),
      }),
    )
    .with(z.describe('The transactions to it in the last 30 days of chain time, and their distinct senders')),
})
export type Deployment = z.infer<typeof deployment>

/** The orders of a chain's contracts: the newest first, or those that were used most in the last 30 days first. */
export const deploymentOrders = ['createdAt', 'transactionCount', 'callerCount'] as const
export type DeploymentOrder = (typeof deploymentOrders)[number]

/** The newest transactions of the 30 days that an order by use counts: about a fifth of a second of work. */
export const maxUseCounted = 250_000

/** What a list of contracts can be narrowed to. */
export const contractKinds = ['ERC-20', 'ERC-721', 'ERC-1155', 'OTHER'] as const

export const listDeployments = operation({
  id: 'listDeployments',
  path: '/v1/chains/{chainId}/contracts',
  summary: 'List the contracts of a chain, the newest or the most used first',
  description: `With \`isVerified\` a page may have fewer rows than asked for, or none, while there are more: only the last one lacks a \`nextPageToken\`. Ordered by use, the list is one page of contracts with a transaction in the last 30 days of chain time. It counts the newest ${maxUseCounted.toLocaleString('en')} transactions of these days, and the counts of its rows are those: \`isCapped\` says that there were more.`,
  params: z.object({ chainId }),
  query: z.object({
    ...paging(pageBounds.activity),
    kind: z.optional(
      z
        .enum(contractKinds)
        .with(z.describe('Only token contracts of this type; `OTHER` for contracts that are not tokens')),
    ),
    isVerified: z.optional(
      z
        .enum(['true'])
        .with(z.describe('Only contracts whose source, or that of the same code, was verified')),
    ),
    sortBy: z._default(
      z
        .enum(deploymentOrders)
        .with(
          z.describe(
            'By the time of the creation, or by the transactions to the contract or their distinct senders in the last 30 days of chain time',
          ),
        ),
      'createdAt',
    ),
    creator: z.optional(
      evmAddress.with(z.describe('Only contracts that this address created, or that its transactions did')),
    ),
  }),
  response: record({ nextPageToken, contracts: z.array(deployment) }),
})

/** Only in Ridgeline: the most active deployers in the last days of chain time, at most 100. */
export const listDeployers = operation({
  id: 'listDeployers',
  path: '/v1/chains/{chainId}/deployers',
  summary: 'List the addresses that deployed most contracts lately',
  params: z.object({ chainId }),
  query: z.object({ days: z._default(queryInteger({ min: 1, max: 90 }), 30) }),
  response: record({
    deployers: z.array(
      record({
        address: z.string(),
        contractCount: z.string(),
        lastBlock: z.string(),
        lastTimestamp: timestamp,
      }),
    ),
  }),
})
