import {
  getBlockchain,
  listBlockchains,
  listSubnets,
  type Blockchain,
  type Subnet,
} from '../../../contract/network/blockchains.ts'
import {
  getBlockchainGenesis,
  listBlockchainSummaries,
  listGenesisAllocations,
  type BlockchainSummary,
} from '../../../contract/network/registry.ts'
import { notFound } from '../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { orLacking } from '../../http/or-lacking.ts'
import { hexText } from '../../../protocol/ids/text.ts'
import type { Database } from '../../store/database.ts'
import { beforeAllTxs, txCursor } from '../../store/primary/read-primary.ts'
import {
  readBlockchain,
  readBlockchains,
  readBlockchainsOf,
  readBlockchainSummaries,
  readGeneses,
  readSubnets,
  type BlockchainRow,
  type BlockchainSummaryRow,
  type SubnetRow,
} from '../../store/network/read-registry.ts'
import { cut, cutByWeight, openList } from '../../http/keyset-list.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { chainTime, openView } from '../primary/context.ts'
import { findNetwork, type ServedNetwork } from '../../primary/served-network.ts'
import { idOf } from '../../primary/request-values.ts'
import { Texts } from '../../primary/texts.ts'
import { isChainBehind } from '../primary/behind.ts'
import { pageOfNode } from '../primary/node-lists.ts'
import { currentBlockchain, currentBlockchains, currentSubnets, subnetOf } from './unindexed.ts'
import { allocationsOf } from './genesis.ts'
import { genesisOf, type Genesis } from '../primary/genesis-text.ts'

/** Bytes of genesis data after which a page of blockchains ends, regardless of its size. */
const maxGenesisBytes = 8 * 1_048_576
/** Number of raw bytes shown of a genesis that is not an EVM genesis. */
const rawBytes = 4_096

function blockchainFields(row: BlockchainRow, texts: Texts, genesis?: Uint8Array): Blockchain {
  return {
    createBlockTimestamp: Number(row.ts),
    createBlockNumber: row.height.toString(),
    blockchainId: texts.id(row.blockchain_id),
    vmId: texts.id(row.vm),
    subnetId: texts.id(row.subnet),
    blockchainName: row.name,
    ...(row.evm_chain_id !== null && { evmChainId: BigInt(row.evm_chain_id) }),
    ...(genesis && genesisOf(genesis).asField()),
  }
}

const summaryFields = (row: BlockchainSummaryRow, texts: Texts): BlockchainSummary => ({
  ...blockchainFields(row, texts),
  isL1: row.is_l1,
  validatorCount: Number(row.validators),
  genesisSizeBytes: row.genesis_size,
  txHash: texts.id(row.blockchain_id),
})

function subnetFields(row: SubnetRow, blockchains: readonly BlockchainRow[], texts: Texts): Subnet {
  const owner = {
    addresses: texts.addresses(row.owner_addresses ?? []),
    threshold: row.owner_threshold ?? 0,
    locktime: BigInt(row.owner_locktime ?? '0'),
  }
  return {
    createBlockTimestamp: Number(row.ts),
    createBlockIndex: row.height.toString(),
    subnetId: texts.id(row.subnet),
    ownerAddresses: owner.addresses,
    threshold: owner.threshold,
    locktime: owner.locktime,
    subnetOwnershipInfo: owner,
    isL1: row.conversion_tx !== null,
    ...texts.optional('l1ConversionTransactionHash', row.conversion_tx),
    ...(row.manager_chain !== null && {
      l1ValidatorManagerDetails: {
        blockchainId: texts.id(row.manager_chain),
        contractAddress: hexText(row.manager_address ?? Buffer.alloc(0)),
      },
    }),
    blockchains: blockchains
      .filter((each) => each.subnet.equals(row.subnet))
      .map((each) => blockchainFields(each, texts)),
  }
}

const unknownBlockchain = ({ id }: ServedNetwork, blockchainId: string): string =>
  `blockchain ${blockchainId} is not indexed on ${id}`

/** Reads a blockchain with its genesis. Throws a 404. */
async function findGenesis(
  database: Database,
  network: ServedNetwork,
  blockchainId: string,
): Promise<{ row: BlockchainSummaryRow; genesis: Genesis }> {
  const id = idOf('blockchainId', blockchainId)
  const view = await openView(database, network)
  const row = await readBlockchain(database, network.p, chainTime(view), id)
  if (!row) throw notFound(unknownBlockchain(network, blockchainId))
  const geneses = await readGeneses(database, network.p, [id])
  return { row, genesis: genesisOf(geneses.get(id.toString('hex')) ?? Buffer.alloc(0)) }
}

/** Blockchains, their genesis, and subnets (docs/api.md, Primary network). */
export function primaryRegistryRoutes(context: RouteContext): Implementation[] {
  const { config, store, nodes } = context
  return [
    implement(listBlockchains, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const { database } = store.get()
      const view = await openView(database, network)
      const now = await pageOfNode(context, listBlockchains, view, network.p, query, () =>
        currentBlockchains(nodes, network),
      )
      if (now) return { nextPageToken: now.nextPageToken, blockchains: now.rows, isIndexed: false as const }
      const list = openList(context, listBlockchains, txCursor, { network: network.id }, query)
      const { rows, nextPageToken } = await list.walk(
        beforeAllTxs[query.sortOrder],
        async (after, pageSize) => {
          const found = await readBlockchains(database, network.p, after, query.sortOrder, pageSize + 1)
          return cutByWeight(cut(found, pageSize), maxGenesisBytes, (row) => row.genesis_size)
        },
      )
      const geneses = await readGeneses(
        database,
        network.p,
        rows.map((row) => row.blockchain_id),
      )
      const texts = new Texts(network.config.prefix)
      return {
        nextPageToken,
        blockchains: rows.map((row) =>
          blockchainFields(row, texts, geneses.get(row.blockchain_id.toString('hex'))),
        ),
      }
    }),

    implement(getBlockchain, async ({ params }) => {
      const network = findNetwork(config, params.network)
      const { database } = store.get()
      const view = await openView(database, network)
      const id = idOf('blockchainId', params.blockchainId)
      if (isChainBehind(view, network.p) && !(await readBlockchain(database, network.p, chainTime(view), id)))
        return orLacking(
          currentBlockchain(nodes, network, params.blockchainId),
          unknownBlockchain(network, params.blockchainId),
        )
      const { row, genesis } = await findGenesis(database, network, params.blockchainId)
      return blockchainFields(row, new Texts(network.config.prefix), genesis.bytes)
    }),

    implement(listBlockchainSummaries, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const subnet = query.subnetId === undefined ? undefined : idOf('subnetId', query.subnetId)
      const { database } = store.get()
      const list = openList(context, listBlockchainSummaries, txCursor, { network: network.id }, query)
      const view = await openView(database, network)
      const { rows, nextPageToken } = await list.page(beforeAllTxs[query.sortOrder], (after, limit) =>
        readBlockchainSummaries(database, network.p, chainTime(view), subnet, after, query.sortOrder, limit),
      )
      return {
        nextPageToken,
        blockchains: rows.map((row) => summaryFields(row, view.texts)),
      }
    }),

    implement(getBlockchainGenesis, async ({ params }) => {
      const network = findNetwork(config, params.network)
      const { row, genesis } = await findGenesis(store.get().database, network, params.blockchainId)
      const allocations = allocationsOf(genesis)
      const summary = summaryFields(row, new Texts(network.config.prefix))
      const sums = {
        blockchain: summary,
        allocationCount: allocations.length,
        allocated: allocations.reduce((sum, { balance }) => sum + BigInt(balance), 0n).toString(),
      }
      if (!genesis.object) {
        const raw = Buffer.from(genesis.bytes.subarray(0, rawBytes))
        return { ...sums, ...(raw.length > 0 && { raw: hexText(raw) }) }
      }
      const { alloc: _alloc, ...genesisData } = genesis.object
      return { ...sums, genesisData }
    }),

    implement(listGenesisAllocations, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const { genesis } = await findGenesis(store.get().database, network, params.blockchainId)
      const all = allocationsOf(genesis)
      const filters = { network: network.id, blockchainId: params.blockchainId }
      const list = openList(context, listGenesisAllocations, { from: 'number' }, filters, query)
      const { rows, nextPageToken } = await list.walk({ from: 0 }, async ({ from }, pageSize) => {
        const end = from + pageSize
        return { rows: all.slice(from, end), next: end < all.length ? { from: end } : undefined }
      })
      return { nextPageToken, allocations: rows }
    }),

    implement(listSubnets, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const { database } = store.get()
      const view = await openView(database, network)
      const now = await pageOfNode(context, listSubnets, view, network.p, query, () =>
        currentSubnets(nodes, network),
      )
      if (now) {
        const all = await currentBlockchains(nodes, network)
        const subnets = await Promise.all(now.rows.map((row) => subnetOf(nodes, network, view, row, all)))
        return { nextPageToken: now.nextPageToken, subnets, isIndexed: false as const }
      }
      const list = openList(context, listSubnets, txCursor, { network: network.id }, query)
      const { rows, nextPageToken } = await list.page(beforeAllTxs[query.sortOrder], (after, limit) =>
        readSubnets(database, network.p, after, query.sortOrder, limit),
      )
      const blockchains = await readBlockchainsOf(
        database,
        network.p,
        rows.map((row) => row.subnet),
      )
      const texts = new Texts(network.config.prefix)
      return {
        nextPageToken,
        subnets: rows.map((row) => subnetFields(row, blockchains, texts)),
      }
    }),
  ]
}
