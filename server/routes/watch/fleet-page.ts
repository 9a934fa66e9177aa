import type { WatchFleetRow } from '../../../contract/watch/fleets.ts'
import { wantedUptime } from '../../../protocol/primary/staking-limits.ts'
import { cb58, nodeIdText } from '../../../protocol/ids/text.ts'
import type { Database } from '../../store/database.ts'
import { readWatchL1, readWatchNetworks } from '../../store/watch/read-facts.ts'
import {
  readDownSamples,
  readFleetAlarms,
  readFleetNodes,
  readSampledHours,
  readUptimeDays,
  type FleetAlarmRow,
  type FleetNodeRow,
} from '../../store/watch/read-fleet.ts'
import { readMembers } from '../../store/watch/read-rules.ts'
import { readStatesOfRules, type FleetRow } from '../../store/watch/read-watch.ts'
import { l1Fees } from '../../watch/read-facts.ts'
import { memberText } from '../../watch/rules.ts'
import { majorityOf } from '../../primary/versions.ts'
import { isStale, optional, seconds } from './answers.ts'

const day = 86_400

/** Days without a sample. */
const noDays = (days: number): (number | null)[] => Array.from({ length: days }, () => null)

/** The uptime from now to the end that just reaches the requirement, in percent: 0 if it has it, above 100 if it is lost. */
export function neededUptime(
  uptime: number,
  wanted: number,
  startTs: number,
  endTs: number,
  now: number,
): number {
  const left = endTs - now
  const total = endTs - startTs
  const missing = wanted * total - uptime * Math.max(0, now - startTs)
  if (missing <= 0) return 0
  if (left <= 0) return 101
  return Math.min(1_000, Math.round((missing / left) * 10_000) / 10_000)
}

/** Percent of the sampled seconds of each day without a down span; null for days without a sampled hour. */
function connectedDays(
  spans: readonly { readonly from: number; readonly to: number }[],
  sampledHours: readonly number[],
  firstDay: number,
  days: number,
  since: number,
  now: number,
): (number | null)[] {
  const sampled = Array.from({ length: days }, () => 0)
  const down = Array.from({ length: days }, () => 0)
  for (const hour of sampledHours) {
    const place = Math.floor((hour - firstDay) / day)
    const from = Math.max(hour, since)
    const to = Math.min(hour + 3_600, now)
    if (place < 0 || place >= days || to <= from) continue
    sampled[place] = (sampled[place] ?? 0) + to - from
    for (const span of spans) {
      const seconds = Math.min(span.to, to) - Math.max(span.from, from)
      if (seconds > 0) down[place] = (down[place] ?? 0) + seconds
    }
  }
  return sampled.map((whole, place) =>
    whole === 0 ? null : Math.round((1 - Math.min(1, (down[place] ?? 0) / whole)) * 1e6) / 1e4,
  )
}

/** The answer of a fleet's page without the fleet itself. */
export async function fleetPage(
  database: Database,
  fleet: FleetRow,
  days: number,
  now: number,
  sampleSeconds: number,
) {
  const { chain } = fleet
  const members = await readMembers(database, fleet.fleet)
  const ofNodes = members.filter(({ id }) => id.length === 20)
  const ofL1 = members.filter(({ id }) => id.length !== 20)
  const [[network], l1Rows, alarms, states] = await Promise.all([
    readWatchNetworks(database, [chain]),
    readWatchL1(
      database,
      chain,
      ofL1.map(({ id }) => id),
      [],
    ),
    readFleetAlarms(database, fleet.fleet),
    readStatesOfRules(database, { fleet: fleet.fleet }),
  ])
  const nodeRows = await readFleetNodes(database, chain, [
    ...ofNodes.map(({ id }) => id),
    ...l1Rows.map(({ node }) => node),
  ])
  const firstDay = now - (now % day) - (days - 1) * day
  const validations = nodeRows.flatMap(({ node, tx_id: txId }) => (txId === null ? [] : [{ node, txId }]))
  const [uptimes, downs, hours] = await Promise.all([
    readUptimeDays(database, chain, validations, firstDay, days),
    readDownSamples(database, chain, validations, firstDay - day),
    readSampledHours(database, chain, firstDay),
  ])
  const nodes = new Map(nodeRows.map((row) => [nodeIdText(row.node), row]))
  const daysOf = groupDays(uptimes, days)
  const spansOf = groupSpans(downs, now)
  const sampledTs = seconds(network?.sampled_ts)
  const isOld = isStale(sampledTs, now, sampleSeconds)
  const chainTs = Number(network?.chain_ts ?? 0n)
  const fees = network && l1Fees(network)
  const helicon = seconds(network?.helicon_ts)
  const stateCounts = countStates(states)

  const common = (
    id: string,
    node: string,
  ): Pick<WatchFleetRow, 'uptimeByDay' | 'connectedByDay' | 'alarms' | 'states'> & Partial<WatchFleetRow> => {
    const row = nodes.get(node)
    const connected = row && ((row.ended_ts === null ? row.connected : null) ?? row.seen)
    const ours = alarms.filter((each) => each.subject_node === node || each.subject === `l1Validator:${id}`)
    return {
      ...(!isOld && optional('isConnected', connected)),
      ...optional('sampledTimestamp', sampledTs),
      ...optional('clientVersion', row?.version),
      uptimeByDay: daysOf.get(node) ?? noDays(days),
      connectedByDay:
        row?.tx_id === null || row === undefined
          ? noDays(days)
          : connectedDays(spansOf.get(node) ?? [], hours, firstDay, days, Number(row.start_ts), now),
      alarms: ours.map(openAlarm),
      states: stateCounts(node, id),
    }
  }
  const rows = members.map((member): WatchFleetRow => {
    const id = memberText(member.id)
    const label = optional('label', member.label === '' ? undefined : member.label)
    if (member.id.length === 20) {
      const row = nodes.get(id)
      return {
        memberId: id,
        kind: 'node',
        nodeId: id,
        ...label,
        ...stakeOf(row, chainTs, helicon),
        ...common(id, id),
      }
    }
    const l1 = l1Rows.find((each) => each.validation_id.equals(member.id))
    const node = l1 ? nodeIdText(l1.node) : ''
    return {
      memberId: id,
      kind: 'l1Validator',
      nodeId: node,
      ...label,
      ...(l1 && balanceOf(l1, fees)),
      ...common(id, node),
    }
  })
  return {
    timestamp: chainTs,
    ...optional('sampledTimestamp', sampledTs),
    isStale: isOld,
    firstDay,
    ...optional('majorityVersion', majorityOf(network?.versions ?? {})),
    sums: sumsOf(rows),
    members: rows,
  }
}

function groupDays(
  rows: Awaited<ReturnType<typeof readUptimeDays>>,
  days: number,
): Map<string, (number | null)[]> {
  const found = new Map<string, (number | null)[]>()
  for (const { node, day: place, uptime } of rows) {
    const id = nodeIdText(node)
    const list = found.get(id) ?? noDays(days)
    list[place] = Math.round(uptime * 1e4) / 1e4
    found.set(id, list)
  }
  return found
}

function groupSpans(
  rows: Awaited<ReturnType<typeof readDownSamples>>,
  now: number,
): Map<string, { from: number; to: number }[]> {
  const found = new Map<string, { from: number; to: number }[]>()
  for (const row of rows) {
    const id = nodeIdText(row.node)
    const list = found.get(id) ?? []
    const span = { from: Number(row.from_ts), to: row.to_ts === null ? now : Number(row.to_ts) }
    const last = list.at(-1)
    // Samples of one outage follow each other.
    if (last?.to === span.from) last.to = span.to
    else list.push(span)
    found.set(id, list)
  }
  return found
}

function stakeOf(
  row: FleetNodeRow | undefined,
  chainTs: number,
  helicon: number | undefined,
): Partial<WatchFleetRow> {
  if (!row || row.tx_id === null) return {}
  const [startTs, endTs] = [Number(row.start_ts), Number(row.end_ts)]
  const isCurrent = row.ended_ts === null
  const status = isCurrent
    ? startTs > chainTs
      ? 'pending'
      : 'active'
    : row.outcome === 'removed'
      ? 'removed'
      : 'completed'
  const wanted = row.shares === null || !isCurrent ? undefined : wantedUptime(startTs, helicon)
  const uptime = row.uptime ?? undefined
  const share = BigInt(Math.max(0, Math.min(chainTs, endTs) - startTs))
  const potential = row.potential_reward
  return {
    validationStatus: status,
    txHash: cb58(row.tx_id),
    amountStaked: row.weight ?? '0',
    amountDelegated: isCurrent ? (row.delegated ?? '0') : '0',
    delegatorCount: isCurrent ? (row.delegators ?? 0) : 0,
    startTimestamp: startTs,
    endTimestamp: endTs,
    renewsItself: isCurrent && row.compound_shares !== null && row.next_period !== 0n,
    ...optional('uptimePerformance', uptime),
    ...optional('uptimeRequirement', wanted),
    ...(wanted !== undefined &&
      uptime !== undefined && { neededUptime: neededUptime(uptime, wanted, startTs, endTs, chainTs) }),
    ...(isCurrent &&
      potential !== null && {
        potentialReward: potential,
        earnedReward: ((BigInt(potential) * share) / BigInt(Math.max(1, endTs - startTs))).toString(),
      }),
  }
}

function balanceOf(
  row: Awaited<ReturnType<typeof readWatchL1>>[number],
  fees: ReturnType<typeof l1Fees> | undefined,
): Partial<WatchFleetRow> {
  const accrued = BigInt(fees?.accruedFees ?? '0')
  const left = row.end_fee === null ? 0n : BigInt(row.end_fee) - accrued
  const balance = left > 0n ? left : 0n
  const price = BigInt(fees?.l1Price ?? '0')
  return {
    subnetId: cb58(row.subnet),
    weight: BigInt(row.weight),
    isActive: row.end_fee !== null,
    remainingBalance: balance.toString(),
    ...(row.end_fee !== null && price > 0n && { secondsRemaining: Number(balance / price) }),
  }
}

const openAlarm = (row: FleetAlarmRow) => ({
  alarmId: row.alarm,
  ruleId: row.rule,
  ruleName: row.rule_name,
  severity: row.severity,
  openedTimestamp: Number(row.opened_ts),
  isSilenced: row.silenced,
})

type StateCounts = { pending: number; firing: number; unknown: number }

function countStates(
  rows: Awaited<ReturnType<typeof readStatesOfRules>>,
): (node: string, id: string) => StateCounts {
  const counts = new Map<string, StateCounts>()
  for (const { subject, state } of rows) {
    const id = subject.slice(subject.indexOf(':') + 1)
    const count = counts.get(id) ?? { pending: 0, firing: 0, unknown: 0 }
    if (state === 'pending' || state === 'firing' || state === 'unknown') count[state] += 1
    counts.set(id, count)
  }
  return (node, id) => {
    const all = { pending: 0, firing: 0, unknown: 0 }
    for (const key of new Set([node, id])) {
      const count = counts.get(key)
      all.pending += count?.pending ?? 0
      all.firing += count?.firing ?? 0
      all.unknown += count?.unknown ?? 0
    }
    return all
  }
}

function sumsOf(rows: readonly WatchFleetRow[]) {
  const total = (pick: (row: WatchFleetRow) => string | undefined): string =>
    rows.reduce((sum, row) => sum + BigInt(pick(row) ?? '0'), 0n).toString()
  const active = rows.filter(
    ({ validationStatus, isActive }) => validationStatus === 'active' || isActive === true,
  )
  const ends = active.flatMap(({ endTimestamp }) => endTimestamp ?? [])
  return {
    memberCount: rows.length,
    activeCount: active.length,
    connectedCount: rows.filter(({ isConnected }) => isConnected === true).length,
    disconnectedCount: rows.filter(({ isConnected }) => isConnected === false).length,
    unknownCount: rows.filter(({ isConnected }) => isConnected === undefined).length,
    amountStaked: total((row) => (row.validationStatus === 'active' ? row.amountStaked : '0')),
    amountDelegated: total((row) => row.amountDelegated),
    delegatorCount: rows.reduce((sum, { delegatorCount }) => sum + (delegatorCount ?? 0), 0),
    potentialReward: total((row) => row.potentialReward),
    earnedReward: total((row) => row.earnedReward),
    remainingBalance: total((row) => row.remainingBalance),
    ...(ends.length > 0 && { firstEndTimestamp: ends.reduce((a, b) => Math.min(a, b)) }),
  }
}
