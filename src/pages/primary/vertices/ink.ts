import { graphColours } from '../../../../charts/graph/marks.ts'
import type { Ink } from './draw.ts'

/**
 * The theme's colours for a canvas: light-dark() must be resolved by an element. Each colour has an element of its own:
 * with reduced motion the style sheet gives every change a very short transition, and a changed colour would still be
 * read as the one before it.
 */
export function readInk(host: HTMLElement): Ink {
  const entries = Object.entries(graphColours).map(([name, colour]) => {
    const probe = document.createElement('span')
    probe.style.color = colour
    host.append(probe)
    const read = getComputedStyle(probe).color
    probe.remove()
    return [name, read] as const
  })
  return Object.fromEntries(entries) as Ink
}
