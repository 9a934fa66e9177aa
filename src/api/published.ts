import type { Operation, QueryOf, ResponseOf } from '../../contract/base/operation.ts'
import type { Profile } from '../../contract/profile.ts'
import { createClient, type Request } from './client.ts'
import { readPages, type ListPage } from './pages.ts'

// `ridgeline/client` of the package: the dashboard's own client, and the operations of the contract to call with it.

export { ApiError, isNotFound, isTransient } from './errors.ts'
export type { Request } from './client.ts'
export type { Operation, ParamsOf, QueryOf, ResponseOf } from '../../contract/base/operation.ts'
export * from '../../contract/evm/addresses.ts'
export * from '../../contract/evm/blocks.ts'
export * from '../../contract/evm/chains.ts'
export * from '../../contract/evm/approvals.ts'
export * from '../../contract/evm/labels.ts'
export * from '../../contract/evm/contract-code.ts'
export * from '../../contract/evm/contract-events.ts'
export * from '../../contract/evm/simulation.ts'
export * from '../../contract/evm/transaction-calls.ts'
export * from '../../contract/evm/contracts.ts'
export * from '../../contract/evm/transaction-changes.ts'
export * from '../../contract/evm/transaction-envelope.ts'
export * from '../../contract/evm/transaction-failure.ts'
export * from '../../contract/evm/transaction-movements.ts'
export * from '../../contract/evm/transactions.ts'
export * from '../../contract/evm/verification.ts'
export * from '../../contract/metrics/breakdowns.ts'
export * from '../../contract/metrics/distinct.ts'
export * from '../../contract/metrics/metrics.ts'
export * from '../../contract/metrics/network-metrics.ts'
export * from '../../contract/metrics/proof.ts'
export * from '../../contract/metrics/rankings.ts'
export * from '../../contract/metrics/largest-traffic.ts'
export * from '../../contract/metrics/traffic.ts'
export * from '../../contract/network/blockchains.ts'
export * from '../../contract/network/calendar.ts'
export * from '../../contract/network/details.ts'
export * from '../../contract/network/latest.ts'
export * from '../../contract/network/overview.ts'
export * from '../../contract/network/registry.ts'
export * from '../../contract/network/rewards.ts'
export * from '../../contract/network/search.ts'
export * from '../../contract/network/session.ts'
export * from '../../contract/network/staking.ts'
export * from '../../contract/network/validators.ts'
export * from '../../contract/primary/balances.ts'
export * from '../../contract/primary/blocks.ts'
export * from '../../contract/primary/transactions.ts'
export * from '../../contract/signatures/signatures.ts'
export * from '../../contract/signatures/warp.ts'
export * from '../../contract/sql/sql.ts'
export * from '../../contract/tokens/balances.ts'
export * from '../../contract/tokens/nfts.ts'
export * from '../../contract/tokens/tokens.ts'
export * from '../../contract/watch/alarms.ts'
export * from '../../contract/watch/channels.ts'
export * from '../../contract/watch/fleets.ts'
export * from '../../contract/watch/outlook.ts'
export * from '../../contract/watch/rules.ts'
export * from '../../contract/watch/summary.ts'

/** An operation whose answer is one page of a list. */
type ListOperation = Operation & { readonly response: { readonly _zod: { readonly output: ListPage } } }

type Options = {
  /** An API key of the service. */
  readonly key?: string
  /** Milliseconds within which an answer must start. */
  readonly deadline?: number
  /** Called with the seconds of a rate limit before the client waits. */
  readonly onRateLimit?: (seconds: number) => void
}

/**
 * A client of the service at a URL. `call` sends an operation and resolves with its answer; `pages` reads the pages of a
 * list from the first or the one of `query.pageToken` on. Every failure is an `ApiError`; requests that may succeed later
 * are repeated first (docs/api.md, The client).
 */
export function connect(url: string, options: Options = {}) {
  const base = url.replace(/\/$/, '')
  const profile: Profile = {
    id: 'service',
    name: base,
    network: 'mainnet',
    networkLabel: base,
    dataUrl: base,
    metricsUrl: base,
    nodeUrl: base,
    nodeOrigins: [],
    keyHeader: 'x-service-api-key',
    keyNeeded: false,
    atomicNamespace: 'svc',
    addressPrefix: 'avax',
    priceValue: 'string',
    holderSortKey: 'integer',
    live: true,
    missingOperations: [],
  }
  const { call } = createClient({ profile, ...options })
  return {
    call,
    pages<O extends ListOperation>(operation: O, request: Request<O> = {}): AsyncGenerator<ResponseOf<O>> {
      const { query } = request
      return readPages<ResponseOf<O> & ListPage>(
        (pageToken) =>
          call(operation, {
            ...request,
            query: { ...query, ...(pageToken !== undefined && { pageToken }) } as QueryOf<O>,
          }) as Promise<ResponseOf<O> & ListPage>,
      )
    },
  }
}
