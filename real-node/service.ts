import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import type { getNetworkOverview } from '../contract/primary-overview.ts'
import type { Operation, ParamsOf, QueryOf, ResponseOf } from '../contract/operation.ts'
import { launch, writeConfig } from '../e2e/launcher.ts'
import { addressPrefix, evmChainId, networkId } from '../scripts/staking-network.mjs'
import { ask } from './node.ts'

/** Ridgeline on top of a real network, started as a person would start it. */
export interface Service {
  readonly url: string
  /** One answer of an operation, checked by the contract. Rejects with the answer's text where it is an error. */
  get<O extends Operation>(
    operation: O,
    params: Omit<ParamsOf<O>, 'network'>,
    query?: QueryOf<O>,
  ): Promise<ResponseOf<O>>
  /** All rows of a list, page by page. */
  all<O extends Operation, K extends keyof ResponseOf<O>>(
    operation: O,
    key: K,
    params: Omit<ParamsOf<O>, 'network'>,
    query?: QueryOf<O>,
  ): Promise<ResponseOf<O>[K]>
  /** Every line that its log has so far, read. */
  log(): readonly Readonly<Record<string, unknown>>[]
  stop(): Promise<unknown>
}

/**
 * Starts Ridgeline with a configuration that names the node's primary network and its C-chain, `chains`
 * beside it, and further settings. `logLevel` is `info` unless another one is given.
 */
export async function startService(
  nodeUrl: string,
  folder: string,
  options: {
    readonly chains?: readonly unknown[]
    readonly logLevel?: string
    readonly [setting: string]: unknown
  } = {},
): Promise<Service> {
  const { chains = [], logLevel = 'info', ...settings } = options
  const config = writeConfig(folder, {
    ...settings,
    networks: [{ id: 'fuji', name: 'Real network', networkId, prefix: addressPrefix, nodeUrl }],
    chains: [
      {
        name: 'C-Chain',
        evmChainId,
        rpcUrl: `${nodeUrl}/ext/bc/C/rpc`,
        wsUrl: `${nodeUrl.replace(/^http/, 'ws')}/ext/bc/C/ws`,
        network: 'fuji',
        token: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
        pollSeconds: 0.5,
      },
      ...chains,
    ],
  })
  const launched = launch({ home: folder, args: ['--config', config], env: { LOG_LEVEL: logLevel } })
  const url = await launched.url

  async function get<O extends Operation>(
    operation: O,
    params: Omit<ParamsOf<O>, 'network'>,
    query?: QueryOf<O>,
  ): Promise<ResponseOf<O>> {
    const given: Record<string, string> = { network: 'fuji', ...(params as Record<string, string>) }
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(given[name] ?? ''),
    )
    const search = new URLSearchParams(
      Object.entries((query ?? {}) as Record<string, unknown>).map(([name, value]) => [name, String(value)]),
    )
    const answer = await fetch(`${url}${path}?${search.toString()}`, { signal: AbortSignal.timeout(30_000) })
    if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${await answer.text()}`)
    return operation.response.parse(await answer.json()) as z.output<O['response']>
  }

  return {
    url,
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
    log: () =>
      readFileSync(join(folder, 'logs', 'service.log'), 'utf8')
        .split('\n')
        // The last one may be half written.
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    stop: () => launched.stop(),
  }
}

/** Waits until the service has indexed P and X to the node's heads, and C's atomic transactions with them. */
export async function untilIndexed(
  service: Service,
  nodeUrl: string,
  overview: typeof getNetworkOverview,
): Promise<void> {
  const until = Date.now() + 120_000
  const heights = async (): Promise<string[]> => {
    const [p, x, c] = await Promise.all([
      ask<{ height: string }>(`${nodeUrl}/ext/bc/P`, 'platform.getHeight'),
      ask<{ height: string }>(`${nodeUrl}/ext/bc/X`, 'avm.getHeight'),
      ask<string>(`${nodeUrl}/ext/bc/C/rpc`, 'eth_blockNumber', []),
    ])
    return [p.height, x.height, String(BigInt(c))]
  }
  for (;;) {
    const wanted = await heights()
    // Its database starts after it listens.
    const { chains } = await service.get(overview, {}).catch((error: unknown) => {
      if (String(error).includes('HTTP 503')) return { chains: [] }
      throw error
    })
    const found = ['p-chain', 'x-chain', 'c-chain'].map(
      (name) => chains.find(({ chainName }) => chainName === name)?.indexedHeight,
    )
    const stopped = chains.find(({ state }) => state === 'stopped')
    if (stopped) throw new Error(`${stopped.chainName} has stopped: ${stopped.reason ?? ''}`)
    if (JSON.stringify(found) === JSON.stringify(wanted)) return
    if (Date.now() > until) throw new Error(`indexed ${found.join(', ')} of ${wanted.join(', ')}`)
    await delay(250)
  }
}
