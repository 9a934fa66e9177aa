import { channelSecrets, type ChannelKind, type WatchChannel } from '../../../contract/watch/channels.ts'
import type { WatchAlarm, WatchDelivery } from '../../../contract/watch/alarms.ts'
import type { WatchFleet } from '../../../contract/watch/fleets.ts'
import type { WatchSubject } from '../../../contract/watch/fields.ts'
import { watchKindOf } from '../../../contract/watch/rule-kinds.ts'
import type { WatchRule } from '../../../contract/watch/rules.ts'
import { primaryChainOf } from '../../primary/chains.ts'
import type { ChannelRow, RuleRow, SilenceRow } from '../../store/watch/read-rules.ts'
import type { AlarmRow, ChannelUseRow, DeliveryRow, FleetRow } from '../../store/watch/read-watch.ts'
import { subjectOfKey } from '../../watch/evaluate.ts'
import { addressName, memberText, ruleOf, type WatchedRule } from '../../watch/rules.ts'

/** A field that is left out instead of null or undefined. */
export const optional = <Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { [Key in Name]?: Value } =>
  (value === null || value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value }

export const seconds = (value: bigint | number | null | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Math.floor(Number(value))

/** Whether the node's last answer is too old to judge connections and uptimes by; all times in seconds. */
export const isStale = (sampledTs: number | undefined, now: number, sampleSeconds: number): boolean =>
  sampledTs === undefined || now - sampledTs > Math.max(45, 4 * sampleSeconds)

export const networkOf = (chain: number): string => primaryChainOf(chain).network

/** A fleet; the path of its feed only for those who may write. */
export const fleetAnswer = (row: FleetRow, mayWrite: boolean): WatchFleet => ({
  fleetId: row.fleet,
  network: networkOf(row.chain),
  name: row.name,
  description: row.description,
  createdTimestamp: Number(row.created_ts),
  memberCount: Number(row.members),
  ruleCount: Number(row.rules),
  firingCount: Number(row.firing),
  unknownCount: Number(row.unknown),
  ...(mayWrite && { feedPath: `/v1/watch/feeds/${row.feed_token}/alarms.atom` }),
})

/** A rule as in a file: without its fleet and channels. */
export const definitionOf = (rule: WatchedRule) => ({
  kind: rule.kind,
  name: rule.name,
  ...optional('memberId', rule.member),
  ...optional('threshold', rule.threshold),
  hysteresis: rule.hysteresis,
  samples: rule.samples,
  severity: rule.severity,
  repeatSeconds: rule.repeatSeconds,
  quietHours: rule.quiet,
  isEnabled: rule.isEnabled,
})

export function ruleAnswer(row: RuleRow, counts: ReadonlyMap<string, number>): WatchRule {
  const rule = ruleOf(row)
  const count = (state: string): number => counts.get(state) ?? 0
  return {
    ruleId: rule.id,
    ...definitionOf(rule),
    ...optional('fleetId', rule.fleet),
    ...optional('fleetName', rule.fleetName),
    ...optional('network', rule.network),
    ...optional('chainId', rule.evmChain),
    ...optional('address', rule.address),
    channelIds: [...rule.channels],
    createdTimestamp: Number(row.created_ts),
    updatedTimestamp: Number(row.updated_ts),
    states: {
      ok: count('ok') + count('resolved'),
      pending: count('pending'),
      firing: count('firing'),
      unknown: count('unknown'),
    },
  }
}

export const subjectAnswer = (key: string, name?: string | null, node?: string | null): WatchSubject => {
  const { kind, id } = subjectOfKey(key)
  return {
    kind,
    id,
    ...optional('name', name),
    ...optional('nodeId', node ?? (kind === 'node' ? id : undefined)),
  }
}

/** The name of a chain or of an address on one, by the key of the subject; undefined for others. */
export function nameOnChain(
  key: string,
  chains: readonly { readonly evmChainId: number; readonly name: string }[],
): string | undefined {
  const { kind, id } = subjectOfKey(key)
  const [chainId = '', address = ''] = id.split(':')
  const name = chains.find(({ evmChainId }) => String(evmChainId) === chainId)?.name
  if (kind === 'address') return addressName(address, name ?? chainId)
  return kind === 'chain' ? name : undefined
}

export const unitOf = (kind: string): string => watchKindOf.get(kind)?.unit ?? ''

export const alarmAnswer = (row: AlarmRow): WatchAlarm => ({
  alarmId: row.alarm,
  ruleId: row.rule,
  ruleName: row.rule_name,
  kind: row.kind,
  severity: row.severity,
  ...optional('fleetId', row.fleet),
  ...optional('fleetName', row.fleet_name),
  ...optional('network', row.chain === null ? undefined : networkOf(row.chain)),
  subject: subjectAnswer(row.subject, row.subject_name, row.subject_node),
  title: row.title,
  text: row.text,
  unit: unitOf(row.kind),
  ...optional('value', row.value),
  ...optional('threshold', row.threshold),
  openedTimestamp: Number(row.opened_ts),
  ...optional('resolvedTimestamp', seconds(row.resolved_ts)),
  ...optional('resolvedValue', row.resolved_value),
  ...optional('endReason', row.end_reason),
  ...optional('txHash', row.tx_hash),
  isSilenced: row.silenced,
  ...optional('lastNotifiedTimestamp', seconds(row.notified_ts)),
  notificationCount: row.notifications,
})

export const deliveryAnswer = (row: DeliveryRow): WatchDelivery => ({
  deliveryId: row.delivery,
  alarmId: row.alarm,
  alarmTitle: row.alarm_title ?? '',
  channelId: row.channel,
  channelName: row.channel_name ?? '',
  channelKind: row.channel_kind ?? '',
  event: row.event,
  status: row.status,
  createdTimestamp: Number(row.created_ts),
  attemptCount: row.attempts,
  ...(row.status === 'waiting' && {
    nextAttemptTimestamp: Math.max(Number(row.created_ts), Math.ceil(row.next_ts)),
  }),
  ...(row.status === 'delivered' && optional('deliveredTimestamp', seconds(row.ended_ts))),
  ...optional('lastReason', row.last_reason),
})

export const silenceAnswer = (row: SilenceRow, now: number) => ({
  silenceId: row.silence,
  ...optional('fleetId', row.fleet),
  ...optional('fleetName', row.fleet_name),
  ...optional('ruleId', row.rule),
  ...optional('ruleName', row.rule_name),
  ...optional('memberId', row.member === null ? undefined : memberText(row.member)),
  comment: row.comment,
  createdTimestamp: Number(row.created_ts),
  startTimestamp: Number(row.start_ts),
  endTimestamp: Number(row.end_ts),
  isActive: Number(row.start_ts) <= now && now < Number(row.end_ts),
})

const hostOf = (url: unknown): string =>
  typeof url === 'string' && URL.canParse(url) ? new URL(url).host : ''

/** Where a channel leads, without anything secret. */
function targetOf({ kind, settings, secrets }: ChannelRow): string {
  switch (kind) {
    case 'telegram':
      return `chat ${String(settings['chatId'])}`
    case 'pagerduty':
      return hostOf(settings['apiUrl']) || 'events.pagerduty.com'
    case 'ntfy':
      return `${hostOf(settings['serverUrl']) || 'ntfy.sh'}/${String(settings['topic'])}`
    case 'smtp':
      return (settings['to'] as string[]).join(', ')
    default:
      return hostOf(settings['url'] ?? secrets['url'])
  }
}

/** A channel without its secrets. */
export function channelAnswer(row: ChannelRow, use: ChannelUseRow | undefined): WatchChannel {
  const names = channelSecrets[row.kind as ChannelKind] ?? []
  const delivered = seconds(use?.delivered_ts)
  const failed = seconds(use?.failed_ts)
  const hasFailed = use?.failed_reason != null && failed !== undefined && failed > (delivered ?? 0)
  return {
    channelId: row.channel,
    name: row.name,
    kind: row.kind,
    isEnabled: row.enabled,
    sendsResolved: row.sends_resolved,
    settings: row.settings,
    setSecrets: names.filter((name) => row.secrets[name] !== undefined),
    target: targetOf(row),
    ruleCount: Number(use?.rules ?? 0n),
    createdTimestamp: Number(row.created_ts),
    updatedTimestamp: Number(row.updated_ts),
    ...optional('lastDeliveredTimestamp', delivered),
    ...(hasFailed && { lastFailure: { timestamp: failed, reason: use.failed_reason ?? '' } }),
    pendingCount: Number(use?.waiting ?? 0n),
    deadCount: Number(use?.dead ?? 0n),
  }
}
