import { areaPath, linePath } from '../../../charts/paths.ts'

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
  const x = (place: number): number => place * step
  const run = [values.map((value, place) => ({ x: place, y: value }))]
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
          {!isLevel && <path d={areaPath(run, x, y, height)} fill={colour} opacity="0.12" />}
          <path
            d={linePath(run, x, y, isLevel)}
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
