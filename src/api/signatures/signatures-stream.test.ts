import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../errors.ts'
import { sseReader } from './signatures-sse.ts'
import { roundEvents, type RoundEvent } from './signatures-stream.ts'

const signer = (index: number) => ({
  index,
  outcome: 'signed',
  source: 'peer',
  milliseconds: 12,
  signedWeight: '40',
  totalWeight: '100',
  requiredWeight: '67',
})
const done = {
  signedMessage: '0xabcd',
  signers: [0, 1],
  results: [],
  isCached: false,
  signedWeight: '80',
  totalWeight: '100',
  requiredWeight: '67',
}
const eventText = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

const bodyOf = (...pieces: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
      controller.close()
    },
  })

async function all(body: ReadableStream<Uint8Array>): Promise<RoundEvent[]> {
  const events: RoundEvent[] = []
  for await (const some of roundEvents(body, new AbortController().signal)) events.push(...some)
  return events
}

test('parses the same events wherever the network splits them', () => {
  const text =
    '\uFEFF: hello\r\nevent: signer\r\ndata: {"a":\r\ndata: 1}\r\n\r\nretry: 5\rdata\rdata: x\r\r: beat\n\nid: 3\nevent: lost\n\ndata:é\n\n'
  const expected = [
    { name: 'signer', data: '{"a":\n1}' },
    { name: 'message', data: '\nx' },
    { name: 'message', data: 'é' },
  ]
  fc.assert(
    fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 12 }), (cuts) => {
      const read = sseReader()
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      const found = at.slice(1).flatMap((end, index) => read(text.slice(at[index], end)))
      expect(found).toEqual(expected)
    }),
  )
})

test('rejects an event without an end', () => {
  const read = sseReader()
  const piece = `data: ${'x'.repeat(8_000_000)}\n`
  expect(() => {
    for (let count = 0; count < 6; count += 1) read(piece)
  }).toThrow(RangeError)
})

test('reads a round to its end and ignores later and unknown events', async () => {
  const bytes = new TextEncoder().encode(eventText('signer', { ...signer(1), reason: 'späte Antwort' }))
  // The cut is inside the two bytes of ä.
  const cut = bytes.indexOf(0xc3) + 1
  const events = await all(
    bodyOf(
      eventText('signer', signer(0)) + ': beat\n\n' + eventText('weather', {}),
      bytes.slice(0, cut),
      bytes.slice(cut),
      eventText('done', done),
      eventText('signer', signer(2)),
    ),
  )
  expect(events.map(({ name }) => name)).toEqual(['signer', 'signer', 'done'])
  expect(events[1]?.data).toMatchObject({ index: 1, reason: 'späte Antwort' })
})

test('reports a stream without an end event or with invalid events as unreadable', async () => {
  const cut = all(bodyOf(eventText('signer', signer(0))))
  await expect(cut).rejects.toMatchObject({ kind: 'answer' })
  await expect(cut).rejects.toBeInstanceOf(ApiError)
  await expect(all(bodyOf(eventText('done', { signedMessage: 7 })))).rejects.toMatchObject({ kind: 'answer' })
  await expect(all(bodyOf('event: done\ndata: {\n\n'))).rejects.toMatchObject({ kind: 'answer' })
})

test('aborting a round closes its connection and rejects with the reason', async () => {
  const controller = new AbortController()
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      stream.enqueue(new TextEncoder().encode(eventText('signer', signer(0))))
      controller.signal.addEventListener('abort', () => stream.error(controller.signal.reason))
    },
  })
  const left = (async () => {
    for await (const _ of roundEvents(body, controller.signal)) controller.abort(new Error('left'))
  })()
  await expect(left).rejects.toThrow('left')

  const endless = new ReadableStream<Uint8Array>({
    pull: (stream) => stream.enqueue(new TextEncoder().encode(eventText('done', done))),
    cancel: () => {
      cancelled = true
    },
  })
  await all(endless)
  expect(cancelled).toBe(true)
})
