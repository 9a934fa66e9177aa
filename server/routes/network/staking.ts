import {
  getNodeFeed,
  getStopSafety,
  getValidatorDistribution,
  listStakeHistory,
  listUptimeSamples,
  listValidationCycles,
} from '../../../contract/network/staking.ts'
import { notFound } from '../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { beforeAllTxs, txCursor } from '../../store/primary/read-primary.ts'
import { readCycles } from '../../store/primary/read-cycles.ts'
import { readDistribution } from '../../store/network/read-distribution.ts'
import { readMembers, readStakeHistory, readUptime } from '../../store/network/read-staking.ts'
import { openList } from '../../http/keyset-list.ts'
import { checkRange, type RouteContext } from '../../http/route-context.ts'
import { chainTime, openView } from '../primary/context.ts'
import { findNetwork } from '../../primary/served-network.ts'
import { idOf, nodeOf } from '../../primary/request-values.ts'
import { cycleFields } from '../primary/cycle-fields.ts'
import { checkIndexed } from '../primary/behind.ts'
import { readFeeds } from './feed.ts'
import { evaluateStopSafety } from './stop-safety.ts'
import { percentage } from './validators.ts'

const timeCursor = { ts: 'bigint' } as const

/** Operations on validators for alerting and operators (contract/network/staking.ts). */
export function primaryStakingRoutes(context: RouteContext): Implementation[] {
  const { config, store } = context
  return [
    implement(listUptimeSamples, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      checkRange(query)
      const node = nodeOf('nodeId', params.nodeId)
      const filters = { network: network.id, nodeId: params.nodeId }
      const list = openList(context, listUptimeSamples, timeCursor, filters, query)
      const { database } = store.get()
      const { rows, nextPageToken } = await list.page(
        { ts: BigInt(query.endTimestamp ?? Number.MAX_SAFE_INTEGER) },
        ({ ts }, limit) => {
          // A further page begins before the hour of the last sample.
          const before = Number(list.after ? ts - (ts % 3_600n) : ts)
          return readUptime(database, network.p, node, query.startTimestamp ?? -1, before, limit)
        },
      )
      const view = await openView(database, network)
      return {
        nextPageToken,
        samples: rows.map((row) => ({
          timestamp: Number(row.ts),
          txHash: view.texts.id(row.tx_id),
          uptimePerformance: row.uptime,
          isConnected: row.connected,
        })),
      }
    }),

    implement(listStakeHistory, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      checkRange(query)
      const node = nodeOf('nodeId', params.nodeId)
      const filters = { network: network.id, nodeId: params.nodeId }
      const list = openList(context, listStakeHistory, timeCursor, filters, query)
      const { database } = store.get()
      const view = await openView(database, network)
      const { rows, nextPageToken } = await list.page(
        { ts: BigInt(query.startTimestamp ?? -1) },
        (after, limit) =>
          readStakeHistory(
            database,
            network.p,
            node,
            chainTime(view),
            Number(after.ts),
            query.endTimestamp ?? Number.MAX_SAFE_INTEGER,
            limit,
          ),
      )
      return {
        nextPageToken,
        points: rows.map((row) => ({
          timestamp: Number(row.ts),
          amountStaked: row.staked,
          amountDelegated: row.delegated,
          delegatorCount: Number(row.delegators),
        })),
      }
    }),

    implement(listValidationCycles, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const node = nodeOf('nodeId', params.nodeId)
      const filters = { network: network.id, nodeId: params.nodeId }
      const list = openList(context, listValidationCycles, txCursor, filters, query)
      const { database } = store.get()
      const { rows, nextPageToken } = await list.page(beforeAllTxs.desc, (after, limit) =>
        readCycles(database, network.p, node, after, limit),
      )
      const view = await openView(database, network)
      return {
        nextPageToken,
        cycles: rows.map((row) => cycleFields(row, view.texts)),
      }
    }),

    implement(getNodeFeed, async ({ params }) => {
      const network = findNetwork(config, params.network)
      const node = nodeOf('nodeId', params.nodeId)
      const [feed] = await readFeeds(store.get().database, network, [node])
      if (!feed || (feed.validationStatus === undefined && feed.l1Validations.length === 0)) {
        throw notFound(`node ${params.nodeId} has no validation on ${network.id}`)
      }
      return feed
    }),

    implement(getStopSafety, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const subnet = idOf('subnetId', params.subnetId)
      const { database } = store.get()
      const view = await openView(database, network)
      const members = await readMembers(database, network.p, subnet, chainTime(view))
      if (members.length === 0) throw notFound(`subnet ${params.subnetId} has no validators on ${network.id}`)
      const safety = evaluateStopSafety(members, query.quorumPercentage)
      const { texts } = view
      return {
        subnetId: params.subnetId,
        totalWeight: safety.totalWeight.toString(),
        quorumWeight: safety.quorumWeight.toString(),
        runningWeight: safety.runningWeight.toString(),
        knowsConnections: safety.knowsConnections,
        isSafe: safety.isSafe,
        spareWeight: safety.spareWeight.toString(),
        safeTogether: safety.safeTogether.map((member) => texts.node(member.node)),
        validators: safety.members.map((member) => ({
          nodeId: texts.node(member.node),
          ...texts.optional('validationId', member.validation_id),
          weight: BigInt(member.weight),
          weightPercentage:
            safety.totalWeight === 0n ? 0 : percentage(BigInt(member.weight), safety.totalWeight),
          isRunning: member.isRunning,
          isActive: member.is_active,
          mayStopAlone: member.mayStopAlone,
        })),
      }
    }),

    implement(getValidatorDistribution, async ({ params }) => {
      const network = findNetwork(config, params.network)
      const { database } = store.get()
      const view = await openView(database, network)
      const time = chainTime(view)
      if (time === 0) checkIndexed(view, 'p-chain')
      return { timestamp: time, ...(await readDistribution(database, network.p, time)) }
    }),
  ]
}
