import { afterEach, expect, test, vi } from 'vitest'
import { certificateOf } from '../primary/certificates.ts'
import { blsKeyOf } from '../primary/keys.ts'
import { listen, type Listener } from './listener.ts'
import { signAddress } from './identity.ts'
import { encodeMessage } from '../../protocol/peer/messages.ts'
import { bytes, connected, dial, handshake, signerOf } from '../testing/peer.ts'

const certificate = certificateOf('connection test')
const key = blsKeyOf('connection test')
const node = { certificate, nodeId: certificate.nodeId, bls: () => key, blsSecret: () => key.secret }

let listener: Listener
let address = ''

/** Listens and sends a ping every `ping` milliseconds. */
async function open(ping: number, silence: number): Promise<void> {
  listener = await listen(node, 0, (port) => ({
    networkId: 5,
    pace: { ping, silence },
    handshake: () => signAddress(node, port).handshake(5, []),
    peerList: () => encodeMessage({ case: 'peerList', value: {} }),
    answer: () => Promise.resolve(undefined),
  }))
  address = `127.0.0.1:${listener.port}`
}

const hour = 3_600_000
afterEach(() => listener.close())

test('a peer that answers pings is kept while it answers', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  try {
    await open(100, 3_000)
    const client = await connected(address)
    // The pings take longer than the silence that is allowed.
    for (let time = 0; time < 40; time += 1) {
      vi.advanceTimersByTime(100)
      expect((await client.next(11))?.kind).toBe(11)
      // The answer to a ping of its own says that the pong has arrived: another one would be unsolicited.
      client.send(bytes(12, ''))
      client.send(bytes(11, ''))
      expect((await client.next(12))?.kind).toBe(12)
    }
    vi.advanceTimersByTime(3_000)
    await client.closed
  } finally {
    vi.useRealTimers()
  }
})

test('a peer that sends an unsolicited pong is not', async () => {
  await open(hour, hour)
  const client = await connected(address)
  client.send(bytes(12, ''))
  await client.closed
})

test('unreadable messages are skipped, and a second handshake closes the connection', async () => {
  await open(hour, hour)
  const client = await dial(address, 'twice')
  client.send(Buffer.from('ff', 'hex'))
  // A zstd frame that declares 3 GB.
  client.send(bytes(2, Buffer.from('28b52ffda0000000b20100000001', 'hex')))
  client.send(handshake(signerOf('twice')))
  expect((await client.next(14))?.fields).toEqual([])
  client.send(handshake(signerOf('twice')))
  await client.closed
})

test('a closed listener ends its connections and frees its port', async () => {
  await open(hour, hour)
  const client = await connected(address)
  const { port } = listener
  await listener.close()
  await client.closed
  listener = await listen(node, port, () => {
    throw new Error('nobody connects')
  })
  expect(listener.port).toBe(port)
})
