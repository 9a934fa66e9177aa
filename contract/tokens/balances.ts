import * as z from 'zod/mini'
import { currency, pricedValue } from '../base/currency.ts'
import { amount, commaList, evmAddress, nextPageToken, openEnum, paging, record } from '../base/fields.ts'
import { addressParams, balanceSource, tokenReputations } from '../evm/token-fields.ts'
import { nftMetadataWithAttributes } from '../base/token.ts'
import { networkToken } from '../evm/chains.ts'
import { erc1155Token, erc20TransferDetails, erc721TransferDetails } from '../evm/transactions.ts'
import { operationsOf } from '../base/operation.ts'
import { flag, maxListed, pageBounds } from '../base/query.ts'

/** The value of a balance; absent if no price is known. */
const priced = { price: z.optional(pricedValue), balanceValue: z.optional(pricedValue) }

/** nativeTokenBalance (docs/api.md, Balances), in the smallest unit. */
const nativeTokenBalance = z.extend(networkToken, { chainId: z.string(), balance: amount, ...priced })
export type NativeTokenBalance = z.infer<typeof nativeTokenBalance>

/** For lists: absent if the node does not keep the state of the block, or does not answer. */
const knownNativeBalance = z.optional(nativeTokenBalance)

/** One of erc20TokenBalances (docs/api.md, Balances). A reputation of null means unknown. */
const erc20TokenBalance = z.extend(erc20TransferDetails.shape.erc20Token, {
  chainId: z.string(),
  balance: amount,
  ...priced,
  tokenReputation: z.nullish(openEnum(tokenReputations)),
  reputationReasons: z.optional(z.array(z.string())).with(z.describe('The rules that matched, as text')),
  balanceSource: z.optional(balanceSource),
})
export type Erc20TokenBalance = z.infer<typeof erc20TokenBalance>

/** An ERC-721 token of an address, as in the hosted service. */
const erc721TokenBalance = z.extend(z.omit(erc721TransferDetails.shape.erc721Token, { lastTokenId: true }), {
  metadata: z.optional(nftMetadataWithAttributes),
  ownerAddress: z.optional(z.string()),
  chainId: z.string(),
})

/** One of erc1155TokenBalances (docs/api.md, Balances). */
const erc1155TokenBalance = z.extend(erc1155Token, { chainId: z.string(), balance: amount })

/** A collectible: an ERC-721 token, or an ERC-1155 token, which has a balance. */
const collectibleBalance = z.extend(erc721TokenBalance, { balance: z.optional(amount) })
export type CollectibleBalance = z.infer<typeof collectibleBalance>

const blockNumber = z.optional(
  z
    .string()
    .check(
      z.regex(/^\d{1,16}$/, 'must be a block number in decimal digits'),
      z.describe('The balance at this block; the latest when left out'),
    ),
)
const contractAddress = z.optional(evmAddress.with(z.describe('Only tokens of this contract')))
const collectibleQuery = z.object({ ...paging(pageBounds.balances), contractAddress, blockNumber })
const operation = operationsOf('EVM balances')

export const getNativeBalance = operation({
  id: 'getNativeBalance',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/balances:getNative',
  summary: 'Get the native balance of an address',
  params: addressParams,
  query: z.object({ blockNumber, currency }),
  response: record({ nativeTokenBalance }),
})

export const listErc20Balances = operation({
  id: 'listErc20Balances',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/balances:listErc20',
  summary: 'List the ERC-20 balances of an address',
  params: addressParams,
  query: z.object({
    blockNumber,
    ...paging(pageBounds.balances),
    filterSpamTokens: z._default(flag.with(z.describe('Whether to exclude spam tokens')), true),
    contractAddresses: z.optional(
      commaList(evmAddress, maxListed).with(
        z.describe(`Only tokens of these contracts, comma separated, at most ${maxListed}`),
      ),
    ),
    currency,
  }),
  response: record({
    nextPageToken,
    nativeTokenBalance: knownNativeBalance,
    erc20TokenBalances: z.array(erc20TokenBalance),
    spamTokenCount: z
      .optional(z.int())
      .with(z.describe('The number of tokens excluded by `filterSpamTokens`')),
  }),
})

export const listErc721Balances = operation({
  id: 'listErc721Balances',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/balances:listErc721',
  summary: 'List the ERC-721 tokens of an address',
  params: addressParams,
  query: collectibleQuery,
  response: record({
    nextPageToken,
    nativeTokenBalance: knownNativeBalance,
    erc721TokenBalances: z.array(erc721TokenBalance),
  }),
})

export const listErc1155Balances = operation({
  id: 'listErc1155Balances',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/balances:listErc1155',
  summary: 'List the ERC-1155 balances of an address',
  params: addressParams,
  query: collectibleQuery,
  response: record({
    nextPageToken,
    nativeTokenBalance: knownNativeBalance,
    erc1155TokenBalances: z.array(erc1155TokenBalance),
  }),
})

export const listCollectibleBalances = operation({
  id: 'listCollectibleBalances',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/balances:listCollectibles',
  summary: 'List the ERC-721 and ERC-1155 tokens of an address',
  params: addressParams,
  query: collectibleQuery,
  response: record({ nextPageToken, collectibleBalances: z.array(collectibleBalance) }),
})
