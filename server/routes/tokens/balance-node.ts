import type { NativeTokenBalance } from '../../../contract/tokens/balances.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { askState, ifKnown, nativeBalanceAt, readQuantity, soon } from '../../node/state.ts'
import type { Currency } from '../../tokens/prices/document.ts'
import { nativeAsset, pricedFields, type PriceOf } from '../../tokens/prices/prices.ts'
import type { RouteContext } from '../../http/route-context.ts'

/** The selector of `balanceOf(address)`. */
const balanceOf = '0x70a08231'

/**
 * The `nativeTokenBalance` of a list after a block; undefined if the node does not answer in time or lacks
 * the state.
 */
export async function nativeTokenBalanceAt(
  { nodes }: Pick<RouteContext, 'nodes'>,
  chain: Chain,
  address: string,
  block: bigint,
  priceOf: Promise<PriceOf>,
  currency: Currency,
): Promise<NativeTokenBalance | undefined> {
  const found = await soon(ifKnown(nativeBalanceAt(nodes, chain, address, block)))
  if (found === undefined) return undefined
  const balance = found.toString()
  const { token } = chain.config
  const price = (await priceOf)(nativeAsset(chain.id))
  return { ...token, chainId: chain.id, balance, ...pricedFields(price, currency, balance, token.decimals) }
}

/**
 * The balances of an address after a block according to the contracts (0x texts), by contract. Contracts that
 * revert, answer late or lack state are missing.
 */
export async function balancesByNode(
  { nodes }: Pick<RouteContext, 'nodes'>,
  chain: Chain,
  address: string,
  block: bigint,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const client = nodes.of(chain)
  const data = `${balanceOf}${address.slice(2).toLowerCase().padStart(64, '0')}`
  const found = new Map<string, bigint>()
  const ask = async (token: string): Promise<void> => {
    const result = await askState(client, 'eth_call', [{ to: token, data }], block)
    found.set(token, readQuantity(client, 'eth_call', result))
  }
  await soon(Promise.all(tokens.map((token) => ifKnown(ask(token)))))
  // Late answers must not change the result after it was returned.
  return new Map(found)
}
