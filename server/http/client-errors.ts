import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorAnswer } from '../kernel/http-errors.ts'
import type { MethodsOf } from './failures.ts'

/** An error of Node's parser; `rawPacket` is what it could not read. */
type ParserError = Error & { readonly code?: string | undefined; readonly rawPacket?: unknown }

/** A request line, whatever its method is called (RFC 9110, 5.6.2 and 9.1). */
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) ([^ ?]+)\S* HTTP\/1\.[01]\r?\n/

/** The status of an error, what the caller reads, and which methods there are instead of an unknown one. */
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
 * Answers what Node's parser refuses before there is a request, as every other failure is answered: headers that
 * are too long, and methods that it does not know. Then the connection ends.
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
