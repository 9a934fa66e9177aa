import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withOwnAnswers } from './batch-answer.ts'
import type { Item } from './calls.ts'
import { call, failed } from './testing/gateway.ts'
import { echo } from './testing/scripted-node.ts'
import { useSockets } from './testing/sockets.ts'
import { useGateway } from './testing/use-gateway.ts'

const gateway = useGateway()
const { open } = useSockets(gateway)

const answered = (method: string, id: unknown) => ({ jsonrpc: '2.0', id, result: method })
const notThere = (method: string): string => `the method ${method} does not exist/is not available`
const sent = (): unknown[] => gateway.node.asked.map(({ body }) => JSON.parse(body) as unknown)

const mixed = [
  call('eth_nope', [], 'first'),
  call('eth_chainId', [], 1),
  call('debug_getBadBlocks', [], 2),
  call('personal_listAccounts', [], 3),
  call('net_version', [], 4),
  7,
  [call('eth_chainId', [], 5)],
]
const ofMixed = [
  failed(-32601, notThere('eth_nope'), 'first'),
  answered('eth_chainId', 1),
  failed(-32601, expect.stringContaining('"debug" in gateway.namespaces'), 2),
  failed(-32601, expect.stringContaining('"personal" in gateway.namespaces'), 3),
  answered('net_version', 4),
  failed(-32600, 'invalid request', null),
  failed(-32600, 'invalid request', null),
]

describe('a batch with refused calls', () => {
  test('answers each refused call with its error, and the node receives only the others', async () => {
    const { status, json } = await gateway.post('/ext/bc/C/rpc', mixed)
    expect(status).toBe(200)
    expect(json).toEqual(ofMixed)
    expect(sent()).toEqual([[mixed[1], mixed[4]]])
  })

  test('works over a websocket too, including subscriptions', async () => {
    const { ask } = await open()
    expect(await ask(mixed)).toEqual(ofMixed)
    const answers = await ask([
      call('eth_nope'),
      call('eth_subscribe', ['newHeads'], 2),
      call('eth_chainId', [], 3),
    ])
    expect(answers).toMatchObject([{ id: 1, error: {} }, { id: 2, result: {} }, answered('eth_chainId', 3)])
  })

  test('does not reach the node if all are refused', async () => {
    const { status, json } = await gateway.post('/ext/bc/C/rpc', [call('eth_nope'), call('eth_sign', [], 2)])
    expect(status).toBe(200)
    expect(json).toMatchObject([
      { id: 1, error: { code: -32601 } },
      { id: 2, error: { code: -32601 } },
    ])
    expect(sent()).toEqual([])
  })

  test('does not answer notifications, refused or not', async () => {
    gateway.node.script = (asked) =>
      JSON.stringify(JSON.parse(echo(asked) as string).filter(({ id }: { id?: unknown }) => id !== undefined))
    const { id: _id, ...notification } = call('eth_chainId')
    const batch = [
      { ...notification, method: 'eth_nope' },
      notification,
      call('eth_nope'),
      call('net_version', [], 2),
    ]
    expect((await gateway.post('/ext/bc/C/rpc', batch)).json).toEqual([
      failed(-32601, notThere('eth_nope')),
      answered('net_version', 2),
    ])
    gateway.node.script = () => (response) => response.writeHead(200).end()
    const { status, text } = await gateway.post('/ext/bc/C/rpc', [
      notification,
      { ...notification, method: 'eth_nope' },
    ])
    expect([status, text]).toEqual([200, ''])
  })

  test('checks log ranges separately', async () => {
    gateway.node.script = (asked) =>
      asked.body.includes('eth_blockNumber') ? '{"jsonrpc":"2.0","id":1,"result":"0x186a0"}' : echo(asked)
    const batch = [
      call('eth_getLogs', [{ fromBlock: '0x0' }], 1),
      call('eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x1' }], 2),
      call('eth_getLogs', [{ from: '0x0' }], 3),
    ]
    expect((await gateway.post('/ext/bc/C/rpc', batch)).json).toEqual([
      failed(-32000, 'requested too many blocks from 0 to 100000, maximum is set to 10000', 1),
      answered('eth_getLogs', 2),
      failed(-32602, 'invalid argument 0: unknown field from of the filter', 3),
    ])
    expect(sent().at(-1)).toEqual([batch[1]])
  })

  test('streams a long answer, and reports where it broke off', async () => {
    const long = JSON.stringify({ jsonrpc: '2.0', id: 1, result: ['[', '\\"', 'x'.repeat(3_000_000)] })
    gateway.node.script = () => `[${long}]`
    const { text } = await gateway.post('/ext/bc/C/rpc', [call('eth_chainId'), call('eth_nope', [], 2)])
    expect(text).toBe(`[${long},${JSON.stringify(failed(-32601, notThere('eth_nope'), 2))}]`)
    gateway.node.script = () => (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(`[${long.slice(0, 1_000_000)}`, () => response.destroy())
    }
    const broken = await gateway.post('/ext/bc/C/rpc', [call('eth_nope', [], 2), call('eth_chainId')])
    expect(broken.json).toBeUndefined()
    expect(broken.text).toMatch(
      /^\[\{[^\n]+,\{[^\n]+\n\{"jsonrpc":"2\.0","id":null,"error":[^\n]+broke off[^\n]+$/,
    )
  })

  test('adds a node’s single error object to the errors', async () => {
    const object = failed(-32005, 'too busy', null)
    gateway.node.script = () => JSON.stringify(object)
    const { json } = await gateway.post('/ext/bc/C/rpc', [call('eth_nope'), call('eth_chainId', [], 2)])
    expect(json).toEqual([failed(-32601, notThere('eth_nope')), object])
  })
})

test('the errors are in the order of the calls, however the answer is split and spaced', async () => {
  const item = fc.oneof(fc.record({ value: fc.jsonValue() }), fc.constant('refused' as const))
  const cuts = fc.array(fc.nat(60), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 6 }), cuts, fc.boolean(), async (list, places, isWide) => {
      const items = list.map((one, id) =>
        one === 'refused' ? { answer: JSON.stringify({ refused: id }) } : { call: { id: String(id) } },
      ) as Item[]
      const answers = list.flatMap((one, id) => (one === 'refused' ? [] : [{ id, ...one }]))
      const answer = Buffer.from(JSON.stringify(answers, null, isWide ? 2 : 0))
      const ends = [...new Set([...places, answer.length])]
        .filter((end) => end <= answer.length)
        .toSorted((a, b) => a - b)
      const [head = Buffer.alloc(0), ...rest] = ends.map((end, at) => answer.subarray(ends[at - 1] ?? 0, end))
      async function* chunks(): AsyncGenerator<Buffer> {
        yield* rest
      }
      const merged = withOwnAnswers(
        { status: 200, head, rest: rest.length > 0 ? chunks() : undefined },
        items,
      )
      const parts = [merged.head]
      for await (const part of merged.rest ?? []) parts.push(part)
      const expected = list.map((one, id) => (one === 'refused' ? { refused: id } : { id, ...one }))
      expect(JSON.parse(Buffer.concat(parts).toString('utf8'))).toEqual(JSON.parse(JSON.stringify(expected)))
    }),
    { numRuns: 300 },
  )
})
