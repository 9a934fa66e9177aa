import type { z } from 'zod'
import type { Operation, ParamsOf, QueryOf, ResponseOf } from '../../contract/base/operation.ts'

/** Reads a service's operations and validates every answer with the contract. */
export type ContractReader = {
  /** The answer of an operation. Rejects with its text if it is an error. */
  get<O extends Operation>(
    operation: O,
    params: Omit<ParamsOf<O>, 'network'>,
    query?: QueryOf<O>,
  ): Promise<ResponseOf<O>>
  /** All rows of a list, from all pages. */
  all<O extends Operation, K extends keyof ResponseOf<O>>(
    operation: O,
    key: K,
    params: Omit<ParamsOf<O>, 'network'>,
    query?: QueryOf<O>,
  ): Promise<ResponseOf<O>[K]>
}

/** Opens the service at `url`, with its local token where operations need it. */
export function openContract(url: string, token?: string): ContractReader {
  const network = 'fuji'
  async function get<O extends Operation>(
    operation: O,
    params: Omit<ParamsOf<O>, 'network'>,
    query?: QueryOf<O>,
  ): Promise<ResponseOf<O>> {
    const given: Record<string, string> = { network, ...(params as Record<string, string>) }
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(given[name] ?? ''),
    )
    const search = new URLSearchParams(
      Object.entries((query ?? {}) as Record<string, unknown>).map(([name, value]) => [name, String(value)]),
    )
    const answer = await fetch(`${url}${path}?${search.toString()}`, {
      ...(token !== undefined && { headers: { 'x-ridgeline-token': token } }),
      signal: AbortSignal.timeout(240_000),
    })
    if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${await answer.text()}`)
    return operation.response.parse(await answer.json()) as z.output<O['response']>
  }

  return {
    get,
    async all(operation, key, params, query) {
      const rows: unknown[] = []
      let token: string | undefined
      do {
        const paged = { ...query, pageSize: 100, ...(token !== undefined && { pageToken: token }) }
        const page = (await get(operation, params, paged as never)) as Record<string, unknown>
        rows.push(...(page[key as string] as unknown[]))
        token = page['nextPageToken'] as string | undefined
      } while (token !== undefined)
      return rows as never
    },
  }
}
