import { formatUnits } from 'viem'
import { z } from 'zod'
import { getTransactionFailure, type TransactionFailure } from '../../../contract/evm/transaction-failure.ts'
import { getTransaction, type TransactionDetails } from '../../../contract/evm/transactions.ts'
import type { AssetAmount } from '../../../contract/primary/fields.ts'
import { getPrimaryTransaction, type PrimaryTransaction } from '../../../contract/primary/transactions.ts'
import { search } from '../../../contract/network/search.ts'
import { unitName } from '../../../protocol/evm/token-units.ts'
import { RefusedError, type Ask } from './ask.ts'
import { amountWords, tokenAmount, unitWords } from './token-amount.ts'
import {
  chainInput,
  networkInput,
  primaryChain,
  tool,
  transactionInput,
  utc,
  type ToolContext,
} from './tool.ts'

/** The most transfers that an answer lists. */
const maxTransfers = 20

const party = z.object({ address: z.string(), name: z.string().optional() })

const transfer = z.object({
  type: z.string(),
  token: z.string(),
  symbol: z.string().optional(),
  from: z.string(),
  to: z.string(),
  amount: z.string().optional().describe(amountWords),
  unit: z.string().optional().describe(unitWords),
  tokenId: z.string().optional(),
})

const failure = z.object({
  kind: z.string(),
  reason: z.string(),
  source: z.string().describe('How the reason was found: TRACE, REPLAY, STORED_TRACE or RECEIPT'),
  failedContract: z.string().optional().describe('The contract whose call failed first'),
  failedMethod: z.string().optional(),
  depth: z.int().optional().describe('0 for the call of the transaction itself'),
})

const asset = z.object({
  symbol: z.string(),
  assetId: z.string(),
  amount: z.string().describe('In whole units'),
})

const evmPart = z.object({
  isSuccess: z.boolean(),
  failure: failure.optional(),
  failureUnknown: z.string().optional().describe('Why the reason of the failure could not be found'),
  from: party,
  to: party,
  method: z.string().optional(),
  value: z.string().describe('In whole native tokens'),
  fee: z.string().optional().describe('In whole native tokens'),
  token: z.string().describe('The symbol of the native token'),
  gasUsed: z.string(),
  gasLimit: z.string(),
  createdContract: z.string().optional(),
  transfers: z.array(transfer),
  transferCount: z.int().optional().describe('Absent if the logs are no longer kept'),
  internalCallCount: z.int().optional().describe('Absent if the block is not traced'),
  isFinalized: z.boolean().optional(),
})

const primaryPart = z.object({
  txType: z.string(),
  sourceChain: z.string().optional(),
  destinationChain: z.string().optional(),
  inputs: z.int(),
  outputs: z.int(),
  value: z.array(asset),
  burned: z.array(asset),
  staked: z.array(asset),
  nodeId: z.string().optional(),
  subnetId: z.string().optional(),
  startTimestamp: z.int().optional(),
  endTimestamp: z.int().optional(),
  rewardAddresses: z.array(z.string()),
})

export const explainTransaction = tool({
  name: 'explain_transaction',
  title: 'Explain a transaction',
  description:
    'Says what a transaction did: its outcome, why it failed and in which call, who sent it, what moved, and its fee. Works for EVM chains (0x hash) and for the P-, X- and C-Chain (cb58 ID). Without a chain it is searched for on all of them.',
  input: z.strictObject({
    transaction: transactionInput.describe('The hash of the transaction'),
    chain: z
      .union([primaryChain, chainInput])
      .optional()
      .describe('An EVM chain ID, or p-chain, x-chain or c-chain'),
    network: networkInput,
  }),
  output: z.object({
    transaction: z.string(),
    chain: z.string(),
    blockNumber: z.string().optional(),
    timestamp: z.int().optional(),
    summary: z.string(),
    evm: evmPart.optional(),
    primary: primaryPart.optional(),
    url: z.string(),
  }),
  async run({ transaction, chain, network }, context) {
    const place = await placeOf(transaction, chain, context)
    const isPrimary = primaryChain.safeParse(place)
    return isPrimary.success
      ? explainPrimary(transaction, isPrimary.data, await context.networkOf(network), context)
      : explainEvm(transaction, place, context)
  },
})

/** The chain of a transaction: the one that was given, or where the search finds it. */
async function placeOf(
  transaction: string,
  chain: string | undefined,
  { ask }: ToolContext,
): Promise<string> {
  if (chain !== undefined) return chain
  const { results } = await ask.operation(search, { query: { query: transaction } })
  const hit = results.find(
    ({ kind, match }) => match === 'exact' && (kind === 'transaction' || kind === 'primaryTransaction'),
  )
  if (!hit) throw new RefusedError(404, `404: transaction ${transaction} is not indexed on any chain`)
  return hit.chainId
}

async function explainEvm(txHash: string, chainId: string, { ask, page }: ToolContext) {
  const params = { chainId, txHash }
  const details = await ask.operation(getTransaction, { params })
  const { nativeTransaction: tx } = details
  const isSuccess = tx.txStatus === '1'
  const why = isSuccess ? undefined : await reasonOf(params, ask)
  const decimals = details.networkTokenDetails?.networkToken.decimals ?? 18
  const token = details.networkTokenDetails?.networkToken.symbol ?? ''
  const native = (amount: string): string => formatUnits(BigInt(amount), decimals)
  const transfers = transfersOf(details)
  const failed = typeof why === 'object' ? describeFailure(why) : undefined
  const unknown = typeof why === 'string' ? why : undefined
  const evm: z.input<typeof evmPart> = {
    isSuccess,
    ...(failed && { failure: failed }),
    ...(unknown !== undefined && { failureUnknown: unknown }),
    from: partyOf(tx.from),
    to: partyOf(tx.to),
    ...(tx.method && { method: tx.method.methodName ?? tx.method.methodHash }),
    value: native(tx.value),
    ...(tx.txFee !== undefined && { fee: native(tx.txFee) }),
    token,
    gasUsed: tx.gasUsed,
    gasLimit: tx.gasLimit,
    ...(tx.contractAddress !== undefined && { createdContract: tx.contractAddress }),
    transfers: (transfers ?? []).slice(0, maxTransfers),
    ...(transfers && { transferCount: transfers.length }),
    ...(details.internalTransactions && { internalCallCount: details.internalTransactions.length }),
    ...(tx.isFinalized !== undefined && { isFinalized: tx.isFinalized }),
  }
  const called = evm.method === undefined || evm.method === '' ? '' : ` calling ${evm.method}`
  const summary = isSuccess
    ? `Succeeded: ${name(tx.from)} sent ${evm.value} ${token} to ${name(tx.to)}${called}.`
    : `Failed: ${failed?.reason ?? `the reason is not known (${unknown ?? ''})`}. ${name(tx.from)} sent it to ${name(tx.to)}${called}.`
  const url = page('transaction', chainId, tx.txHash)
  return {
    text: [
      summary,
      ...(failed?.failedContract === undefined
        ? []
        : [
            `It failed in ${failed.failedMethod ?? 'a call'} of ${failed.failedContract}, ${
              failed.depth === 0 ? 'the call of the transaction itself' : `at depth ${String(failed.depth)}`
            }.`,
          ]),
      `Block ${tx.blockNumber}, ${utc(tx.blockTimestamp)}; fee ${evm.fee ?? 'unknown'} ${token}; gas ${tx.gasUsed} of ${tx.gasLimit}.`,
      ...evm.transfers.map(
        (each) =>
          `${each.type} ${each.symbol ?? each.token}: ${[each.amount, each.unit].filter(Boolean).join(' ')}${
            each.tokenId === undefined ? '' : ` id ${each.tokenId}`
          } from ${each.from} to ${each.to}`,
      ),
      url,
    ],
    data: {
      transaction: tx.txHash,
      chain: chainId,
      blockNumber: tx.blockNumber,
      timestamp: tx.blockTimestamp,
      summary,
      evm,
      url,
    },
  }
}

type Party = { readonly address: string; readonly name?: string | undefined }
const partyOf = ({ address, name: known }: Party) => ({
  address,
  ...(known !== undefined && { name: known }),
})
const name = ({ address, name: known }: Party): string => known ?? (address === '' ? 'no contract' : address)

const describeFailure = ({ kind, reason, source, call }: TransactionFailure): z.input<typeof failure> => ({
  kind,
  reason,
  source,
  ...(call && {
    failedContract: call.to.address,
    depth: call.depth,
    ...(call.methodName !== undefined && { failedMethod: call.methodName }),
  }),
})

/** Why a transaction failed; the refusal as text if that cannot be found out, for example while the node is away. */
async function reasonOf(
  params: { readonly chainId: string; readonly txHash: string },
  ask: Ask,
): Promise<TransactionFailure | string> {
  try {
    return await ask.operation(getTransactionFailure, { params })
  } catch (error) {
    if (error instanceof RefusedError && error.status >= 500) return error.message
    throw error
  }
}

/** All transfers of a transaction; undefined if its logs are no longer kept. */
function transfersOf({
  erc20Transfers,
  erc721Transfers,
  erc1155Transfers,
  logs,
}: TransactionDetails): z.input<typeof transfer>[] | undefined {
  if (logs === undefined) return undefined
  const symbolOf = (symbol: string | undefined) => ({ ...(symbol !== undefined && { symbol }) })
  return [
    ...(erc20Transfers ?? []).map(({ from, to, value, erc20Token }) => ({
      type: 'ERC-20',
      token: erc20Token.address,
      ...symbolOf(erc20Token.symbol),
      from: from.address,
      to: to.address,
      amount: tokenAmount(value, erc20Token),
      unit: unitName(erc20Token),
    })),
    ...(erc721Transfers ?? []).map(({ from, to, erc721Token }) => ({
      type: 'ERC-721',
      token: erc721Token.address,
      ...symbolOf(erc721Token.symbol),
      from: from.address,
      to: to.address,
      tokenId: erc721Token.tokenId,
    })),
    ...(erc1155Transfers ?? []).map(({ from, to, value, erc1155Token }) => ({
      type: 'ERC-1155',
      token: erc1155Token.address,
      ...symbolOf(erc1155Token.symbol),
      from: from.address,
      to: to.address,
      amount: value,
      tokenId: erc1155Token.tokenId,
    })),
  ]
}

const assetsOf = (amounts: readonly AssetAmount[] | undefined) =>
  (amounts ?? []).map(({ symbol, assetId, amount, denomination }) => ({
    symbol,
    assetId,
    amount: formatUnits(BigInt(amount), denomination),
  }))

async function explainPrimary(
  txHash: string,
  chain: z.infer<typeof primaryChain>,
  network: 'mainnet' | 'fuji',
  { ask, page }: ToolContext,
) {
  const tx: PrimaryTransaction = await ask.operation(getPrimaryTransaction, {
    params: { network, blockchainId: chain, txHash },
  })
  const primary: z.input<typeof primaryPart> = {
    txType: tx.txType,
    ...(tx.sourceChain !== undefined && { sourceChain: tx.sourceChain }),
    ...(tx.destinationChain !== undefined && { destinationChain: tx.destinationChain }),
    inputs: (tx.consumedUtxos ?? []).length + (tx.evmInputs ?? []).length,
    outputs: (tx.emittedUtxos ?? []).length + (tx.evmOutputs ?? []).length,
    value: assetsOf(tx.value),
    burned: assetsOf(tx.amountBurned),
    staked: assetsOf(tx.amountStaked),
    ...(tx.nodeId !== undefined && { nodeId: tx.nodeId }),
    ...(tx.subnetId !== undefined && { subnetId: tx.subnetId }),
    ...(tx.startTimestamp !== undefined && { startTimestamp: tx.startTimestamp }),
    ...(tx.endTimestamp !== undefined && { endTimestamp: tx.endTimestamp }),
    rewardAddresses: tx.rewardAddresses ?? [],
  }
  const amounts = (list: readonly z.input<typeof asset>[]): string =>
    list.length === 0 ? 'nothing' : list.map(({ amount, symbol }) => `${amount} ${symbol}`).join(', ')
  const height = tx.blockNumber ?? (tx.blockHeight === undefined ? undefined : String(tx.blockHeight))
  const timestamp = tx.blockTimestamp ?? tx.timestamp
  const summary = `${tx.txType} on the ${chain}: moved ${amounts(primary.value)}, burned ${amounts(primary.burned)}${
    primary.staked.length === 0 ? '' : `, staked ${amounts(primary.staked)}`
  }.`
  const url = page('primaryTransaction', network, chain, tx.txHash)
  return {
    text: [
      summary,
      ...(timestamp === undefined ? [] : [`Block ${height ?? 'unknown'}, ${utc(timestamp)}.`]),
      ...(tx.nodeId === undefined ? [] : [`Validator ${tx.nodeId}.`]),
      ...(tx.endTimestamp === undefined ? [] : [`Its staking ends on ${utc(tx.endTimestamp)}.`]),
      url,
    ],
    data: {
      transaction: tx.txHash,
      chain,
      ...(height !== undefined && { blockNumber: height }),
      ...(timestamp !== undefined && { timestamp }),
      summary,
      primary,
      url,
    },
  }
}
