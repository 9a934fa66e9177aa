import type { SeriesDefinition } from '../../../charts/catalogue/definition.ts'
import type { MetricRange, SeriesQuery } from '../../api/metrics/series.ts'

/** A metric that a series is made of. */
export type Ingredient = {
  readonly metric: string
  /** The query of its points; `subject` is the id of a chain or group, or the name of a network. */
  readonly query: (subject: string, range: MetricRange) => SeriesQuery
}

/** All that pages know of a series besides its points. */
export type SeriesInfo = Omit<SeriesDefinition, 'needs'> & { readonly needs: readonly Ingredient[] }
