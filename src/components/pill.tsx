import {
  AlertIcon,
  ClockIcon,
  FailedIcon,
  HourglassIcon,
  OkIcon,
  SlashIcon,
  UnplugIcon,
  type Icon,
} from './icons.ts'

export type PillState =
  'ok' | 'failed' | 'pending' | 'active' | 'ended' | 'stale' | 'late' | 'lost' | 'neutral'

/** The icon and the tone of each state. */
export const pillStyles: Record<PillState, { icon: Icon | null; tone: string }> = {
  ok: { icon: OkIcon, tone: 'bg-ok-soft text-ok' },
  active: { icon: OkIcon, tone: 'bg-ok-soft text-ok' },
  failed: { icon: FailedIcon, tone: 'bg-bad-soft text-bad' },
  stale: { icon: AlertIcon, tone: 'bg-warn-soft text-warn' },
  late: { icon: ClockIcon, tone: 'bg-warn-soft text-warn' },
  lost: { icon: UnplugIcon, tone: 'bg-bad-soft text-bad' },
  pending: { icon: HourglassIcon, tone: 'bg-accent-soft text-accent' },
  ended: { icon: SlashIcon, tone: 'bg-hover text-muted' },
  neutral: { icon: null, tone: 'bg-hover text-muted' },
}

/** A state as one word with icon and tone: never by colour alone. */
export function Pill({
  state,
  children,
  title,
}: {
  state: PillState
  children: string
  title?: string | undefined
}) {
  const { icon: Shape, tone } = pillStyles[state]
  return (
    <span
      className={`inline-flex h-5 max-w-full items-center gap-1 rounded-full px-2 text-xs whitespace-nowrap ${tone}`}
      title={title}
    >
      {Shape && <Shape size={12} />}
      <span className="truncate">{children}</span>
    </span>
  )
}
