import { mkdtemp, rm, chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../store/schema/migrate.ts'
import { startEmbeddedPostgres } from '../store/embedded-postgres.ts'
import { migratedTemplate, withServer } from './server.ts'

/**
 * Starts the PostgreSQL server that all test files share, in a folder that is removed after the run. It holds a migrated
 * database that those of the tests are copies of: a copy takes half the time of the schema.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), 'ridgeline-test-'))
  // The server may run as another user.
  await chmod(home, 0o755)
  const server = await startEmbeddedPostgres({ home })
  const url = new URL(server.url)
  // The tests kill processes, not the machine. Creating and dropping their databases wait for the disk otherwise.
  await withServer(server.url, (sql) => sql.unsafe('alter system set fsync = off'))
  await withServer(server.url, (sql) => sql.unsafe('select pg_reload_conf()'))
  await withServer(server.url, (sql) => sql.unsafe(`create database ${migratedTemplate}`))
  url.pathname = `/${migratedTemplate}`
  await withServer(url.href, migrate)
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    await rm(home, { recursive: true, force: true })
  }
}
