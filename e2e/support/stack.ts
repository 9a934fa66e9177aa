import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseLossless } from '../../contract/base/json.ts'
import { localTokenHeader } from '../../contract/base/local-token.ts'
import type { Operation, ParamsOf, QueryOf, ResponseOf } from '../../contract/base/operation.ts'
import { listChainStatus, type ChainStatus } from '../../contract/evm/chains.ts'

/** The port of the stack that playwright.config.ts starts; the sample node's follows it. `E2E_PORT` moves both. */
export const port = Number(process.env['E2E_PORT'] ?? 4500)
export const samplePort = port + 1

/** The dashboard and its APIs, and the sample node behind them. */
export const serviceUrl = `http://127.0.0.1:${port}`
export const sampleUrl = `http://127.0.0.1:${samplePort}`

/** The local token of a stack, by its home; by default that of playwright.config.ts. */
export const readLocalToken = (home = process.env['RIDGELINE_E2E_HOME'] ?? ''): string =>
  readFileSync(join(home, 'token'), 'utf8').trim()

/** The chains of the sample network, named as in its documentation. */
export const chains = {
  c: { id: '43113', name: 'C-Chain', path: 'C', symbol: 'AVAX' },
  meridian: { id: '431301', name: 'Meridian', path: 'meridian', symbol: 'MRD' },
  harbor: { id: '431302', name: 'Harbor', path: 'harbor', symbol: 'HBR' },
} as const
export type SampleChain = (typeof chains)[keyof typeof chains]

/** The JSON-RPC address of a chain of the sample network. */
export const rpcUrlOf = (chain: SampleChain, base = sampleUrl): string => `${base}/ext/bc/${chain.path}/rpc`

type Asked<O extends Operation> = { params?: ParamsOf<O>; query?: QueryOf<O>; base?: string }

/** Calls an operation of the contract directly and parses its answer. Throws on any error status. */
export async function ask<O extends Operation>(operation: O, asked: Asked<O> = {}): Promise<ResponseOf<O>> {
  const params: Readonly<Record<string, unknown>> = asked.params ?? {}
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const url = new URL(path, asked.base ?? serviceUrl)
  for (const [name, value] of Object.entries(asked.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value))
  // A stack of the test's own has another token; what is asked of one needs none.
  const headers = asked.base === undefined ? { [localTokenHeader]: readLocalToken() } : {}
  const response = await fetch(url, { headers })
  if (response.status !== operation.success)
    throw new Error(`${url.pathname}${url.search} answered ${response.status}: ${await response.text()}`)
  return operation.response.parse(parseLossless(await response.text())) as ResponseOf<O>
}

/** Sends a request that changes the service under test, with the local token. */
export async function change<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${serviceUrl}${path}`, {
    method: 'POST',
    headers: { [localTokenHeader]: readLocalToken(), 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

/** All rows of a list operation, from all pages; `key` is the list's name in the answer. */
export async function askAll<O extends Operation, K extends keyof ResponseOf<O>>(
  operation: O,
  key: K,
  asked: Asked<O>,
): Promise<ResponseOf<O>[K][number & keyof ResponseOf<O>[K]][]> {
  const rows: unknown[] = []
  let pageToken: string | undefined
  do {
    const query = { ...asked.query, ...(pageToken !== undefined && { pageToken }) } as QueryOf<O>
    const page: ResponseOf<O> = await ask(operation, { ...asked, query })
    rows.push(...(page[key] as unknown[]))
    pageToken = (page as { nextPageToken?: string }).nextPageToken
  } while (pageToken !== undefined)
  return rows as ResponseOf<O>[K][number & keyof ResponseOf<O>[K]][]
}

/** A chain's status in the service. */
export async function statusOf(chain: { id: string }, base?: string): Promise<ChainStatus> {
  const { chains: all } = await ask(listChainStatus, base === undefined ? {} : { base })
  const found = all.find((status) => status.chainId === chain.id)
  if (found === undefined) throw new Error(`the service knows no chain ${chain.id}`)
  return found
}
