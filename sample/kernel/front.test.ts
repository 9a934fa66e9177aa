import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Front, sendJson, startFront } from './front.ts'

let front: Front
beforeAll(async () => {
  const routes = new Map([
    ['/ext/info', (_request: unknown, response: Parameters<typeof sendJson>[0]) => sendJson(response, {})],
  ])
  front = await startFront('127.0.0.1', 0, [{ routes }])
})
afterAll(() => front.close())

test('lets pages of this machine read its answers, and no others', async () => {
  const allowed = async (origin: string, method = 'POST'): Promise<[number, string | null]> => {
    const headers = { origin, ...(method === 'OPTIONS' && { 'access-control-request-method': 'POST' }) }
    const response = await fetch(`${front.url}/ext/info`, { method, headers })
    return [response.status, response.headers.get('access-control-allow-origin')]
  }
  for (const origin of ['http://127.0.0.1:4400', 'http://localhost:4400', 'http://[::1]:4400']) {
    expect(await allowed(origin)).toEqual([200, origin])
    expect(await allowed(origin, 'OPTIONS')).toEqual([204, origin])
  }
  for (const origin of ['https://evil.example', 'http://127.0.0.1.evil.example', 'null'])
    expect((await allowed(origin))[1]).toBeNull()
})
