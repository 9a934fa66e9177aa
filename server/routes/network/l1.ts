import { listL1ValidatorHistory } from '../../../contract/network/staking.ts'
import { listL1Validators, type L1Validator } from '../../../contract/network/validators.ts'
import { notFound } from '../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { hexText } from '../../../protocol/ids/text.ts'
import { lastIndex } from '../../store/read.ts'
import { beforeAllTxs, txCursor } from '../../store/primary/read-primary.ts'
import {
  hasL1Validation,
  readL1Changes,
  readL1Validators,
  type L1Place,
  type L1ValidatorRow,
} from '../../store/network/read-l1.ts'
import { openList } from '../../http/keyset-list.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { chainTime, openView, type NetworkView } from '../primary/context.ts'
import { findNetwork } from '../../primary/served-network.ts'
import { idOf, nodeOf } from '../../primary/request-values.ts'
import { pageOfNode } from '../primary/node-lists.ts'
import { currentHeight, currentL1Validators } from './unindexed.ts'
import { openL1Meter, type L1Meter } from './l1-fee.ts'
import { txTypeName } from '../../primary/transaction-types.ts'

const l1Cursor = { ...txCursor, ordinal: 'number' } as const
const latest: L1Place = { ...beforeAllTxs.desc, ordinal: lastIndex }

/** Whether an L1 validator has a balance to pay the fee. */
export const isActiveL1 = (row: Pick<L1ValidatorRow, 'end_fee' | 'weight'>): boolean =>
  row.end_fee !== null && row.weight !== '0'

function l1Fields(row: L1ValidatorRow, view: NetworkView, meter: L1Meter): L1Validator {
  const { texts } = view
  const seconds = isActiveL1(row) ? meter.secondsLeft(row.end_fee) : undefined
  return {
    validationId: texts.id(row.validation_id),
    validationIdHex: hexText(row.validation_id),
    nodeId: texts.node(row.node),
    subnetId: texts.id(row.subnet),
    weight: BigInt(row.weight),
    remainingBalance: meter.remaining(row.end_fee),
    creationTimestamp: Number(row.ts),
    blsCredentials: { publicKey: hexText(row.bls_key) },
    remainingBalanceOwner: {
      addresses: texts.addresses(row.remaining_owner_addresses),
      threshold: row.remaining_owner_threshold,
    },
    deactivationOwner: {
      addresses: texts.addresses(row.deactivation_owner_addresses),
      threshold: row.deactivation_owner_threshold,
    },
    isActive: isActiveL1(row),
    ...(seconds !== undefined && { emptyTimestamp: BigInt(chainTime(view)) + seconds }),
  }
}

/** The validators of L1s and their changes (as in the hosted API; contract/network/staking.ts). */
export function primaryL1Routes(context: RouteContext): Implementation[] {
  const { config, store, nodes } = context
  return [
    implement(listL1Validators, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const filter = {
        validation:
          query.l1ValidationId === undefined ? undefined : idOf('l1ValidationId', query.l1ValidationId),
        node: query.nodeId === undefined ? undefined : nodeOf('nodeId', query.nodeId),
        subnet: query.subnetId === undefined ? undefined : idOf('subnetId', query.subnetId),
        includeInactive: query.includeInactiveL1Validators,
      }
      const { database } = store.get()
      const view = await openView(database, network)
      const { l1ValidationId: validationId, subnetId } = query
      const asked = validationId !== undefined ? { validationId } : subnetId !== undefined && { subnetId }
      const now =
        asked &&
        (await pageOfNode(context, listL1Validators, view, network.p, query, async () => {
          const all = await currentL1Validators(nodes, network, asked)
          return all?.filter(
            (each) =>
              (filter.includeInactive || each.isActive) &&
              (query.nodeId === undefined || each.nodeId === query.nodeId) &&
              (subnetId === undefined || each.subnetId === subnetId),
          )
        }))
      if (now)
        return {
          nextPageToken: now.nextPageToken,
          validators: now.rows,
          blockHeight: await currentHeight(nodes, network),
          isIndexed: false as const,
        }
      const list = openList(context, listL1Validators, l1Cursor, { network: network.id }, query)
      const { rows, nextPageToken } = await list.page(latest, (after, limit) =>
        readL1Validators(database, network.p, filter, after, limit),
      )
      const meter = openL1Meter(view)
      return {
        nextPageToken,
        validators: rows.map((row) => l1Fields(row, view, meter)),
        blockHeight: (view.statusOf(network.p)?.head_height ?? 0n).toString(),
      }
    }),

    implement(listL1ValidatorHistory, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const validation = idOf('validationId', params.validationId)
      const filters = { network: network.id, validationId: params.validationId }
      const list = openList(context, listL1ValidatorHistory, txCursor, filters, query)
      const { database } = store.get()
      const { rows, nextPageToken } = await list.page(beforeAllTxs[query.sortOrder], (after, limit) =>
        readL1Changes(database, network.p, validation, after, query.sortOrder, limit),
      )
      if (rows.length === 0 && !(await hasL1Validation(database, network.p, validation))) {
        throw notFound(`L1 validation ${params.validationId} is not indexed on ${network.id}`)
      }
      const view = await openView(database, network)
      return {
        nextPageToken,
        changes: rows.map((row) => ({
          blockNumber: row.height.toString(),
          timestamp: Number(row.ts),
          ...view.texts.optional('txHash', row.tx_id),
          ...(row.type !== null && { txType: txTypeName('p-chain', row.type) }),
          weight: BigInt(row.weight),
          balanceChange: BigInt(row.balance_change),
          remainingBalance: BigInt(row.balance),
          isActive: isActiveL1(row),
        })),
      }
    }),
  ]
}
