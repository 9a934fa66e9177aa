import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import {
  getBlockchain,
  listBlockchains,
  listSubnets,
  type Subnet,
} from '../../../contract/network/blockchains.ts'
import {
  getBlockchainGenesis,
  listBlockchainSummaries,
  listGenesisAllocations,
  type BlockchainSummary,
} from '../../../contract/network/registry.ts'
import type { NetworkName } from '../current.ts'
import { ApiError } from '../errors.ts'
import { queryClient, immutableStaleTime } from '../query-client.ts'
import { call, session } from '../session.ts'
import { walk } from '../walk.ts'

const pageSize = 100
const subnetPageSize = 500

/** A blockchain of the registry; what only a Ridgeline service tells is absent elsewhere. */
export type RegistryChain = Pick<
  BlockchainSummary,
  | 'blockchainId'
  | 'blockchainName'
  | 'createBlockNumber'
  | 'createBlockTimestamp'
  | 'evmChainId'
  | 'subnetId'
  | 'vmId'
> &
  Partial<Pick<BlockchainSummary, 'isL1' | 'validatorCount' | 'genesisSizeBytes'>>

type GenesisAnswer = ResponseOf<typeof getBlockchainGenesis>

/** A blockchain with its genesis, without the allocations. */
export type BlockchainGenesis = Pick<
  GenesisAnswer,
  'genesisData' | 'allocationCount' | 'allocated' | 'raw'
> & { blockchain: RegistryChain }
export type Allocation = ResponseOf<typeof listGenesisAllocations>['allocations'][number]

type ChainsPage = { nextPageToken?: string | undefined; blockchains: readonly RegistryChain[] }

const lacks = async (operationId: string): Promise<boolean> =>
  (await session()).profile.missingOperations.includes(operationId)

/** One page of blockchains; a deployment without the short list sends every genesis along. */
async function chainsPage(
  network: NetworkName,
  subnetId: string | undefined,
  pageToken: string | undefined,
  signal?: AbortSignal,
): Promise<ChainsPage> {
  const request = {
    params: { network },
    query: { pageSize, ...(pageToken && { pageToken }) },
    ...(signal && { signal }),
  }
  if (!(await lacks('listBlockchainSummaries')))
    return call(listBlockchainSummaries, {
      ...request,
      query: { ...request.query, ...(subnetId !== undefined && { subnetId }) },
    })
  const page = await call(listBlockchains, request)
  return subnetId === undefined
    ? page
    : { ...page, blockchains: page.blockchains.filter((one) => one.subnetId === subnetId) }
}

/** The blockchains of a network or of one subnet, latest first, page by page. */
export const blockchainsQuery = (network: NetworkName, subnetId?: string) =>
  infiniteQueryOptions({
    queryKey: ['blockchains', network, subnetId ?? null],
    queryFn: ({ pageParam }) => chainsPage(network, subnetId, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 60_000,
  })

/** Every blockchain of a network, page by page, for exports and choices. */
export async function* allBlockchains(
  network: NetworkName,
  signal: AbortSignal,
): AsyncGenerator<readonly RegistryChain[]> {
  let pageToken: string | undefined
  do {
    const page = await chainsPage(network, undefined, pageToken, signal)
    yield page.blockchains
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
}

/** All blockchains of a network at once, to choose one from. */
export const blockchainChoicesQuery = (network: NetworkName) =>
  queryOptions({
    queryKey: ['blockchain-choices', network],
    queryFn: async ({ signal }) => {
      const all: RegistryChain[] = []
      for await (const page of allBlockchains(network, signal)) all.push(...page)
      return all
    },
    staleTime: 60_000,
  })

/** The subnets of a network, latest first, page by page. */
export const subnetsQuery = (network: NetworkName) =>
  infiniteQueryOptions({
    queryKey: ['subnets', network],
    queryFn: ({ pageParam }) =>
      call(listSubnets, {
        params: { network },
        query: { pageSize, ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 60_000,
  })

/** Every subnet of a network, page by page, for exports. */
export const allSubnets = (network: NetworkName, signal: AbortSignal) =>
  walk(
    listSubnets,
    { params: { network }, query: { pageSize: subnetPageSize }, signal },
    (page) => page.subnets,
  )

/** One subnet. There is no operation for one, so the list is read until it has come. */
export const subnetQuery = (network: NetworkName, subnetId: string) =>
  queryOptions({
    queryKey: ['subnet', network, subnetId],
    queryFn: async ({ signal }): Promise<Subnet> => {
      const known = queryClient
        .getQueryData(subnetsQuery(network).queryKey)
        ?.pages.flatMap((page) => page.subnets)
        .find((one) => one.subnetId === subnetId)
      if (known) return known
      for await (const subnets of allSubnets(network, signal)) {
        const found = subnets.find((one) => one.subnetId === subnetId)
        if (found) return found
      }
      throw new ApiError('status', 'No subnet has this id.', { status: 404, name: 'Not Found' })
    },
    staleTime: 60_000,
  })

const sizeOf = (hex: string | undefined): number => Math.max(0, (hex?.replace(/^0x/, '').length ?? 0) / 2)

/** A balance of a genesis: hex with or without 0x, or decimal digits. */
export function genesisBalance(text: string | undefined): bigint {
  if (text === undefined || text === '') return 0n
  if (/^0x[0-9a-fA-F]+$/.test(text)) return BigInt(text)
  if (/^\d+$/.test(text)) return BigInt(text)
  return /^[0-9a-fA-F]+$/.test(text) ? BigInt(`0x${text}`) : 0n
}

type Account = { balance?: string | undefined; code?: string | undefined; storage?: object | undefined }

function accountsOf(genesis: unknown): [string, Account][] {
  const alloc = (genesis as { alloc?: unknown } | undefined)?.alloc
  return typeof alloc === 'object' && alloc !== null ? (Object.entries(alloc) as [string, Account][]) : []
}

const wholeBlockchainQuery = (network: NetworkName, blockchainId: string) =>
  queryOptions({
    queryKey: ['blockchain', network, blockchainId],
    queryFn: () => call(getBlockchain, { params: { network, blockchainId } }),
    staleTime: immutableStaleTime,
  })

/** What a deployment without an operation for the genesis sends with the blockchain, in our shape. */
async function genesisOfWhole(network: NetworkName, blockchainId: string): Promise<BlockchainGenesis> {
  const { genesisData, ...blockchain } = await queryClient.fetchQuery(
    wholeBlockchainQuery(network, blockchainId),
  )
  const accounts = accountsOf(genesisData)
  const sum = accounts.reduce((total, [, account]) => total + genesisBalance(account.balance), 0n)
  return {
    blockchain,
    ...(typeof genesisData === 'object' && { genesisData }),
    ...(typeof genesisData === 'string' && { raw: genesisData }),
    allocationCount: accounts.length,
    allocated: sum.toString(),
  }
}

/** A blockchain with its genesis, its allocations counted and summed but left out. */
export const blockchainGenesisQuery = (network: NetworkName, blockchainId: string) =>
  queryOptions({
    queryKey: ['blockchain-genesis', network, blockchainId],
    queryFn: async (): Promise<BlockchainGenesis> =>
      (await lacks('getBlockchainGenesis'))
        ? genesisOfWhole(network, blockchainId)
        : call(getBlockchainGenesis, { params: { network, blockchainId } }),
    staleTime: immutableStaleTime,
  })

type AllocationsPage = { nextPageToken?: string | undefined; allocations: readonly Allocation[] }

async function allocationsPage(
  network: NetworkName,
  blockchainId: string,
  pageToken: string | undefined,
  signal?: AbortSignal,
): Promise<AllocationsPage> {
  if (!(await lacks('listGenesisAllocations')))
    return call(listGenesisAllocations, {
      params: { network, blockchainId },
      query: { pageSize, ...(pageToken && { pageToken }) },
      ...(signal && { signal }),
    })
  const whole = await queryClient.fetchQuery(wholeBlockchainQuery(network, blockchainId))
  const accounts = accountsOf(whole.genesisData)
  const start = Number(pageToken ?? 0)
  const end = start + pageSize
  return {
    allocations: accounts.slice(start, end).map(([address, account]) => ({
      address,
      balance: genesisBalance(account.balance).toString(),
      codeSizeBytes: sizeOf(account.code),
      storageCount: Object.keys(account.storage ?? {}).length,
    })),
    ...(end < accounts.length && { nextPageToken: String(end) }),
  }
}

/** The allocations of a genesis in its own order, page by page. */
export const allocationsQuery = (network: NetworkName, blockchainId: string) =>
  infiniteQueryOptions({
    queryKey: ['genesis-allocations', network, blockchainId],
    queryFn: ({ pageParam }) => allocationsPage(network, blockchainId, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: immutableStaleTime,
  })

/** Every allocation of a genesis, page by page, for exports. */
export async function* allAllocations(
  network: NetworkName,
  blockchainId: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Allocation[]> {
  let pageToken: string | undefined
  do {
    const page = await allocationsPage(network, blockchainId, pageToken, signal)
    yield page.allocations
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
}
