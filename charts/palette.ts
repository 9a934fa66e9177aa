/** The eight series colours of each theme, in their order (checked in palette.test.ts). */
export const seriesColours = {
  light: ['#0462d3', '#d87d4c', '#2a9cae', '#cf3869', '#b673f3', '#1c6a21', '#4a24a5', '#7c0f5f'],
  dark: ['#25bce5', '#facb39', '#79ecb7', '#bb3f58', '#8f68eb', '#69af00', '#1a7c9f', '#ed86a7'],
} as const

/** The surface that charts are drawn on. */
export const surfaceColour = { light: '#ffffff', dark: '#12151c' } as const

export type Theme = keyof typeof seriesColours

/** The colours of charts that are those of no series, by their variables in the style sheet (checked in palette.test.ts). */
export const plainColours = {
  light: {
    '--color-accent': '#0a5bd0',
    '--color-surface': surfaceColour.light,
    '--color-line': '#e1e5eb',
    '--color-line-strong': '#8a93a3',
    '--color-text': '#14181f',
    '--color-muted': '#566073',
    '--color-warn': '#835000',
  },
  dark: {
    '--color-accent': '#74b6ff',
    '--color-surface': surfaceColour.dark,
    '--color-line': '#272d39',
    '--color-line-strong': '#68738a',
    '--color-text': '#e7eaf0',
    '--color-muted': '#9ba6b8',
    '--color-warn': '#f3bb52',
  },
} as const satisfies Readonly<Record<Theme, Readonly<Record<string, string>>>>

/** The colour that a variable of the style sheet has in a theme; other colours stay. Throws for another variable. */
export function inTheme(colour: string, theme: Theme): string {
  const name = /^var\((--color-[a-z0-9-]+)\)$/.exec(colour)?.[1]
  if (name === undefined) return colour
  const series = /^--color-series-([1-8])$/.exec(name)?.[1]
  const found =
    series === undefined
      ? (plainColours[theme] as Readonly<Record<string, string>>)[name]
      : seriesColours[theme][Number(series) - 1]
  if (found === undefined) throw new Error(`${name} is not a colour of charts`)
  return found
}

/** The CSS colour of the series at `index`, for both themes; the ninth and later are grey. */
export function seriesColour(index: number): string {
  return index >= 0 && index < 8 ? `var(--color-series-${index + 1})` : 'var(--color-line-strong)'
}
