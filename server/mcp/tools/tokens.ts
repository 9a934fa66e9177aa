import { z } from 'zod'
import {
  getToken,
  getTokenDistribution,
  listTokenHolders,
  listTokens,
  tokenSortKeys,
  type Token,
} from '../../../contract/tokens/tokens.ts'
import { unitName } from '../../../protocol/evm/token-units.ts'
import { amountWords, tokenAmount, unitWords } from './token-amount.ts'
import { chainInput, evmAddressInput, limitInput, tool, utc, type ToolContext } from './tool.ts'

const token = z.object({
  address: z.string(),
  type: z.string(),
  name: z.string().optional(),
  symbol: z.string().optional(),
  supply: z.string().describe(amountWords),
  unit: z.string().describe(unitWords),
  holderCount: z.string(),
  transferCount: z.string(),
  dayTransferCount: z.string().optional().describe('In the last 24 whole hours'),
  reputation: z.string().optional(),
  url: z.string(),
})

const describe = (each: Token, chainId: string, { page }: ToolContext): z.input<typeof token> => ({
  address: each.address,
  type: each.ercType,
  ...(each.name !== undefined && { name: each.name }),
  ...(each.symbol !== undefined && { symbol: each.symbol }),
  supply: tokenAmount(each.supply, each),
  unit: unitName(each),
  holderCount: each.holderCount,
  transferCount: each.transferCount,
  ...(each.lastDayTransferCount !== undefined && { dayTransferCount: each.lastDayTransferCount }),
  ...(typeof each.tokenReputation === 'string' && { reputation: each.tokenReputation }),
  url: page('token', chainId, each.address),
})

const summary = (each: z.input<typeof token>): string =>
  `${each.name ?? each.address} (${each.symbol ?? 'no symbol'}, ${each.type}): supply ${each.supply} ${each.unit}, ${each.holderCount} holders, ${each.transferCount} transfers`

export const tokens = tool({
  name: 'list_tokens',
  title: 'Tokens of a chain',
  description:
    'The ERC-20 tokens and NFT collections of an EVM chain by holders, by transfers or by age, or by part of a name. Spam is left out.',
  input: z.strictObject({
    chain: chainInput,
    name: z.string().trim().min(1).max(64).optional().describe('Part of the name or symbol'),
    type: z.enum(['ERC-20', 'ERC-721', 'ERC-1155', 'NFT']).optional(),
    sortBy: z.enum(tokenSortKeys).default('holderCount'),
    limit: limitInput(100, 20),
  }),
  output: z.object({ chainId: z.string(), tokens: z.array(token), hasMore: z.boolean(), url: z.string() }),
  async run({ chain, name, type, sortBy, limit }, context) {
    const { tokens: listed, nextPageToken } = await context.ask.operation(listTokens, {
      params: { chainId: chain },
      query: { name, ercType: type, sortBy, pageSize: limit },
    })
    const rows = listed.map((each) => describe(each, chain, context))
    const url = context.page('tokens', chain)
    return {
      text: [
        ...(rows.length === 0 ? ['No token fits.'] : rows.map((row) => `${summary(row)}: ${row.url}`)),
        url,
      ],
      data: { chainId: chain, tokens: rows, hasMore: nextPageToken !== undefined, url },
    }
  },
})

export const oneToken = tool({
  name: 'get_token',
  title: 'One token and its holders',
  description:
    'The supply, holders and transfers of a token, who holds most of it, and how concentrated it is.',
  input: z.strictObject({
    chain: chainInput,
    address: evmAddressInput,
    limit: limitInput(100, 10),
  }),
  output: z.object({
    token,
    lastTransferTimestamp: z.int().optional(),
    holders: z.array(
      z.object({
        address: z.string(),
        name: z.string().optional(),
        balance: z.string().describe('In the unit of the token, above'),
        sharePercent: z.number().optional(),
      }),
    ),
    concentration: z
      .array(z.object({ holders: z.int(), sharePercent: z.number() }))
      .describe('What the largest holders have together'),
  }),
  async run({ chain, address, limit }, context) {
    const params = { chainId: chain, address }
    const [found, { holders }, { top }] = await Promise.all([
      context.ask.operation(getToken, { params }),
      context.ask.operation(listTokenHolders, { params, query: { pageSize: limit } }),
      context.ask.operation(getTokenDistribution, { params }),
    ])
    const described = describe(found, chain, context)
    const rows = holders.map((each) => ({
      address: each.address,
      ...(each.name !== undefined && { name: each.name }),
      balance: tokenAmount(each.balance, found),
      ...(each.share !== undefined && { sharePercent: each.share }),
    }))
    const concentration = top.map(({ holders: count, share }) => ({ holders: count, sharePercent: share }))
    return {
      text: [
        summary(described),
        ...(found.lastTransferTimestamp === undefined
          ? []
          : [`Last moved ${utc(found.lastTransferTimestamp)}.`]),
        ...concentration.map((each) => `The largest ${each.holders} hold ${each.sharePercent} %.`),
        ...rows.map(
          (row) =>
            `${row.name ?? row.address}: ${row.balance} ${described.unit} (${row.sharePercent ?? 'unknown'} %)`,
        ),
        described.url,
      ],
      data: {
        token: described,
        ...(found.lastTransferTimestamp !== undefined && {
          lastTransferTimestamp: found.lastTransferTimestamp,
        }),
        holders: rows,
        concentration,
      },
    }
  },
})
