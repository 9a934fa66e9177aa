import type { FastifyInstance } from 'fastify'
import { getNft } from '../../../contract/tokens/nfts.ts'
import { badRequest, HttpError, notFound } from '../../kernel/http-errors.ts'
import { routePath } from '../../http/bind.ts'
import { createGuardedFetch } from '../../kernel/guarded-fetch.ts'
import { Media, MediaFailure, type Picture } from '../../tokens/nft/media.ts'
import { bytesOf, type RouteContext } from '../../http/route-context.ts'

/** The path of an NFT's picture. Beside the contract, like `/events`: its answer is no JSON. */
export const mediaPath = `${getNft.path}/media`

/** Nothing of a picture runs, loads or is taken for a page, also when it is opened by itself. */
const harmless = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
}

/** Browsers keep a picture for five minutes, then ask whether it is still the same. */
const cacheControl = 'public, max-age=300'

/**
 * GET `…/tokens/{tokenId}/media`: the picture of an NFT, fetched behind the same defence as its metadata and
 * passed on by the type that its bytes show. 404 when it has none, or none that can be had, or when nothing is
 * fetched here; 503 when too many are fetched at once.
 */
export function mediaRoutes(app: FastifyInstance, { chains, store, config }: RouteContext): void {
  const settings = config.nftMetadata
  const stop = new AbortController()
  const media = new Media({ settings, fetch: createGuardedFetch(settings), signal: stop.signal })
  app.addHook('preClose', async () => stop.abort(new HttpError(503, 'the service is stopping')))

  app.get(routePath(mediaPath), async (request, reply) => {
    const parsed = getNft.params.safeParse(request.params)
    if (!parsed.success) {
      throw badRequest(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
    }
    const { chainId, address, tokenId } = parsed.data
    const chain = chains.find(chainId)
    const [row] = await store.get().database<{ image_uri: string | null }[]>`
      select image_uri from nft_metadata
      where chain = ${chain.key} and token = ${bytesOf(address)} and token_id = ${tokenId}::numeric`
    const link = row?.image_uri ?? undefined
    if (link === undefined) throw notFound(`no picture is known of token ${tokenId} of ${address}`)
    let picture: Picture
    try {
      picture = await media.get(link)
    } catch (error) {
      if (!(error instanceof MediaFailure)) throw error
      const busy = error.kind === 'busy'
      // It may be there in a minute: no browser is to remember that it was not.
      const headers = { 'cache-control': 'no-store', ...(busy && { 'retry-after': '2' }) }
      throw new HttpError(busy ? 503 : 404, error.message, { headers })
    }
    void reply.headers({ ...harmless, etag: picture.etag, 'cache-control': cacheControl })
    if (request.headers['if-none-match'] === picture.etag) return reply.code(304).send()
    return reply
      .header(
        'content-disposition',
        `inline; filename="${address.slice(2, 10)}-${tokenId}.${picture.extension}"`,
      )
      .type(picture.type)
      .send(picture.body)
  })
}
