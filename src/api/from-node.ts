import * as z from 'zod/mini'
import { parseLossless } from '../../contract/base/json.ts'
import type { ParamsOf } from '../../contract/base/operation.ts'
import type { EvmBlockDetails, getBlock } from '../../contract/evm/blocks.ts'
import { getChain } from '../../contract/evm/chains.ts'
import type { getTransaction, TransactionDetails } from '../../contract/evm/transactions.ts'
import type { Profile } from '../../contract/profile.ts'
import { cChainIds } from '../lib/c-chains.ts'
import type { Followed } from '../lib/freshness.ts'
import { ApiError, errorOfAnswer } from './errors.ts'
import { call } from './session.ts'
import type { Substitute } from './substitutes.ts'

// Answers of operations that a service may lack, from the node of its profile (Ethereum JSON-RPC).

const hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/))
const decimal = z.pipe(
  hex,
  z.transform((text) => (text === '0x' ? 0n : BigInt(text)).toString()),
)
const integer = z.pipe(
  hex,
  z.transform((text) => Number(text)),
)

const nodeBlock = z.object({
  number: decimal,
  hash: hex,
  parentHash: hex,
  timestamp: integer,
  transactions: z.array(hex),
  gasUsed: decimal,
  gasLimit: decimal,
  baseFeePerGas: z.optional(decimal),
  blockGasCost: z.optional(decimal),
  miner: z.optional(hex),
  size: z.optional(integer),
  stateRoot: z.optional(hex),
  transactionsRoot: z.optional(hex),
  receiptsRoot: z.optional(hex),
  extraData: z.optional(hex),
  nonce: z.optional(hex),
  difficulty: z.optional(decimal),
})

const nodeLog = z.object({ address: hex, topics: z.array(hex), data: hex, logIndex: integer })

const nodeReceipt = z.object({
  status: z.optional(hex),
  gasUsed: decimal,
  cumulativeGasUsed: z.optional(decimal),
  effectiveGasPrice: z.optional(decimal),
  blobGasUsed: z.optional(decimal),
  blobGasPrice: z.optional(decimal),
  contractAddress: z.nullish(hex),
  logs: z.array(nodeLog),
})

const nodeTransaction = z.object({
  hash: hex,
  blockNumber: decimal,
  blockHash: hex,
  transactionIndex: integer,
  from: hex,
  to: z.nullish(hex),
  value: decimal,
  input: hex,
  nonce: decimal,
  gas: decimal,
  gasPrice: z.optional(decimal),
  maxFeePerGas: z.optional(decimal),
  maxPriorityFeePerGas: z.optional(decimal),
  type: z.optional(integer),
})

const wholeBlock = z.extend(nodeBlock, {
  transactions: z.array(z.pick(nodeTransaction, { hash: true, gasPrice: true })),
})

const answers = z.array(
  z.object({
    id: z.coerce.number(),
    result: z.optional(z.unknown()),
    error: z.optional(z.object({ message: z.string() })),
  }),
)

/** The path of a chain on its node: `C`, or its blockchain ID. */
async function pathOf(chainId: string): Promise<string> {
  const chain = chainId === cChainIds.mainnet || chainId === cChainIds.fuji ? 'C' : undefined
  const { platformChainId = chainId } = chain ? {} : await call(getChain, { params: { chainId } })
  return `/ext/bc/${chain ?? encodeURIComponent(platformChainId)}/rpc`
}

/** Milliseconds within which a node must answer. */
const deadline = 20_000

/** The results of several calls of a chain's node, sent together. Throws an ApiError. */
async function ask(
  { nodeUrl = '' }: Profile,
  chainId: string,
  calls: readonly (readonly [method: string, ...params: unknown[]])[],
): Promise<unknown[]> {
  let response: Response
  try {
    response = await fetch(`${nodeUrl.replace(/\/$/, '')}${await pathOf(chainId)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))),
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(deadline),
    })
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw new ApiError('network', 'The node could not be reached.', { name: 'Network', cause })
  }
  if (!response.ok) throw await errorOfAnswer(response, Date.now())
  const parsed = answers.safeParse(parseLossless(await response.text()))
  if (!parsed.success)
    throw new ApiError('answer', 'Unexpected response from the node.', { cause: parsed.error })
  return calls.map(([method], id) => {
    const answer = parsed.data.find((one) => one.id === id)
    if (answer?.error)
      throw new ApiError('answer', `The node refused ${method}: ${answer.error.message}`, { name: 'Node' })
    return answer?.result
  })
}

/** What a node sent, or a 404 for null. */
function known<S extends z.ZodMiniType>(schema: S, result: unknown, what: string): z.output<S> {
  if (result === null || result === undefined)
    throw new ApiError('status', `The node knows no such ${what}.`, { status: 404, name: 'Not Found' })
  const parsed = schema.safeParse(result)
  if (parsed.success) return parsed.data
  throw new ApiError('answer', `Unexpected ${what} from the node.`, { cause: parsed.error })
}

/** The price of a transaction's gas; receipts of some nodes do not tell it. */
const priceOf = (
  { effectiveGasPrice }: z.output<typeof nodeReceipt>,
  tx: { readonly gasPrice?: string | undefined } | undefined,
): string => effectiveGasPrice ?? tx?.gasPrice ?? '0'

/** A block by number or hash. */
export const getBlockFromNode: Substitute = async ({ params }, profile): Promise<EvmBlockDetails> => {
  const { chainId, blockId } = params as ParamsOf<typeof getBlock>
  const isHash = blockId.startsWith('0x')
  const named = isHash ? blockId : `0x${BigInt(blockId).toString(16)}`
  const [result, head, finalized] = await ask(profile, chainId, [
    [isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber', named, true],
    ['eth_blockNumber'],
    ['eth_getBlockByNumber', 'finalized', false],
  ])
  const block = known(wholeBlock, result, 'block')
  const last = nodeBlock.safeParse(finalized)
  const receipts = await Promise.all(
    chunks(block.transactions, 40).map(async (some) =>
      (
        await ask(
          profile,
          chainId,
          some.map((tx) => ['eth_getTransactionReceipt', tx.hash] as const),
        )
      ).map((one, index) => {
        const receipt = known(nodeReceipt, one, 'receipt')
        return { ...receipt, fee: BigInt(receipt.gasUsed) * BigInt(priceOf(receipt, some[index])) }
      }),
    ),
  )
  const all = receipts.flat()
  const {
    number,
    hash,
    timestamp,
    transactions,
    size,
    baseFeePerGas = '0',
    blockGasCost = '0',
    ...rest
  } = block
  const next = BigInt(number) + 1n
  return {
    ...rest,
    chainId,
    blockNumber: number,
    blockHash: hash,
    blockTimestamp: timestamp,
    txCount: transactions.length,
    baseFee: baseFeePerGas,
    gasCost: blockGasCost,
    feesSpent: all.reduce((sum, { fee }) => sum + fee, 0n).toString(),
    logCount: all.reduce((sum, { logs }) => sum + logs.length, 0),
    ...(size !== undefined && { blockSizeBytes: size }),
    ...(last.success && { isFinalized: BigInt(last.data.number) >= BigInt(number) }),
    ...(BigInt(known(decimal, head, 'head')) >= next && { nextBlockNumber: next.toString() }),
  }
}

/** Blocks over which the block interval is measured. */
const measured = 24

/** The newest block of a chain, and the interval of its blocks. */
export async function headFromNode(profile: Profile, chainId: string): Promise<Followed> {
  const [latest] = await ask(profile, chainId, [['eth_getBlockByNumber', 'latest', false]])
  const head = known(nodeBlock, latest, 'block')
  const below = BigInt(head.number) - BigInt(measured)
  const newest = { indexedBlock: head.number, indexedTimestamp: head.timestamp }
  if (below < 0n) return newest
  const [result] = await ask(profile, chainId, [['eth_getBlockByNumber', `0x${below.toString(16)}`, false]])
  const earlier = known(nodeBlock, result, 'block')
  return { ...newest, blockTime: (head.timestamp - earlier.timestamp) / measured }
}

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

/** A transaction with its receipt, logs and the transfers in them; a node does not list internal calls. */
export const getTransactionFromNode: Substitute = async (
  { params },
  profile,
): Promise<TransactionDetails> => {
  const { chainId, txHash } = params as ParamsOf<typeof getTransaction>
  const [found, received] = await ask(profile, chainId, [
    ['eth_getTransactionByHash', txHash],
    ['eth_getTransactionReceipt', txHash],
  ])
  const tx = known(nodeTransaction, found, 'transaction')
  const receipt = known(nodeReceipt, received, 'transaction')
  const [result, finalized] = await ask(profile, chainId, [
    ['eth_getBlockByHash', tx.blockHash, false],
    ['eth_getBlockByNumber', 'finalized', false],
  ])
  const block = known(nodeBlock, result, 'block')
  const last = nodeBlock.safeParse(finalized)
  const to = tx.to ?? receipt.contractAddress ?? ''
  const gasPrice = priceOf(receipt, tx)
  const { blobGasUsed = '0', blobGasPrice = '0' } = receipt
  const blobFee = BigInt(blobGasUsed) * BigInt(blobGasPrice)
  const isCall = tx.input.length >= 10
  return {
    nativeTransaction: {
      chainId,
      blockNumber: tx.blockNumber,
      blockTimestamp: block.timestamp,
      blockHash: tx.blockHash,
      blockIndex: tx.transactionIndex,
      txHash: tx.hash,
      txStatus: receipt.status === '0x0' ? '0' : '1',
      txType: tx.type ?? 0,
      gasLimit: tx.gas,
      gasUsed: receipt.gasUsed,
      gasPrice,
      nonce: tx.nonce,
      from: { address: tx.from },
      to: { address: to },
      method: {
        callType: tx.to ? (isCall ? 'CONTRACT_CALL' : 'NATIVE_TRANSFER') : 'CONTRACT_CREATION',
        methodHash: tx.to && isCall ? tx.input.slice(0, 10) : '',
      },
      value: tx.value,
      input: tx.input,
      baseFeePerGas: block.baseFeePerGas ?? '0',
      ...(tx.maxFeePerGas !== undefined && { maxFeePerGas: tx.maxFeePerGas }),
      ...(tx.maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas: tx.maxPriorityFeePerGas }),
      ...(receipt.cumulativeGasUsed !== undefined && { cumulativeGasUsed: receipt.cumulativeGasUsed }),
      ...(receipt.contractAddress && { contractAddress: receipt.contractAddress }),
      ...(blobFee > 0n && { blobGasUsed, blobGasPrice }),
      txFee: (BigInt(receipt.gasUsed) * BigInt(gasPrice) + blobFee).toString(),
      blockTxCount: block.transactions.length,
      ...(last.success && { isFinalized: BigInt(last.data.number) >= BigInt(tx.blockNumber) }),
    },
    ...transfersOf(receipt.logs),
    logs: receipt.logs,
  }
}

/** The events `Transfer`, `TransferSingle` and `TransferBatch` (ERC-20, ERC-721, ERC-1155). */
const events = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  single: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  batch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
} as const

const addressOf = (topic: string | undefined): { address: string } => ({
  address: `0x${topic?.slice(-40) ?? ''}`,
})
const numberOf = (word: string | undefined): string => BigInt(word === undefined ? 0 : `0x${word}`).toString()

/** The transfers in logs; a node does not name their tokens. */
function transfersOf(
  logs: readonly z.output<typeof nodeLog>[],
): Required<Pick<TransactionDetails, 'erc20Transfers' | 'erc721Transfers' | 'erc1155Transfers'>> {
  const erc20Transfers: NonNullable<TransactionDetails['erc20Transfers']> = []
  const erc721Transfers: NonNullable<TransactionDetails['erc721Transfers']> = []
  const erc1155Transfers: NonNullable<TransactionDetails['erc1155Transfers']> = []
  for (const { address, topics, data, logIndex } of logs) {
    const [event, second, third, fourth] = topics
    const words = data.slice(2).match(/.{64}/g) ?? []
    if (event === events.transfer && topics.length === 3 && words.length === 1)
      erc20Transfers.push({
        from: addressOf(second),
        to: addressOf(third),
        logIndex,
        value: numberOf(words[0]),
        erc20Token: { address, ercType: 'ERC-20' },
      })
    if (event === events.transfer && topics.length === 4)
      erc721Transfers.push({
        from: addressOf(second),
        to: addressOf(third),
        logIndex,
        erc721Token: { address, ercType: 'ERC-721', tokenId: numberOf(fourth?.slice(2)) },
      })
    if ((event === events.single || event === events.batch) && topics.length === 4) {
      const pairs = event === events.single ? [[words[0], words[1]] as const] : batchOf(words)
      for (const [tokenId, value] of pairs)
        erc1155Transfers.push({
          from: addressOf(third),
          to: addressOf(fourth),
          logIndex,
          value: numberOf(value),
          erc1155Token: { address, ercType: 'ERC-1155', tokenId: numberOf(tokenId) },
        })
    }
  }
  return { erc20Transfers, erc721Transfers, erc1155Transfers }
}

/** The pairs of token ID and value in the two arrays of a `TransferBatch`. */
function batchOf(words: readonly string[]): (readonly [string | undefined, string | undefined])[] {
  const listAt = (word: string | undefined): readonly string[] => {
    const start = Number(numberOf(word)) / 32
    const count = Number(numberOf(words[start]))
    return count <= words.length ? words.slice(start + 1, start + 1 + count) : []
  }
  const values = listAt(words[1])
  return listAt(words[0]).map((tokenId, index) => [tokenId, values[index]])
}

/** The substitutes by the operation that they answer. */
export const fromNode: Readonly<Record<string, Substitute>> = {
  getBlock: getBlockFromNode,
  getTransaction: getTransactionFromNode,
}
