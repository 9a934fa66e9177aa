import { cb58, nodeIdText } from '../../protocol/ids/text.ts'
import type { Queryable } from '../store/database.ts'
import { readDelegationEvents, readWatchL1 } from '../store/watch/read-facts.ts'
import {
  readL1ChangesUpTo,
  readL1OfSubnets,
  readProposed,
  readSamples,
  readPeerConnections,
  readStakesOf,
  readValidations,
  readVersions,
  type L1IdentityRow,
  type ValidationRow,
} from '../store/watch/read-history.ts'
import type {
  DelegationEvent,
  L1Facts,
  NetworkFacts,
  NodeFacts,
  ProposerFacts,
  SubjectFacts,
  SubnetFacts,
} from './facts.ts'
import { addWeight, tieOf } from './read-facts.ts'
import type { L1Ties, Member } from './rules.ts'

/** Values that change at points of time or height; asked in rising order, so that each step is short. */
class Timeline<Value> {
  readonly #points: { readonly at: number; readonly value: Value }[] = []
  #place = -1

  add(at: number, value: Value): void {
    this.#points.push({ at, value })
  }

  /** The last value at or before a point; undefined before the first. */
  at(point: number): Value | undefined {
    // A clock that was set back asks for an earlier time again.
    while (this.#place >= 0 && (this.#points[this.#place]?.at ?? 0) > point) this.#place -= 1
    while ((this.#points[this.#place + 1]?.at ?? Infinity) <= point) this.#place += 1
    return this.#points[this.#place]?.value
  }
}

function timelines<Row, Value>(
  rows: readonly Row[],
  of: (row: Row) => { key: string; at: number; value: Value },
): Map<string, Timeline<Value>> {
  const found = new Map<string, Timeline<Value>>()
  for (const row of rows) {
    const { key, at, value } = of(row)
    const line = found.get(key) ?? new Timeline<Value>()
    line.add(at, value)
    found.set(key, line)
  }
  return found
}

/** What the store said of members at any round of a time, as `readCurrentFacts` would have said then. */
export type History = { readonly ties: L1Ties; at(network: NetworkFacts): SubjectFacts }

type HistoryRange = {
  readonly fromTs: number
  readonly toTs: number
  readonly fromHeight: number
  readonly toHeight: number
}

/** Reads everything about the members of one network that a dry run needs. */
export async function readHistory(
  sql: Queryable,
  chain: number,
  members: readonly Member[],
  range: HistoryRange,
  needs: { readonly subnets: boolean; readonly delegations: boolean; readonly proposals: boolean },
): Promise<History> {
  const nodeBytes = members.filter(({ isNode }) => isNode).map(({ bytes }) => bytes)
  const ids = members.filter(({ isNode }) => !isNode).map(({ bytes }) => bytes)
  const l1Rows = await readWatchL1(sql, chain, ids, nodeBytes)
  const ties = l1Rows.map(tieOf)
  const subnets = new Map(l1Rows.map(({ subnet }) => [subnet.toString('hex'), subnet]))
  const ofSubnets = needs.subnets ? await readL1OfSubnets(sql, chain, [...subnets.values()]) : []
  const l1All = new Map(
    [...l1Rows, ...ofSubnets].map((row) => [row.validation_id.toString('hex'), row as L1IdentityRow]),
  )
  const nodes = new Map(
    [...nodeBytes, ...[...l1All.values()].map(({ node }) => node)].map((node) => [nodeIdText(node), node]),
  )
  const all = [...nodes.values()]
  const validations = await readValidations(sql, chain, all)
  const samples = timelines(await readSamples(sql, chain, validations, range.fromTs, range.toTs), (row) => ({
    key: row.tx_id.toString('hex'),
    at: Number(row.ts),
    value: row,
  }))
  const observations = timelines(await readPeerConnections(sql, chain, all, range.toTs), (row) => ({
    key: nodeIdText(row.node),
    at: Number(row.ts),
    value: row.connected,
  }))
  const versions = timelines(await readVersions(sql, chain, all, range.toTs), (row) => ({
    key: nodeIdText(row.node),
    at: Number(row.ts),
    value: row.version,
  }))
  const changes = timelines(
    await readL1ChangesUpTo(
      sql,
      chain,
      [...l1All.values()].map((row) => row.validation_id),
      range.toHeight,
    ),
    (row) => ({
      key: row.validation_id.toString('hex'),
      at: Number(row.height),
      value: { weight: BigInt(row.weight), endFee: row.end_fee === null ? null : BigInt(row.end_fee) },
    }),
  )
  const delegations: DelegationEvent[] = needs.delegations
    ? (await readDelegationEvents(sql, chain, nodeBytes, range.fromHeight, range.toHeight)).map((row) => ({
        kind: row.is_end ? 'delegationEnded' : 'delegationAdded',
        nodeId: nodeIdText(row.node),
        height: Number(row.height),
        txHash: cb58(row.tx_id),
        weight: row.weight,
      }))
    : []
  const proposerAt = needs.proposals ? await readProposerHistory(sql, chain, nodeBytes, range) : undefined
  const byNode = byNodeId(validations)
  const l1ByNode = byNodeId([...l1All.values()])
  const idOfSubnet = new Map([...subnets].map(([key, bytes]) => [key, cb58(bytes)]))
  const textOfL1 = new Map(l1Rows.map((row) => [row.validation_id.toString('hex'), tieOf(row)]))

  const nodeAt = (id: string, { height, sampledTs }: NetworkFacts): NodeFacts => {
    const row = (byNode.get(id) ?? []).findLast((each) => isInForce(each, height))
    const sample = row && samples.get(row.tx_id.toString('hex'))?.at(sampledTs ?? -1)
    const isL1 = (l1ByNode.get(id) ?? []).some(
      (each) => (changes.get(each.validation_id.toString('hex'))?.at(height)?.weight ?? 0n) > 0n,
    )
    return {
      validation: row && {
        startTs: Number(row.start_ts),
        endTs: Number(row.end_ts),
        renewsItself: row.compound_shares !== null && row.next_period !== 0n,
        earnsReward: row.shares !== null,
      },
      validates: row !== undefined || isL1,
      uptime: sample?.uptime,
      isConnected: sample?.connected ?? observations.get(id)?.at(sampledTs ?? -1),
      version: versions.get(id)?.at(sampledTs ?? -1),
      proposer: row && proposerAt?.(id, Number(row.height), height),
    }
  }
  const subnetsAt = (
    network: NetworkFacts,
    nodesNow: ReadonlyMap<string, NodeFacts>,
  ): Map<string, SubnetFacts> => {
    const found = new Map<string, SubnetFacts>()
    for (const row of ofSubnets) {
      const now = changes.get(row.validation_id.toString('hex'))?.at(network.height)
      const id = idOfSubnet.get(row.subnet.toString('hex'))
      if (!now || now.weight === 0n || id === undefined) continue
      const before = found.get(id) ?? { total: 0n, running: 0n, unknown: 0n }
      const isConnected = nodesNow.get(nodeIdText(row.node))?.isConnected
      found.set(id, addWeight(before, now.weight, now.endFee !== null, isConnected))
    }
    return found
  }
  return {
    ties,
    at(network) {
      const nodesNow = new Map([...nodes.keys()].map((id) => [id, nodeAt(id, network)]))
      const l1 = new Map<string, L1Facts>()
      for (const [key, { validationId, nodeId }] of textOfL1) {
        const now = changes.get(key)?.at(network.height)
        if (now) l1.set(validationId, { ...now, nodeId })
      }
      return {
        nodes: nodesNow,
        l1,
        subnets: needs.subnets ? subnetsAt(network, nodesNow) : new Map(),
        delegations,
      }
    },
  }
}

/** The stake of a node at a height, and the height of its last block up to it or of its validation's beginning. */
async function readProposerHistory(
  sql: Queryable,
  chain: number,
  nodes: readonly Buffer[],
  range: HistoryRange,
): Promise<(id: string, since: number, height: number) => ProposerFacts> {
  const turns = (await readStakesOf(sql, chain, nodes)).flatMap((row) => {
    const [key, weight] = [nodeIdText(row.node), BigInt(row.weight)]
    const ends = row.ended_height === null ? [] : [{ key, at: Number(row.ended_height), change: -weight }]
    return [{ key, at: Number(row.height), change: weight }, ...ends]
  })
  const sums = new Map<string, bigint>()
  const stakes = timelines(
    turns.toSorted((left, right) => left.at - right.at),
    ({ key, at, change }) => {
      const value = (sums.get(key) ?? 0n) + change
      sums.set(key, value)
      return { key, at, value }
    },
  )
  const proposed = timelines(
    await readProposed(sql, chain, nodes, range.fromHeight, range.toHeight),
    ({ node, height }) => ({ key: nodeIdText(node), at: Number(height), value: Number(height) }),
  )
  return (id, since, height) => ({
    stake: stakes.get(id)?.at(height) ?? 0n,
    height: Math.max(since, proposed.get(id)?.at(height) ?? 0),
  })
}

function byNodeId<Row extends { readonly node: Buffer }>(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>()
  for (const row of rows) {
    const id = nodeIdText(row.node)
    found.set(id, [...(found.get(id) ?? []), row])
  }
  return found
}

const isInForce = ({ height, ended_height: ended }: ValidationRow, at: number): boolean =>
  height <= at && (ended === null || ended > at)
