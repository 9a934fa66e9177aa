import { formatUnits } from 'viem'
import { z } from 'zod'
import { getAddressOverview, listAddressTransactions } from '../../../contract/evm/addresses.ts'
import { listBlocks } from '../../../contract/evm/blocks.ts'
import { balanceBuckets, getPrimaryBalances, type BalanceItem } from '../../../contract/primary/balances.ts'
import { walletAddress } from '../../../contract/primary/fields.ts'
import { primaryChainAliases } from '../../../contract/primary/chains.ts'
import { listErc20Balances } from '../../../contract/tokens/balances.ts'
import { unitName } from '../../../protocol/evm/token-units.ts'
import { RefusedError } from './ask.ts'
import { amountWords, tokenAmount, unitWords } from './token-amount.ts'
import {
  chainInput,
  evmAddressInput,
  limitInput,
  networkInput,
  timeInput,
  tool,
  unixSeconds,
  utc,
  type ToolContext,
} from './tool.ts'

const atInput = timeInput.optional().describe('The time of the balances, such as 2026-03-31; by default now')

/** The height of the last block at or before a time. */
async function heightAt(chainId: string, time: number, { ask }: ToolContext): Promise<string> {
  const { blocks } = await ask.operation(listBlocks, {
    params: { chainId },
    query: { endTimestamp: time + 1, pageSize: 1 },
  })
  const [block] = blocks
  if (!block)
    throw new RefusedError(404, `404: chain ${chainId} has no indexed block at or before ${utc(time)}`)
  return block.blockNumber
}

export const addressBalances = tool({
  name: 'address_balances',
  title: 'Balances of an EVM address',
  description:
    'The native balance and the ERC-20 tokens of an EVM address (0x…), now or at any past date. Spam tokens are left out.',
  input: z.strictObject({
    address: evmAddressInput,
    chain: chainInput,
    at: atInput,
    limit: limitInput(100, 25),
  }),
  output: z.object({
    address: z.string(),
    chainId: z.string(),
    blockNumber: z.string().optional().describe('The block of the balances; absent for the latest'),
    native: z
      .object({ symbol: z.string(), balance: z.string().describe('In whole tokens'), raw: z.string() })
      .optional()
      .describe('Absent if the node does not keep the state of the block, or does not answer'),
    tokens: z.array(
      z.object({
        address: z.string(),
        symbol: z.string().optional(),
        name: z.string().optional(),
        balance: z.string().describe(amountWords),
        unit: z.string().describe(unitWords),
        raw: z.string().describe('In the smallest unit'),
      }),
    ),
    hasMore: z.boolean(),
    url: z.string(),
  }),
  async run({ address, chain, at, limit }, context) {
    const { ask, page } = context
    const blockNumber = at === undefined ? undefined : await heightAt(chain, unixSeconds(at), context)
    const { nativeTokenBalance, erc20TokenBalances, nextPageToken } = await ask.operation(listErc20Balances, {
      params: { chainId: chain, address },
      query: { blockNumber, pageSize: limit },
    })
    const tokens = erc20TokenBalances.map((token) => ({
      address: token.address,
      ...(token.symbol !== undefined && { symbol: token.symbol }),
      ...(token.name !== undefined && { name: token.name }),
      balance: tokenAmount(token.balance, token),
      unit: unitName(token),
      raw: token.balance,
    }))
    const native = nativeTokenBalance && {
      symbol: nativeTokenBalance.symbol,
      balance: formatUnits(BigInt(nativeTokenBalance.balance), nativeTokenBalance.decimals),
      raw: nativeTokenBalance.balance,
    }
    const url = page('address', chain, address, { at: blockNumber })
    return {
      text: [
        `${address}${blockNumber === undefined ? '' : ` at block ${blockNumber}`}: ${
          native === undefined
            ? 'native balance unknown: the node does not keep this state, or does not answer'
            : `${native.balance} ${native.symbol}`
        }`,
        ...tokens.map(
          (token) =>
            `${token.balance} ${token.unit}${token.symbol === undefined ? ` of ${token.address}` : ''}`,
        ),
        ...(nextPageToken === undefined ? [] : ['It has more tokens.']),
        url,
      ],
      data: {
        address,
        chainId: chain,
        ...(blockNumber !== undefined && { blockNumber }),
        ...(native && { native }),
        tokens,
        hasMore: nextPageToken !== undefined,
        url,
      },
    }
  },
})

export const addressActivity = tool({
  name: 'address_activity',
  title: 'Activity of an EVM address',
  description:
    'What an EVM address (0x…) is (contract, token, account), when it was active first and last, and its latest transactions.',
  input: z.strictObject({ address: evmAddressInput, chain: chainInput, limit: limitInput(50, 10) }),
  output: z.object({
    address: z.string(),
    chainId: z.string(),
    isContract: z.boolean(),
    name: z.string().optional(),
    tokenType: z.string().optional(),
    firstTimestamp: z.int().optional(),
    lastTimestamp: z.int().optional(),
    erc20Count: z.string().optional(),
    nftCount: z.string().optional(),
    transactions: z.array(
      z.object({
        hash: z.string(),
        timestamp: z.int(),
        isSuccess: z.boolean(),
        from: z.string(),
        to: z.string(),
        method: z.string().optional(),
        value: z.string().describe('In the smallest unit'),
        transferCount: z.int(),
        url: z.string(),
      }),
    ),
    url: z.string(),
  }),
  async run({ address, chain, limit }, { ask, page }) {
    const params = { chainId: chain, address }
    const [overview, { transactions }] = await Promise.all([
      ask.operation(getAddressOverview, { params }),
      ask.operation(listAddressTransactions, { params, query: { pageSize: limit } }),
    ])
    const rows = transactions.map(
      ({ nativeTransaction: tx, erc20Transfers, erc721Transfers, erc1155Transfers }) => {
        const method = tx.method?.methodName ?? tx.method?.methodHash
        return {
          hash: tx.txHash,
          timestamp: tx.blockTimestamp,
          isSuccess: tx.txStatus === '1',
          from: tx.from.address,
          to: tx.to.address,
          ...(method !== undefined && { method }),
          value: tx.value,
          transferCount:
            (erc20Transfers?.length ?? 0) + (erc721Transfers?.length ?? 0) + (erc1155Transfers?.length ?? 0),
          url: page('transaction', chain, tx.txHash),
        }
      },
    )
    const url = page('address', chain, address)
    const { isContract, name, tokenType, firstTimestamp, lastTimestamp, erc20Count, nftCount } = overview
    return {
      text: [
        `${address} is ${isContract ? `a contract${tokenType === undefined ? '' : ` (${tokenType})`}` : 'an account'}${
          name === undefined ? '' : ` named ${name}`
        }${firstTimestamp === undefined ? '' : `, active since ${utc(firstTimestamp)}`}${
          lastTimestamp === undefined ? '' : `, last on ${utc(lastTimestamp)}`
        }${erc20Count === undefined ? '' : `; it holds ${erc20Count} ERC-20 tokens and ${nftCount} NFTs`}.`,
        ...rows.map(
          (row) =>
            `${utc(row.timestamp)} ${row.isSuccess ? 'ok' : 'failed'} ${row.from} to ${row.to} ${row.method ?? ''} ${row.url}`,
        ),
        url,
      ],
      data: {
        address,
        chainId: chain,
        isContract,
        ...(name !== undefined && { name }),
        ...(tokenType !== undefined && { tokenType }),
        ...(firstTimestamp !== undefined && { firstTimestamp }),
        ...(lastTimestamp !== undefined && { lastTimestamp }),
        ...(erc20Count !== undefined && { erc20Count }),
        ...(nftCount !== undefined && { nftCount }),
        transactions: rows,
        url,
      },
    }
  },
})

export const walletBalances = tool({
  name: 'wallet_balances',
  title: 'Balances of a P-, X- or C-Chain wallet',
  description:
    'What wallet addresses (P-avax1…, fuji1…) have on the P-Chain, the X-Chain and in the atomic memory of the C-Chain: free, staked, locked and pending, now or at a past or future date.',
  input: z.strictObject({
    addresses: z
      .array(
        z
          .string()
          .refine((text) => walletAddress.safeParse(text).success, 'must be an address such as fuji1…'),
      )
      .min(1)
      .max(64)
      .describe('Wallet addresses in bech32, with or without P-, X- or C-'),
    at: atInput,
    network: networkInput,
  }),
  output: z.object({
    network: z.string(),
    chains: z.array(
      z.object({
        chain: z.string(),
        balances: z.array(
          z.object({
            bucket: z.enum(balanceBuckets).describe('What may be done with it; the glossary explains each'),
            symbol: z.string(),
            assetId: z.string(),
            amount: z.string().describe('In whole units'),
            utxoCount: z.int(),
            sharedWith: z.string().optional().describe('For atomic memory: the other chain'),
          }),
        ),
      }),
    ),
    url: z.string(),
  }),
  async run({ addresses, at, network }, { ask, page, networkOf }) {
    const served = await networkOf(network)
    const query = {
      addresses: addresses.join(','),
      ...(at !== undefined && { blockTimestamp: unixSeconds(at) }),
    }
    const answers = await Promise.all(
      primaryChainAliases.map((chain) =>
        ask.operation(getPrimaryBalances, { params: { network: served, blockchainId: chain }, query }),
      ),
    )
    const chains = answers.map(({ balances }, place) => ({
      chain: primaryChainAliases[place] ?? '',
      balances: balanceBuckets.flatMap((bucket) =>
        (balances[bucket] ?? []).map((item: BalanceItem & { readonly sharedWithChainId?: string }) => ({
          bucket,
          symbol: item.symbol,
          assetId: item.assetId,
          amount: formatUnits(BigInt(item.amount), item.denomination),
          utxoCount: item.utxoCount,
          ...(item.sharedWithChainId !== undefined && { sharedWith: item.sharedWithChainId }),
        })),
      ),
    }))
    const [first = ''] = addresses
    const url = page('wallet', served, first)
    return {
      text: [
        ...chains.map(
          ({ chain, balances }) =>
            `${chain}: ${
              balances.length === 0
                ? 'nothing'
                : balances.map(({ bucket, amount, symbol }) => `${amount} ${symbol} ${bucket}`).join(', ')
            }`,
        ),
        url,
      ],
      data: { network: served, chains, url },
    }
  },
})
