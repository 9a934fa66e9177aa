import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { getNetworkOverview } from '../contract/network/overview.ts'
import { listWatchAlarms } from '../contract/watch/alarms.ts'
import { getWatchFleet } from '../contract/watch/fleets.ts'
import { temporaryFolder } from '../e2e/support/launcher.ts'
import { startNetwork, type RealNetwork } from './stack/network.ts'
import { startService, untilIndexed, type Service } from './stack/service.ts'

/** What the receiver of a webhook was sent. */
type Received = { readonly at: number; readonly headers: IncomingHttpHeaders; readonly body: string }

const signingKey = 'a key that only the receiver knows'
/** The limit within which an operator is told, in milliseconds. */
const limit = 60_000
const folder = temporaryFolder()
const serviceFolder = temporaryFolder()
const received: Received[] = []
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    received.push({ at: Date.now(), headers: request.headers, body: Buffer.concat(chunks).toString('utf8') })
    response.writeHead(204).end()
  })
})
let network: RealNetwork
let service: Service

/** Sends a request that changes the watch, with the local token. */
async function change(path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${service.url}/v1/watch/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-ridgeline-token': service.token },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}

const messages = (): { event: string; nodeId: string }[] =>
  received.map(({ body }) => {
    const { event, subject } = JSON.parse(body) as { event: string; subject: { nodeId: string } }
    return { event, nodeId: subject.nodeId }
  })

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  network = await startNetwork({ program: inject('avalanchego'), folder: folder.path, size: 5 })
  const { port } = receiver.address() as AddressInfo
  service = await startService(network.node.url, serviceFolder.path, {
    watch: { hosts: [`127.0.0.1:${port}`] },
  })
  await untilIndexed(service, network.node.url, getNetworkOverview)
})

afterAll(async () => {
  await service?.stop()
  await network?.stop()
  receiver.closeAllConnections()
  receiver.close()
  serviceFolder.remove()
  folder.remove()
})

describe('the watch of real validators', () => {
  test('tells of a node that stops within a minute and once, and of its return', async () => {
    const { port } = receiver.address() as AddressInfo
    const { channelId } = await change('channels', {
      name: 'receiver',
      kind: 'webhook',
      webhook: { url: `http://127.0.0.1:${port}/alarms`, signingKey },
    })
    const text = network.validators.map(({ nodeId }, place) => `node-${place} ${nodeId}`).join('\n')
    const { fleet } = (await change('fleets', { network: 'fuji', name: 'All', text })) as {
      fleet: { fleetId: string }
    }
    await change('rules', { kind: 'notConnected', fleetId: fleet.fleetId, channelIds: [channelId] })
    // The first node does not see itself as a peer; every other one is connected.
    const connected = async (): Promise<(boolean | undefined)[]> => {
      const { members } = await service.get(getWatchFleet, { fleetId: fleet.fleetId })
      return members.map(({ isConnected }) => isConnected)
    }
    await expect.poll(connected, { timeout: limit }).toEqual([true, true, true, true, true])
    const stopped = network.validators[4]?.nodeId ?? ''

    const stoppedAt = Date.now()
    await network.stopNode(4)
    await expect.poll(messages, { timeout: 2 * limit }).toEqual([{ event: 'firing', nodeId: stopped }])
    expect((received[0]?.at ?? Infinity) - stoppedAt).toBeLessThan(limit)
    expect(await connected()).toEqual([true, true, true, true, false])

    const startedAt = Date.now()
    await network.startNode(4)
    await expect.poll(messages, { timeout: 2 * limit }).toEqual([
      { event: 'firing', nodeId: stopped },
      { event: 'resolved', nodeId: stopped },
    ])
    expect((received[1]?.at ?? Infinity) - startedAt).toBeLessThan(limit)

    for (const { headers, body } of received) {
      const signed = `${String(headers['x-ridgeline-timestamp'])}.${body}`
      const signature = createHmac('sha256', signingKey).update(signed).digest('hex')
      expect(headers['x-ridgeline-signature']).toBe(`v1=${signature}`)
    }
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
    const { alarms } = await service.get(listWatchAlarms, {}, { fleetId: fleet.fleetId })
    expect(
      alarms.map(({ subject, resolvedTimestamp }) => [subject.nodeId, resolvedTimestamp !== undefined]),
    ).toEqual([[stopped, true]])
  })
})
