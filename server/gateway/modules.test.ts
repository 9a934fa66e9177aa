import { describe, expect, test } from 'vitest'
import { call, failed } from './testing/gateway.ts'
import type { Script } from './testing/scripted-node.ts'
import { useSockets } from './testing/sockets.ts'
import { useGateway } from './testing/use-gateway.ts'

const gateway = useGateway()
const { open } = useSockets(gateway)

const ofNode = {
  admin: '1.0',
  debug: '1.0',
  eth: '1.0',
  miner: '1.0',
  net: '2.0',
  personal: '1.0',
  rpc: '1.0',
  trace: '1.0',
  txpool: '1.0',
  warp: '1.0',
  web3: '1.0',
}
const toEverybody = { eth: '1.0', net: '2.0', rpc: '1.0', warp: '1.0', web3: '1.0' }

type Asked = { readonly id?: unknown; readonly method: string }

/** A node with everything on; any other call is answered with its own name. */
const allOn: Script = ({ body }) => {
  const one = ({ id, method }: Asked): unknown => ({
    jsonrpc: '2.0',
    id,
    result: method === 'rpc_modules' ? ofNode : method,
  })
  const parsed = JSON.parse(body) as Asked | Asked[]
  return JSON.stringify(Array.isArray(parsed) ? parsed.map(one) : one(parsed))
}
const answered = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result })
const modules = (id: unknown = 1) => call('rpc_modules', [], id)

describe('rpc_modules lists only namespaces that the gateway passes on', () => {
  test('alone, with the call’s id', async () => {
    gateway.node.script = allOn
    const { status, json } = await gateway.post('/ext/bc/C/rpc', modules('attach'))
    expect([status, json]).toEqual([200, answered('attach', toEverybody)])
    expect(gateway.node.asked.map(({ body }) => JSON.parse(body) as unknown)).toEqual([modules('attach')])
  })

  test('in a batch, at its position among passed and refused calls', async () => {
    gateway.node.script = allOn
    const batch = [
      call('net_version'),
      modules(2),
      call('eth_nope', [], 3),
      modules(4),
      call('eth_chainId', [], 5),
    ]
    expect((await gateway.post('/ext/bc/C/rpc', batch)).json).toEqual([
      answered(1, 'net_version'),
      answered(2, toEverybody),
      failed(-32601, expect.anything(), 3),
      answered(4, toEverybody),
      answered(5, 'eth_chainId'),
    ])
    expect((await gateway.post('/ext/bc/C/rpc', [modules()])).json).toEqual([answered(1, toEverybody)])
  })

  test('over a websocket, alone, in a batch and beside a subscription', async () => {
    gateway.node.script = allOn
    const { ask } = await open()
    expect(await ask(modules(7))).toEqual(answered(7, toEverybody))
    expect(await ask([modules(8), call('eth_chainId', [], 9)])).toEqual([
      answered(8, toEverybody),
      answered(9, 'eth_chainId'),
    ])
    const beside = await ask([call('eth_subscribe', ['newHeads'], 10), modules(11)])
    expect(beside).toMatchObject([{ id: 10 }, answered(11, toEverybody)])
  })

  test('at a path whose kind only the node knows', async () => {
    gateway.node.script = allOn
    const { json } = await gateway.post('/ext/mine/rpc', modules())
    expect(json).toEqual(answered(1, toEverybody))
  })

  test('with what the settings open to this caller', async () => {
    const opened = await gateway.another({ namespaces: ['debug', 'personal'], publicNamespaces: ['txpool'] })
    opened.node.script = allOn
    const { debug, personal, txpool } = ofNode
    const ask = async (headers = {}) => (await opened.post('/ext/bc/C/rpc', modules(), headers)).json
    expect(await ask()).toEqual(answered(1, { ...toEverybody, debug, personal, txpool }))
    expect(await ask({ 'x-ridgeline-token': '' })).toEqual(answered(1, { ...toEverybody, txpool }))
    expect(await ask({ origin: 'https://evil.example' })).toEqual(answered(1, { ...toEverybody, txpool }))
  })
})

test('a node that refuses, is silent or answers without JSON is reported as for any call', async () => {
  const refused = failed(-32601, 'the method rpc_modules does not exist/is not available')
  gateway.node.script = () => JSON.stringify(refused)
  expect((await gateway.post('/ext/bc/C/rpc', modules())).json).toEqual(refused)
  gateway.node.script = () => (response) => response.writeHead(200).end()
  const { id: _id, ...notification } = modules()
  const { status, text } = await gateway.post('/ext/bc/C/rpc', notification)
  expect([status, text]).toEqual([200, ''])
  gateway.node.script = () => '{"jsonrpc":'
  expect(await gateway.post('/ext/bc/C/rpc', modules())).toMatchObject({
    status: 502,
    json: failed(-32000, 'the node does not answer JSON to rpc_modules'),
  })
})
