import { queryOptions } from '@tanstack/react-query'
import { aggregateSignatures, getAggregatedSignatures } from '../../../contract/signatures/signatures.ts'
import {
  decodeWarpMessage,
  getSignerSet,
  getWarpMessageOfTransaction,
  listWarpMessages,
} from '../../../contract/signatures/warp.ts'
import type { NetworkName } from '../current.ts'
import { listQuery } from '../list.ts'
import { immutableStaleTime } from '../query-client.ts'
import { call } from '../session.ts'
import type { SignatureRequest } from './signatures-stream.ts'

/** An unsigned message (hex), taken apart by the service. */
export const decodedMessageQuery = (network: NetworkName, message: string) =>
  queryOptions({
    queryKey: ['warp-message', network, message],
    queryFn: ({ signal }) => call(decodeWarpMessage, { params: { network }, body: { message }, signal }),
    staleTime: immutableStaleTime,
    // Messages may be half a megabyte of hex: those that are typed over are not kept.
    gcTime: 60_000,
  })

/** The message that a P-chain transaction lets validators sign, with its justification. */
export const messageOfTransactionQuery = (network: NetworkName, txHash: string) =>
  queryOptions({
    queryKey: ['warp-message-of', network, txHash],
    queryFn: ({ signal }) => call(getWarpMessageOfTransaction, { params: { network, txHash }, signal }),
    staleTime: 60_000,
  })

/** The messages of the indexed chains, or of one of them (`blockchainId` not empty), the newest first. */
export const emittedMessagesQuery = (network: NetworkName, blockchainId: string) =>
  listQuery({
    key: ['warp-messages', network, blockchainId],
    read: (paging, signal) =>
      call(listWarpMessages, {
        params: { network },
        query: { ...paging, blockchainId: blockchainId || undefined },
        signal,
      }),
    rowsOf: (page) => page.messages,
    pageSize: 25,
  })

/** Who signs for a subnet at a P-chain height; 0 is the proposed one, which moves. */
export const signerSetQuery = (network: NetworkName, subnetId: string, pChainHeight: number) =>
  queryOptions({
    queryKey: ['signer-set', network, subnetId, pChainHeight],
    queryFn: ({ signal }) =>
      call(getSignerSet, { params: { network, subnetId }, query: { pChainHeight }, signal }),
    staleTime: pChainHeight === 0 ? 15_000 : immutableStaleTime,
  })

/** Has a message signed, in one answer: deployments without the stream of a round. */
export const aggregate = (network: NetworkName, body: SignatureRequest, signal: AbortSignal) =>
  call(aggregateSignatures, { params: { network }, body, signal })

/** Has the message of a transaction signed, with the deployment's own quorum. */
export const aggregateOfTransaction = (network: NetworkName, txHash: string, signal: AbortSignal) =>
  call(getAggregatedSignatures, { params: { network, txHash }, signal })
