import { countDistinct } from '../../../contract/metrics/distinct.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import { checkRange, type RouteContext } from '../../http/route-context.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import { readDistinct, type DistinctRange } from '../../metrics/distinct.ts'
import { snapshot } from '../../store/snapshot.ts'

const hour = 3_600

type Query = { readonly startTimestamp?: number | undefined; readonly endTimestamp?: number | undefined }

/** The range of a request, whose ends are both exclusive. Throws a 400 if it does not consist of whole hours. */
function rangeOf({ startTimestamp, endTimestamp }: Query): DistinctRange {
  const from = startTimestamp === undefined ? 0 : startTimestamp + 1
  const problems: string[] = []
  if (from % hour !== 0)
    problems.push('startTimestamp: must be the last second of an hour, since addresses are known by the hour')
  if (endTimestamp !== undefined && endTimestamp % hour !== 0)
    problems.push('endTimestamp: must be the first second of an hour, since addresses are known by the hour')
  if (problems.length > 0) throw badRequest(problems)
  return { from, before: endTimestamp }
}

/** Only in Ridgeline: the distinct addresses of a range (docs/metrics.md, Distinct addresses of a range). */
export function distinctRoutes({ chains, store, headCache }: RouteContext): Implementation[] {
  return [
    implement(countDistinct, ({ params, query }) => {
      const { metric, chainId } = params
      checkRange(query)
      const range = rangeOf(query)
      const { chains: wanted } = chains.group(chainId)
      const ids = wanted.map(({ id }) => id)
      return headCache.get(JSON.stringify([countDistinct.id, ids, metric, range]), ids, () =>
        snapshot(store.get().database, async (sql) => {
          let value = 0n
          for (const { key, config } of wanted) {
            const counted = await readDistinct(sql, key, metric, range)
            if (counted === undefined)
              throw badRequest([
                `endTimestamp: ${config.name} keeps only the last active hour of each address, so that this range in the past can't be counted; ask for one that ends now, or for a single hour, day, week or month`,
              ])
            value += counted
          }
          return toJson({ value })
        }),
      )
    }),
  ]
}
