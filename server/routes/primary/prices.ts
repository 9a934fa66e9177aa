import type { Config } from '../../kernel/settings/config.ts'
import { cChainNumbers } from '../../kernel/settings/public-networks.ts'
import { dayOf, isDayKnown, type Currency } from '../../tokens/prices/document.ts'
import { nativeAsset, type PriceOf, type Prices } from '../../tokens/prices/prices.ts'
import type { ServedNetwork } from '../../primary/served-network.ts'

/** AVAX as an asset of prices: the native token of the network's C-Chain. */
export function avaxPriceAsset(config: Config, network: ServedNetwork): string | undefined {
  const known = cChainNumbers.get(network.config.networkId)
  const chain = known ?? config.chains.find((each) => each.network === network.id)?.evmChainId
  return chain === undefined ? undefined : nativeAsset(chain)
}

/** Number of days requested concurrently. */
const daysAtOnce = 8

/**
 * The prices of some days, each day requested once. After `until` (a time of `now` in milliseconds), the
 * remaining days have no price, because a source may be slow and the days many.
 */
export async function pricesOfDays(
  prices: Prices,
  times: readonly number[],
  currency: Currency,
  until: number,
  now: () => number = () => performance.now(),
): Promise<(time: number) => PriceOf> {
  const days = new Map<string, number>()
  for (const time of times) if (isDayKnown(time)) days.set(dayOf(time), time)
  const found = new Map<string, PriceOf>()
  const waiting = [...days]
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined && now() < until; next = waiting.pop()) {
      found.set(next[0], await prices.on(next[1], currency))
    }
  }
  await Promise.all(Array.from({ length: daysAtOnce }, work))
  return (time) => (isDayKnown(time) ? found.get(dayOf(time)) : undefined) ?? (() => undefined)
}
