import * as z from 'zod/mini'
import {
  alwaysSent,
  networkName,
  nextPageToken,
  paging,
  record,
  timestamp,
  wideInteger,
} from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { cb58Id, isIndexed, l1ValidatorManagerDetails, subnetOwnershipInfo } from '../primary/fields.ts'
import { genesisData } from '../primary/genesis.ts'
import { latestFirst, pageBounds } from '../base/query.ts'

const operation = operationsOf('Primary network')

/** Blockchain record (docs/api.md). */
export const blockchain = record({
  createBlockTimestamp: z.optional(timestamp),
  createBlockNumber: z.optional(z.string()),
  blockchainId: z.string(),
  vmId: z.string(),
  subnetId: z.string(),
  blockchainName: z.string(),
  evmChainId: z.optional(wideInteger),
  genesisData: z.optional(genesisData),
  isIndexed,
})
export type Blockchain = z.infer<typeof blockchain>

/** A subnet, as the hosted service lists it, with its owners and blockchains. */
const subnet = record({
  createBlockTimestamp: z.optional(timestamp),
  createBlockIndex: z.optional(z.string()),
  subnetId: z.string(),
  ownerAddresses: alwaysSent(z.array(z.string())).with(z.describe('Superseded by subnetOwnershipInfo')),
  threshold: z.optional(z.int()).with(z.describe('Superseded by subnetOwnershipInfo')),
  locktime: z.optional(wideInteger).with(z.describe('Superseded by subnetOwnershipInfo')),
  subnetOwnershipInfo: z.optional(subnetOwnershipInfo),
  isL1: z.boolean(),
  l1ConversionTransactionHash: z.optional(z.string()),
  l1ValidatorManagerDetails: z.optional(l1ValidatorManagerDetails),
  blockchains: z.array(blockchain),
  isIndexed,
})
export type Subnet = z.infer<typeof subnet>

const registryQuery = z.object({ ...paging(pageBounds.registry), sortOrder: latestFirst })

export const listBlockchains = operation({
  id: 'listBlockchains',
  api: 'data',
  path: '/v1/networks/{network}/blockchains',
  summary: 'List the blockchains of a network, latest first',
  params: z.object({ network: networkName }),
  query: registryQuery,
  response: record({ nextPageToken, blockchains: z.array(blockchain), isIndexed }),
})

/** `/v1/networks/{network}/blockchains/{blockchainId}` (as in the hosted API): any blockchain, not only P, X and C. */
export const getBlockchain = operation({
  id: 'getBlockchain',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}',
  summary: 'Get one blockchain of a network',
  params: z.object({ network: networkName, blockchainId: cb58Id }),
  response: blockchain,
})

export const listSubnets = operation({
  id: 'listSubnets',
  api: 'data',
  path: '/v1/networks/{network}/subnets',
  summary: 'List the subnets of a network, latest first',
  params: z.object({ network: networkName }),
  query: registryQuery,
  response: record({ nextPageToken, subnets: z.array(subnet), isIndexed }),
})
