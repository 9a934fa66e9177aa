import { scalePosition } from './weights.ts'

export type BarPart = { key: string | number; weight: bigint; tone: string; title?: string }

/** A mark on the scale, in percent. */
type BarMark = { at: number; soft?: boolean }

/** The most parts: more would be narrower than the bar's pixels. */
const maxParts = 300

const tones: Readonly<Record<string, string>> = {
  signed: 'bg-ok',
  waiting: 'bg-hover',
  'not asked': 'bg-hover',
  refused: 'bg-bad',
  wrong: 'bg-bad',
  silent: 'bg-warn',
  unreachable: 'bg-line-strong',
  connected: 'bg-accent-soft',
  away: 'bg-hover',
  keyless: 'bg-surface',
}

const hatch = {
  backgroundImage: 'repeating-linear-gradient(45deg, var(--color-line-strong) 0 1px, transparent 1px 6px)',
}

/** Merges neighbours of one tone if there are more than can be distinguished. */
function merged(parts: readonly BarPart[]): BarPart[] {
  if (parts.length <= maxParts) return [...parts]
  const all: BarPart[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (last?.tone === part.tone)
      all[all.length - 1] = { key: last.key, tone: last.tone, weight: last.weight + part.weight }
    else all.push(part)
  }
  return all
}

/** The colour of a legend's entry, as a small square. */
export function Swatch({ tone }: { tone: string }) {
  return (
    <span
      aria-hidden="true"
      className={`size-3 shrink-0 rounded-small border border-line-strong ${tones[tone] ?? 'bg-hover'}`}
      {...(tone === 'keyless' && { style: hatch })}
    />
  )
}

type Props = { label: string; parts: readonly BarPart[]; total: bigint; marks?: readonly BarMark[] }

/** Weights side by side on a scale from zero to the total, with marks across it. `label` describes it. */
export function WeightBar({ label, parts, total, marks = [] }: Props) {
  const shown = merged(parts)
  return (
    <div className="relative h-6">
      <span className="sr-only">{label}</span>
      <div aria-hidden="true" className="flex h-full overflow-hidden rounded-small border border-line-strong">
        {shown.map((part) => (
          <span
            key={part.key}
            title={part.title}
            className={`h-full shrink-0 ${tones[part.tone] ?? 'bg-hover'} ${shown.length < 120 ? 'border-r border-surface last:border-r-0' : ''}`}
            style={{
              width: `${scalePosition(part.weight, total) / 10_000}%`,
              ...(part.tone === 'keyless' && hatch),
            }}
          />
        ))}
      </div>
      {marks.map(({ at, soft = false }) => (
        <span
          key={`${at}${soft ? ' soft' : ''}`}
          className={`absolute -top-1 -bottom-1 w-0.5 -translate-x-1/2 ${soft ? 'bg-muted' : 'bg-text'}`}
          style={{ left: `${at}%` }}
        />
      ))}
    </div>
  )
}
