/** Ranges that end now, by name. */
export const rangePresets = ['24h', '7d', '30d', '90d', 'all'] as const
export type RangePreset = (typeof rangePresets)[number]

/** How several chains are drawn: beside each other, on top of each other, or in per cent of their first value. */
export const viewModes = ['plain', 'stacked', 'indexed'] as const
export type ViewMode = (typeof viewModes)[number]

/** Where the value axis starts: by the kind of series, at zero, or fitted to the values. */
export const viewScales = ['auto', 'zero', 'fit'] as const
export type ViewScale = (typeof viewScales)[number]

/** Separates the chain ids of a `compare` value. */
export const COMPARE_SEPARATOR = '~'

/** The most series of one picture: as many as there are colours. */
export const maxSeries = 8

/** What a page's query has that its picture understands too. */
export const viewParameters = [
  'range',
  'from',
  'to',
  'interval',
  'scale',
  'second',
  'compare',
  'mode',
] as const
