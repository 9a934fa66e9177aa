import { primarySubnetId } from '../primary/chains.ts'
import { cb58, idOfText, nodeIdText } from '../../protocol/ids/text.ts'
import { priceAt } from '../../protocol/primary/l1-fees.ts'
import type { Queryable } from '../store/database.ts'
import {
  readDelegationEvents,
  readSubnetWeights,
  readWatchL1,
  readWatchNodes,
  type WatchL1Row,
  type WatchNetworkRow,
  type WatchNodeRow,
} from '../store/watch/read-facts.ts'
import type {
  DelegationEvent,
  L1Facts,
  NodeFacts,
  ProposerFacts,
  SubjectFacts,
  SubnetFacts,
} from './facts.ts'
import type { L1Ties, Member } from './rules.ts'

/** What rules need of a network: so that a round reads no more. */
type Needs = {
  readonly subnets: boolean
  /** Delegation events after this height; undefined if no rule wants them. */
  readonly delegationsAfter: number | undefined
}

/** The fees of L1 validators at the head: what they have accrued, and the price of a second in nAVAX. */
export function l1Fees(row: WatchNetworkRow): { accruedFees: string | null; l1Price: string | null } {
  const { l1_excess: excess, l1_min_price: least, l1_conversion: conversion } = row
  if (excess === null || least === null || conversion === null)
    return { accruedFees: row.accrued_fees, l1Price: null }
  const price = priceAt({ minPrice: BigInt(least), conversion: BigInt(conversion) }, BigInt(excess))
  return { accruedFees: row.accrued_fees, l1Price: price.toString() }
}

function nodeFacts(row: WatchNodeRow, isL1: boolean): NodeFacts {
  const validation =
    row.tx_id === null
      ? undefined
      : {
          startTs: Number(row.start_ts),
          endTs: Number(row.end_ts),
          renewsItself: row.compound_shares !== null && row.next_period !== 0n,
          earnsReward: row.shares !== null,
        }
  return {
    validation,
    validates: validation !== undefined || isL1,
    uptime: row.uptime ?? undefined,
    isConnected: (validation && row.connected) ?? row.seen ?? undefined,
    version: row.version ?? undefined,
    proposer: proposerOf(row),
  }
}

const proposerOf = ({ stake, proposed_height: height }: WatchNodeRow): ProposerFacts | undefined =>
  stake === null || height === null ? undefined : { stake: BigInt(stake), height: Number(height) }

export const tieOf = (row: WatchL1Row): L1Ties[number] => ({
  validationId: cb58(row.validation_id),
  nodeId: nodeIdText(row.node),
  subnetId: cb58(row.subnet),
})

export type CurrentFacts = { readonly facts: SubjectFacts; readonly ties: L1Ties }

/** What the store says now of the members of one network: four statements at most, however many members. */
export async function readCurrentFacts(
  sql: Queryable,
  chain: number,
  members: readonly Member[],
  height: number,
  needs: Needs,
): Promise<CurrentFacts> {
  const nodes = new Map(members.filter(({ isNode }) => isNode).map((member) => [member.id, member.bytes]))
  const bytesOfNodes = [...nodes.values()]
  const validations = new Map(
    members.filter(({ isNode }) => !isNode).map((member) => [member.id, member.bytes]),
  )
  const l1Rows = await readWatchL1(sql, chain, [...validations.values()], bytesOfNodes)
  const ties = l1Rows.map(tieOf)
  const l1Nodes = new Set(l1Rows.flatMap((row, at) => (row.weight === '0' ? [] : [ties[at]?.nodeId ?? ''])))
  l1Rows.forEach(({ node }, at) => nodes.set(ties[at]?.nodeId ?? '', node))
  const asked = [...nodes]
  const nodeRows =
    asked.length === 0
      ? []
      : await readWatchNodes(
          sql,
          chain,
          asked.map(([, bytes]) => bytes),
        )
  const l1 = new Map<string, L1Facts>(
    l1Rows.map((row, at) => [
      ties[at]?.validationId ?? '',
      {
        weight: BigInt(row.weight),
        endFee: row.end_fee === null ? null : BigInt(row.end_fee),
        nodeId: ties[at]?.nodeId ?? '',
      },
    ]),
  )
  const subnets = needs.subnets
    ? await readSubnets(sql, chain, unique(ties.map(({ subnetId }) => subnetId)))
    : new Map()
  const delegations =
    needs.delegationsAfter === undefined || bytesOfNodes.length === 0
      ? []
      : await readDelegations(sql, chain, bytesOfNodes, needs.delegationsAfter, height)
  return {
    facts: {
      nodes: new Map(
        nodeRows.map((row) => {
          const id = asked[row.place - 1]?.[0] ?? ''
          return [id, nodeFacts(row, l1Nodes.has(id))]
        }),
      ),
      l1,
      subnets,
      delegations,
    },
    ties,
  }
}

async function readSubnets(
  sql: Queryable,
  chain: number,
  subnets: readonly string[],
): Promise<Map<string, SubnetFacts>> {
  const wanted = subnets.map((id) => Buffer.from(idOfText(id))).filter((id) => !id.equals(primarySubnetId))
  if (wanted.length === 0) return new Map()
  const found = new Map<string, SubnetFacts>()
  for (const row of await readSubnetWeights(sql, chain, wanted)) {
    const id = cb58(row.subnet)
    const before = found.get(id) ?? { total: 0n, running: 0n, unknown: 0n }
    found.set(id, addWeight(before, BigInt(row.weight), row.is_active, row.connected ?? undefined))
  }
  return found
}

/** A validator set with one more validator. An inactive one counts in the total, but can't sign. */
export function addWeight(
  { total, running, unknown }: SubnetFacts,
  weight: bigint,
  isActive: boolean,
  isConnected: boolean | undefined,
): SubnetFacts {
  return {
    total: total + weight,
    running: running + (isActive && isConnected !== false ? weight : 0n),
    unknown: unknown + (isActive && isConnected === undefined ? weight : 0n),
  }
}

async function readDelegations(
  sql: Queryable,
  chain: number,
  nodes: readonly Buffer[],
  after: number,
  upTo: number,
): Promise<DelegationEvent[]> {
  const rows = await readDelegationEvents(sql, chain, nodes, after, upTo)
  return rows.map((row) => ({
    kind: row.is_end ? 'delegationEnded' : 'delegationAdded',
    nodeId: nodeIdText(row.node),
    height: Number(row.height),
    txHash: cb58(row.tx_id),
    weight: row.weight,
  }))
}

const unique = (items: readonly string[]): string[] => [...new Set(items)]
