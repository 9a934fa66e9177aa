import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

/**
 * The node of bench/gateway.ts in a separate process: it answers every call at once from memory, and sends
 * its subscribers a head for each message of its parent. Argument: the port.
 */
const [port = ''] = process.argv.slice(2)
const json = { 'content-type': 'application/json' }
/** The size of a block with some transactions. */
const wide = 'x'.repeat(64 * 1024)

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    const parsed = JSON.parse(body) as Call | Call[]
    const text = JSON.stringify(Array.isArray(parsed) ? parsed.map(answer) : answer(parsed))
    response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(text) }).end(text)
  })
})

type Call = { readonly id: unknown; readonly method: string }
const answer = ({ id, method }: Call): unknown => ({
  jsonrpc: '2.0',
  id,
  result: method === 'eth_getBlockByNumber' ? wide : '0x1234',
})

const sockets = new WebSocketServer({ server })
const subscription = '0x1'
sockets.on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    const { id } = JSON.parse(data.toString()) as Call
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: subscription }))
  })
})
/** The size of a head with its bloom. */
const head = JSON.stringify({
  jsonrpc: '2.0',
  method: 'eth_subscription',
  params: { subscription, result: { number: '0x1', logsBloom: `0x${'0'.repeat(1_500)}` } },
})
process.on('message', () => {
  for (const socket of sockets.clients) socket.send(head)
})
server.listen(Number(port), '127.0.0.1', () => process.send?.('listening'))
process.on('disconnect', () => process.exit())
