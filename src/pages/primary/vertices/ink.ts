import type { Ink } from './draw.ts'

/** The token of each ink; the legend uses the same. */
export const tokens: Record<keyof Ink, string> = {
  node: '--color-series-3',
  edge: '--color-line-strong',
  linked: '--color-series-1',
  stop: '--color-warn',
  accent: '--color-accent',
  surface: '--color-surface',
  muted: '--color-muted',
  line: '--color-line',
}

/** The theme's colours for a canvas: light-dark() must be resolved by an element. */
export function readInk(host: HTMLElement): Ink {
  const probe = document.createElement('span')
  host.append(probe)
  const entries = Object.entries(tokens).map(([name, token]) => {
    probe.style.color = `var(${token})`
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(entries) as Ink
}
