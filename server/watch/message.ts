import { watchKindOf } from '../../contract/watch/rule-kinds.ts'
import type { Message } from './channels/message.ts'
import type { Subject } from './evaluate.ts'
import type { WatchedRule } from './rules.ts'

/** What is left of an id in a title. */
const shortId = (id: string): string => {
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
