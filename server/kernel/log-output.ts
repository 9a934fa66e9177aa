import type { Writable } from 'node:stream'
import type { pino } from 'pino'

/** Maximum bytes of buffered log lines; a pipe itself holds another 64 KiB. */
const maxWaiting = 1_048_576

/**
 * The destination of log lines: a stream, usually standard output, that may break or fill up without blocking
 * the service. Lines are dropped while more than `max` bytes are buffered, and counted in the first line
 * after that. Once the reader is gone, nothing is written any more.
 *
 * pino's own destination is unsuitable: when it flushes at the end of the process or after a fatal line, it
 * retries a broken or full pipe forever and blocks the event loop.
 */
export function createLogOutput(stream: Writable = process.stdout, max = maxWaiting): pino.DestinationStream {
  let dropped = 0
  let isGone = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A full disk may have space again later; a pipe without a reader is broken for good.
    if (error.code === 'EPIPE' || error.code === 'ECONNRESET') isGone = true
    else dropped += 1
  })
  return {
    write(line) {
      if (isGone) return
      if (stream.writableLength > max) {
        dropped += 1
        return
      }
      if (dropped > 0) {
        const lost = { level: 40, time: Date.now(), pid: process.pid, dropped, msg: 'log lines were dropped' }
        dropped = 0
        stream.write(`${JSON.stringify(lost)}\n`)
      }
      stream.write(line)
    },
  }
}
