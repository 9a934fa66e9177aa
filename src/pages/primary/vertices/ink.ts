import { graphColours } from '../../../../charts/graph/marks.ts'
import type { Ink } from './draw.ts'

/** The theme's colours for a canvas: light-dark() must be resolved by an element. */
export function readInk(host: HTMLElement): Ink {
  const probe = document.createElement('span')
  host.append(probe)
  const entries = Object.entries(graphColours).map(([name, colour]) => {
    probe.style.color = colour
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(entries) as Ink
}
