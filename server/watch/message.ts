import { watchKindOf } from '../../contract/watch/rule-kinds.ts'
import type { Subject } from './judge.ts'
import type { WatchedRule } from './rules.ts'

/** What a channel is told: everything that a body needs, so that it is the same at every attempt. */
export type Message = {
  readonly event: 'firing' | 'repeat' | 'resolved' | 'test'
  readonly alarmId: string
  readonly title: string
  readonly text: string
  readonly severity: string
  readonly kind: string
  readonly ruleId: string
  readonly ruleName: string
  readonly fleetId?: string
  readonly fleetName?: string
  readonly network?: string
  readonly subject: { readonly kind: string; readonly id: string; readonly name?: string; readonly nodeId?: string }
  readonly unit: string
  readonly value?: number
  readonly threshold?: number
  /** Unix seconds. */
  readonly timestamp: number
}

/** What is left of an id in a title. */
export const shortId = (id: string): string => {
  const plain = id.replace(/^NodeID-/, '')
  return plain.length > 16 ? `${plain.slice(0, 8)}…${plain.slice(-6)}` : plain
}

/** The headline of an alarm: `Not connected: gamma`. */
export function titleOf(rule: { readonly name: string }, subject: Subject): string {
  if (subject.kind === 'service') return rule.name
  return `${rule.name}: ${subject.name ?? shortId(subject.id)}`
}

export function messageOf(
  rule: WatchedRule,
  subject: Subject,
  event: 'firing' | 'repeat' | 'resolved',
  alarmId: string,
  what: { readonly text: string; readonly value: number | undefined; readonly ts: number },
): Message {
  return {
    event,
    alarmId,
    title: titleOf(rule, subject),
    text: what.text,
    severity: rule.severity,
    kind: rule.kind,
    ruleId: rule.id,
    ruleName: rule.name,
    ...(rule.fleet !== undefined && { fleetId: rule.fleet }),
    ...(rule.fleetName !== undefined && { fleetName: rule.fleetName }),
    ...(subject.network !== undefined && { network: subject.network }),
    subject: {
      kind: subject.kind,
      id: subject.id,
      ...(subject.name !== undefined && { name: subject.name }),
      ...(subject.nodeId !== undefined && { nodeId: subject.nodeId }),
    },
    unit: watchKindOf.get(rule.kind)?.unit ?? '',
    ...(what.value !== undefined && { value: what.value }),
    ...(rule.threshold !== undefined && { threshold: rule.threshold }),
    timestamp: what.ts,
  }
}
