import { queryOptions, type QueryClient } from '@tanstack/react-query'
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
import { offers, type NetworkName } from '../current.ts'
import { ApiError } from '../errors.ts'
import { listQuery, wholeListQuery, type Paging } from '../list.ts'
import { queryClient, immutableStaleTime } from '../query-client.ts'
import { call, session } from '../session.ts'

/** A blockchain of the registry; fields of Ridgeline are absent in other deployments. */
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

const lacks = async (operationId: string): Promise<boolean> => !offers((await session()).profile, operationId)

/** One page of blockchains; a deployment without the short list includes every genesis. */
async function chainsPage(
  network: NetworkName,
  subnetId: string | undefined,
  paging: Paging,
  signal?: AbortSignal,
): Promise<ChainsPage> {
  const params = { network }
  if (!(await lacks('listBlockchainSummaries')))
    return call(listBlockchainSummaries, { params, query: { ...paging, subnetId }, signal })
  const page = await call(listBlockchains, { params, query: paging, signal })
  return subnetId === undefined
    ? page
    : { ...page, blockchains: page.blockchains.filter((one) => one.subnetId === subnetId) }
}

const blockchains = (network: NetworkName, subnetId?: string) => ({
  key: ['blockchains', network, subnetId],
  read: (paging: Paging, signal?: AbortSignal) => chainsPage(network, subnetId, paging, signal),
  rowsOf: (page: ChainsPage) => page.blockchains,
  pageSize: 100,
  staleTime: 60_000,
})

/** The blockchains of a network or of one subnet, latest first. */
export const blockchainsQuery = (network: NetworkName, subnetId?: string) =>
  listQuery(blockchains(network, subnetId))

/** All blockchains of a network at once, for a selection. */
export const blockchainChoicesQuery = (network: NetworkName) => wholeListQuery(blockchains(network))

/** The subnets of a network, latest first. */
export const subnetsQuery = (network: NetworkName) =>
  listQuery({
    key: ['subnets', network],
    read: (paging, signal) => call(listSubnets, { params: { network }, query: paging, signal }),
    rowsOf: (page) => page.subnets,
    pageSize: 100,
    largePageSize: 500,
    staleTime: 60_000,
  })

/** One subnet. There is no operation for one, so the list is read until it is found. */
export const subnetQuery = (network: NetworkName, subnetId: string) =>
  queryOptions({
    queryKey: ['subnet', network, subnetId],
    queryFn: async ({ client, signal }): Promise<Subnet> => {
      const list = subnetsQuery(network)
      const known = client
        .getQueryData(list.queryKey)
        ?.pages.flatMap((page) => page.subnets)
        .find((one) => one.subnetId === subnetId)
      if (known) return known
      for await (const subnets of list.all(signal)) {
        const found = subnets.find((one) => one.subnetId === subnetId)
        if (found) return found
      }
      throw new ApiError('status', 'No subnet has this ID.', { status: 404, name: 'Not Found' })
    },
    staleTime: 60_000,
  })

const sizeOf = (hex: string | undefined): number => Math.max(0, (hex?.replace(/^0x/, '').length ?? 0) / 2)

/** A balance of a genesis: hex with or without 0x, or decimal digits. */
function genesisBalance(text: string | undefined): bigint {
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

/** The genesis from the blockchain's record, for deployments without an operation for the genesis. */
async function genesisOfWhole(
  client: QueryClient,
  network: NetworkName,
  blockchainId: string,
): Promise<BlockchainGenesis> {
  const { genesisData, ...blockchain } = await client.fetchQuery(wholeBlockchainQuery(network, blockchainId))
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

/** A blockchain with its genesis; its allocations are counted and summed instead of listed. */
export const blockchainGenesisQuery = (network: NetworkName, blockchainId: string) =>
  queryOptions({
    queryKey: ['blockchain-genesis', network, blockchainId],
    queryFn: async ({ client }): Promise<BlockchainGenesis> =>
      (await lacks('getBlockchainGenesis'))
        ? genesisOfWhole(client, network, blockchainId)
        : call(getBlockchainGenesis, { params: { network, blockchainId } }),
    staleTime: immutableStaleTime,
  })

type AllocationsPage = { nextPageToken?: string | undefined; allocations: readonly Allocation[] }

async function allocationsPage(
  network: NetworkName,
  blockchainId: string,
  paging: Paging,
  signal?: AbortSignal,
): Promise<AllocationsPage> {
  if (!(await lacks('listGenesisAllocations')))
    return call(listGenesisAllocations, { params: { network, blockchainId }, query: paging, signal })
  const whole = await queryClient.fetchQuery(wholeBlockchainQuery(network, blockchainId))
  const accounts = accountsOf(whole.genesisData)
  const start = Number(paging.pageToken ?? 0)
  const end = start + paging.pageSize
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

/** The allocations of a genesis in their original order. */
export const allocationsQuery = (network: NetworkName, blockchainId: string) =>
  listQuery({
    key: ['genesis-allocations', network, blockchainId],
    read: (paging, signal) => allocationsPage(network, blockchainId, paging, signal),
    rowsOf: (page) => page.allocations,
    pageSize: 100,
    staleTime: immutableStaleTime,
  })
