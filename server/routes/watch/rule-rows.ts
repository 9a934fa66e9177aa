import { randomUUID } from 'node:crypto'
import { watchBounds } from '../../../contract/watch/fields.ts'
import { watchKindOf } from '../../../contract/watch/rule-kinds.ts'
import type { RuleDefinition } from '../../../contract/watch/rules.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import type { Queryable } from '../../store/database.ts'
import type { RuleRow } from '../../store/watch/read-rules.ts'
import { ruleOf, type WatchedRule } from '../../watch/rules.ts'
import { primaryChainOf } from '../../primary/chains.ts'
import { memberBytes } from './members.ts'

/** Seconds after which an open alarm is sent again by default. */
const defaultRepeat = 4 * 3_600

/** A definition with everything filled in. */
function complete(given: RuleDefinition) {
  const kind = watchKindOf.get(given.kind)
  if (!kind) throw badRequest([`kind: ${given.kind} is unknown`])
  return {
    name: given.name ?? kind.title,
    threshold: kind.threshold === null ? null : (given.threshold ?? kind.threshold.default),
    hysteresis: given.hysteresis ?? kind.hysteresis?.default ?? 0,
    samples: kind.fires === 'event' ? 1 : (given.samples ?? kind.defaultSamples),
    severity: given.severity ?? kind.defaultSeverity,
    repeatSeconds: given.repeatSeconds ?? defaultRepeat,
    quiet: given.quietHours ?? null,
    channels: [...new Set(given.channelIds ?? [])],
    isEnabled: given.isEnabled ?? true,
  }
}

/** The rule of a definition as the evaluation needs it, without being stored: for a dry run. */
export function ruleOfDefinition(
  given: RuleDefinition,
  chain: number | undefined,
  evmChain: bigint | undefined,
): WatchedRule {
  const { channels, quiet, name, ...rest } = complete(given)
  return {
    ...rest,
    id: 'dry-run',
    name,
    kind: given.kind,
    threshold: rest.threshold ?? undefined,
    quiet,
    channels,
    fleet: given.fleetId,
    fleetName: undefined,
    chain,
    network: chain === undefined ? undefined : primaryChainOf(chain).network,
    member: given.memberId,
    evmChain: evmChain?.toString(),
    address: given.address?.toLowerCase(),
    revision: '0',
  }
}

const addressBytes = ({ address }: RuleDefinition): Buffer | null =>
  address === undefined ? null : Buffer.from(address.slice(2), 'hex')

async function checkChannels(sql: Queryable, channels: readonly string[]): Promise<void> {
  if (channels.length === 0) return
  const rows = await sql<{ channel: string }[]>`
    select channel::text from watch_channels where channel = any(${`{${channels.join(',')}}`}::text::uuid[])`
  const known = new Set(rows.map(({ channel }) => channel))
  const missing = channels.find((channel) => !known.has(channel))
  if (missing !== undefined) throw badRequest([`channelIds: there is no channel ${missing}`])
}

/** Stores a new rule, for a network and for an EVM chain if it is for one only. Returns its id. Throws a 400. */
export async function insertRule(
  sql: Queryable,
  given: RuleDefinition,
  chain: number | undefined,
  evmChain: bigint | undefined,
  now: number,
): Promise<string> {
  const full = complete(given)
  await checkChannels(sql, full.channels)
  const [count] = await sql<{ count: number }[]>`select count(*)::int as count from watch_rules`
  if ((count?.count ?? 0) >= watchBounds.rules)
    throw badRequest([`kind: there are at most ${watchBounds.rules} rules`])
  const rule = randomUUID()
  const member = given.memberId === undefined ? null : memberBytes('memberId', given.memberId)
  await sql`
    insert into watch_rules (rule, chain, fleet, member, evm_chain, address, kind, name, threshold, hysteresis, samples, severity,
      repeat_seconds, quiet, channels, enabled, revision, created_ts, updated_ts)
    values (${rule}, ${chain ?? null}, ${given.fleetId ?? null}, ${member}, ${evmChain ?? null}, ${addressBytes(given)}, ${given.kind},
      ${full.name}, ${full.threshold}, ${full.hysteresis}, ${full.samples}, ${full.severity}, ${full.repeatSeconds},
      ${full.quiet === null ? null : JSON.stringify(full.quiet)}::text::jsonb,
      ${`{${full.channels.join(',')}}`}::text::uuid[], ${full.isEnabled}, 1, ${now}, ${now})`
  return rule
}

/**
 * Replaces a rule. If what it evaluates changes, its states are deleted and its open alarms closed without a message; a
 * new threshold only decides from the next sample on.
 */
export async function replaceRule(
  sql: Queryable,
  before: RuleRow,
  given: RuleDefinition,
  chain: number | undefined,
  evmChain: bigint | undefined,
  now: number,
): Promise<void> {
  const full = complete(given)
  await checkChannels(sql, full.channels)
  const old = ruleOf(before)
  const isOther =
    old.kind !== given.kind ||
    old.fleet !== given.fleetId ||
    old.member !== given.memberId ||
    old.evmChain !== evmChain?.toString() ||
    old.address !== given.address?.toLowerCase() ||
    (before.chain ?? undefined) !== chain
  if (isOther) await dropStates(sql, before.rule, now, 'ruleDisabled')
  const member = given.memberId === undefined ? null : memberBytes('memberId', given.memberId)
  await sql`
    update watch_rules set chain = ${chain ?? null}, fleet = ${given.fleetId ?? null}, member = ${member},
      evm_chain = ${evmChain ?? null}, address = ${addressBytes(given)},
      kind = ${given.kind}, name = ${full.name}, threshold = ${full.threshold}, hysteresis = ${full.hysteresis},
      samples = ${full.samples}, severity = ${full.severity}, repeat_seconds = ${full.repeatSeconds},
      quiet = ${full.quiet === null ? null : JSON.stringify(full.quiet)}::text::jsonb,
      channels = ${`{${full.channels.join(',')}}`}::text::uuid[], enabled = ${full.isEnabled},
      revision = revision + ${isOther ? 1 : 0}, updated_ts = ${now}
    where rule = ${before.rule}`
}

/** Deletes the states of a rule and closes its open alarms without a message. */
export async function dropStates(sql: Queryable, rule: string, now: number, reason: string): Promise<void> {
  await sql`
    update watch_alarms set resolved_ts = ${now}, end_reason = ${reason} where rule = ${rule} and resolved_ts is null`
  await sql`delete from watch_states where rule = ${rule}`
}
