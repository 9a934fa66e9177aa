import {
  getPrimaryBlock,
  listNodeBlocks,
  listPrimaryBlocks,
  type PrimaryBlock,
} from '../../../contract/primary/blocks.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { primaryTopic } from '../../events/hub.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { orLacking } from '../../http/or-lacking.ts'
import { toJson } from '../../http/json.ts'
import { fromHex } from '../../../protocol/ids/text.ts'
import {
  readHeightOfBlock,
  readNodeBlocks,
  readPrimaryBlock,
  readPrimaryBlocks,
  type PrimaryBlockRow,
} from '../../store/primary/read-blocks.ts'
import { pastAllHeights, readHeightsBetween } from '../../store/primary/read-primary.ts'
import { openList, type Page } from '../../http/keyset-list.ts'
import { checkRange, min, type RouteContext } from '../../http/route-context.ts'
import { chainInfoOf, findPrimaryChain, type ServedChain } from '../../primary/served-network.ts'
import { idOf, nodeOf } from '../../primary/request-values.ts'
import { Texts } from '../../primary/texts.ts'
import { blockTypeOf } from './block-type.ts'
import { openView } from './context.ts'
import { unindexedPrimaryBlock } from './unindexed.ts'

/** The fields of a block in an answer (docs/api.md, Primary network). */
function blockFields(row: PrimaryBlockRow, alias: PrimaryChainAlias, texts: Texts): PrimaryBlock {
  return {
    blockNumber: row.height.toString(),
    blockHash: texts.block(alias, row.id),
    parentHash: texts.block(alias, row.parent_id),
    blockTimestamp: Number(row.ts),
    blockType: blockTypeOf(alias, row.type),
    txCount: row.tx_count,
    transactions: row.transactions.map((id) => texts.id(id)),
    blockSizeBytes: row.size,
    ...(row.accrued_fees !== null && { l1ValidatorsAccruedFees: BigInt(row.accrued_fees) }),
    ...(row.active_l1_validators !== null && { activeL1Validators: row.active_l1_validators }),
    ...(row.supply !== null && { currentSupply: row.supply }),
    ...(row.odd !== null && { oddHistory: row.odd }),
    ...(row.proposer_id !== null && {
      proposerDetails: {
        proposerId: texts.id(row.proposer_id),
        ...texts.optional('proposerParentId', row.proposer_parent_id),
        ...(row.proposer_node !== null && { proposerNodeId: texts.node(row.proposer_node) }),
        ...(row.proposer_p_height !== null && { proposerPChainHeight: Number(row.proposer_p_height) }),
        ...(row.proposer_ts !== null && { proposerTimestamp: Number(row.proposer_ts) }),
      },
    }),
  }
}

const heightCursor = { height: 'bigint' } as const
const start = { height: pastAllHeights }

/** The blocks of the P-, X- and C-Chain (docs/api.md, Primary network; the hosted API). */
export function primaryBlockRoutes(context: RouteContext): Implementation[] {
  const { config, store, nodes } = context
  const answer = ({ rows, nextPageToken }: Page<PrimaryBlockRow>, chain: ServedChain) => {
    const texts = new Texts(chain.config.prefix)
    return {
      nextPageToken,
      blocks: rows.map((row) => blockFields(row, chain.alias, texts)),
      chainInfo: chainInfoOf(chain),
    }
  }
  return [
    implement(listPrimaryBlocks, ({ params, query }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      checkRange(query)
      const list = openList(context, listPrimaryBlocks, heightCursor, { chain: chain.key }, query)
      return list.answer([primaryTopic(chain.id, chain.alias)], async () => {
        const { database } = store.get()
        const range = await readHeightsBetween(database, chain.key, query.startTimestamp, query.endTimestamp)
        const page = await list.page(start, ({ height }, limit) =>
          readPrimaryBlocks(
            database,
            chain.key,
            { ...range, before: min(range.before, height) },
            'desc',
            limit,
          ),
        )
        return toJson(answer(page, chain))
      })
    }),

    implement(getPrimaryBlock, async ({ params }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      const { blockId } = params
      const { database } = store.get()
      const height = /^\d{1,16}$/.test(blockId)
        ? BigInt(blockId)
        : await readHeightOfBlock(
            database,
            chain.key,
            blockId.startsWith('0x') ? Buffer.from(fromHex(blockId)) : idOf('blockId', blockId),
          )
      const row = height === undefined ? undefined : await readPrimaryBlock(database, chain.key, height)
      if (row) return blockFields(row, chain.alias, new Texts(chain.config.prefix))
      const view = await openView(database, chain)
      return orLacking(
        unindexedPrimaryBlock(nodes, chain, view, blockId),
        `block ${blockId} is not indexed on the ${chain.alias} of ${chain.id}`,
      )
    }),

    implement(listNodeBlocks, async ({ params, query }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      checkRange(query)
      const node = nodeOf('nodeId', params.nodeId)
      const { database } = store.get()
      const filters = { chain: chain.key, node: params.nodeId }
      const list = openList(context, listNodeBlocks, heightCursor, filters, query)
      const range = await readHeightsBetween(database, chain.key, query.startTimestamp, query.endTimestamp)
      const page = await list.page(start, ({ height }, limit) =>
        readNodeBlocks(database, chain.key, node, { ...range, before: min(range.before, height) }, limit),
      )
      return answer(page, chain)
    }),
  ]
}
