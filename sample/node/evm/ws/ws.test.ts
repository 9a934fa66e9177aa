import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { resultOf } from '../../../testing/ask.ts'
import { type RunningSample, startSample } from '../../../testing/start.ts'

let sample: RunningSample

beforeAll(async () => {
  sample = await startSample({ hours: 24 })
})
afterAll(() => sample.stop())

type Exchange = {
  readonly sent: readonly string[]
  readonly received: readonly string[]
  readonly closed: readonly [number, string] | null
}
type Frame = Readonly<Record<string, unknown>>

const recorded = JSON.parse(
  readFileSync(new URL('../../fixtures/sockets.json', import.meta.url), 'utf8'),
) as {
  exchanges: Readonly<Record<string, Exchange>>
  frames: readonly Frame[]
}

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(sample.chain('C-Chain').wsUrl)
  await new Promise((resolve) => socket.once('open', resolve))
  return socket
}

/** An answer without the values that differ between nodes: random subscription ids and chain ids. */
function alike(text: string): unknown {
  return JSON.parse(
    text.replaceAll(/"0x[0-9a-f]{32}"/g, '"a subscription"').replaceAll(/"0xa86[89]"/g, '"the chain"'),
  )
}

describe('a websocket gives the recorded answers of a real node', () => {
  test.each(Object.keys(recorded.exchanges))('%s', async (name) => {
    const { sent, received, closed } = recorded.exchanges[name] ?? { sent: [], received: [], closed: null }
    const socket = await open()
    const heard: string[] = []
    const ended = new Promise<number>((resolve) => socket.once('close', resolve))
    const answered = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        heard.push(data.toString('utf8'))
        if (heard.length === received.length) resolve()
      })
    })
    for (const message of sent) socket.send(name === 'binaryFrame' ? Buffer.from(message) : message)
    if (received.length > 0) await answered
    if (closed !== null) expect(await ended).toBe(closed[0])
    expect(heard.map(alike)).toEqual(received.map(alike))
    socket.terminate()
  })
})

describe('subscriptions', () => {
  test('are created, fed and ended like those of a real node', async () => {
    const socket = await open()
    const pushes: { subscription: string; result: unknown }[] = []
    const waiting = new Map<unknown, (answer: Frame) => void>()
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString('utf8')) as Frame
      if ('params' in frame) pushes.push(frame['params'] as { subscription: string; result: unknown })
      else waiting.get(frame['id'])?.(frame)
    })
    const ask = (request: Frame): Promise<Frame> =>
      new Promise((resolve) => {
        waiting.set(request['id'], resolve)
        socket.send(JSON.stringify(request))
      })

    // The recorded conversation: each call and its answer.
    const ids = new Map<string, string>()
    const made = new Map<unknown, string>()
    const asked = recorded.frames.filter((frame) => '>>>' in frame).map((frame) => frame['>>>'] as Frame)
    const answers = new Map(
      recorded.frames.filter((frame) => 'id' in frame).map((frame) => [frame['id'], frame]),
    )
    const subscribing = asked.filter(({ method }) => method === 'eth_subscribe')
    for (const request of subscribing) {
      const answer = await ask(request)
      const wanted = answers.get(request['id']) as Frame
      if ('error' in wanted) {
        expect(answer).toEqual(wanted)
        continue
      }
      expect(answer['result']).toMatch(/^0x[0-9a-f]{32}$/)
      ids.set(String(wanted['result']), String(answer['result']))
      made.set(request['id'], String(answer['result']))
    }

    const { head } = await sample.control.mine({ chain: 'c', blocks: 3, transactions: 12 })
    const last = await resultOf<{ hash: string; transactions: string[] }>(
      sample.chain('C-Chain').rpcUrl,
      'eth_getBlockByNumber',
      `0x${head.number.toString(16)}`,
      false,
    )
    // The last block is complete once its whole transactions have arrived: they take longest.
    const of = (id: number): unknown[] =>
      pushes.filter(({ subscription }) => subscription === made.get(id)).map(({ result }) => result)
    const isDone = (): boolean =>
      of(7).some((result) => (result as { hash: string }).hash === last.transactions.at(-1))
    await new Promise<void>((resolve) => {
      if (isDone()) resolve()
      socket.on('message', () => {
        if (isDone()) resolve()
      })
    })
    const [header] = of(1) as Frame[]
    const shape = recorded.frames
      .map((frame) => (frame['params'] as { result?: Frame } | undefined)?.result)
      .find((result) => typeof result === 'object' && 'parentHash' in result)
    const absent = ['extDataHash', 'extDataGasUsed', 'minDelayExcess']
    expect(Object.keys(header ?? {}).toSorted()).toEqual(
      Object.keys(shape ?? {})
        .filter((field) => !absent.includes(field))
        .toSorted(),
    )
    expect(of(6)).toEqual(of(7).map((transaction) => (transaction as { hash: string }).hash))
    expect(of(7).at(0)).toMatchObject({ blockHash: null, blockNumber: null, transactionIndex: null })
    expect(new Set(of(4))).toEqual(new Set(of(6)))
    const logs = await resultOf<Frame[]>(sample.chain('C-Chain').rpcUrl, 'eth_getLogs', {
      fromBlock: `0x${(head.number - 2).toString(16)}`,
    })
    expect(logs.length).toBeGreaterThan(0)
    expect(of(2).map((log) => (log as Frame)['data'])).toEqual(logs.map((log) => log['data']))
    expect(of(3)).toEqual([])

    for (const request of asked.filter(({ method }) => method !== 'eth_subscribe')) {
      const [id] = request['params'] as string[]
      const params = id === undefined ? [] : [ids.get(id) ?? id]
      const answer = await ask({ ...request, params })
      expect(alike(JSON.stringify(answer))).toEqual(alike(JSON.stringify(answers.get(request['id']))))
    }
    socket.terminate()
  })
})
