import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../testing/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(undefined)
  await service.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => service.close())

describe('the Host header', () => {
  /** The service's answer to a request with these header lines. */
  const ask = async (...lines: string[]): Promise<string> => {
    const { port } = service.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.end(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    return answer
  }

  test.each([
    ['twice', 'Host: localhost', 'Host: evil.example'],
    ['twice the same, in another case', 'Host: localhost', 'hOST: localhost'],
    ['two in one', 'Host: localhost, evil.example', 'X: y'],
    ['with a path', 'Host: localhost/x', 'X: y'],
    ['with a name of a user', 'Host: me@localhost', 'X: y'],
  ])('%s is a 400', async (_name, ...headers) => {
    const answer = await ask('GET /v1/chains HTTP/1.1', ...headers)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"statusCode":400')
    expect(await ask('GET /ext/bc/C/ws HTTP/1.1', ...headers, 'Upgrade: websocket')).toMatch(
      /^HTTP\/1\.1 400 /,
    )
  })

  test.each(['localhost', '127.0.0.1:4400', '[::1]:4400', 'node_1.example', ''])(
    '%j is a host',
    async (host) => {
      expect(await ask('GET /health HTTP/1.1', `Host: ${host}`)).toMatch(/^HTTP\/1\.1 200 /)
    },
  )
})
