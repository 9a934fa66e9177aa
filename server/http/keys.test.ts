import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { testConfig } from '../testing/config.ts'
import { startTestService, type TestService } from '../testing/service.ts'

const plainKey = 'plain-key-0123456789'
const prometheusKey = 'prometheus-key-0123456789'
const apiKeys = [
  { name: 'plain', key: plainKey, requestsPerMinute: 7 },
  {
    name: 'prometheus',
    sha256: createHash('sha256').update(prometheusKey).digest('hex'),
    privileges: ['prometheus'],
  },
]

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  service = await startTestService(store.database, { config: testConfig({ apiKeys }) })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

describe('keys and limits', () => {
  const ask = (url: string, key?: string) =>
    service.app.inject({ url, ...(key !== undefined && { headers: { 'x-service-api-key': key } }) })

  test('applies the lower limit without a key, and the key’s own limit with one', async () => {
    const anonymous = await ask('/v1/chains')
    expect(anonymous.headers).toMatchObject({ 'ratelimit-policy': '6000;w=60', 'ratelimit-limit': '6000' })
    const known = await ask('/v1/chains', prometheusKey)
    expect(known.headers).toMatchObject({
      'ratelimit-policy': '60000;w=60',
      'ratelimit-limit': '60000',
      'ratelimit-remaining': '59999',
    })
    expect(Number(known.headers['ratelimit-reset'])).toBeGreaterThan(0)
  })

  test('answers above the limit with a 429 and a retry-after', async () => {
    for (let left = 6; left >= 0; left -= 1) {
      expect((await ask('/v1/chains', plainKey)).headers['ratelimit-remaining']).toBe(String(left))
    }
    const refused = await ask('/v1/chains', plainKey)
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({
      message: expect.stringContaining('more than 7 requests a minute'),
      error: 'Too Many Requests',
      statusCode: 429,
    })
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    // The limit is the key's: other keys and requests without one are not affected.
    expect((await ask('/v1/chains')).statusCode).toBe(200)
    expect((await ask('/health', plainKey)).statusCode).toBe(200)
  })

  test('answers an unknown key with 401, even on an open operation', async () => {
    for (const key of ['unknown', '', `${prometheusKey} `.repeat(2)]) {
      const response = await ask('/v1/chains', key)
      expect(response.statusCode).toBe(401)
      expect(response.json()).toMatchObject({ error: 'Unauthorized', statusCode: 401 })
    }
  })

  test('limits guesses of keys like requests without a key', async () => {
    const tight = await startTestService(store.database, {
      config: testConfig({ apiKeys, limits: { requestsPerMinute: 3 } }),
    })
    const codes = []
    for (let turn = 0; turn < 5; turn += 1) {
      const headers = { 'x-service-api-key': `guess ${turn}` }
      codes.push((await tight.app.inject({ url: '/v1/chains', headers })).statusCode)
    }
    expect(codes).toEqual([401, 401, 401, 429, 429])
    await tight.close()
  })

  test('answers a key without the privilege with 403, and no key with 401', async () => {
    const keyed = await startTestService(store.database, {
      config: testConfig({ apiKeys, protectPrometheus: true }),
    })
    const status = async (key?: string) => {
      const headers = key === undefined ? {} : { 'x-service-api-key': key }
      const response = await keyed.app.inject({ url: '/metrics', headers })
      return response.statusCode
    }
    expect([await status(), await status(plainKey), await status(prometheusKey)]).toEqual([401, 403, 200])
    await keyed.close()
  })

  test('never logs a key', async () => {
    await ask('/v1/chains', prometheusKey)
    await ask('/nothing', prometheusKey)
    await ask('/v1/chains/0x/blocks', `canary-${plainKey}`)
    expect(service.log()).not.toContain(prometheusKey)
    expect(service.log()).not.toContain('canary')
  })
})
