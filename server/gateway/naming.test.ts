import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { call, startTestGateway } from './testing/gateway.ts'

test.each([
  ['admin.alias', { endpoint: 'bc/X', alias: 'exchange' }],
  ['admin.aliasChain', { chain: 'C', alias: 'contracts' }],
])('%s does not wait for the sockets that the gateway itself holds to the node', async (method, params) => {
  const gateway = await startTestGateway({ deadlineSeconds: 5 })
  try {
    const { node } = gateway
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/ext/bc/C/ws`)
    await once(socket, 'open')
    socket.send(JSON.stringify(call('eth_subscribe', ['newHeads'])))
    await once(socket, 'message')
    expect(node.sockets.map((each) => each.isClosed())).toEqual([false])
    // As avalanchego 1.14 does it: real-node/gateway.test.ts.
    node.script = () => (response: ServerResponse) => {
      const isFree = (): void => expect(node.sockets.every((each) => each.isClosed())).toBe(true)
      void vi
        .waitFor(isFree, { timeout: 20_000 })
        .then(() =>
          response.setHeader('content-type', 'application/json').end('{"jsonrpc":"2.0","result":{},"id":1}'),
        )
    }
    const ended = once(socket, 'close')
    expect((await gateway.post('/ext/admin', call(method, params))).json).toMatchObject({ result: {} })
    await ended
  } finally {
    await gateway.close()
  }
})
