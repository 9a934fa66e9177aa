import { getNativeBalance } from '../../../../contract/tokens/balances.ts'
import { notFound } from '../../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { nativeBalanceAt } from '../../../node/state.ts'
import { nativeAsset, pricedFields } from '../../../tokens/prices/prices.ts'
import { readHighestBlock } from '../../../store/evm/read-blocks.ts'
import { lastBlock } from '../../../store/read.ts'
import { readBehind } from '../behind.ts'
import type { RouteContext } from '../../../http/route-context.ts'

/**
 * `balances:getNative` (as in the hosted API): read from the node, at the latest block or any whose state it
 * keeps. 404 for a block above the head of the chain or without state; 502 if the node does not answer. Fiat
 * values are those of the block's day, and absent for one that is not indexed.
 */
export function addressBalanceRoutes(context: RouteContext): Implementation[] {
  const { chains, store, nodes, prices } = context
  return [
    implement(getNativeBalance, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const asked = query.blockNumber === undefined ? undefined : BigInt(query.blockNumber)
      const before = asked === undefined ? lastBlock : asked + 1n
      const block = await readHighestBlock(store.get().database, chain.key, before)
      const isIndexed = asked === undefined || block?.number === asked
      // The node has the blocks that the index lacks; of a chain at its head, nobody has.
      if (!isIndexed && (await readBehind(context, [chain])).length === 0)
        throw notFound(`block ${asked} is not indexed on chain ${chain.id}`)
      const { token } = chain.config
      const [balance, priceOf] = await Promise.all([
        nativeBalanceAt(nodes, chain, params.address, asked).then(String),
        isIndexed && block ? prices.on(Number(block.ts), query.currency) : undefined,
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
