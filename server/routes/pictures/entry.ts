import type * as z from 'zod/mini'
import type { PictureFormat, pictureOperations } from '../../../contract/pictures/form.ts'
import type { Theme } from '../../../charts/palette.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { Ask } from '../../http/ask.ts'
import type { PictureAnswers, Plan } from './answer.ts'
import { frameAnswers } from './frame-page.ts'

type Operations = ReturnType<typeof pictureOperations>
type ParamsOf<O extends Operations> = z.output<O['frame']['params']>
type QueryOf<O extends Operations> = z.output<O['picture']['query']>

/** A picture of the catalogue. */
type PictureEntry<O extends Operations, Data> = {
  readonly operations: O
  /** The heading of its page for iframes, and the path of the chart's own page. Throws a 404 for what is not here. */
  readonly about: (params: ParamsOf<O>) => { readonly title: string; readonly page: string }
  readonly plan: (asked: {
    readonly params: ParamsOf<O>
    readonly query: QueryOf<O>
    readonly ask: Ask
  }) => Plan<Data>
}

/** What every picture has in its query. */
type Form = {
  readonly theme: Theme
  readonly width: number
  readonly height: number
  readonly density: number
}

/** What makes the two operations of an entry. */
export type Bind = <O extends Operations, Data>(entry: PictureEntry<O, Data>) => Implementation[]

/** `/chain/{chainId}/x` with the values of its parameters. */
const filledPath = (path: string, params: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** Makes the operations of entries; `implementations` are those that pictures may ask. */
export function binding(
  context: RouteContext,
  answers: PictureAnswers,
  implementations: readonly Implementation[],
): Bind {
  const byId = new Map(implementations.map((one) => [one.operation.id, one]))
  const frame = frameAnswers(context.config.frameOrigins)
  return ({ operations, about, plan }) => [
    implement(operations.picture, ({ params, query, request }) => {
      // The schemas of all pictures have these fields (contract/pictures/form.ts).
      const { format } = params as { readonly format: PictureFormat }
      const { theme, density } = query as Form
      const ask = new Ask(byId, request)
      return answers.of(plan({ params, query, ask } as Parameters<typeof plan>[0]), {
        format,
        theme,
        density,
        kept: request.headers['if-none-match'],
      })
    }),
    implement(operations.frame, ({ params, query }) => {
      const { title, page } = about(params as Parameters<typeof about>[0])
      const path = filledPath(operations.frame.path.replace('/embed', ''), params)
      return frame({ path, page, title }, query as Parameters<typeof frame>[1])
    }),
  ]
}
