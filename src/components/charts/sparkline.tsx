type Props = {
  values: readonly number[]
  colour: string
  /** What the line shows, for a screen reader. */
  label: string
  /** A level: the line spans the values instead of starting at 0, and the area below it is not filled. */
  fit?: boolean
  width?: number
  height?: number
}

/** A small line without axes, zero-based unless it shows a level. With fewer than two values it is empty, at the same size. */
export function Sparkline({ values, colour, label, fit = false, width = 120, height = 28 }: Props) {
  const base = fit && values.length > 0 ? Math.min(...values) : 0
  const top = Math.max(...values, base) - base
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const y = (value: number): number =>
    height - 1 - (top > 0 ? ((value - base) / top) * (height - 3) : fit ? (height - 3) / 2 : 0)
  const line = values.map((value, index) => `${(index * step).toFixed(1)},${y(value).toFixed(1)}`)
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
          {!fit && (
            <polygon
              points={`0,${height} ${line.join(' ')} ${width},${height}`}
              fill={colour}
              opacity="0.12"
            />
          )}
          <polyline
            points={line.join(' ')}
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
