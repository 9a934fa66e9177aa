import type { FastifyInstance } from 'fastify'
import { inEnglish } from '../../../contract/base/english.ts'
import { getNft } from '../../../contract/tokens/nfts.ts'
import { badRequest, HttpError, notFound } from '../../kernel/http-errors.ts'
import { hasTag, routePath } from '../../http/bind.ts'
import { createGuardedFetch } from '../../kernel/guarded-fetch.ts'
import { Media, MediaFailure, type Picture } from '../../tokens/nft/media.ts'
import { bytesOf, type RouteContext } from '../../http/route-context.ts'

/** The path of an NFT's picture. Not in the contract, like `/events`, because its answer is not JSON. */
const mediaPath = `${getNft.path}/media`

/**
 * Prevents pictures from running scripts, loading content or being interpreted as a page, also when opened
 * directly.
 */
const harmless = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
}

/** Browsers cache a picture for five minutes, then revalidate it. */
const cacheControl = 'public, max-age=300'

/**
 * GET `…/tokens/{tokenId}/media`: the picture of an NFT, fetched with the same protection as its metadata and
 * served with the type determined by its bytes. 404 if there is no usable picture or fetching is disabled;
 * 503 if too many are being fetched.
 */
export function mediaRoutes(app: FastifyInstance, { chains, store, config }: RouteContext): void {
  const settings = config.nftMetadata
  const stop = new AbortController()
  const media = new Media({ settings, fetch: createGuardedFetch(settings), signal: stop.signal })
  app.addHook('preClose', async () => stop.abort(new HttpError(503, 'the service is stopping')))

  app.get(routePath(mediaPath), async (request, reply) => {
    const parsed = getNft.params.safeParse(request.params, inEnglish)
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
      // It may be available in a minute, so browsers must not cache the failure.
      const headers = { 'cache-control': 'no-store', ...(busy && { 'retry-after': '2' }) }
      throw new HttpError(busy ? 503 : 404, error.message, { headers })
    }
    void reply.headers({ ...harmless, etag: picture.etag, 'cache-control': cacheControl })
    if (hasTag(request.headers['if-none-match'], picture.etag)) return reply.code(304).send()
    return reply
      .header(
        'content-disposition',
        `inline; filename="${address.slice(2, 10)}-${tokenId}.${picture.extension}"`,
      )
      .type(picture.type)
      .send(picture.body)
  })
}
