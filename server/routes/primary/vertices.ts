import {
  getVertex,
  getVertexGraph,
  listVertices,
  listVerticesByHeight,
  type Vertex,
} from '../../../contract/primary/blocks.ts'
import { notFound } from '../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { lastBlock } from '../../store/read.ts'
import {
  readVertex,
  readVertexGraph,
  readVertexHeights,
  readVertices,
  readVerticesAtHeight,
  type VertexRow,
} from '../../store/primary/read-vertices.ts'
import { openList, type Page } from '../../http/keyset-list.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { chainInfoOf, findPrimaryChain, type ServedChain } from '../../primary/served-network.ts'
import { idOf } from '../../primary/request-values.ts'
import { Texts } from '../../primary/texts.ts'

const vertexCursor = { index: 'bigint' } as const

function vertexFields(row: VertexRow, texts: Texts): Vertex {
  return {
    vertexHash: texts.id(row.id),
    parentHashes: row.parents.map((id) => texts.id(id)),
    vertexHeight: Number(row.height),
    vertexIndex: Number(row.index),
    vertexTimestamp: Number(row.ts),
    txCount: row.transactions.length,
    transactions: row.transactions.map((id) => texts.id(id)),
    vertexSizeBytes: row.size,
  }
}

/**
 * The vertices of the X-Chain, from before it became a linear chain (docs/api.md, Primary network; the hosted
 * API).
 */
export function primaryVertexRoutes(context: RouteContext): Implementation[] {
  const { config, store } = context
  const answer = ({ rows, nextPageToken }: Page<VertexRow>, chain: ServedChain) => {
    const texts = new Texts(chain.config.prefix)
    return {
      nextPageToken,
      vertices: rows.map((row) => vertexFields(row, texts)),
      chainInfo: chainInfoOf(chain),
    }
  }
  return [
    implement(listVertices, async ({ params, query }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      const { database } = store.get()
      const list = openList(context, listVertices, vertexCursor, { chain: chain.key }, query)
      const page = await list.page({ index: lastBlock }, ({ index }, limit) =>
        readVertices(database, chain.key, index, limit),
      )
      return answer(page, chain)
    }),

    implement(getVertex, async ({ params }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      const { database } = store.get()
      const row = await readVertex(database, chain.key, idOf('vertexHash', params.vertexHash))
      if (!row) throw notFound(`vertex ${params.vertexHash} is not indexed on the x-chain of ${chain.id}`)
      return vertexFields(row, new Texts(chain.config.prefix))
    }),

    implement(listVerticesByHeight, async ({ params, query }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      const { database } = store.get()
      const { sortOrder, vertexHeight } = query
      const list = openList(context, listVerticesByHeight, vertexCursor, { chain: chain.key }, query)
      const start = { index: sortOrder === 'asc' ? -1n : lastBlock }
      const page = await list.page(start, ({ index }, limit) =>
        readVerticesAtHeight(database, chain.key, BigInt(vertexHeight), index, sortOrder, limit),
      )
      return answer(page, chain)
    }),

    implement(getVertexGraph, async ({ params, query }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      const { database } = store.get()
      const from = query.startHeight === undefined ? undefined : BigInt(query.startHeight)
      const [rows, heights] = await Promise.all([
        readVertexGraph(database, chain.key, from, query.count),
        readVertexHeights(database, chain.key),
      ])
      const texts = new Texts(chain.config.prefix)
      return {
        vertices: rows.map((row) => ({
          vertexHash: texts.id(row.id),
          vertexHeight: Number(row.height),
          vertexIndex: Number(row.index),
          vertexTimestamp: Number(row.ts),
          txCount: row.transactions.length,
          parentHashes: row.parents.map((id) => texts.id(id)),
          isStop: row.is_stop,
        })),
        ...(heights && { firstHeight: Number(heights.first), lastHeight: Number(heights.last) }),
      }
    }),
  ]
}
