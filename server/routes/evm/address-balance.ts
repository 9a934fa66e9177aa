import { getNativeBalance } from '../../../contract/tokens/balances.ts'
import { notFound } from '../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { nativeBalanceAt } from '../../node/state.ts'
import { nativeAsset, pricedFields } from '../../tokens/prices/prices.ts'
import { readBlocks } from '../../store/evm/read-blocks.ts'
import { lastBlock } from '../../store/read.ts'
import type { RouteContext } from '../../http/route-context.ts'

/**
 * `balances:getNative` (as the hosted API): asked of the node, at the latest block or at any that it keeps. 404 for
 * a block above the indexed head and for one whose state the node does not keep; 502 when it does not answer.
 * Fiat values are of the block's day.
 */
export function addressBalanceRoutes({ chains, store, nodes, prices }: RouteContext): Implementation[] {
  return [
    implement(getNativeBalance, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const asked = query.blockNumber === undefined ? undefined : BigInt(query.blockNumber)
      const range = { from: 0n, before: asked === undefined ? lastBlock : asked + 1n }
      const [block] = await readBlocks(store.get().database, chain.key, range, 'desc', 1)
      if (asked !== undefined && block?.number !== asked) {
        throw notFound(`block ${asked} is not indexed on chain ${chain.id}`)
      }
      const { token } = chain.config
      const ts = block && (JSON.parse(block.json) as { blockTimestamp: number }).blockTimestamp
      const [balance, priceOf] = await Promise.all([
        nativeBalanceAt(nodes, chain, params.address, asked).then(String),
        ts === undefined ? undefined : prices.on(ts, query.currency),
      ])
      const price = priceOf?.(nativeAsset(chain.id))
      return {
        nativeTokenBalance: {
          ...token,
          chainId: chain.id,
          balance,
          ...pricedFields(price, query.currency, balance, token.decimals),
        },
      }
    }),
  ]
}
