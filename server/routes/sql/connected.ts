import type { FastifyRequest } from 'fastify'

/** Starts an answer with a signal that aborts if the caller leaves before it has begun; its stream ends with the rest. */
export async function whileConnected<Value>(
  request: FastifyRequest,
  start: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const gone = new AbortController()
  // The request itself ends once its body is read; the connection shows whether the caller still waits.
  const { socket } = request.raw
  const leave = (): void => gone.abort()
  socket.once('close', leave)
  if (socket.destroyed) leave()
  try {
    return await start(gone.signal)
  } finally {
    // From here on, the answer's end is the connection's.
    socket.off('close', leave)
  }
}
