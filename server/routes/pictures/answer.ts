import { pictureTypes, type PictureFormat } from '../../../contract/pictures/form.ts'
import type { Theme } from '../../../charts/palette.ts'
import type { Picture } from '../../../charts/sheet.ts'
import { hasTag, MediaAnswer, weakTag } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { unavailable } from '../../kernel/http-errors.ts'
import { PictureCache } from '../../pictures/cache.ts'
import { NoCanvas, pngOf } from '../../pictures/png.ts'
import { svgOf } from '../../pictures/svg.ts'

/**
 * Pictures stay as they are: they run nothing and load nothing, also when opened directly, and every site may show
 * them. Browsers and proxies keep them, and ask whether the data has changed.
 */
const headers = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, no-cache',
} as const

/** How the picture of a chart is made. Its data are the same for all sizes, themes and formats. */
export type Plan<Data> = {
  /** What decides the data. */
  readonly key: readonly unknown[]
  /** What changes the data (events/hub.ts). */
  readonly topics: readonly string[]
  readonly read: () => Promise<Data>
  /** All else that decides the drawing. */
  readonly form: readonly unknown[]
  readonly draw: (data: Data) => Picture
}

/** A plan as it is: `read` decides the type of the data that `draw` gets. */
export const planOf = <Data>(plan: Plan<Data>): Plan<Data> => plan

/** What the caller asked for, besides the chart itself. */
type Wanted = {
  readonly format: PictureFormat
  readonly theme: Theme
  readonly density: number
  /** The tags of what the caller has (If-None-Match). */
  readonly kept: string | undefined
}

/** Data as JSON; integers of any size stay exact, as objects that no answer of an operation has. */
const written = (data: unknown): string =>
  JSON.stringify(data, (_key, value: unknown) =>
    typeof value === 'bigint' ? { $bigint: String(value) } : value,
  )

const isBigint = (value: unknown): value is { $bigint: string } =>
  typeof value === 'object' && value !== null && '$bigint' in value && typeof value.$bigint === 'string'

const readBack = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown) => (isBigint(value) ? BigInt(value.$bigint) : value))

/** Answers pictures from one cache (docs/embedding.md). */
export class PictureAnswers {
  readonly #cache = new PictureCache()
  readonly #context: Pick<RouteContext, 'headCache' | 'version'>

  constructor(context: Pick<RouteContext, 'headCache' | 'version'>) {
    this.#context = context
  }

  /** Answers a chart: a 304 without drawing to a caller that has it already. */
  async of<Data>(
    { key, topics, read, form, draw }: Plan<Data>,
    { format, theme, density, kept }: Wanted,
  ): Promise<MediaAnswer> {
    const { headCache, version } = this.#context
    const { text } = await headCache.get(JSON.stringify(['picture', ...key]), topics, async () =>
      written(await read()),
    )
    const pixels = format === 'png' ? density : 1
    // Of all that a picture is drawn from; the code that draws it may be another after a restart.
    const etag = weakTag(JSON.stringify([format, theme, pixels, version, key, form, text]))
    const make = async (): Promise<Buffer> => {
      // What was written has the form of the data.
      const drawn = draw(readBack(text) as Data)
      if (format === 'svg') return Buffer.from(svgOf(drawn, theme))
      try {
        return await pngOf(drawn, theme, pixels)
      } catch (error) {
        if (!(error instanceof NoCanvas)) throw error
        throw unavailable('PNGs cannot be drawn on this platform; SVGs can', error)
      }
    }
    const body = hasTag(kept, etag) ? Buffer.alloc(0) : await this.#cache.get(etag, make)
    return new MediaAnswer({ type: pictureTypes[format], body, etag, headers })
  }
}
