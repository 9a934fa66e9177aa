import { mkdtemp, rm, chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../store/embedded-postgres.ts'

/** Starts the PostgreSQL server that all test files share, in a folder that is removed after the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), 'ridgeline-test-'))
  // The server may run as another user.
  await chmod(home, 0o755)
  const server = await startEmbeddedPostgres({ home })
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    await rm(home, { recursive: true, force: true })
  }
}
