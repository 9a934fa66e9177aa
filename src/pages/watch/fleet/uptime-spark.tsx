import { formatNumber } from '../../../lib/amounts.ts'

const WIDTH = 72
const HEIGHT = 20

type Props = {
  /** Percent at the end of each day, oldest first; null without samples. */
  values: readonly (number | null)[]
  requirement: number | undefined
}

/** The runs of days with samples as lines: a gap in the samples is a gap. */
function linesOf(
  values: readonly (number | null)[],
  x: (day: number) => number,
  y: (value: number) => number,
) {
  const runs: string[][] = [[]]
  for (const [day, value] of values.entries()) {
    if (value === null) runs.push([])
    else runs.at(-1)?.push(`${x(day).toFixed(1)},${y(value).toFixed(1)}`)
  }
  return runs.filter((run) => run.length > 0)
}

/** The uptime of a node over the last days against what its reward needs, which is the dashed line. */
export function UptimeSpark({ values, requirement }: Props) {
  const known = values.filter((value) => value !== null)
  const low = Math.min((requirement ?? 100) - 4, ...known)
  const x = (day: number): number => (values.length < 2 ? 0 : (day / (values.length - 1)) * (WIDTH - 4)) + 2
  const y = (value: number): number => 2 + (1 - (value - low) / (100 - low || 1)) * (HEIGHT - 4)
  const last = known.at(-1)
  const isUnder = last !== undefined && requirement !== undefined && last < requirement
  const first = known[0]
  const label =
    first === undefined || last === undefined
      ? 'No samples of the uptime'
      : `Uptime over ${values.length} days, from ${formatNumber(first, 2)} % to ${formatNumber(last, 2)} %`
  const colour = isUnder ? 'var(--color-bad)' : 'var(--color-series-1)'
  return (
    <svg role="img" aria-label={label} width={WIDTH} height={HEIGHT} className="inline-block align-middle">
      {requirement !== undefined && (
        <path
          d={`M0 ${y(requirement).toFixed(1)}H${WIDTH}`}
          stroke="var(--color-line-strong)"
          strokeDasharray="3 2"
          fill="none"
        />
      )}
      {linesOf(values, x, y).map((run) =>
        run.length === 1 ? (
          <circle key={run[0]} cx={run[0]?.split(',')[0]} cy={run[0]?.split(',')[1]} r={1.5} fill={colour} />
        ) : (
          <polyline
            key={run[0]}
            points={run.join(' ')}
            fill="none"
            stroke={colour}
            strokeWidth={1.5}
            strokeLinejoin="round"
          />
        ),
      )}
    </svg>
  )
}
