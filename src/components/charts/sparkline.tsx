type Props = {
  values: readonly number[]
  colour: string
  /** What the line shows, for a screen reader. */
  label: string
  /** A level: the line is steps and spans the values instead of starting at 0, and the area below it is not filled. */
  isLevel?: boolean
  width?: number
  height?: number
}

/** A small line without axes, zero-based unless it shows a level. With fewer than two values it is empty, at the same size. */
export function Sparkline({ values, colour, label, isLevel = false, width = 120, height = 28 }: Props) {
  const base = isLevel && values.length > 0 ? Math.min(...values) : 0
  const top = Math.max(...values, base) - base
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const y = (value: number): number =>
    height - 1 - (top > 0 ? ((value - base) / top) * (height - 3) : isLevel ? (height - 3) / 2 : 0)
  // A level changes halfway between two points. The first page has no room for the module that draws large charts.
  const corners = values.flatMap((value, place) =>
    (isLevel ? [Math.max(0, place - 0.5), Math.min(values.length - 1, place + 0.5)] : [place]).map(
      (at) => `${(at * step).toFixed(1)},${y(value).toFixed(1)}`,
    ),
  )
  const points = corners.join(' ')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="none"
      className="block max-w-full"
    >
      {values.length > 1 && (
        <>
          {!isLevel && (
            <polygon points={`0,${height} ${points} ${width},${height}`} fill={colour} opacity="0.12" />
          )}
          <polyline
            points={points}
            fill="none"
            stroke={colour}
            strokeWidth="1.5"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </>
      )}
    </svg>
  )
}
