import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { until } from './indexer/testing/harness.ts'
import { SimulatedChain } from './indexer/testing/simulated-chain.ts'
import { SimulatedNode } from './indexer/testing/simulated-node.ts'
import { openDatabase } from './store/database.ts'
import { startEmbeddedPostgres } from './store/embedded-postgres.ts'
import { migrate } from './store/schema/migrate.ts'
import { runProgram } from './testing/program.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** What the bundled PostgreSQL offers to a role without privileges (server/store/embedded-postgres.ts). */
const bundledConnections = 57

test('a hundred chains are indexed and served on the connections of the bundled PostgreSQL', async () => {
  // Of its own: other tests take connections of the one that they share.
  const home = await mkdtemp(join(tmpdir(), 'ridgeline-chains-'))
  await chmod(home, 0o755)
  cleanups.push(() => rm(home, { recursive: true, force: true }))
  const server = await startEmbeddedPostgres({ home })
  cleanups.push(() => server.stop())
  const database = openDatabase(server.url, { max: 1, applicationName: 'ridgeline test' })
  cleanups.push(() => database.end({ timeout: 0 }))
  await migrate(database)
  const chains = Array.from({ length: 100 }, (_, index) => new SimulatedChain(index, { id: 90_000 + index }))
  const configured = []
  for (const chain of chains) {
    chain.mine(4)
    const node = new SimulatedNode({ chain })
    configured.push({
      evmChainId: chain.id,
      name: `Chain ${chain.id}`,
      rpcUrl: await node.start(),
      pollSeconds: 1,
    })
    cleanups.push(() => node.stop())
  }
  // A busy machine may need longer than the usual ten seconds: what is measured are connections.
  const limits = { statementMilliseconds: 60_000 }
  const service = await runProgram({ chains: configured, limits }, { DATABASE_URL: server.url })
  cleanups.push(() => service.discard())
  const ask = async (path: string): Promise<string> => {
    const answer = await fetch(new URL(path, service.url))
    return answer.ok ? 'ok' : `${answer.status} ${await answer.text()}`
  }
  let max = 0
  const look = async (): Promise<number> => {
    const [row] = await database<{ used: number; whole: number }[]>`
      select (select count(*)::int from pg_stat_activity
          where datname = current_database() and application_name <> 'ridgeline test') as used,
        (select count(distinct chain)::int from blocks where number = 4) as whole`
    max = Math.max(max, row?.used ?? 0)
    return row?.whole ?? 0
  }
  await until('all chains are whole', async () => service.isUp() && (await look()) === chains.length, 240_000)
  await until('the service is ready', async () => (await ask('/ready')) === 'ok', 60_000)
  const pages = [
    '/v1/chains',
    '/v1/status',
    '/v1/traffic',
    '/v1/latest?network=fuji',
    `/v1/chains/90050/blocks`,
  ]
  // Many visitors at once, twice as many as the pool of reads has connections.
  for (const path of pages) {
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask(path)))
    expect(new Set(answers), path).toEqual(new Set(['ok']))
    await look()
  }
  expect(max).toBeGreaterThan(9)
  expect(max).toBeLessThan(bundledConnections)
  expect(await service.stop()).toBe(0)
  expect(service.errors()).toBe('')
})
