import { DAY, periodStart } from '../../../contract/metrics/intervals.ts'
import { listChainTraffic, trafficDays } from '../../../contract/metrics/traffic.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { readChainPoints } from '../../metrics/chain-points.ts'
import { KeptMedians } from '../../metrics/series.ts'
import { ofNetwork } from '../evm/chains.ts'

/** `/v1/traffic`: Ridgeline's own operation for the transactions of all chains over time. */
export function trafficRoutes({ chains, store, headCache, clock }: RouteContext): Implementation[] {
  const medians = new KeptMedians()
  return [
    implement(listChainTraffic, ({ query }) => {
      const wanted = ofNetwork(chains, query.network)
      const now = clock()
      const hoursFrom = periodStart(now, 'hour') - DAY
      const daysFrom = periodStart(now - trafficDays * DAY, 'day')
      const read = async (chain: Chain, interval: 'hour' | 'day', from: number) => {
        const asked = {
          metric: 'txCount',
          interval,
          startTimestamp: from - 1,
          pageSize: trafficDays + 1,
        } as const
        const { results } = await readChainPoints(store.get().database, [chain], asked, medians)
        return results
      }
      const ids = wanted.map((chain) => chain.id)
      return headCache.get(JSON.stringify([listChainTraffic.id, ids, hoursFrom]), ids, async () =>
        toJson({
          chains: await Promise.all(
            wanted.map(async (chain) => ({
              chainId: chain.id,
              hours: await read(chain, 'hour', hoursFrom),
              days: await read(chain, 'day', daysFrom),
            })),
          ),
        }),
      )
    }),
  ]
}
