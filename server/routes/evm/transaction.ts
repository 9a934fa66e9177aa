import type { z } from 'zod'
import {
  getTransaction,
  type EvmTransaction,
  type internalTransactionDetails,
  type TransactionDetails,
} from '../../../contract/evm/transactions.ts'
import { decodeCall, decodeLog } from '../../tokens/abi/decode.ts'
import { nameMethods } from '../../tokens/abi/method-names.ts'
import type { AbiBook } from '../../tokens/abi/operator.ts'
import { tokenTransfers, type TokenTransfer } from '../../tokens/abi/token-transfers.ts'
import type { Chain } from '../../kernel/chains.ts'
import { notFound } from '../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { readTransaction, type StoredCall, type StoredTransaction } from '../../store/evm/read-transaction.ts'
import { createContractBook, describeTransfer, namesOfTransfers, type Names } from './address-names.ts'
import { nameParties, parseTransaction, partiesOf } from './address-native.ts'
import { bytesOf, type RouteContext } from '../../http/route-context.ts'

/** `/v1/chains/{chainId}/transactions/{txHash}` (as the hosted API), with logs, decodings and internal calls. */
export function transactionRoute(context: RouteContext): Implementation[] {
  const { chains, store, abis } = context
  const book = createContractBook(context.config)
  return [
    implement(getTransaction, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const stored = await readTransaction(database, chain.key, bytesOf(params.txHash))
      if (!stored) throw notFound(`transaction ${params.txHash} is not indexed on chain ${chain.id}`)
      const native = parseTransaction(nameMethods(stored.json, abis, chain.id))
      const transfers = stored.logs.flatMap((log) => tokenTransfers(log))
      const names = await namesOfTransfers(database, chain, book, transfers, [
        ...partiesOf(native),
        ...stored.calls.flatMap(({ sender, recipient }) => [sender, recipient ?? '']),
      ])
      return describe(chain, stored, native, transfers, names, abis)
    }),
  ]
}

function describe(
  chain: Chain,
  stored: StoredTransaction,
  native: EvmTransaction,
  transfers: readonly TokenTransfer[],
  names: Names,
  abis: AbiBook,
): TransactionDetails {
  const decodedInput = stored.calls_contract
    ? decodeCall(stored.input, abis.functions(stored.input.slice(0, 10), chain.id, native.to.address))
    : undefined
  const of = (standard: TokenTransfer['standard']): TokenTransfer[] =>
    transfers.filter((transfer) => transfer.standard === standard)
  return {
    nativeTransaction: {
      ...nameParties(native, names),
      input: stored.input,
      baseFeePerGas: stored.base_fee,
      ...(stored.max_fee !== null && { maxFeePerGas: stored.max_fee }),
      ...(stored.max_priority_fee !== null && { maxPriorityFeePerGas: stored.max_priority_fee }),
      cumulativeGasUsed: stored.cumulative_gas_used,
      ...(stored.created !== null && { contractAddress: stored.created }),
      txFee: stored.fee,
      ...(stored.finalized !== null && { isFinalized: stored.finalized }),
      ...(stored.settled !== null && { isSettled: stored.settled }),
      blockTxCount: stored.block_tx_count,
    },
    networkTokenDetails: { networkToken: { ...chain.config.token } },
    erc20Transfers: of('ERC-20').map((transfer) => describeTransfer['ERC-20'](transfer, names)),
    erc721Transfers: of('ERC-721').map((transfer) => describeTransfer['ERC-721'](transfer, names)),
    erc1155Transfers: of('ERC-1155').map((transfer) => describeTransfer['ERC-1155'](transfer, names)),
    ...(!stored.untraced && {
      internalTransactions: stored.calls.map((call) => internal(call, names)),
    }),
    logs: stored.logs.map(({ index, address, topics, data }) => {
      const event = decodeLog(topics, data, abis.events(topics[0] ?? '', chain.id, address))
      return { logIndex: index, address, topics: [...topics], data, ...(event && { event }) }
    }),
    ...(decodedInput && { decodedInput }),
  }
}

function internal(call: StoredCall, names: Names): z.output<typeof internalTransactionDetails> {
  return {
    from: names.party(call.sender),
    to: names.party(call.recipient ?? ''),
    internalTxType: call.type,
    value: call.value,
    isReverted: call.reverted,
    gasUsed: call.gas_used,
    gasLimit: call.gas_limit,
    depth: call.depth,
    ...(call.method !== null && { methodHash: call.method }),
    ...(call.error !== null && { error: call.error }),
  }
}
