import { say } from './paths.ts'
import { withDatabase } from './postgres.ts'
import { atMost, type Figure, quantile } from './report.ts'
import type { Service } from './service.ts'
import { timeEach } from './time-each.ts'
import { openTimer } from './time-http.ts'

type Anchor = NonNullable<Figure['anchor']>

/** Number of runs of a bare statement. */
const bareRuns = 50
/** Number of requests of each kind, after some warm-up requests. */
const samples = 150
const warming = 20

/** The median time of a statement on one connection, in milliseconds. */
export async function bareStatement(databaseUrl: string, name: string, statement: string): Promise<Anchor> {
  const times = await withDatabase(databaseUrl, (sql) =>
    timeEach(Array.from({ length: bareRuns }, () => () => sql.unsafe(statement, [], { prepare: true }))),
  )
  return { name, value: quantile(times, 0.5) }
}

/**
 * p50 and p99 of requests in milliseconds: the paths in turn, one request at a time. `limit` is the budget of
 * p99.
 */
export async function measureLatency(
  service: Service,
  name: string,
  paths: readonly string[],
  anchor: Anchor,
  limit?: number,
): Promise<Figure[]> {
  say(`${name} …`)
  const timer = openTimer(service.url)
  try {
    const asked = Array.from({ length: samples }, (_, index) => paths[index % paths.length] ?? '')
    await timer.time(asked.slice(0, warming))
    return latencyFigures(name, await timer.time(asked), anchor, limit)
  } finally {
    timer.close()
  }
}

/** The figures p50 and p99 of times in milliseconds. */
export function latencyFigures(
  name: string,
  times: readonly number[],
  anchor: Anchor,
  limit?: number,
): Figure[] {
  return [
    { name: `${name}, p50`, value: quantile(times, 0.5), unit: 'ms', anchor },
    {
      name: `${name}, p99`,
      value: quantile(times, 0.99),
      unit: 'ms',
      anchor,
      ...(limit !== undefined && { budget: atMost(limit) }),
    },
  ]
}

/** p50 and p99 of a bare statement that is run once for each set of parameters. */
export type Quantiles = { readonly p50: number; readonly p99: number }

export const quantilesOf = (times: readonly number[]): Quantiles => ({
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
})

/** Like `latencyFigures`, each beside the same quantile of the anchor. */
export function quantileFigures(
  name: string,
  times: readonly number[],
  anchor: { readonly name: string; readonly value: Quantiles },
  limit: number,
): Figure[] {
  const { p50, p99 } = quantilesOf(times)
  const of = (value: number) => ({ name: anchor.name, value })
  return [
    { name: `${name}, p50`, value: p50, unit: 'ms', anchor: of(anchor.value.p50) },
    { name: `${name}, p99`, value: p99, unit: 'ms', anchor: of(anchor.value.p99), budget: atMost(limit) },
  ]
}

/** The paths of a list's pages, up to its end or at most `max`. */
export async function pagesOf(service: Service, path: string, max = 1_000): Promise<string[]> {
  const paths: string[] = []
  for (let next: string | undefined = path; next !== undefined && paths.length < max;) {
    paths.push(next)
    const response = await fetch(service.url + next)
    const text = await response.text()
    if (!response.ok) throw new Error(`${next}: ${response.status} ${text.slice(0, 200)}`)
    const { nextPageToken } = JSON.parse(text) as { nextPageToken?: string }
    next = nextPageToken === undefined ? undefined : `${path}&pageToken=${nextPageToken}`
  }
  return paths
}
