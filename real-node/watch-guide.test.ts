import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { launch, temporaryFolder, type Launched } from '../e2e/support/launcher.ts'
import { followGuide, guided, startPhone } from '../e2e/support/watch-guide.ts'
import { ask, freePorts } from './stack/node.ts'

/** The phone of docs/watch.md rings on the local network. */

const folder = temporaryFolder()
const home = join(folder.path, '.ridgeline')
let phone: Awaited<ReturnType<typeof startPhone>>
let stack: Launched

beforeAll(async () => {
  phone = await startPhone()
})
afterAll(async () => {
  await stack.stop()
  phone.stop()
  folder.remove()
})

test('for the test, for a node that is frozen, and for its return', async () => {
  const [port = 0] = await freePorts(10)
  const args = guided(/npm start -- (--network local)/).split(' ')
  stack = launch({
    home,
    args,
    env: { AVALANCHEGO_PATH: inject('avalanchego'), AVALANCHEGO_PORT: String(port) },
  })
  const url = await stack.ready()
  const fifth = await ask<{ nodeID: string }>(`http://127.0.0.1:${port + 8}/ext/info`, 'info.getNodeID')
  await followGuide({ network: 'local', url, folder: folder.path, phone }, fifth.nodeID)
  await phone.rings(/Stake ends soon: alpha/)

  const list = join(folder.path, guided(/its process is in `(\S+)`/))
  const processes = JSON.parse(readFileSync(list, 'utf8')) as readonly { name: string; pid: number }[]
  const { pid } = processes.find(({ name }) => name === 'avalanchego-5') ?? {}
  expect(pid).toBeDefined()
  process.kill(pid ?? 0, 'SIGSTOP')
  try {
    await phone.rings(/Not connected: alpha/)
  } finally {
    process.kill(pid ?? 0, 'SIGCONT')
  }
  await phone.rings(/Resolved.*Not connected: alpha/)
})
