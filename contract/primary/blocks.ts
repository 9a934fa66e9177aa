import * as z from 'zod/mini'
import { oddHistory } from './odd-history.ts'
import {
  amount,
  networkName,
  nextPageToken,
  pageSize,
  paging,
  record,
  timestamp,
  timeWindow,
  wholeNumber,
  wideInteger,
} from '../base/fields.ts'
import { operation, type ResponseOf } from '../base/operation.ts'
import {
  cb58Id,
  chainInfo,
  isIndexed,
  nodeId,
  primaryBlockId,
  primaryChainParams,
  xChainId,
} from './fields.ts'
import { latestFirst, pageBounds } from '../base/query.ts'

/** The proposer of a block; absent in blocks from before proposers existed. */
export const proposerDetails = record({
  proposerId: z.optional(z.string()),
  proposerParentId: z.optional(z.string()),
  proposerNodeId: z.optional(z.string()),
  proposerPChainHeight: z.optional(z.int()),
  proposerTimestamp: z.optional(timestamp),
})

/** Primary network block (docs/api.md). Fees and supply are in nAVAX and only on the P-Chain. */
export const primaryBlock = record({
  blockNumber: z.string(),
  blockHash: z.string(),
  parentHash: z.string(),
  blockTimestamp: timestamp,
  blockType: z.string(),
  txCount: z.int(),
  transactions: z.array(z.string()),
  blockSizeBytes: z.int(),
  l1ValidatorsAccruedFees: z.optional(wideInteger),
  activeL1Validators: z.optional(z.int()),
  currentSupply: z.optional(amount),
  proposerDetails: z.optional(proposerDetails),
  oddHistory,
  isIndexed,
})
export type PrimaryBlock = z.infer<typeof primaryBlock>

/** Vertex (docs/api.md): an element of the X-Chain before it became a linear chain. */
export const vertex = record({
  vertexHash: z.string(),
  parentHashes: z.array(z.string()),
  vertexHeight: z.int(),
  vertexIndex: z.int(),
  vertexTimestamp: timestamp,
  txCount: z.int(),
  transactions: z.array(z.string()),
  vertexSizeBytes: z.int(),
})
export type Vertex = z.infer<typeof vertex>

const blocksQuery = z.object({
  ...timeWindow,
  ...paging(pageBounds.activity),
})
const blockList = record({ nextPageToken, blocks: z.array(primaryBlock), chainInfo })
const vertexList = record({ nextPageToken, vertices: z.array(vertex), chainInfo })
const xChainParams = { network: networkName, blockchainId: xChainId }

export const listPrimaryBlocks = operation({
  id: 'listPrimaryBlocks',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/blocks',
  summary: 'List the blocks of a primary network chain, latest first',
  tag: 'Primary network blocks',
  params: z.object(primaryChainParams),
  query: blocksQuery,
  response: blockList,
})

export const getPrimaryBlock = operation({
  id: 'getPrimaryBlock',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/blocks/{blockId}',
  summary: 'Get one block of a primary network chain',
  tag: 'Primary network blocks',
  params: z.object({ ...primaryChainParams, blockId: primaryBlockId }),
  response: primaryBlock,
})

export const listNodeBlocks = operation({
  id: 'listNodeBlocks',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/nodes/{nodeId}/blocks',
  summary: 'List the blocks that a node proposed, latest first',
  tag: 'Primary network blocks',
  params: z.object({ ...primaryChainParams, nodeId }),
  query: blocksQuery,
  response: blockList,
})

export const listVertices = operation({
  id: 'listVertices',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices',
  summary: 'List the vertices of the X-Chain, latest first',
  tag: 'Primary network vertices',
  params: z.object(xChainParams),
  query: z.object(paging(pageBounds.activity)),
  response: vertexList,
})

export const getVertex = operation({
  id: 'getVertex',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices/{vertexHash}',
  summary: 'Get one vertex of the X-Chain',
  tag: 'Primary network vertices',
  params: z.object({ ...xChainParams, vertexHash: cb58Id }),
  response: vertex,
})

export const listVerticesByHeight = operation({
  id: 'listVerticesByHeight',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices:listByHeight',
  summary: 'List the vertices of the X-Chain at a height',
  tag: 'Primary network vertices',
  params: z.object(xChainParams),
  query: z.object({
    vertexHeight: wholeNumber.with(z.describe('The height of the vertices')),
    ...paging(pageBounds.activity),
    sortOrder: latestFirst,
  }),
  response: vertexList,
})

/** Maximum number of vertices in one graph. */
export const maxGraphVertices = 2000

/**
 * Only in Ridgeline: vertices with their parents, for drawing: those from `startHeight` on, lowest first, up
 * to `count`.
 */
export const getVertexGraph = operation({
  id: 'getVertexGraph',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices:graph',
  summary: 'Get a part of the graph of vertices',
  tag: 'Primary network vertices',
  params: z.object(xChainParams),
  query: z.object({
    startHeight: z.optional(
      wholeNumber.with(z.describe('The lowest height; that of the latest vertices when left out')),
    ),
    count: pageSize({ min: 1, max: maxGraphVertices, default: 300 }).with(
      z.describe('The maximum number of vertices to return'),
    ),
  }),
  response: record({
    vertices: z.array(
      record({
        vertexHash: z.string(),
        vertexHeight: z.int(),
        vertexIndex: z.int(),
        vertexTimestamp: timestamp,
        txCount: z.int(),
        parentHashes: z.array(z.string()),
        isStop: z.boolean().with(z.describe('Whether it is the last vertex, which the first block follows')),
      }),
    ),
    firstHeight: z.optional(z.int()).with(z.describe('The lowest height of all vertices')),
    lastHeight: z.optional(z.int()).with(z.describe('The highest height of all vertices')),
  }),
})

/** A vertex as a graph has it. */
export type GraphVertex = ResponseOf<typeof getVertexGraph>['vertices'][number]
