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
import { filtersOf, type RouteContext } from '../../http/route-context.ts'
import { chainInfoOf, findPrimaryChain, type ServedChain } from '../../primary/served-network.ts'
import { idOf } from '../../primary/request-values.ts'
import { Texts } from '../../primary/texts.ts'

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

/** The vertices of the X-chain from before it became a chain of blocks (interface.md, Vertex; hosted.md). */
export function primaryVertexRoutes({ config, store }: RouteContext): Implementation[] {
  const answer = (
    rows: readonly VertexRow[],
    chain: ServedChain,
    pageSize: number,
    seal: (last: VertexRow) => string,
  ) => {
    const texts = new Texts(chain.config.prefix)
    const shown = rows.slice(0, pageSize)
    const last = shown.at(-1)
    return {
      ...(rows.length > pageSize && last && { nextPageToken: seal(last) }),
      vertices: shown.map((row) => vertexFields(row, texts)),
      chainInfo: chainInfoOf(chain),
    }
  }
  return [
    implement(listVertices, async ({ params, query }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      const scope = { operation: listVertices.id, filters: { chain: chain.key } }
      const { database, tokens } = store.get()
      const [index] = query.pageToken === undefined ? [] : tokens.openData(scope, query.pageToken)
      const before = index === undefined ? lastBlock : BigInt(index)
      const rows = await readVertices(database, chain.key, before, query.pageSize + 1)
      return answer(rows, chain, query.pageSize, (last) => tokens.sealData(scope, [last.index.toString()]))
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
      const scope = {
        operation: listVerticesByHeight.id,
        filters: filtersOf({ chain: chain.key }, query),
      }
      const { database, tokens } = store.get()
      const [index] = query.pageToken === undefined ? [] : tokens.openData(scope, query.pageToken)
      const first = query.sortOrder === 'asc' ? -1n : lastBlock
      const rows = await readVerticesAtHeight(
        database,
        chain.key,
        BigInt(query.vertexHeight),
        index === undefined ? first : BigInt(index),
        query.sortOrder,
        query.pageSize + 1,
      )
      return answer(rows, chain, query.pageSize, (last) => tokens.sealData(scope, [last.index.toString()]))
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
