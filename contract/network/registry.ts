import * as z from 'zod/mini'
import { amount, networkName, nextPageToken, paging, record, wideInteger } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { blockchain } from './blockchains.ts'
import { cb58Id } from '../primary/fields.ts'
import { genesisData } from '../primary/genesis.ts'
import { latestFirst, pageBounds } from '../base/query.ts'

const operation = operationsOf('Primary network')

/** A blockchain without its genesis, which may have megabytes. */
const blockchainSummary = z.extend(z.omit(blockchain, { genesisData: true }), {
  isL1: z.boolean(),
  validatorCount: z.int().with(z.describe('Current validators of its subnet')),
  genesisSizeBytes: z.int(),
  txHash: z.string().with(z.describe('The transaction that created it; the same text as blockchainId')),
})
export type BlockchainSummary = z.infer<typeof blockchainSummary>

export const listBlockchainSummaries = operation({
  id: 'listBlockchainSummaries',
  path: '/v1/networks/{network}/blockchainSummaries',
  summary: 'List the blockchains of a network without their genesis, latest first',
  params: z.object({ network: networkName }),
  query: z.object({
    ...paging(pageBounds.registry),
    sortOrder: latestFirst,
    subnetId: z.optional(cb58Id.with(z.describe('Only this subnet'))),
  }),
  response: record({ nextPageToken, blockchains: z.array(blockchainSummary) }),
})

export const getBlockchainGenesis = operation({
  id: 'getBlockchainGenesis',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/genesis',
  summary: 'Get the genesis of a blockchain, its allocations counted',
  params: z.object({ network: networkName, blockchainId: cb58Id }),
  response: record({
    blockchain: blockchainSummary,
    genesisData: z
      .optional(genesisData)
      .with(z.describe('Without allocations; absent unless the chain is an EVM chain')),
    allocationCount: z.int(),
    allocated: amount.with(z.describe('The sum of all allocations, in wei')),
    raw: z
      .optional(z.string())
      .with(z.describe('The first 4,096 bytes in hex, if the chain is not an EVM chain')),
  }),
})

/** Only in Ridgeline: the allocations of an EVM chain's genesis, in genesis order. */
export const listGenesisAllocations = operation({
  id: 'listGenesisAllocations',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/genesis/allocations',
  summary: 'List the allocations of a genesis',
  params: z.object({ network: networkName, blockchainId: cb58Id }),
  query: z.object(paging({ min: 1, max: 500, default: 100 })),
  response: record({
    nextPageToken,
    allocations: z.array(
      record({
        address: z.string(),
        balance: amount,
        codeSizeBytes: z.int(),
        storageCount: z.int(),
        nonce: z.optional(wideInteger),
      }),
    ),
  }),
})
