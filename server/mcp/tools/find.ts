import { z } from 'zod'
import { listChainStatus, listChains } from '../../../contract/evm/chains.ts'
import { getNetworkOverview } from '../../../contract/network/overview.ts'
import { search, type SearchResult } from '../../../contract/network/search.ts'
import { chainInput, networkInput, tool, utc, type ToolContext } from './tool.ts'

/** The page of a search result; undefined for a kind that this version does not know. */
function resultPage(
  { page }: ToolContext,
  { kind, chainId, id, network = 'mainnet' }: SearchResult,
): string | undefined {
  switch (kind) {
    case 'block':
      return page('block', chainId, id)
    case 'transaction':
      return page('transaction', chainId, id)
    case 'address':
    case 'contract':
      return page('address', chainId, id)
    case 'token':
      return page('token', chainId, id)
    case 'chain':
      return page('chain', chainId)
    case 'primaryBlock':
      return page('primaryBlock', network, chainId, id)
    case 'primaryTransaction':
      return page('primaryTransaction', network, chainId, id)
    case 'vertex':
      return page('vertex', network, id)
    case 'wallet':
      return page('wallet', network, id)
    case 'node':
      return page('validator', network, id)
    case 'subnet':
      return page('subnet', network, id)
    case 'blockchain':
      return page('blockchain', network, id)
    case 'l1Validation':
      return page('l1Validator', network, id)
    default:
      return undefined
  }
}

export const find = tool({
  name: 'find',
  title: 'Find anything',
  description:
    'Finds blocks, transactions, addresses, contracts, tokens, chains, validators, subnets and L1s by a height, hash, address, name or ID, or the beginning of one. Start here when you have a text and do not know what it is.',
  input: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(256)
      .describe('A height, hash, address, name or ID, or six characters of one'),
    chain: chainInput.optional().describe('Only this EVM chain'),
  }),
  output: z.object({
    results: z.array(
      z.object({
        kind: z.string(),
        title: z.string(),
        detail: z.string().optional(),
        id: z.string(),
        chainId: z.string().describe('An EVM chain ID, or p-chain, x-chain or c-chain'),
        chainName: z.string(),
        network: z.string().optional(),
        match: z.string().describe('How well it fits: exact, prefix, word, part or similar'),
        isMalicious: z.boolean(),
        url: z.string().optional(),
      }),
    ),
  }),
  async run({ query, chain }, context) {
    const { results } = await context.ask.operation(search, {
      query: { query, ...(chain !== undefined && { chainId: chain }) },
    })
    const found = results.map((result) => {
      const { kind, title, detail, id, chainId, chainName, network, match, tokenReputation } = result
      const url = resultPage(context, result)
      return {
        kind,
        title,
        ...(detail !== undefined && { detail }),
        id,
        chainId,
        chainName,
        ...(network !== undefined && { network }),
        match,
        isMalicious: tokenReputation !== undefined,
        ...(url !== undefined && { url }),
      }
    })
    return {
      text:
        found.length === 0
          ? [`Nothing found for "${query}".`]
          : found.map(
              ({ kind, title, detail, chainName, url }) =>
                `${kind} ${title}${detail === undefined ? '' : ` (${detail})`} on ${chainName}: ${url ?? 'no page'}`,
            ),
      data: { results: found },
    }
  },
})

export const listServedChains = tool({
  name: 'list_chains',
  title: 'List the chains',
  description:
    'Lists the EVM chains and networks of this service, with their IDs, tokens and how far they are indexed. Other tools take these chain IDs.',
  input: z.strictObject({ network: networkInput }),
  output: z.object({
    chains: z.array(
      z.object({
        chainId: z.string(),
        name: z.string(),
        token: z.string(),
        decimals: z.int(),
        blockchainId: z.string().optional(),
        subnetId: z.string().optional(),
        isTestnet: z.boolean(),
        state: z.string(),
        indexedBlock: z.string().optional(),
        indexedTimestamp: z.int().optional(),
        txCount: z.string().optional(),
        txCountDay: z.string().optional().describe('Transactions of the last 24 whole hours'),
        url: z.string(),
      }),
    ),
    primaryNetwork: z
      .object({
        network: z.string(),
        name: z.string(),
        addressPrefix: z.string(),
        chains: z.array(
          z.object({ chain: z.string(), state: z.string(), indexedHeight: z.string().optional() }),
        ),
        url: z.string(),
      })
      .optional()
      .describe('Absent if P-, X- and C-Chain are not indexed here'),
  }),
  async run({ network }, { ask, page, networkOf }) {
    const served = await networkOf(network)
    const [{ chains }, { chains: statuses }, overview] = await Promise.all([
      ask.operation(listChains, { query: { network } }),
      ask.operation(listChainStatus, {}),
      ask.found(getNetworkOverview, { params: { network: served } }),
    ])
    const listed = chains.map((chain) => {
      const status = statuses.find(({ chainId }) => chainId === chain.chainId)
      return {
        chainId: chain.chainId,
        name: chain.chainName,
        token: chain.networkToken.symbol,
        decimals: chain.networkToken.decimals,
        ...(chain.platformChainId !== undefined && { blockchainId: chain.platformChainId }),
        ...(chain.subnetId !== undefined && { subnetId: chain.subnetId }),
        isTestnet: chain.isTestnet,
        state: status?.state ?? 'unknown',
        ...(status?.indexedBlock !== undefined && { indexedBlock: status.indexedBlock }),
        ...(status?.indexedTimestamp !== undefined && { indexedTimestamp: status.indexedTimestamp }),
        ...(status?.txCount !== undefined && { txCount: status.txCount }),
        ...(status?.txCountDay !== undefined && { txCountDay: status.txCountDay }),
        url: page('chain', chain.chainId),
      }
    })
    return {
      text: [
        ...listed.map(
          ({ chainId, name, token, state, indexedBlock, indexedTimestamp, txCountDay, url }) =>
            `${name} (chain ID ${chainId}, ${token}): ${state}, block ${indexedBlock ?? 'none'}${
              indexedTimestamp === undefined ? '' : ` of ${utc(indexedTimestamp)}`
            }, ${txCountDay ?? 'unknown'} transactions in 24 h: ${url}`,
        ),
        ...(overview === undefined
          ? []
          : [
              `${overview.name} (network ${overview.network}): ${overview.chains
                .map(
                  ({ chainName, state, indexedHeight }) =>
                    `${chainName} ${state} at ${indexedHeight ?? 'none'}`,
                )
                .join(', ')}: ${page('network', served)}`,
            ]),
      ],
      data: {
        chains: listed,
        ...(overview && {
          primaryNetwork: {
            network: overview.network,
            name: overview.name,
            addressPrefix: overview.addressPrefix,
            chains: overview.chains.map(({ chainName, state, indexedHeight }) => ({
              chain: chainName,
              state,
              ...(indexedHeight !== undefined && { indexedHeight }),
            })),
            url: page('network', served),
          },
        }),
      },
    }
  },
})
