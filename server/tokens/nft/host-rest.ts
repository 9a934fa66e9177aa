import { FetchFailure, type GuardedFetch } from '../../kernel/guarded-fetch.ts'

/**
 * Consecutive unanswered requests after which a host is skipped; the duration in milliseconds, and its maximum; number
 * of remembered hosts.
 */
const timeoutMs = { silences: 5, rest: 120_000, longestRest: 600_000, hosts: 1_000 }

type Standing = { readonly silences: number; readonly until: number; readonly failure: FetchFailure }

/**
 * Skips hosts for a while: two minutes after five consecutive unanswered requests, or as long as the host asked for.
 * Their documents fail immediately in that time, so that a collection on a dead host does not delay others.
 * Hosts that the operator maps are never skipped. `now` is in milliseconds.
 */
export function restHosts(
  fetch: GuardedFetch,
  trusted: ReadonlySet<string>,
  now: () => number = () => performance.now(),
): GuardedFetch {
  const hosts = new Map<string, Standing>()
  const remember = (host: string, standing: Standing): void => {
    hosts.delete(host)
    hosts.set(host, standing)
    const [oldest] = hosts.keys()
    if (hosts.size > timeoutMs.hosts && oldest !== undefined) hosts.delete(oldest)
  }
  return async (address, options) => {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (!url || trusted.has(url.hostname)) return fetch(address, options)
    const known = hosts.get(url.host)
    if (known && known.until > now()) throw known.failure
    try {
      const body = await fetch(address, options)
      hosts.delete(url.host)
      return body
    } catch (failure) {
      if (!(failure instanceof FetchFailure)) throw failure
      if (failure.silent) {
        const silences = (known?.silences ?? 0) + 1
        const until = silences >= timeoutMs.silences ? now() + timeoutMs.rest : 0
        remember(url.host, { silences, until, failure })
      } else if (failure.retryAfter !== undefined) {
        const rest = Math.min(timeoutMs.longestRest, failure.retryAfter * 1000)
        remember(url.host, { silences: 0, until: now() + rest, failure })
      } else hosts.delete(url.host)
      throw failure
    }
  }
}
