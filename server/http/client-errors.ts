import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorAnswer } from '../kernel/http-errors.ts'
import type { MethodsOf } from './failures.ts'

/** An error of Node's parser; `rawPacket` is the unparsed input. */
type ParserError = Error & { readonly code?: string | undefined; readonly rawPacket?: unknown }

/** A request line with any method name (RFC 9110, 5.6.2 and 9.1). */
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) ([^ ?]+)\S* HTTP\/1\.[01]\r?\n/

/** The status and message of an error, and the path's methods if the request's is unknown. */
function refusalOf(error: ParserError, allowed: MethodsOf) {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, text: 'the request took too long' }
  if (error.code === 'HPE_HEADER_OVERFLOW') return { status: 431, text: 'the headers are too long' }
  const unread = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : ''
  const [, method, path] = requestLine.exec(unread) ?? []
  if (error.code !== 'HPE_INVALID_METHOD' || method === undefined || path === undefined) {
    return { status: 400, text: 'the request is not HTTP' }
  }
  const allow = allowed(path).join(', ')
  return { status: 405, text: `${method} is not allowed here; allowed: ${allow}`, allow }
}

/**
 * Answers requests that Node's parser rejects (long headers, unknown methods) like every other failure, then closes
 * the connection.
 */
export function refuseUnread(error: ParserError, socket: Socket, allowed: MethodsOf): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) {
    const { status, text, allow } = refusalOf(error, allowed)
    const body = JSON.stringify(errorAnswer(status, text))
    const headers = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      ...(allow === undefined ? [] : [`Allow: ${allow}`]),
    ]
    socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroySoon()
}
