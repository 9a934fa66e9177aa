import { queryOptions } from '@tanstack/react-query'
import { getPrimaryBlock, listPrimaryBlocks } from '../../../contract/primary/blocks.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import type { NetworkName } from '../current.ts'
import { isNotFound } from '../errors.ts'
import type { BlocksFrom } from '../evm/list-start.ts'
import { listQuery, type Paging } from '../list.ts'
import { immutableStaleTime } from '../query-client.ts'
import { call } from '../session.ts'

/** Seconds in which the proposer of a new C-Chain block becomes known, and the interval of polling for it. */
const proposerDelay = 60
const proposerEvery = 2_000

/**
 * One block by height or hash. Blocks of the primary network are final, but the proposer of a C-Chain block becomes
 * known a moment later, if at all.
 */
export const primaryBlockQuery = (network: NetworkName, blockchainId: PrimaryChainAlias, blockId: string) =>
  queryOptions({
    queryKey: ['primary-block', network, blockchainId, blockId],
    queryFn: () => call(getPrimaryBlock, { params: { network, blockchainId, blockId } }),
    staleTime: immutableStaleTime,
    refetchInterval: ({ state: { data } }) =>
      blockchainId === 'c-chain' &&
      data !== undefined &&
      data.proposerDetails === undefined &&
      Date.now() / 1000 - data.blockTimestamp < proposerDelay
        ? proposerEvery
        : false,
  })

/**
 * One page of blocks. The operation accepts no heights, so a list from a height starts at that block's time and
 * skips higher blocks of the same second. A height above the head starts at the head.
 */
async function blocksPage(
  network: NetworkName,
  blockchainId: PrimaryChainAlias,
  from: BlocksFrom,
  paging: Paging,
  signal?: AbortSignal,
) {
  const params = { network, blockchainId }
  const { height } = from
  const end =
    height === undefined
      ? from.before
      : await call(getPrimaryBlock, {
          params: { ...params, blockId: String(height) },
          signal,
        }).then(
          (block) => block.blockTimestamp + 1,
          (error: unknown) => {
            if (isNotFound(error)) return undefined
            throw error
          },
        )
  const page = await call(listPrimaryBlocks, {
    params,
    query: { ...paging, endTimestamp: end },
    signal,
  })
  return height === undefined
    ? page
    : { ...page, blocks: page.blocks.filter((block) => BigInt(block.blockNumber) <= BigInt(height)) }
}

/** The blocks of a chain, latest first. */
export const primaryBlocksQuery = (
  network: NetworkName,
  blockchainId: PrimaryChainAlias,
  from: BlocksFrom = {},
) =>
  listQuery({
    key: ['primary-blocks', network, blockchainId, from.height, from.before],
    read: (paging, signal) => blocksPage(network, blockchainId, from, paging, signal),
    rowsOf: (page) => page.blocks,
    staleTime: Infinity,
  })

/** The newest few blocks of a chain. */
export const latestPrimaryBlocksQuery = (
  network: NetworkName,
  blockchainId: PrimaryChainAlias,
  count: number,
) =>
  queryOptions({
    queryKey: ['latest-primary-blocks', network, blockchainId, count],
    queryFn: async () =>
      (await call(listPrimaryBlocks, { params: { network, blockchainId }, query: { pageSize: count } }))
        .blocks,
    staleTime: 4_000,
  })
