import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import {
  getVertex,
  getVertexGraph,
  listVertices,
  listVerticesByHeight,
} from '../../../contract/primary/blocks.ts'
import { listPageSize } from '../evm/blocks.ts'
import type { NetworkName } from '../current.ts'
import { immutableStaleTime } from '../query-client.ts'
import { call } from '../session.ts'
import { walk } from '../walk.ts'

const exportPageSize = 100
const blockchainId = 'x-chain'

export type VertexGraph = ResponseOf<typeof getVertexGraph>
export type GraphVertex = VertexGraph['vertices'][number]

/** The vertices of the X-chain, latest first, page by page; or those at one height. */
export const verticesQuery = (network: NetworkName, height?: number) =>
  infiniteQueryOptions({
    queryKey: ['vertices', network, height ?? null],
    queryFn: ({ pageParam }) => {
      const paging = { pageSize: listPageSize, ...(pageParam && { pageToken: pageParam }) }
      const params = { network, blockchainId } as const
      return height === undefined
        ? call(listVertices, { params, query: paging })
        : call(listVerticesByHeight, { params, query: { vertexHeight: height, ...paging } })
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: immutableStaleTime,
  })

/** One vertex by its hash. */
export const vertexQuery = (network: NetworkName, vertexHash: string) =>
  queryOptions({
    queryKey: ['vertex', network, vertexHash],
    queryFn: () => call(getVertex, { params: { network, blockchainId, vertexHash } }),
    staleTime: immutableStaleTime,
  })

/** Vertices with their parents from a height up, ready to be drawn; the latest ones without a height. */
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

/** Every vertex of the X-chain, page by page, for exports; or those at one height. */
export const allVertices = (network: NetworkName, height: number | undefined, signal: AbortSignal) => {
  const params = { network, blockchainId } as const
  return height === undefined
    ? walk(listVertices, { params, query: { pageSize: exportPageSize }, signal }, (page) => page.vertices)
    : walk(
        listVerticesByHeight,
        { params, query: { vertexHeight: height, pageSize: exportPageSize }, signal },
        (page) => page.vertices,
      )
}
