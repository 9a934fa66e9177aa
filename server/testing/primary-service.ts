import { primaryChainIds } from '../../contract/primary/chains.ts'
import type { AppOptions } from '../app.ts'
import { addressText, cb58, idOfText, nodeIdText } from '../../protocol/ids/text.ts'
import type { Database } from '../store/database.ts'
import { avax, fujiNetwork, idBytes, insertFujiChains, shortBytes } from './primary-rows.ts'
import { testConfig } from './config.ts'
import { startTestService, type TestService } from './service.ts'

/** The text of the id, address or node id derived from a name. */
export const idText = (name: string): string => cb58(idBytes(name))
export const walletText = (name: string): string => addressText(shortBytes(name), fujiNetwork.prefix)
export const nodeText = (name: string): string => nodeIdText(shortBytes(name))

type Answer = { readonly status: number; readonly body: Record<string, unknown> }

/** A service of fuji only, on a database with its three chains, and functions to query it. */
export type PrimaryService = {
  readonly service: TestService
  /** Requests a path below `/v1/networks/fuji`. */
  get(path: string): Promise<Answer>
  /** All items of a list, from all pages. */
  walk(path: string, name: string): Promise<Record<string, unknown>[]>
}

/** Starts it. `config` is merged into the configuration; `ids` are those of the three chains in cb58. */
export async function startPrimaryService(
  database: Database,
  config: Record<string, unknown> = {},
  options: Partial<AppOptions> = {},
  ids: readonly string[] = [primaryChainIds.p, primaryChainIds.x.fuji, primaryChainIds.c.fuji],
  avaxAsset?: string,
): Promise<PrimaryService> {
  await insertFujiChains(
    database,
    ids.map((id) => Buffer.from(idOfText(id))),
    avaxAsset === undefined ? avax : Buffer.from(idOfText(avaxAsset)),
  )
  const service = await startTestService(database, {
    config: testConfig({ networks: [fujiNetwork], ...config }),
    ...options,
  })
  const get = async (path: string): Promise<Answer> => {
    const response = await service.app.inject(`/v1/networks/fuji${path}`)
    return { status: response.statusCode, body: response.json() }
  }
  return {
    service,
    get,
    async walk(path, name) {
      const items: Record<string, unknown>[] = []
      for (let next = ''; ;) {
        const joint = path.includes('?') ? '&' : '?'
        const { status, body } = await get(next === '' ? path : `${path}${joint}pageToken=${next}`)
        if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
        items.push(...(body[name] as Record<string, unknown>[]))
        if (body['nextPageToken'] === undefined) return items
        next = String(body['nextPageToken'])
      }
    },
  }
}
