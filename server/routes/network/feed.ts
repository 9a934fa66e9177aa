import type { ResponseOf } from '../../../contract/base/operation.ts'
import type { getNodeFeed } from '../../../contract/network/staking.ts'
import type { Database } from '../../store/database.ts'
import { beforeAllTxs } from '../../store/primary/read-primary.ts'
import { readL1Validations, readNodeLastSeen } from '../../store/network/read-staking.ts'
import { readValidators, type ValidatorRow } from '../../store/network/read-validators.ts'
import { chainTime, openView } from '../primary/context.ts'
import { primarySubnetId } from '../../primary/chains.ts'
import type { ServedNetwork } from '../../primary/served-network.ts'
import { isActiveL1 } from './l1.ts'
import { openL1Meter } from './l1-fee.ts'
import { requirementOf } from './validators.ts'

/** A node's figures for alerting. */
export type NodeFeed = ResponseOf<typeof getNodeFeed>

/** The figures of nodes, in their order. A node that never validated has only its id. */
export async function readFeeds(
  database: Database,
  network: ServedNetwork,
  nodes: readonly Buffer[],
): Promise<NodeFeed[]> {
  const view = await openView(database, network)
  const time = chainTime(view)
  const meter = openL1Meter(view)
  const [lastSeen, l1, pages] = await Promise.all([
    readNodeLastSeen(database, network.p, nodes),
    readL1Validations(database, network.p, nodes),
    Promise.all(
      nodes.map((node) =>
        readValidators(
          database,
          network.p,
          time,
          { nodes: [node], subnet: primarySubnetId },
          { by: undefined, order: 'desc' },
          { ...beforeAllTxs.desc, key: '' },
          1,
          1,
        ),
      ),
    ),
  ])
  return nodes.map((node, index) => {
    const seen = lastSeen.find((each) => each.node.equals(node))
    const validation = pages[index]?.rows[0]
    return {
      nodeId: view.texts.node(node),
      timestamp: time,
      ...(validation && { ...validationFigures(validation, time), ...requirementOf(validation, view) }),
      ...(seen?.connected != null && { isConnected: seen.connected }),
      ...(seen?.sampled_ts != null && { sampledTimestamp: Number(seen.sampled_ts) }),
      ...(seen?.block_height != null && { lastProposedBlock: seen.block_height.toString() }),
      ...(seen?.block_ts != null && { lastProposedTimestamp: Number(seen.block_ts) }),
      l1Validations: l1
        .filter((each) => each.node.equals(node))
        .map((each) => {
          const seconds = isActiveL1(each) ? meter.secondsLeft(each.end_fee) : undefined
          return {
            validationId: view.texts.id(each.validation_id),
            subnetId: view.texts.id(each.subnet),
            weight: BigInt(each.weight),
            isActive: isActiveL1(each),
            remainingBalance: meter.remaining(each.end_fee),
            ...(seconds !== undefined && { secondsRemaining: Number(seconds) }),
          }
        }),
    }
  })
}

function validationFigures(row: ValidatorRow, time: number) {
  const isCurrent = row.status === 'active' || row.status === 'pending'
  return {
    validationStatus: row.status,
    endTimestamp: Number(row.end_ts),
    secondsRemaining: isCurrent ? Math.max(0, Number(row.end_ts) - time) : 0,
    amountStaked: row.weight,
    // The feed shows the present; figures of an ended validation are in its record.
    amountDelegated: isCurrent ? row.delegated : '0',
    delegatorCount: isCurrent ? row.delegator_count : 0,
    ...(row.capacity !== null && { delegationCapacity: row.capacity }),
    ...(row.uptime !== null && { uptimePerformance: row.uptime }),
  }
}
