import autocannon, { type Result } from 'autocannon'

export type Load = {
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

type LoadOptions = {
  readonly connections?: number
  /** Seconds. */
  readonly seconds?: number
  /** Requests per second; unlimited if absent. */
  readonly limit?: number
}

/** Number of connections in docs/performance.md. */
const defaultConnections = 32

/**
 * Requests the given paths from a server repeatedly. Each connection starts at another position of the list,
 * so that no two request the same page at the same time. Throws if an answer is not a success, because an
 * error page is faster than any list.
 */
export async function load(url: string, paths: readonly string[], options: LoadOptions = {}): Promise<Load> {
  const result = await run(url, paths, options)
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0)
    throw new Error(`${failed} of ${result.requests.total} requests failed, such as ${paths[0]}`)
  return { rate: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

/** The same load for a server that may fail: it only keeps the server busy. */
export async function keepBusy(
  url: string,
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<void> {
  await run(url, paths, options)
}

function run(url: string, paths: readonly string[], options: LoadOptions): Promise<Result> {
  const requests = paths.map((path) => ({ path }))
  let clients = 0
  return autocannon({
    url,
    connections: options.connections ?? defaultConnections,
    duration: options.seconds ?? 5,
    timeout: 60,
    ...(options.limit !== undefined && { overallRate: options.limit }),
    requests,
    setupClient(client) {
      const start = Math.floor((clients++ * requests.length) / (options.connections ?? defaultConnections))
      client.setRequests([...requests.slice(start), ...requests.slice(0, start)])
    },
  })
}
