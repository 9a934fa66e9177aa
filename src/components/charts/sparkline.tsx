type Props = {
  values: readonly number[]
  colour: string
  /** What the line shows, for a screen reader. */
  label: string
  width?: number
  height?: number
}

/** A small zero-based line without axes. With fewer than two values it is empty, at the same size. */
export function Sparkline({ values, colour, label, width = 120, height = 28 }: Props) {
  const top = Math.max(...values, 0)
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const y = (value: number): number => height - 1 - (top > 0 ? (value / top) * (height - 3) : 0)
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
          <polygon points={`0,${height} ${line.join(' ')} ${width},${height}`} fill={colour} opacity="0.12" />
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
