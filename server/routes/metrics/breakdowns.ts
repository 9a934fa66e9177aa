import {
  getNetworkBreakdown,
  otherPart,
  type BreakdownName,
  type NetworkBreakdown,
} from '../../../contract/metrics/breakdowns.ts'
import { primaryChainAliases, primaryChainIds } from '../../../contract/primary/chains.ts'
import { primaryTopic } from '../../events/hub.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import { checkRange, filtersOf, type RouteContext } from '../../http/route-context.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { readBreakdown, type PartsSource, type PeriodParts } from '../../metrics/breakdowns.ts'
import { findNetwork, type ServedNetwork } from '../../primary/served-network.ts'
import { Texts } from '../../primary/texts.ts'
import { readSources } from '../../signatures/sources.ts'
import type { Queryable } from '../../store/database.ts'
import { readMessagePairs, type MessageDirection, type PairRow } from '../../store/metrics/read-messages.ts'
import { readSeriesBounds } from '../../store/metrics/read-metrics.ts'
import { readNetworkBounds } from '../../store/metrics/read-network-metrics.ts'
import { readVersionHours, readVersions, readVersionSums } from '../../store/metrics/read-versions.ts'
import { snapshot } from '../../store/snapshot.ts'

type Part = NetworkBreakdown['parts'][number]

/** The parts of a breakdown, and how they are shown. */
type Breakdown = {
  readonly source: PartsSource
  /** The parts with these ids, in the same order. */
  describe(ids: readonly string[]): Promise<readonly Part[]>
}

const percent = 100n

function versions(sql: Queryable, network: ServedNetwork): Breakdown {
  return {
    source: {
      range: () => readVersionHours(sql, network.p),
      async weights(from, before) {
        const rows = await readVersionSums(sql, network.p, from, before)
        return new Map(rows.map(({ version, peers }) => [version, peers]))
      },
      async periods(boundaries) {
        const periods: (PeriodParts & { parts: Map<string, bigint> })[] = []
        for (const { place, version, peers, all_peers } of await readVersions(sql, network.p, boundaries)) {
          const all = BigInt(all_peers)
          const period = (periods[place - 1] ??= { parts: new Map(), all: percent * all, per: all })
          period.parts.set(version, percent * BigInt(peers))
        }
        return boundaries.slice(1).map((_, index) => periods[index])
      },
    },
    describe: (ids) => Promise.resolve(ids.map((id) => ({ part: id, name: id }))),
  }
}

/** What stands for the blockchain of a message that is not known. */
const unknown = 'unknown'

function pairs(
  sql: Queryable,
  { config }: RouteContext,
  network: ServedNetwork,
  chains: readonly Chain[],
  direction: MessageDirection,
): Breakdown {
  const texts = new Texts(network.config.prefix)
  const seen = new Map<string, Uint8Array>([[primaryChainIds.p, new Uint8Array(32)]])
  /** The id of a chain of this service; one without a blockchain id has its EVM chain id. */
  const ownId = (key: bigint | null): string => {
    if (key === null) return primaryChainIds.p
    return chains.find((chain) => chain.key === key)?.config.blockchainId ?? key.toString()
  }
  const idOf = ({ chain, peer }: PairRow): string => {
    const own = ownId(chain)
    const other = peer === null ? unknown : texts.id(peer)
    if (peer !== null) seen.set(other, peer)
    return direction === 'sent' ? `${own}>${other}` : `${other}>${own}`
  }
  const read = (boundaries: readonly number[]): Promise<PairRow[]> =>
    readMessagePairs(
      sql,
      chains.map(({ key }) => key),
      network.p,
      direction,
      boundaries,
    )
  return {
    source: {
      async range() {
        const [primary, ...evm] = await Promise.all([
          readNetworkBounds(sql, network.p),
          ...chains.map(({ key }) => readSeriesBounds(sql, key)),
        ])
        const bounds = [primary, ...evm]
        const firsts = bounds.flatMap(({ first_ts: ts }) => (ts === null ? [] : [Number(ts)]))
        const lasts = bounds.flatMap(({ last_ts: ts }) => (ts === null ? [] : [Number(ts)]))
        return firsts.length === 0 ? undefined : { first: Math.min(...firsts), last: Math.max(...lasts) }
      },
      async weights(from, before) {
        return new Map((await read([from, before])).map((row) => [idOf(row), row.messages]))
      },
      async periods(boundaries) {
        const periods = boundaries
          .slice(1)
          .map(() => ({ parts: new Map<string, bigint>(), all: 0n, per: 1n }))
        for (const row of await read(boundaries)) {
          const period = periods[row.place - 1]
          if (period === undefined) continue
          period.parts.set(idOf(row), row.messages)
          period.all += row.messages
        }
        return periods
      },
    },
    async describe(ids) {
      const sources = await readSources(sql, network, config.chains, [...seen.values()])
      const namesById = new Map(
        [...seen].map(([text, id]) => [text, sources.get(`0x${Buffer.from(id).toString('hex')}`)?.name]),
      )
      for (const { key, config: own } of chains) namesById.set(ownId(key), own.name)
      const described = (id: string) => {
        if (id === unknown) return { shown: unknown }
        const name = namesById.get(id)
        const fields = {
          ...(!/^\d+$/.test(id) && { blockchainId: id }),
          ...(name !== undefined && { chainName: name }),
        }
        return { shown: name ?? `${id.slice(0, 8)}…`, fields }
      }
      return ids.map((id): Part => {
        const [source, destination] = id.split('>').map(described)
        return {
          part: id,
          name: `${source?.shown} → ${destination?.shown}`,
          ...(source?.fields && { source: source.fields }),
          ...(destination?.fields && { destination: destination.fields }),
        }
      })
    },
  }
}

const directions: Readonly<Record<Exclude<BreakdownName, 'clientVersions'>, MessageDirection>> = {
  messagesSent: 'sent',
  messagesDelivered: 'delivered',
}

/** Only in Ridgeline: series of a network in parts (docs/metrics.md, Breakdowns). */
export function breakdownRoutes(context: RouteContext): Implementation[] {
  const { config, chains, store, headCache } = context
  return [
    implement(getNetworkBreakdown, async ({ params, query }) => {
      const { breakdown } = params
      checkRange(query)
      const network = findNetwork(config, params.network)
      const own = chains.all.filter((chain) => chain.config.network === network.id)
      const scope = {
        operation: getNetworkBreakdown.id,
        filters: filtersOf({ breakdown, network: network.id }, query),
      }
      const page = (): Promise<string> => {
        const { database, pageTokens } = store.get()
        return snapshot(database, async (sql) => {
          // An expired page token is not an error: the listing restarts (docs/api.md, Keys and limits).
          const position =
            query.pageToken === undefined ? undefined : pageTokens.openMetrics(scope, query.pageToken)
          const { source, describe } =
            breakdown === 'clientVersions'
              ? versions(sql, network)
              : pairs(sql, context, network, own, directions[breakdown])
          const { next, listed, hasOthers, results } = await readBreakdown(source, {
            ...query,
            interval: query.timeInterval,
            position,
          })
          const others: readonly Part[] = hasOthers ? [{ part: otherPart, name: 'Other' }] : []
          return toJson({
            ...(next !== undefined && { nextPageToken: pageTokens.sealMetrics(scope, next) }),
            parts: [...(await describe(listed)), ...others],
            results,
          })
        })
      }
      if (query.pageToken !== undefined) return new JsonText(await page())
      const topics = [
        ...primaryChainAliases.map((each) => primaryTopic(network.id, each)),
        ...own.map(({ id }) => id),
      ]
      return headCache.get(JSON.stringify([scope, query.pageSize]), topics, page)
    }),
  ]
}
