import { Pill, type PillState } from '../../../components/pill.tsx'

const severityLooks: Readonly<Record<string, PillState>> = {
  critical: 'failed',
  warning: 'stale',
  info: 'neutral',
}

/** How urgent an alarm is, as a word with an icon. */
export const SeverityPill = ({ severity }: { severity: string }) => (
  <Pill state={severityLooks[severity] ?? 'neutral'}>{severity}</Pill>
)

const stateLooks: Readonly<Record<string, PillState>> = {
  ok: 'ok',
  resolved: 'ok',
  pending: 'pending',
  firing: 'failed',
  unknown: 'stale',
}

/** The state of a rule for a subject. A silence does not change it, so it stands beside it. */
export const StatePill = ({ state, title }: { state: string; title?: string }) => (
  <Pill state={stateLooks[state] ?? 'neutral'} {...(title !== undefined && { title })}>
    {state}
  </Pill>
)
