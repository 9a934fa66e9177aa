import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort, launch, temporaryFolder, type Launched } from '../e2e/support/launcher.ts'

/** The commands of docs/watch.md, From nothing to a ringing phone, on the sample, with a receiver for the phone. */

const run = promisify(execFile)
const guide = readFileSync(join(import.meta.dirname, '../docs/watch.md'), 'utf8')
const patient = { timeout: 120_000, interval: 250 }
const home = temporaryFolder()
let stack: Launched
let url: string
let samplePort: string

/** The titles of the messages that arrived, in order. */
const received: string[] = []
const phone = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    received.push((JSON.parse(Buffer.concat(chunks).toString('utf8')) as { title: string }).title)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})

beforeAll(async () => {
  phone.listen(0, '127.0.0.1')
  await once(phone, 'listening')
  samplePort = await freePort()
  // As the guide starts the sample.
  const [, args = ''] = /RIDGELINE_SAMPLE_ARGS=(\S+) npm start/.exec(guide) ?? []
  stack = launch({
    home: join(home.path, '.ridgeline'),
    env: { SAMPLE_PORT: samplePort, RIDGELINE_SAMPLE_ARGS: `${args} --hours 24` },
  })
  url = await stack.ready()
})
afterAll(async () => {
  await stack.stop()
  phone.close()
  home.remove()
})

/** Runs a command of the guide as it stands there, but for ports, ids and the phone's server. */
async function type(command: string): Promise<string> {
  const [, functions = ''] = /```sh\n(TOKEN=[^]*?\n)\n/.exec(guide) ?? []
  const script = `${functions}${command}`
    .replaceAll('127.0.0.1:4400', new URL(url).host)
    .replaceAll('127.0.0.1:4401', `127.0.0.1:${samplePort}`)
  const { stdout } = await run('bash', ['-ec', script], { cwd: home.path })
  return stdout
}

/** The command of the guide that begins so. */
function commandOf(beginning: string): string {
  const line = guide.split('\n').find((each) => each.trim().startsWith(beginning))
  expect(line, beginning).toBeDefined()
  return (line ?? '').trim()
}

test('the phone rings, for the test, for a node that is cut off, and for a stake that ends', async () => {
  const { port } = phone.address() as AddressInfo
  const channel = JSON.parse(
    await type(
      commandOf('ask channels ').replace('"ntfy": {', `"ntfy": {"serverUrl": "http://127.0.0.1:${port}", `),
    ),
  ) as { channelId: string }
  const inserted = (text: string): string => text.replaceAll('CHANNEL_ID', channel.channelId)
  await type(inserted(commandOf('ask channels/CHANNEL_ID:test')))
  expect(received).toEqual([expect.stringContaining('Test')])

  const answer = await fetch(`${url}/v1/networks/fuji/validators?validationStatus=active&pageSize=50`)
  const { validators } = (await answer.json()) as { validators: { nodeId: string; autoRenewal?: object }[] }
  const nodeId = validators.find(({ autoRenewal }) => autoRenewal === undefined)?.nodeId ?? ''
  const { fleet } = JSON.parse(await type(commandOf('ask fleets ').replace('NodeID-…', nodeId))) as {
    fleet: { fleetId: string }
  }
  const named = (text: string): string => inserted(text).replaceAll('FLEET_ID', fleet.fleetId)
  for (const kind of ['notConnected', 'nodeSilent', 'stakeEnds'])
    await type(named(commandOf(`ask rules '{"kind": "${kind}"`)))
  await vi.waitFor(() => expect(received.join('\n')).toMatch(/Stake ends soon: alpha/), patient)

  const [, control = ''] = /\*\*Sample:\*\* `(.*?)`/.exec(guide) ?? []
  await type(control.replace('NodeID-…', nodeId))
  await vi.waitFor(() => expect(received.join('\n')).toMatch(/Not connected: alpha/), patient)
  await type(control.replace('NodeID-…', nodeId).replace('false', 'true'))
  await vi.waitFor(() => expect(received.join('\n')).toMatch(/Resolved.*Not connected: alpha/), patient)
})
