import { tokenCharts, tokenSpreadChart } from '../../../contract/pictures/charts.ts'
import { listChainStatus } from '../../../contract/evm/chains.ts'
import { tokenPicture, tokenSpreadPicture } from '../../../contract/pictures/pages.ts'
import { getToken, getTokenDistribution, listTokenHistory } from '../../../contract/tokens/tokens.ts'
import { levelAt, seriesAt } from '../../../charts/chart-series.ts'
import { safeText } from '../../../charts/safe-text.ts'
import { within } from '../../../charts/series/series.ts'
import { tokenSeries } from '../../../charts/series/token-days.ts'
import type { Unit } from '../../../charts/series/units.ts'
import { bandColumns } from '../../../charts/spread/bands.ts'
import { decimalsOf } from '../../../protocol/evm/token-units.ts'
import { drawColumns } from '../../../charts/spread/columns.ts'
import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import type { Ask } from '../../http/ask.ts'
import { planOf } from './answer.ts'
import type { Bind } from './entry.ts'
import { drawLevels } from './over-time.ts'
import type { Owners } from './owners.ts'
import { axisForm, timeAxis } from './time.ts'

/** The most days of one page (contract/tokens/tokens.ts). */
const daysAPage = 2160

type TokenParams = { readonly chainId: string; readonly address: string }
type TokenQuery = { readonly ercType?: 'ERC-20' | 'ERC-721' | 'ERC-1155' | undefined }

/** A token as its charts name it. Anyone can choose any name, so the address stands beside it. */
type Named = { readonly name: string; readonly unit: Unit }

const shortAddress = (address: string): string => `${address.slice(0, 8)}…${address.slice(-6)}`

/** Reads what a token is called, and the unit of its amounts: NFTs are counted whole, whatever decimals they claim. */
async function readNamed(ask: Ask, params: TokenParams, { ercType }: TokenQuery): Promise<Named> {
  const token = await ask.one(getToken, { params, query: ercType === undefined ? {} : { ercType } })
  const decimals = decimalsOf(token)
  return {
    name: safeText(token.name ?? '', 40) || 'Token',
    unit:
      decimals === undefined
        ? { symbol: 'smallest units', decimals: 0 }
        : { symbol: safeText(token.symbol ?? '', 16), decimals },
  }
}

/** The charts of tokens. */
export function tokenPictures(context: RouteContext, owners: Owners, bind: Bind): Implementation[] {
  const keyOf = (chainId: string, address: string, { ercType }: TokenQuery): string[] => [
    chainId,
    address.toLowerCase(),
    ercType ?? '',
  ]
  const pageOf = ({ chainId, address }: TokenParams, tab: string): string =>
    `/chain/${owners.chain(chainId).chainId}/token/${address}?tab=${tab}`

  return [
    ...bind({
      operations: tokenPicture,
      about: (params) => ({
        title: `${tokenCharts[params.chart].title} · token ${shortAddress(params.address)}`,
        page: pageOf(params, 'history'),
      }),
      plan({ params: { chainId, address, chart }, query, ask }) {
        const chain = owners.chain(chainId)
        const axis = timeAxis(query, context.clock(), { intervals: ['day'] })
        const { now, bounds } = axis
        const params = { chainId, address }
        const { ercType, scale, width, height } = query
        return planOf({
          key: ['token', keyOf(chain.chainId, address, query)],
          topics: [chain.chainId],
          read: async () => {
            const [named, days, status] = await Promise.all([
              readNamed(ask, params, query),
              ask.all(
                listTokenHistory,
                { params, query: { pageSize: daysAPage, ...(ercType !== undefined && { ercType }) } },
                ({ points }) => points,
              ),
              ask.one(listChainStatus, { params: {}, query: {} }),
            ])
            const own = status.chains.find((one) => one.chainId === chain.chainId)
            return { named, days, indexed: own?.indexedTimestamp ?? null }
          },
          form: [chart, chain, bounds, axisForm(axis), scale, width, height],
          draw({ named: { name, unit }, days, indexed }) {
            // What happened after the last indexed block is not known, so the series must not go on past it.
            const series = tokenSeries(days, indexed ?? now)
            return drawLevels({
              axis,
              size: query,
              scale,
              sum: chart === 'transfers',
              series: [
                (chart === 'transfers' ? seriesAt : levelAt)(
                  chain.index,
                  tokenCharts[chart].title,
                  chart === 'supply' ? unit : { symbol: '', decimals: 0 },
                  within(series[chart], bounds.from ?? 0, bounds.to),
                ),
              ],
              title: tokenCharts[chart].title,
              of: `${name} (${shortAddress(address)}), ${chain.name}`,
              note: [tokenCharts[chart].about],
              empty: tokenCharts[chart].empty,
            })
          },
        })
      },
    }),

    ...bind({
      operations: tokenSpreadPicture,
      about: (params) => ({
        title: `${tokenSpreadChart.title} · token ${shortAddress(params.address)}`,
        page: pageOf(params, 'distribution'),
      }),
      plan({ params, query, ask }) {
        const chain = owners.chain(params.chainId)
        const { ercType, width, height } = query
        return planOf({
          key: ['token distribution', keyOf(chain.chainId, params.address, query)],
          topics: [chain.chainId],
          read: async () => {
            const [named, { top: _, ...spread }] = await Promise.all([
              readNamed(ask, params, query),
              ask.one(getTokenDistribution, { params, query: ercType === undefined ? {} : { ercType } }),
            ])
            return { named, spread }
          },
          form: [chain, width, height],
          draw: ({ named: { name, unit }, spread }) =>
            drawColumns({
              width,
              height,
              title: `${tokenSpreadChart.title} · ${name} (${shortAddress(params.address)}), ${chain.name}`,
              shortTitle: `${tokenSpreadChart.title} · ${name}`,
              note: [
                `balance${unit.symbol === '' ? '' : ` in ${unit.symbol}`}, each bin to ten times its lower bound`,
                'shares in %',
                'the number of holders above each bin',
              ],
              columns: bandColumns(spread.bands, spread, unit.decimals),
              bars: ['part of all holders', 'part of all that is held'],
              ceiling: 100,
              empty: tokenSpreadChart.empty,
            }),
        })
      },
    }),
  ]
}
