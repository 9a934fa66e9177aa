/** The part of autocannon that the benchmarks use, because the package has no types. */
declare module 'autocannon' {
  export type Request = { readonly path: string; readonly method?: 'GET' }
  export type Client = { setRequests(requests: readonly Request[]): void }
  export type Options = {
    readonly url: string
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    readonly requests?: readonly Request[]
    /** Requests a second over all connections; as many as possible when left out. */
    readonly overallRate?: number
    /** Seconds that one request may take. */
    readonly timeout?: number
    readonly setupClient?: (client: Client) => void
  }
  export type Result = {
    readonly requests: { readonly average: number; readonly total: number }
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number; readonly max: number }
    readonly non2xx: number
    readonly errors: number
    readonly timeouts: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
