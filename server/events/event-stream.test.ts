import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EventStream, eventText } from './event-stream.ts'

const maxBuffered = 65_536
const wide = 'x'.repeat(65_536)

let app: FastifyInstance
let stream: EventStream
let reader: IncomingMessage

beforeEach(async () => {
  app = Fastify()
  const opened = new Promise<EventStream>((resolve) => {
    app.get('/', (incoming, reply) => {
      const made = new EventStream(incoming, reply, maxBuffered)
      made.write(': first\n\n')
      resolve(made)
    })
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const asked = request(url).end()
  ;[reader] = (await once(asked, 'response')) as [IncomingMessage]
  reader.on('error', () => undefined)
  stream = await opened
})
afterEach(async () => {
  reader.destroy()
  await app.close()
})

/** Writes until more data is buffered than the kernel accepts for a client that does not read. */
async function fall(): Promise<void> {
  for (let written = 0; !stream.isBehind && written < 2_000; written += 1) {
    stream.write(eventText('wide', wide))
    // Data written in one event loop turn is sent at its end.
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(stream.isBehind).toBe(true)
}

test('a client that is behind loses optional events, and gets the rest when it reads', async () => {
  await fall()
  stream.writeUnlessBehind(eventText('single', 1))
  stream.write(eventText('last', 2))
  stream.response.end()
  let text = ''
  for await (const chunk of reader) text += String(chunk)
  expect(text.startsWith(': first\n\nevent: wide\n')).toBe(true)
  expect(text.endsWith('event: last\ndata: 2\n\n')).toBe(true)
  expect(text).not.toContain('single')
})

test.each([
  ['an event that nobody can do without', () => stream.writeOrCut(eventText('head', 1))],
  ['a heartbeat', () => stream.beat()],
])('a reader that is behind is cut off by %s, one that keeps up is not', async (_name, act) => {
  act()
  expect(stream.response.destroyed).toBe(false)
  await fall()
  act()
  expect(stream.response.destroyed).toBe(true)
})
