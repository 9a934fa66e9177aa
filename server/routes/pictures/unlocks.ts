import { unlocksChart } from '../../../contract/pictures/charts.ts'
import { listUnlocks } from '../../../contract/network/calendar.ts'
import { getNetworkOverview } from '../../../contract/network/overview.ts'
import { unlocksPicture } from '../../../contract/pictures/pages.ts'
import { periodStart } from '../../../charts/series/periods.ts'
import { drawUnlocks, unlockPlan } from '../../../charts/spread/unlocks.ts'
import { primaryChainAliases } from '../../../contract/primary/chains.ts'
import { primaryTopic } from '../../events/hub.ts'
import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { planOf } from './answer.ts'
import type { Bind } from './entry.ts'
import type { Owners } from './owners.ts'

/** The addresses of a heading: the first, and how many there are. */
const namesOf = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`

/** The unlock calendar of addresses. */
export function unlockPictures({ clock }: RouteContext, owners: Owners, bind: Bind): Implementation[] {
  return bind({
    operations: unlocksPicture,
    about({ network, addresses }) {
      const { chainId } = owners.network(network)
      return {
        title: `${unlocksChart.title} · ${namesOf(addresses)}`,
        page: `/networks/${chainId}/addresses/${addresses.join(',')}?tab=unlocks`,
      }
    },
    plan({ params: { network, addresses }, query: { width, height }, ask }) {
      const { chainId } = owners.network(network)
      const now = periodStart(clock(), 'hour')
      return planOf({
        key: ['unlocks', chainId, addresses],
        topics: primaryChainAliases.map((alias) => primaryTopic(chainId, alias)),
        read: async () => {
          const [overview, unlocks] = await Promise.all([
            ask.one(getNetworkOverview, { params: { network }, query: {} }),
            ask.all(
              listUnlocks,
              { params: { network }, query: { addresses: addresses.join(','), pageSize: 500 } },
              (page) => page.unlocks,
            ),
          ])
          return {
            avax: overview.avaxAssetId,
            unlocks: unlocks.map(({ timestamp, kind, asset: { assetId, amount } }) => ({
              timestamp,
              kind,
              asset: { assetId, amount },
            })),
          }
        },
        form: [now, width, height],
        draw({ avax = '', unlocks }) {
          const plan = unlockPlan(unlocks, avax, now)
          return drawUnlocks({
            width,
            height,
            title: `${unlocksChart.title} · ${namesOf(addresses)}`,
            shortTitle: unlocksChart.title,
            note: [
              `AVAX by ${plan.interval}`,
              ...(plan.later > 0n ? ['what is free in twenty years or never is left out'] : []),
            ],
            plan,
            empty: unlocksChart.empty,
          })
        },
      })
    },
  })
}
