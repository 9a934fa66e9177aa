import { reindexNft } from '../../../contract/evm/contracts.ts'
import { HttpError, notFound } from '../../kernel/http-errors.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { requestReindex } from '../../tokens/nft/reindex.ts'
import { bytesOf, type RouteContext } from '../../http/route-context.ts'

/**
 * POST `…:reindex` (docs/api.md, Operations, and Limits, 2): 201 without a body, 429 with `retry-after`
 * within an hour, 404 for an NFT that was never seen, 503 if the process knows no primary.
 */
export function reindexRoutes({ chains, store, clock }: RouteContext): Implementation[] {
  return [
    implement(reindexNft, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const nft = { chain: chain.key, token: bytesOf(params.address), tokenId: params.tokenId }
      const outcome = await store.write((sql) => requestReindex(sql, nft, clock()))
      const name = `token ${params.tokenId} of ${params.address}`
      if (outcome.kind === 'unknown') throw notFound(`${name} was never seen on chain ${chain.id}`)
      if (outcome.kind === 'tooSoon') {
        throw new HttpError(429, `${name} was reindexed within the hour, wait ${outcome.wait} s`, {
          headers: { 'retry-after': String(outcome.wait) },
        })
      }
      const empty = new JsonText('')
      // An empty body is not JSON, and needs no validation.
      empty.checked = true
      return empty
    }),
  ]
}
