import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import {
  getVertex,
  getVertexGraph,
  listVertices,
  listVerticesByHeight,
} from '../../../contract/primary/blocks.ts'
import type { NetworkName } from '../current.ts'
import { listQuery } from '../list.ts'
import { immutableStaleTime } from '../query-client.ts'
import { call } from '../session.ts'

const blockchainId = 'x-chain'

export type VertexGraph = ResponseOf<typeof getVertexGraph>

/** The vertices of the X-Chain, latest first; or those at one height. */
export const verticesQuery = (network: NetworkName, height?: number) =>
  listQuery({
    key: ['vertices', network, height],
    read: (paging, signal) => {
      const params = { network, blockchainId } as const
      return height === undefined
        ? call(listVertices, { params, query: paging, signal })
        : call(listVerticesByHeight, { params, query: { ...paging, vertexHeight: height }, signal })
    },
    rowsOf: (page) => page.vertices,
    staleTime: immutableStaleTime,
  })

/** One vertex by its hash. */
export const vertexQuery = (network: NetworkName, vertexHash: string) =>
  queryOptions({
    queryKey: ['vertex', network, vertexHash],
    queryFn: () => call(getVertex, { params: { network, blockchainId, vertexHash } }),
    staleTime: immutableStaleTime,
  })

/** Vertices with their parents from a height up, for the graph; the latest ones without a height. */
export const vertexGraphQuery = (network: NetworkName, startHeight: number | undefined, count: number) =>
  queryOptions({
    queryKey: ['vertex-graph', network, startHeight ?? null, count],
    queryFn: () =>
      call(getVertexGraph, {
        params: { network, blockchainId },
        query: { count, ...(startHeight !== undefined && { startHeight }) },
      }),
    placeholderData: keepPreviousData,
    staleTime: immutableStaleTime,
  })
