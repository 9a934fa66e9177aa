import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'

/*
 * The commands of docs/watch.md, From nothing to a ringing phone, typed as they stand there but for ports, IDs, the folder of
 * the token and the phone's server, on a stack that a test has started.
 */

const run = promisify(execFile)
const guide = readFileSync(join(import.meta.dirname, '../../docs/watch.md'), 'utf8')

/** The first group of what the guide has of a form. */
export function guided(form: RegExp): string {
  const [, found] = form.exec(guide) ?? []
  if (found === undefined) throw new Error(`docs/watch.md has nothing like ${String(form)}`)
  return found
}

/** A server in place of the one that rings the phone. */
export async function startPhone(): Promise<{ host: string; received: string[]; stop(): void }> {
  const received: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push((JSON.parse(Buffer.concat(chunks).toString('utf8')) as { title: string }).title)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The titles of the messages that arrived, in order. */
    received,
    stop: () => server.close(),
  }
}

type Followed = {
  /** The dashboard's address. */
  readonly url: string
  /** The file with the token, of which the guide names the last part: `.ridgeline/…`. */
  readonly token: string
  readonly network: 'fuji' | 'mainnet'
  /** The phone's server. */
  readonly host: string
  /** What a command of the guide names that is elsewhere in the test. */
  readonly places?: Readonly<Record<string, string>>
}

/** Follows the guide by the API: a channel that rings, a fleet of the node as “alpha”, and the three rules. */
export async function followGuide({ url, token, network, host, places = {} }: Followed, nodeId: string) {
  const known: Record<string, string> = {
    '127.0.0.1:4400': new URL(url).host,
    '"network": "fuji"': `"network": "${network}"`,
    ...places,
  }
  /** Runs a command of the guide, and answers with what it prints. */
  async function type(command: string): Promise<string> {
    const functions = guided(/```sh\n(TOKEN=[^]*?\n)\n/).replace('.ridgeline/token', token)
    let script = `${functions}${command}`
    for (const [text, value] of Object.entries(known)) script = script.replaceAll(text, value)
    const { stdout } = await run('bash', ['-ec', script], { cwd: dirname(token) })
    return stdout
  }
  /** Runs the line of the guide that begins so. */
  async function ask(beginning: string): Promise<Record<string, never>> {
    const line = guide.split('\n').find((each) => each.startsWith(`ask ${beginning}`))
    expect(line, beginning).toBeDefined()
    return JSON.parse(
      await type((line ?? '').replace('"ntfy": {', `"ntfy": {"serverUrl": "http://${host}", `)),
    )
  }
  const channel = await ask('channels ')
  known['CHANNEL_ID'] = channel['channelId'] ?? ''
  await ask('channels/CHANNEL_ID:test')
  known['NodeID-…'] = nodeId
  const { fleet } = (await ask('fleets ')) as { fleet?: { fleetId: string } }
  known['FLEET_ID'] = fleet?.fleetId ?? ''
  for (const kind of ['notConnected', 'nodeSilent', 'stakeEnds']) await ask(`rules '{"kind": "${kind}"`)
  return { type }
}
