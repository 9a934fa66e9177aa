import type { z } from 'zod'
import {
  getTransaction,
  type erc1155TransferDetails,
  type erc20TransferDetails,
  type erc721TransferDetails,
  type EvmTransaction,
  type internalTransactionDetails,
  type TransactionDetails,
} from '../../contract/evm-transactions.ts'
import { decodeCall, decodeLog } from '../abi/decode.ts'
import { nameMethods } from '../abi/method-names.ts'
import { tokenTransfers, type TokenTransfer } from '../abi/token-transfers.ts'
import type { AbiBook } from '../abi/operator.ts'
import type { Chain } from '../chains.ts'
import { notFound } from '../errors.ts'
import { implement, type Implementation } from '../http/bind.ts'
import { readTransaction, type StoredCall, type StoredTransaction } from '../store/read-transaction.ts'
import { bytesOf, type RouteContext } from './context.ts'

/** `/v1/chains/{chainId}/transactions/{txHash}` (hosted.md), with logs, decodings and internal calls. */
export function transactionRoute({ chains, store, abis }: RouteContext): Implementation[] {
  return [
    implement(getTransaction, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const stored = await readTransaction(store.get().database, chain.key, bytesOf(params.txHash))
      if (!stored) throw notFound(`transaction ${params.txHash} is not indexed on chain ${chain.id}`)
      return describe(chain, stored, abis)
    }),
  ]
}

function describe(chain: Chain, stored: StoredTransaction, abis: AbiBook): TransactionDetails {
  const transfers = stored.logs.flatMap((log) => tokenTransfers(log))
  const native = JSON.parse(nameMethods(stored.json, abis, chain.id)) as EvmTransaction
  const decodedInput = stored.calls_contract
    ? decodeCall(stored.input, abis.functions(stored.input.slice(0, 10), chain.id, native.to.address))
    : undefined
  return {
    nativeTransaction: {
      ...native,
      input: stored.input,
      baseFeePerGas: stored.base_fee,
      ...(stored.max_fee !== null && { maxFeePerGas: stored.max_fee }),
      ...(stored.max_priority_fee !== null && { maxPriorityFeePerGas: stored.max_priority_fee }),
      cumulativeGasUsed: stored.cumulative_gas_used,
      ...(stored.created !== null && { contractAddress: stored.created }),
      txFee: stored.fee,
      ...(stored.finalized !== null && { isFinalized: stored.finalized }),
      blockTxCount: stored.block_tx_count,
    },
    networkTokenDetails: { networkToken: { ...chain.config.token } },
    erc20Transfers: transfers.filter(({ standard }) => standard === 'ERC-20').map(erc20),
    erc721Transfers: transfers.filter(({ standard }) => standard === 'ERC-721').map(erc721),
    erc1155Transfers: transfers.filter(({ standard }) => standard === 'ERC-1155').map(erc1155),
    ...(stored.trace_source !== 'none' && { internalTransactions: stored.calls.map(internal) }),
    logs: stored.logs.map(({ index, address, topics, data }) => {
      const event = decodeLog(topics, data, abis.events(topics[0] ?? '', chain.id, address))
      return { logIndex: index, address, topics: [...topics], data, ...(event && { event }) }
    }),
    ...(decodedInput && { decodedInput }),
  }
}

const parties = ({ from, to, logIndex }: TokenTransfer) => ({
  from: { address: from },
  to: { address: to },
  logIndex,
})

function erc20(transfer: TokenTransfer): z.output<typeof erc20TransferDetails> {
  const { token: address, value } = transfer
  return { ...parties(transfer), value, erc20Token: { address, ercType: 'ERC-20' } }
}

function erc721(transfer: TokenTransfer): z.output<typeof erc721TransferDetails> {
  const { token: address, tokenId } = transfer
  return { ...parties(transfer), erc721Token: { address, ercType: 'ERC-721', tokenId } }
}

function erc1155(transfer: TokenTransfer): z.output<typeof erc1155TransferDetails> {
  const { token: address, tokenId, value } = transfer
  return { ...parties(transfer), value, erc1155Token: { address, ercType: 'ERC-1155', tokenId } }
}

function internal(call: StoredCall): z.output<typeof internalTransactionDetails> {
  return {
    from: { address: call.sender },
    to: { address: call.recipient ?? '' },
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
