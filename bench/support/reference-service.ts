import { setTimeout as delay } from 'node:timers/promises'
import { type Database, liveChannel } from '../../server/store/database.ts'
import type { Node } from './anvil.ts'
import { type BenchPostgres, withDatabase } from './postgres.ts'
import { referenceChain } from './reference-chain.ts'
import { type Service, startService } from './service.ts'

type IndexingOptions = {
  readonly name: string
  readonly port: number
  /** `auto` uses the node's trace method. */
  readonly traces: 'auto' | 'off'
  readonly nodeOptions?: readonly string[]
}

/** The figures of indexing the reference chain. */
export type Indexing = {
  readonly service: Service
  /** Blocks per second from the first observed commit to the last, excluding the program's start. */
  readonly blocksPerSecond: number
  /** Seconds from the program's first answer to the last block. */
  readonly seconds: number
  /** Peak memory of the service's process until then, in bytes. */
  readonly peakMemory: number
  readonly cpuSeconds: number
}

const timeoutMs = 400_000

/**
 * Starts the complete service on an empty database, and waits until it has indexed the reference
 * chain.
 */
export async function indexReferenceChain(
  node: Node,
  postgres: BenchPostgres,
  database: string,
  options: IndexingOptions,
): Promise<Indexing> {
  await postgres.create(database)
  const databaseUrl = postgres.urlOf(database)
  return withDatabase(databaseUrl, async (sql) => {
    const heights = await followHeights(sql)
    const service = await startService({
      name: options.name,
      role: 'all',
      port: options.port,
      databaseUrl,
      config: {
        chains: [
          {
            evmChainId: referenceChain.chainId,
            name: 'Reference',
            rpcUrl: node.url,
            traces: options.traces,
          },
        ],
        limits: { requestsPerMinute: 1_000_000_000 },
      },
      ...(options.nodeOptions && { nodeOptions: options.nodeOptions }),
    })
    try {
      const began = performance.now()
      const { first, last } = await heights.until(referenceChain.blocks, timeoutMs)
      if (last.height < referenceChain.blocks)
        throw new Error(`the service indexed ${last.height} blocks only: ${await reasonOf(service)}`)
      return {
        service,
        blocksPerSecond: (1_000 * (last.height - first.height)) / (last.at - first.at),
        seconds: Math.max(0, last.at - began) / 1_000,
        peakMemory: service.peakMemory(),
        cpuSeconds: service.cpuSeconds(),
      }
    } catch (error) {
      await service.stop()
      throw error
    }
  })
}

type Reached = { readonly height: number; readonly at: number }

type Heights = {
  /** The first and the newest height once the newest is `wanted`, or after the timeout. */
  until(wanted: number, wait: number): Promise<{ readonly first: Reached; readonly last: Reached }>
}

/** Receives each commit like the pages do: polling the height would slow down the measured process. */
async function followHeights(sql: Database): Promise<Heights> {
  const [row] = await sql<{ height: bigint | null }[]>`select max(number) as height from blocks`
  const start = { height: Number(row?.height ?? -1), at: performance.now() }
  let first = start.height < 0 ? undefined : start
  let last = start
  let wanted = Infinity
  let arrive = (): void => undefined
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await sql.listen(liveChannel, (payload) => {
    const { kind, number } = JSON.parse(payload) as { kind: string; number?: string }
    if (kind !== 'head') return
    last = { height: Number(number), at: performance.now() }
    first ??= last
    if (last.height >= wanted) arrive()
  })
  return {
    async until(height, wait) {
      wanted = height
      if (last.height < wanted) await Promise.race([arrived, delay(wait, undefined, { ref: false })])
      return { first: first ?? last, last }
    },
  }
}

/** The state that the service reports. */
export async function reasonOf(service: Service): Promise<string> {
  const response = await fetch(`${service.url}/v1/status`)
  return response.text()
}
