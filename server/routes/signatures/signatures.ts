import {
  aggregateSignatures,
  getAggregatedSignatures,
  warpMessageBytes,
} from '../../../contract/signatures/signatures.ts'
import {
  decodeWarpMessage,
  getSignerSet,
  getWarpMessageOfTransaction,
  listWarpMessages,
  type SignerSet,
} from '../../../contract/signatures/warp.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { badRequest, notFound } from '../../kernel/http-errors.ts'
import { implement, type BodyLimit, type Implementation } from '../../http/bind.ts'
import { CodecError } from '../../../protocol/codec/reader.ts'
import { hexText } from '../../../protocol/ids/text.ts'
import { signedMessageOf, type Aggregator } from '../../signatures/aggregator.ts'
import { messageFields } from '../../signatures/message-fields.ts'
import { bytesOfHex, subnetIdOf } from '../../signatures/request.ts'
import type { CanonicalSet } from '../../signatures/round.ts'
import type { Plan } from '../../signatures/rounds.ts'
import { readSources } from '../../signatures/sources.ts'
import { decodeUnsigned } from '../../../protocol/warp/warp-messages.ts'
import type { FastifyRequest } from 'fastify'
import { openList } from '../../http/keyset-list.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { findNetwork, type ServedNetwork } from '../../primary/served-network.ts'
import { openView } from '../primary/context.ts'
import { Texts } from '../../primary/texts.ts'
import {
  feedCursor,
  pChainName,
  readFeed,
  readMessageOf,
  readNotKept,
  saidFields,
  type FeedSource,
} from './warp-feed.ts'

/** Fits a message and a justification of the maximum size in hex, and the other fields. */
export const requestBody: BodyLimit = {
  bytes: 4 * warpMessageBytes + 4_096,
  complaint: `message, justification: must be at most ${warpMessageBytes} bytes each`,
}

/** The fields of a canonical set in answers (contract/signatures/warp.ts). */
export function signerSetFields(
  set: CanonicalSet,
  isConnected: (nodeId: string) => boolean | undefined,
): SignerSet {
  return {
    subnetId: set.subnetId,
    pChainHeight: set.height.toString(),
    totalWeight: set.totalWeight.toString(),
    keylessWeight: set.keylessWeight.toString(),
    signers: set.signers.map(({ index, nodeIds, publicKey, weight }) => ({
      index,
      nodeIds: [...nodeIds],
      publicKey: hexText(publicKey),
      weight: weight.toString(),
      ...connected(nodeIds.map(isConnected)),
    })),
  }
}

/** Of nodes that share a key, one connected node suffices; the field is absent while it is unknown. */
function connected(known: readonly (boolean | undefined)[]): { isConnected?: boolean } {
  if (known.includes(true)) return { isConnected: true }
  return known.includes(undefined) ? {} : { isConnected: false }
}

/**
 * The signature aggregator, and the messages that it signs (docs/signatures.md; contract/signatures/warp.ts).
 */
export function signatureRoutes(context: RouteContext, aggregator: Aggregator): Implementation[] {
  const { config, chains, store } = context

  const sign = async (network: ServedNetwork, plan: Plan, request: FastifyRequest) => {
    const share = aggregator.join(network, plan)
    // The request itself ends once its body is read; the connection shows whether the caller still waits.
    const { socket } = request.raw
    socket.once('close', share.leave)
    if (socket.destroyed) share.leave()
    try {
      return { signedMessage: hexText(signedMessageOf(await share.outcome, plan)) }
    } finally {
      socket.off('close', share.leave)
      share.leave()
    }
  }

  /** The sources of a list: all of a network, or the one with the given id. */
  const sourcesOf = async (network: ServedNetwork, id: string | undefined): Promise<FeedSource[]> => {
    const own = chains.all.filter((chain) => chain.config.network === network.id)
    const ofChain = (chain: Chain): FeedSource => ({ kind: 'evm', chain })
    if (id === undefined) return [{ kind: 'primary' }, ...own.map(ofChain)]
    const view = await openView(store.get().database, network)
    if (id === 'p-chain' || id === view.chainId(network.p)) return [{ kind: 'primary' }]
    const wanted = id === 'c-chain' ? view.chainId(network.c) : id
    const chain = own.find((each) => each.id === wanted || each.config.blockchainId === wanted)
    if (!chain) throw notFound(`blockchain ${id} is not indexed on ${network.id}`)
    return [ofChain(chain)]
  }

  return [
    implement(
      aggregateSignatures,
      async ({ params, body, request }) => {
        const network = findNetwork(config, params.network)
        return sign(network, await aggregator.plan(network, body), request)
      },
      requestBody,
    ),

    implement(getAggregatedSignatures, async ({ params, request }) => {
      const network = findNetwork(config, params.network)
      return sign(network, await aggregator.planOfTransaction(network, params.txHash), request)
    }),

    implement(decodeWarpMessage, async ({ params, body }) => {
      const network = findNetwork(config, params.network)
      const message = bytesOfHex(body.message)
      try {
        const { sourceChainId } = decodeUnsigned(message)
        const sources = await readSources(store.get().database, network, config.chains, [sourceChainId])
        return messageFields(message, new Texts(network.config.prefix), sources)
      } catch (error) {
        if (error instanceof CodecError)
          throw badRequest([`message: is not an unsigned message: ${error.message}`])
        throw error
      }
    }),

    implement(listWarpMessages, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const { database } = store.get()
      const list = openList(context, listWarpMessages, feedCursor, { network: network.id }, query)
      const sources = await sourcesOf(network, query.blockchainId)
      const { rows, nextPageToken } = await list.walk(undefined, (before, pageSize) =>
        readFeed(database, network, config.chains, sources, before, pageSize),
      )
      const notKept = await readNotKept(database, sources)
      return { nextPageToken, messages: rows, ...(notKept.length > 0 && { notKept }) }
    }),

    implement(getWarpMessageOfTransaction, async ({ params }) => {
      const network = findNetwork(config, params.network)
      if (params.txHash.startsWith('0x')) {
        const sources = await sourcesOf(network, undefined)
        const hash = Buffer.from(params.txHash.slice(2), 'hex')
        const message = await readMessageOf(store.get().database, network, config.chains, sources, hash)
        if (!message) throw notFound(`no indexed chain of ${network.id} has a message of ${params.txHash}`)
        return message
      }
      const said = await aggregator.messageOf(network, params.txHash)
      const { sourceChainId } = decodeUnsigned(said.message)
      const sources = await readSources(store.get().database, network, config.chains, [sourceChainId])
      return {
        ...messageFields(said.message, new Texts(network.config.prefix), sources),
        ...saidFields(said),
        chainName: pChainName,
        txHash: params.txHash,
        blockNumber: said.height.toString(),
        blockTimestamp: Number(said.ts),
      }
    }),

    implement(getSignerSet, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const subnetId = subnetIdOf('subnetId', params.subnetId)
      const set = await aggregator.signers(network, subnetId, query.pChainHeight)
      return signerSetFields(set, (nodeId) => aggregator.isConnected(network, nodeId))
    }),
  ]
}
