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

/** An unsigned message (hex), decoded by the service. */
export const decodedMessageQuery = (network: NetworkName, message: string) =>
  queryOptions({
    queryKey: ['warp-message', network, message],
    queryFn: ({ signal }) => call(decodeWarpMessage, { params: { network }, body: { message }, signal }),
    staleTime: immutableStaleTime,
    // Messages can be half a megabyte of hex, so edited ones are soon dropped.
    gcTime: 60_000,
  })

/** The message that a P-Chain transaction lets validators sign, with its justification. */
export const messageOfTransactionQuery = (network: NetworkName, txHash: string) =>
  queryOptions({
    queryKey: ['warp-message-of', network, txHash],
    queryFn: ({ signal }) => call(getWarpMessageOfTransaction, { params: { network, txHash }, signal }),
    staleTime: 60_000,
  })

/** The messages of all indexed chains, or of `blockchainId` if it is not empty, the newest first. */
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

/** The signers of a subnet at a P-Chain height; 0 is the proposed height, which changes. */
export const signerSetQuery = (network: NetworkName, subnetId: string, pChainHeight: number) =>
  queryOptions({
    queryKey: ['signer-set', network, subnetId, pChainHeight],
    queryFn: ({ signal }) =>
      call(getSignerSet, { params: { network, subnetId }, query: { pChainHeight }, signal }),
    staleTime: pChainHeight === 0 ? 15_000 : immutableStaleTime,
  })

/** Aggregates the signatures of a message in one answer, for deployments without the event stream of a round. */
export const aggregate = (network: NetworkName, body: SignatureRequest, signal: AbortSignal) =>
  call(aggregateSignatures, { params: { network }, body, signal })

/** Aggregates the signatures of a transaction's message with the deployment's own quorum. */
export const aggregateOfTransaction = (network: NetworkName, txHash: string, signal: AbortSignal) =>
  call(getAggregatedSignatures, { params: { network, txHash }, signal })
