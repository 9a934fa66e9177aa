import type { XY } from './series/lttb.ts'

type Place = (value: number) => number

function round(value: number): string {
  return String(Math.round(value * 10) / 10)
}

/**
 * The `d` of a line through each run; a run of one point is a dot, by the round line cap. With `steps` it is level around
 * each point and changes halfway to the next one, which is where a period ends.
 */
export function linePath(runs: readonly (readonly XY[])[], x: Place, y: Place, steps = false): string {
  return runs
    .map((run) => {
      const [first] = run
      if (first === undefined) return ''
      const rest = run.slice(1).map((point, index) => {
        const [to, height] = [round(x(point.x)), round(y(point.y))]
        if (!steps) return `L${to},${height}`
        return `H${round((x(run[index]?.x ?? point.x) + x(point.x)) / 2)}V${height}H${to}`
      })
      return `M${round(x(first.x))},${round(y(first.y))}${rest.length === 0 ? 'h0' : rest.join('')}`
    })
    .join('')
}

/** The `d` of the areas between each run and the height `base` (pixels). */
export function areaPath(runs: readonly (readonly XY[])[], x: Place, y: Place, base: number): string {
  return runs
    .map((run) => {
      const [first] = run
      const last = run.at(-1)
      if (first === undefined || last === undefined || run.length < 2) return ''
      return `${linePath([run], x, y)}L${round(x(last.x))},${round(base)}L${round(x(first.x))},${round(base)}Z`
    })
    .join('')
}

/** The `d` of bars of `width` pixels, centred on their points and starting at `base` (pixels). */
export function barPath(points: readonly XY[], x: Place, y: Place, base: number, width: number): string {
  return points
    .map(
      (point) =>
        `M${round(x(point.x) - width / 2)},${round(base)}V${round(y(point.y))}h${round(width)}V${round(base)}Z`,
    )
    .join('')
}
