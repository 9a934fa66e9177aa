/** The eight series colours of each theme, in their order (checked in palette.test.ts). */
export const seriesColours = {
  light: ['#0462d3', '#d87d4c', '#2a9cae', '#cf3869', '#b673f3', '#1c6a21', '#4a24a5', '#7c0f5f'],
  dark: ['#25bce5', '#facb39', '#79ecb7', '#bb3f58', '#8f68eb', '#69af00', '#1a7c9f', '#ed86a7'],
} as const

/** The surface that charts are drawn on. */
export const surfaceColour = { light: '#ffffff', dark: '#12151c' } as const

export type Theme = keyof typeof seriesColours

/** The CSS colour of the series at `index`, for both themes; the ninth and later are grey. */
export function seriesColour(index: number): string {
  return index >= 0 && index < 8 ? `var(--color-series-${index + 1})` : 'var(--color-line-strong)'
}
