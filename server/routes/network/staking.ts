import {
  getNodeFeed,
  getStopSafety,
  listStakeHistory,
  listUptimeSamples,
  listValidationCycles,
} from '../../../contract/network/staking.ts'
import { notFound } from '../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { lastIndex } from '../../store/read.ts'
import { pastAllHeights } from '../../store/primary/read-primary.ts'
import { readCycles } from '../../store/primary/read-cycles.ts'
import { readMembers, readStakeHistory, readUptime } from '../../store/network/read-staking.ts'
import { checkRange, filtersOf, type RouteContext } from '../../http/route-context.ts'
import { chainTime, openView } from '../primary/context.ts'
import { findNetwork } from '../../primary/served-network.ts'
import { idOf, nodeOf } from '../../primary/request-values.ts'
import { Texts } from '../../primary/texts.ts'
import { cycleFields } from '../primary/cycle-fields.ts'
import { readFeeds } from './feed.ts'
import { judgeStopSafety } from './stop-safety.ts'
import { percentage } from './validators.ts'

/** What alerting and operators ask of validators (contract/network/staking.ts). */
export function primaryStakingRoutes({ config, store }: RouteContext): Implementation[] {
  return [
    implement(listUptimeSamples, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      checkRange(query)
      const node = nodeOf('nodeId', params.nodeId)
      const filters = filtersOf({ network: network.id, nodeId: params.nodeId }, query)
      const scope = { operation: listUptimeSamples.id, filters }
      const { database, tokens } = store.get()
      let before = query.endTimestamp ?? Number.MAX_SAFE_INTEGER
      if (query.pageToken !== undefined) {
        // What comes before the hour of the last sample.
        const [ts] = tokens.openData(scope, query.pageToken)
        before = Number(ts) - (Number(ts) % 3_600)
      }
      const rows = await readUptime(
        database,
        network.p,
        node,
        query.startTimestamp ?? -1,
        before,
        query.pageSize + 1,
      )
      const shown = rows.slice(0, query.pageSize)
      const last = rows.length > query.pageSize ? shown.at(-1) : undefined
      const texts = new Texts(network.config.prefix)
      return {
        ...(last && { nextPageToken: tokens.sealData(scope, [last.ts.toString()]) }),
        samples: shown.map((row) => ({
          timestamp: Number(row.ts),
          txHash: texts.id(row.tx_id),
          uptimePerformance: row.uptime,
          isConnected: row.connected,
        })),
      }
    }),

    implement(listStakeHistory, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      checkRange(query)
      const node = nodeOf('nodeId', params.nodeId)
      const filters = filtersOf({ network: network.id, nodeId: params.nodeId }, query)
      const scope = { operation: listStakeHistory.id, filters }
      const { database, tokens } = store.get()
      let after = query.startTimestamp ?? -1
      if (query.pageToken !== undefined) after = Number(tokens.openData(scope, query.pageToken)[0])
      const view = await openView(database, network)
      const rows = await readStakeHistory(
        database,
        network.p,
        node,
        chainTime(view),
        after,
        query.endTimestamp ?? Number.MAX_SAFE_INTEGER,
        query.pageSize + 1,
      )
      const shown = rows.slice(0, query.pageSize)
      const last = rows.length > query.pageSize ? shown.at(-1) : undefined
      return {
        ...(last && { nextPageToken: tokens.sealData(scope, [last.ts.toString()]) }),
        points: shown.map((row) => ({
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
      const filters = filtersOf({ network: network.id, nodeId: params.nodeId }, query)
      const scope = { operation: listValidationCycles.id, filters }
      const { database, tokens } = store.get()
      let before = { height: pastAllHeights, index: lastIndex }
      if (query.pageToken !== undefined) {
        const [height = 0, index] = tokens.openData(scope, query.pageToken)
        before = { height: BigInt(height), index: Number(index) }
      }
      const rows = await readCycles(database, network.p, node, before, query.pageSize + 1)
      const shown = rows.slice(0, query.pageSize)
      const last = rows.length > query.pageSize ? shown.at(-1) : undefined
      const texts = new Texts(network.config.prefix)
      return {
        ...(last && { nextPageToken: tokens.sealData(scope, [last.height.toString(), last.index]) }),
        cycles: shown.map((row) => cycleFields(row, texts)),
      }
    }),

    implement(getNodeFeed, async ({ params }) => {
      const network = findNetwork(config, params.network)
      const node = nodeOf('nodeId', params.nodeId)
      const [feed] = await readFeeds(store.get().database, network, [node])
      if (!feed || (feed.validationStatus === undefined && feed.l1Validations.length === 0)) {
        throw notFound(`node ${params.nodeId} has no validation on ${network.id}`)
      }
      return { ...feed, l1Validations: [...feed.l1Validations] }
    }),

    implement(getStopSafety, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const subnet = idOf('subnetId', params.subnetId)
      const { database } = store.get()
      const view = await openView(database, network)
      const members = await readMembers(database, network.p, subnet, chainTime(view))
      if (members.length === 0) throw notFound(`subnet ${params.subnetId} has no validators on ${network.id}`)
      const safety = judgeStopSafety(members, query.quorumPercentage)
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
  ]
}
