// npm run test:s3: a lake in S3-compatible storage, served by versitygw, which Go builds once; see docs/testing.md.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build, cacheFolder, missingTools } from './support/avalanchego.mjs'
import { ensureBuilt, ensureInstalled, root, runBinary, say } from './support/bootstrap.mjs'

const version = 'v1.8.0'
const module = 'github.com/versity/versitygw'

ensureInstalled()
const server = await findServer()
if (server.missing !== undefined) {
  say(`tests of S3 are skipped: ${server.missing}`)
  process.exit(0)
}
// Loading the sources takes most of the CPU time of the programs that the tests start.
await ensureBuilt(['node'])
// Each test starts several programs, one after the other.
const patient = ['--testTimeout=240000', '--hookTimeout=240000']
process.exit(
  await runBinary('vitest', 'vitest', ['run', ...patient, 'server/lake/s3'], {
    RIDGELINE_VERSITYGW: server.path,
    RIDGELINE_BUILT: join(root, 'dist/node'),
  }),
)

async function findServer() {
  const folder = cacheFolder(`versitygw-${version}`)
  const path = join(folder, 'versitygw')
  if (existsSync(path)) return { path }
  const missing = missingTools('versitygw', ['mod', 'download', `${module}@${version}`])
  if (missing !== undefined) return { missing }
  say(`building versitygw ${version} with Go, once; some minutes …`)
  return await build({
    folder,
    path,
    built: 'versitygw',
    source: `${module}/cmd/versitygw@${version}`,
  })
}
