import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, vi } from 'vitest'

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

type Phone = {
  /** Where its server listens. */
  readonly host: string
  /** The titles of the messages that arrived, in order. */
  readonly received: readonly string[]
  /** Waits until a message with such a title has arrived. */
  rings(title: RegExp): Promise<void>
  stop(): void
}

/** A server in place of the one that rings the phone. */
export async function startPhone(): Promise<Phone> {
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
    received,
    rings: (title) =>
      vi.waitFor(() => expect(received.join('\n')).toMatch(title), { timeout: 240_000, interval: 250 }),
    stop: () => server.close(),
  }
}

/** The file that the guide names for the token of a network, below the folder in which it was started. */
const tokenOf = (network: Network): string =>
  network === 'sample'
    ? guided(/token is in `(\S+)` on the sample/)
    : guided(/and in\n`(\.ridgeline\/local\/token)`/).replace('local', network)

type Network = 'sample' | 'local' | 'fuji' | 'mainnet'

type Followed = {
  readonly network: Network
  /** The dashboard's address. */
  readonly url: string
  /** The folder with the home `.ridgeline`. */
  readonly folder: string
  readonly phone: Phone
  /** What a command of the guide names that is elsewhere in the test. */
  readonly places?: Readonly<Record<string, string>>
}

/**
 * Follows the guide by the API: a channel that rings, a fleet of the node as “alpha”, and the three rules. Answers with what
 * types a further command of the guide.
 */
export async function followGuide({ network, url, folder, phone, places = {} }: Followed, nodeId: string) {
  const known: Record<string, string> = {
    '127.0.0.1:4400': new URL(url).host,
    '.ridgeline/token': tokenOf(network),
    '"network": "fuji"': `"network": "${network === 'mainnet' ? 'mainnet' : 'fuji'}"`,
    '"ntfy": {': `"ntfy": {"serverUrl": "http://${phone.host}", `,
    ...places,
  }
  /** Runs a command of the guide, and answers with what it prints. */
  async function type(command: string): Promise<string> {
    let script = `${guided(/```sh\n(TOKEN=[^]*?\n)\n/)}${command}`
    for (const [text, value] of Object.entries(known)) script = script.replaceAll(text, value)
    const { stdout } = await run('bash', ['-ec', script], { cwd: folder })
    return stdout
  }
  /** Runs the line of the guide that begins so. */
  async function ask(beginning: string): Promise<Record<string, never>> {
    const line = guide.split('\n').find((each) => each.startsWith(`ask ${beginning}`))
    expect(line, beginning).toBeDefined()
    return JSON.parse(await type(line ?? ''))
  }
  const channel = await ask('channels ')
  known['CHANNEL_ID'] = channel['channelId'] ?? ''
  await ask('channels/CHANNEL_ID:test')
  expect(phone.received).toEqual([expect.stringContaining('Test')])
  known['NodeID-…'] = nodeId
  const { fleet } = (await ask('fleets ')) as { fleet?: { fleetId: string } }
  known['FLEET_ID'] = fleet?.fleetId ?? ''
  for (const kind of ['notConnected', 'nodeSilent', 'stakeEnds']) await ask(`rules '{"kind": "${kind}"`)
  return { type }
}
