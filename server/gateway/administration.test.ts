import { describe, expect, test } from 'vitest'
import { call, failed, type TestGateway } from './testing/gateway.ts'
import { useGateway } from './testing/use-gateway.ts'

const gateway = useGateway()
const { another } = gateway

describe('administration', () => {
  const alias = call('admin.alias', { endpoint: 'bc/X', alias: 'mine' })
  const from = async (
    headers: Record<string, string>,
    remoteAddress = '127.0.0.1',
    path = '/ext/admin',
    target: Pick<TestGateway, 'service'> = gateway,
  ): Promise<number> => {
    const { statusCode } = await target.service.app.inject({
      method: 'POST',
      url: path,
      remoteAddress,
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(path === '/ext/admin' ? alias : call('admin_getVMConfig')),
    })
    return statusCode
  }

  test.each([
    [{ host: 'localhost:4400' }, 200],
    [{ host: '[::1]:4400' }, 200],
    [{ host: '127.0.0.1:4400', origin: 'http://127.0.0.1:4400' }, 200],
    [{ host: '127.0.0.1:4400', origin: 'http://localhost:5173' }, 200],
    [{ host: 'evil.example:4400' }, 403],
    [{ host: 'evil.example', origin: 'http://evil.example' }, 403],
    [{ host: 'localhost.evil.example' }, 403],
    [{ host: '127.0.0.1@evil.example' }, 403],
    [{ host: '127.0.0.1:4400', origin: 'https://evil.example' }, 403],
    [{ host: '127.0.0.1:4400', origin: 'null' }, 403],
    [{ host: '127.0.0.1:4400', origin: 'http://127.0.0.1@evil.example' }, 403],
    [{ host: '127.0.0.1:4400', 'sec-fetch-site': 'cross-site' }, 403],
    [{ host: '127.0.0.1:4400', 'x-forwarded-for': '203.0.113.7' }, 403],
    [{ host: '127.0.0.1:4400', forwarded: 'for=203.0.113.7' }, 403],
  ])('%j: %i', async (headers, status) => {
    expect(await from(headers)).toBe(status)
    expect(await from(headers, '::ffff:127.0.0.1', '/ext/bc/C/admin')).toBe(status)
    expect(gateway.node.asked).toHaveLength(status === 200 ? 2 : 0)
  })

  test('from another machine: 403, under whatever Host', async () => {
    for (const address of ['192.168.1.9', '::ffff:10.0.0.1', '2001:db8::1', '1127.0.0.1']) {
      expect(await from({ host: '127.0.0.1:4400' }, address)).toBe(403)
    }
    expect(gateway.node.asked).toEqual([])
  })

  test('through an alias of its endpoint it is the same administration', async () => {
    const { status } = await gateway.post('/ext/alias-of-admin', alias, { host: 'evil.example' })
    expect(status).toBe(403)
    expect(gateway.node.asked).toEqual([])
  })

  test('off means off, for everybody means everybody, and hosts are names besides', async () => {
    const local = { host: '127.0.0.1:4400' }
    expect(await from(local, undefined, '/ext/admin', await another({ administration: 'off' }))).toBe(403)
    const open = await another({ administration: 'everybody' })
    expect(await from({ host: 'explorer.example' }, '192.0.2.1', '/ext/admin', open)).toBe(200)
    const named = await another({ hosts: ['node.internal'] })
    expect(await from({ host: 'node.internal:4400' }, '127.0.0.1', '/ext/admin', named)).toBe(200)
    expect(await from({ host: 'node.internal:4400' }, '192.0.2.1', '/ext/admin', named)).toBe(403)
  })

  test('the refusal says who decides', async () => {
    const { json } = await gateway.post('/ext/admin', alias, { host: 'evil.example' })
    expect(json).toEqual(
      failed(
        -32601,
        'the method admin.alias is not available: administration is not open under this Host; the operator decides with gateway.administration',
      ),
    )
  })
})
