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
import type { PageTokens, TokenScope } from '../../kernel/page-tokens.ts'
import { hexText } from '../../../protocol/ids/text.ts'
import type { Database } from '../../store/database.ts'
import { lastIndex } from '../../store/read.ts'
import { pastAllHeights, type Order, type TxPlace } from '../../store/primary/read-primary.ts'
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
import { filtersOf, type RouteContext } from '../../http/route-context.ts'
import { chainTime, openView } from '../primary/context.ts'
import { findNetwork, type ServedNetwork } from '../../primary/served-network.ts'
import { idOf } from '../../primary/request-values.ts'
import { Texts } from '../../primary/texts.ts'
import { allocationsOf } from './genesis.ts'
import { genesisOf, type Genesis } from '../primary/genesis-text.ts'

/** Bytes of genesis after which a page of blockchains ends, whatever its size. */
export const mostGenesisBytes = 8 * 1_048_576
/** Bytes of a genesis that is not an EVM's which are shown raw. */
const rawBytes = 4_096

const start = {
  asc: { height: -2n, index: -1 },
  desc: { height: pastAllHeights, index: lastIndex },
} as const satisfies Record<Order, TxPlace>

function startOf(
  tokens: PageTokens,
  scope: TokenScope,
  query: { pageToken?: string | undefined; sortOrder: Order },
): TxPlace {
  if (query.pageToken === undefined) return start[query.sortOrder]
  const [height = 0, index] = tokens.openData(scope, query.pageToken)
  return { height: BigInt(height), index: Number(index) }
}

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

/** Reads a blockchain with its genesis. Throws a 404. */
async function findGenesis(
  database: Database,
  network: ServedNetwork,
  blockchainId: string,
): Promise<{ row: BlockchainSummaryRow; genesis: Genesis }> {
  const id = idOf('blockchainId', blockchainId)
  const view = await openView(database, network)
  const row = await readBlockchain(database, network.p, chainTime(view), id)
  if (!row) throw notFound(`blockchain ${blockchainId} is not indexed on ${network.id}`)
  const geneses = await readGeneses(database, network.p, [id])
  return { row, genesis: genesisOf(geneses.get(id.toString('hex')) ?? Buffer.alloc(0)) }
}

/** Blockchains, their genesis, and subnets (interface.md, Blockchain record, GenesisData; hosted.md). */
export function primaryRegistryRoutes({ config, store }: RouteContext): Implementation[] {
  return [
    implement(listBlockchains, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const scope = { operation: listBlockchains.id, filters: filtersOf({ network: network.id }, query) }
      const { database, tokens } = store.get()
      const past = startOf(tokens, scope, query)
      const rows = await readBlockchains(database, network.p, past, query.sortOrder, query.pageSize + 1)
      let bytes = 0
      const fits = rows.findIndex((row, index) => {
        bytes += row.genesis_size
        return index === query.pageSize || (bytes > mostGenesisBytes && index > 0)
      })
      const shown = fits === -1 ? rows : rows.slice(0, fits)
      const last = fits === -1 ? undefined : shown.at(-1)
      const geneses = await readGeneses(
        database,
        network.p,
        shown.map((row) => row.blockchain_id),
      )
      const texts = new Texts(network.config.prefix)
      return {
        ...(last && { nextPageToken: tokens.sealData(scope, [last.height.toString(), last.index]) }),
        blockchains: shown.map((row) =>
          blockchainFields(row, texts, geneses.get(row.blockchain_id.toString('hex'))),
        ),
      }
    }),

    implement(getBlockchain, async ({ params }) => {
      const network = findNetwork(config, params.network)
      const { row, genesis } = await findGenesis(store.get().database, network, params.blockchainId)
      return blockchainFields(row, new Texts(network.config.prefix), genesis.bytes)
    }),

    implement(listBlockchainSummaries, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const scope = {
        operation: listBlockchainSummaries.id,
        filters: filtersOf({ network: network.id }, query),
      }
      const subnet = query.subnetId === undefined ? undefined : idOf('subnetId', query.subnetId)
      const { database, tokens } = store.get()
      const view = await openView(database, network)
      const rows = await readBlockchainSummaries(
        database,
        network.p,
        chainTime(view),
        subnet,
        startOf(tokens, scope, query),
        query.sortOrder,
        query.pageSize + 1,
      )
      const shown = rows.slice(0, query.pageSize)
      const last = rows.length > query.pageSize ? shown.at(-1) : undefined
      return {
        ...(last && { nextPageToken: tokens.sealData(scope, [last.height.toString(), last.index]) }),
        blockchains: shown.map((row) => summaryFields(row, view.texts)),
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
      const scope = {
        operation: listGenesisAllocations.id,
        filters: { network: network.id, blockchainId: params.blockchainId },
      }
      const { database, tokens } = store.get()
      const { genesis } = await findGenesis(database, network, params.blockchainId)
      const from = query.pageToken === undefined ? 0 : Number(tokens.openData(scope, query.pageToken)[0])
      const all = allocationsOf(genesis)
      const end = from + query.pageSize
      return {
        ...(end < all.length && { nextPageToken: tokens.sealData(scope, [end]) }),
        allocations: all.slice(from, end),
      }
    }),

    implement(listSubnets, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const scope = { operation: listSubnets.id, filters: filtersOf({ network: network.id }, query) }
      const { database, tokens } = store.get()
      const past = startOf(tokens, scope, query)
      const rows = await readSubnets(database, network.p, past, query.sortOrder, query.pageSize + 1)
      const shown = rows.slice(0, query.pageSize)
      const last = rows.length > query.pageSize ? shown.at(-1) : undefined
      const blockchains = await readBlockchainsOf(
        database,
        network.p,
        shown.map((row) => row.subnet),
      )
      const texts = new Texts(network.config.prefix)
      return {
        ...(last && { nextPageToken: tokens.sealData(scope, [last.height.toString(), last.index]) }),
        subnets: shown.map((row) => subnetFields(row, blockchains, texts)),
      }
    }),
  ]
}
