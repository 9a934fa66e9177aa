import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../testing/service.ts'

let service: TestService
let port: number

beforeAll(async () => {
  service = await startTestService(undefined)
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  port = (service.app.server.address() as AddressInfo).port
})
afterAll(() => service.close())

/** Sends raw request text and reads until the service closes the connection. */
async function send(request: string): Promise<{ status: number; allow: string | undefined; body: unknown }> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  const answer = await text(socket)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return {
    status: Number(head.split(' ')[1]),
    allow: /^allow: (.*)$/im.exec(head)?.[1],
    body: JSON.parse(body),
  }
}

const lines = (method: string, path: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${more}\r\n`

describe('an unsupported method is a 405 that names the supported ones', () => {
  test.each([
    // Only newer releases of Node know QUERY, which has a body; none knows FETCH.
    ['QUERY', '/v1/chains', 'GET, HEAD'],
    ['QUERY', '/v1/chains/43113/blocks?pageSize=1', 'GET, HEAD'],
    ['FETCH', '/v1/chains', 'GET, HEAD'],
    ['FETCH', '/v1/chains/43113/blocks?pageSize=1', 'GET, HEAD'],
    ['FETCH', '/v1/signatureAggregator/fuji/aggregateSignatures', 'POST'],
    ['TRACE', '/v1/chains/43113', 'GET, HEAD'],
  ])('%s %s', async (method, path, allow) => {
    expect(await send(lines(method, path))).toEqual({
      status: 405,
      allow,
      body: {
        message: `${method} is not allowed here; allowed: ${allow}`,
        error: 'Method Not Allowed',
        statusCode: 405,
      },
    })
  })

  test.each(['text/plain', 'application/json'])('with any body: %s', async (type) => {
    const body = `Content-Type: ${type}\r\nContent-Length: 1\r\n`
    expect(await send(`${lines('PUT', '/v1/chains', body)}{`)).toMatchObject({ status: 405 })
  })
})

test('a body of another type is a 415 that names the right one', async () => {
  const path = '/v1/signatureAggregator/fuji/aggregateSignatures'
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
    const body = `Content-Type: ${type}\r\nContent-Length: 2\r\n`
    const answer = await send(`${lines('POST', path, body)}{}`)
    expect(answer).toMatchObject({ status: 415, body: { error: 'Unsupported Media Type', statusCode: 415 } })
    expect(JSON.stringify(answer.body)).toContain('application/json')
  }
})

test('headers that are too long are a 431', async () => {
  expect(await send(lines('GET', '/v1/chains', `X-Long: ${'a'.repeat(20_000)}\r\n`))).toMatchObject({
    status: 431,
    body: { error: 'Request Header Fields Too Large', statusCode: 431 },
  })
})

test('a request that is not HTTP is a 400', async () => {
  expect(await send('hello\r\n\r\n')).toMatchObject({ status: 400, body: { statusCode: 400 } })
})
