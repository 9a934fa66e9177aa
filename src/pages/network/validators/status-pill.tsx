import { Pill, type PillState } from '../../../components/pill.tsx'

const looks: Readonly<Record<string, PillState>> = {
  active: 'active',
  pending: 'pending',
  completed: 'ended',
  removed: 'failed',
}

/** The status of a validation or delegation; an unknown one is shown as it is. */
export function StatusPill({ status }: { status: string }) {
  return <Pill state={looks[status] ?? 'neutral'}>{status}</Pill>
}
