import type { RpcRequest } from '../node/rpc/jsonrpc.ts'
import { heightOf, rangeOf } from './rewind.ts'
import { type ChainKey, chainKeys, type EndpointKey, endpointKeys, type RequestCounts } from './types.ts'

/** Counts the requests to the node, so that tests can limit them. */
export type Counters = {
  count(chain: string, requests: readonly RpcRequest[], head: number): void
  report(): Record<ChainKey | EndpointKey, RequestCounts>
  reset(): void
}

type Counted = {
  calls: number
  methods: Map<string, number>
  pastHead: number
  batches: number
  largestBatch: number
}

const keys = [...chainKeys, ...endpointKeys]

export function createCounters(): Counters {
  const fresh = (): Map<string, Counted> =>
    new Map(
      keys.map((key) => [key, { calls: 0, methods: new Map(), pastHead: 0, batches: 0, largestBatch: 0 }]),
    )
  let counted = fresh()

  function reportOf(key: ChainKey | EndpointKey): RequestCounts {
    const found = counted.get(key)
    const { calls = 0, pastHead = 0, batches = 0, largestBatch = 0 } = found ?? {}
    return { calls, pastHead, batches, largestBatch, methods: Object.fromEntries(found?.methods ?? []) }
  }

  return {
    count(chain, requests, head) {
      const found = counted.get(chain)
      if (found === undefined) return
      found.calls += 1
      if (requests.length > 1) found.batches += 1
      found.largestBatch = Math.max(found.largestBatch, requests.length)
      for (const request of requests) {
        found.methods.set(request.method, (found.methods.get(request.method) ?? 0) + 1)
        if ((heightOf(request) ?? rangeOf(request)?.first ?? 0) > head) found.pastHead += 1
      }
    },
    report: () =>
      Object.fromEntries(keys.map((key) => [key, reportOf(key)])) as ReturnType<Counters['report']>,
    reset() {
      counted = fresh()
    },
  }
}
