import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** A websocket to an EVM chain, with the received events of its subscriptions. */
export type NodeSocket = {
  /** Rejects with the node's message if the answer is an error. */
  call(method: string, params: unknown): Promise<unknown>
  /** The nth matching event; waits until it has arrived. */
  until(fits: (event: unknown) => boolean, nth?: number): Promise<unknown>
  close(): void
}

type Message = {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
  readonly params?: { readonly result: unknown }
}

const timeoutMs = 240_000

/** Opens the websocket at `path` of a node or of the gateway, given by its HTTP address. */
export async function openSocket(base: string, path: string): Promise<NodeSocket> {
  const socket = new WebSocket(`${base.replace(/^http/, 'ws')}${path}`)
  const events: unknown[] = []
  const answers = new Map<number, (message: Message) => void>()
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as Message
    if (message.params !== undefined) events.push(message.params.result)
    else if (message.id !== undefined) answers.get(message.id)?.(message)
  })
  await once(socket, 'open')
  let lastId = 0
  return {
    async call(method, params) {
      const id = (lastId += 1)
      const answered = new Promise<Message>((resolve, reject) => {
        answers.set(id, resolve)
        socket.once('close', () => reject(new Error(`the socket closed before ${method} was answered`)))
      })
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      const { result, error } = await answered
      if (error !== undefined) throw new Error(error.message)
      return result
    },
    async until(fits, nth = 1) {
      const end = Date.now() + timeoutMs
      for (;;) {
        const found = events.filter(fits)[nth - 1]
        if (found !== undefined) return found
        if (Date.now() > end) throw new Error(`the socket did not tell; it told ${JSON.stringify(events)}`)
        await delay(50)
      }
    },
    close: () => socket.terminate(),
  }
}
