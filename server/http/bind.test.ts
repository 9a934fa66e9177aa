import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { getBlock, listBlocks } from '../../contract/evm/blocks.ts'
import { getChain } from '../../contract/evm/chains.ts'
import { operations } from '../../contract/operations.ts'
import { listErc20Balances } from '../../contract/tokens/balances.ts'
import { decodeWarpMessage } from '../../contract/signatures/warp.ts'
import { startTestService, type TestService } from '../testing/service.ts'
import { HttpError } from '../kernel/http-errors.ts'
import { noToken } from '../kernel/local-token.ts'
import { testConfig } from '../testing/config.ts'
import { createAccess } from './access.ts'
import { bindOperations, implement, JsonText, routePath } from './bind.ts'
import { toJson } from './json.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService(undefined, {
    extra: [
      implement(listErc20Balances, ({ params, query }) => {
        const { address } = params
        if (address.endsWith('1')) throw new Error('the password is hunter2')
        if (address.endsWith('4')) throw new HttpError(410, 'no longer kept')
        if (address.endsWith('2')) return new JsonText('{"erc20TokenBalances":"none"}')
        return { nativeTokenBalance: 'wrong', erc20TokenBalances: [], asked: query } as never
      }),
    ],
  })
})
afterAll(() => service.close())

const balances = (last: string, query = '') =>
  service.app.inject(`/v1/chains/43113/addresses/0x${last.repeat(40)}/balances:listErc20${query}`)

test('keeps a colon and a point in a path', () => {
  expect(routePath('/v1/a/{b}/c:listD')).toBe('/v1/a/:b/c::listD')
  expect(routePath('/v1/a/{b}:reindex')).toBe('/v1/a/:b(^[^/:]+)::reindex')
  expect(routePath('/a/{b}.{c}')).toBe('/a/:b(^[^/.]+).:c')
})

test('makes a route of every operation of the contract', () => {
  for (const operation of operations) {
    expect(service.app.hasRoute({ method: operation.method, url: routePath(operation.path) })).toBe(true)
  }
})

test('answers an operation without an implementation with 501', async () => {
  const app = Fastify()
  const access = createAccess(testConfig(), noToken('a test'))
  bindOperations(app, [getChain], [], { access, checkEvery: 1 })
  const response = await app.inject('/v1/chains/1')
  expect(response.statusCode).toBe(501)
  expect(response.json()).toEqual({
    message: 'getChain is not implemented',
    error: 'Not Implemented',
    statusCode: 501,
  })
})

test('answers a status that the document does not have for the operation with a 500, and logs which', async () => {
  const response = await balances('4')
  expect(response.statusCode).toBe(500)
  expect(response.body).not.toContain('no longer kept')
  expect(service.log()).toContain('listErc20Balances: the status 410 is not in its document')
})

test('answers a failed handler with a 500 that reveals no internals and names the request', async () => {
  const response = await balances('1')
  expect(response.statusCode).toBe(500)
  const body = response.json()
  expect(body).toEqual({
    message: expect.any(String),
    error: 'Internal Server Error',
    statusCode: 500,
    requestId: response.headers['x-request-id'],
  })
  expect(response.body).not.toContain('hunter2')
  expect(service.log()).toContain('hunter2')
  expect(service.log()).toContain(String(body.requestId))
})

test.each(['2', '3'])('answers with 500 if the answer violates the contract (%s)', async (last) => {
  const response = await balances(last)
  expect(response.statusCode).toBe(500)
  expect(response.body).not.toContain('nativeTokenBalance')
  expect(service.log()).toMatch(
    last === '2' ? /listErc20Balances: erc20TokenBalances/ : /listErc20Balances: [^"]*nativeTokenBalance/,
  )
})

test('reports each invalid field in a line of its own', async () => {
  const response = await balances('3', '?pageSize=0&filterSpamTokens=maybe&currency=btc')
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ error: 'Bad Request', statusCode: 400 })
  const fields = (response.json().message as string[]).map((line) => line.split(':', 1)[0])
  expect(fields.sort()).toEqual(['currency', 'filterSpamTokens', 'pageSize'])
})

test('parses a body with the contract and refuses other content than JSON', async () => {
  const url = decodeWarpMessage.path.replace('{network}', 'fuji')
  const send = (payload: string) =>
    service.app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })
  const cut = await send('{"message": "0x')
  expect(cut.statusCode).toBe(400)
  expect(cut.json()).toMatchObject({ error: 'Bad Request', statusCode: 400 })
  const poisoned = await send('{"__proto__": {"admin": true}}')
  expect(poisoned.statusCode).toBe(400)
  const large = await send(JSON.stringify({ message: 'a'.repeat(1_100_000) }))
  expect(large.statusCode).toBe(413)
  expect(large.json()).toMatchObject({ error: 'Payload Too Large', statusCode: 413 })
})

test('writes large numbers with all digits', () => {
  const value = { big: 2n ** 80n, small: -5n, text: '12', list: [9007199254740993n] }
  expect(toJson(value)).toBe(
    '{"big":1208925819614629174706176,"small":-5,"text":"12","list":[9007199254740993]}',
  )
  expect(toJson({ absent: undefined, whole: 1.5 })).toBe('{"whole":1.5}')
})

test('gives handlers their operation’s types', () => {
  implement(getChain, ({ params }) => {
    const id: string = params.chainId
    throw new Error(id)
  })
  implement(listBlocks, ({ query }) => {
    const size: number = query.pageSize
    const order: 'asc' | 'desc' = query.sortOrder
    throw new Error(`${size} ${order}`)
  })
  expect(z.toJSONSchema(getBlock.params, { io: 'input' })).toMatchObject({ required: ['chainId', 'blockId'] })
})
