import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clientPath } from './client-path.ts'
import { prerenderOf } from './prerender.ts'

/** A module that draws where it is and what it was answered; it fails, or waits until it is late, on two pages. */
const drawing = `
let ask
export const answerBy = (answer) => (ask = answer)
export async function prerender(location, { device, late }) {
  if (location === '/chains') throw new Error('cannot draw')
  if (location === '/settings') await late
  if (location === '/node') {
    const call = (method, more = '') => ask('/ext/info', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }) + more)
    const answers = await Promise.all([call('info.uptime'), call('info.peers'), call('info.uptime', ' '), ask('/ext/info')])
    return { markup: (await Promise.all(answers.map((one) => (one.ok ? one.text() : one.status)))).join(' '), sheet: '' }
  }
  const answers = await Promise.all(['/v1/chains/7?a=b', '/v1/chains/7'].map((url) => ask(url)))
  const [other, own] = await Promise.all(answers.map((one) => (one.ok ? one.text() : one.status)))
  return { markup: [location, device, other, own].join(' '), sheet: 'a{}' }
}
`

let folder: string
let app: FastifyInstance
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-prerender-'))
  const file = join(folder, 'prerender.mjs')
  await writeFile(file, drawing)
  app = Fastify()
  app.get('/v1/chains/:chainId', (request, reply) =>
    request.headers.cookie === undefined
      ? reply.code(401).send({})
      : reply.send(`${request.headers.cookie} ${request.headers['x-other']} ${request.ip}`),
  )
  app.post('/ext/info', (request) => `${request.headers.cookie} ${JSON.stringify(request.body)}`)
  const prerender = prerenderOf(app, file, 'fuji')
  app.route({
    method: 'GET',
    url: '/*',
    handler: async (request) => {
      const place = clientPath(...(request.url.split(/(?=\?)/, 2) as [string, string?]))
      return { drawn: (place && (await prerender(place, request))) ?? null }
    },
  })
})
afterEach(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const drawnAt = async (url: string, headers: Record<string, string> = {}) =>
  (await app.inject({ url, headers, remoteAddress: '10.1.2.3' })).json<{ drawn: object | null }>().drawn

const headers = { cookie: 'session=own', 'x-other': 'not passed on' }

test('draws a page from the answers that its table names, as the caller would get them', async () => {
  // The other answer is of a request that the table does not name.
  const markup = '/chain/7?tab=1 desk 400 session=own undefined 10.1.2.3'
  expect(await drawnAt('/chain/7?tab=1', headers)).toEqual({ markup, sheet: 'a{}' })
  expect(await drawnAt('/chain/7')).toBeNull()
})

test('calls the node for what the table names alone, as the caller', async () => {
  const called = 'session=own {"jsonrpc":"2.0","id":1,"method":"info.uptime","params":{}} 400 400 400'
  expect(await drawnAt('/node', headers)).toEqual({ markup: called, sheet: '' })
})

test('tells the module when it is late, and sends a document without a page that cannot be drawn', async () => {
  expect(await drawnAt('/settings', headers)).toEqual({ markup: '/settings desk 400 400', sheet: 'a{}' })
  expect(await drawnAt('/chains', headers)).toBeNull()
})

test.each([
  [{ 'sec-ch-ua-mobile': '?1', 'user-agent': 'any' }, 'phone'],
  [{ 'sec-ch-ua-mobile': '?0', 'user-agent': 'Mobile' }, 'desk'],
  [{ 'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0' }, 'phone'],
  [{ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' }, 'desk'],
  [{}, 'desk'],
])('draws for the device of a browser with %j', async (own, device) => {
  const drawn = await drawnAt('/chain/7', { ...headers, ...own })
  expect(drawn).toMatchObject({ markup: `/chain/7 ${device} 400 session=own undefined 10.1.2.3` })
})

test('draws no page of another profile, whose answers may come from elsewhere', async () => {
  expect(await drawnAt('/p/mainnet/chain/7', headers)).toBeNull()
})

test('draws for two callers at once, each with its own answers', async () => {
  const callers = ['session=one', 'session=two']
  const drawn = await Promise.all(callers.map((cookie) => drawnAt('/chain/7', { cookie })))
  expect(drawn).toEqual(
    callers.map((cookie) => ({ markup: `/chain/7 desk 400 ${cookie} undefined 10.1.2.3`, sheet: 'a{}' })),
  )
})
