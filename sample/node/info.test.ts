import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordedAnswers, recordedLedger } from '../testing/recorded-ledger.ts'
import { shapeFaults } from '../testing/shape.ts'
import { type Front, startFront } from '../kernel/front.ts'
import { healthRoutes } from './health.ts'
import { infoRoutes } from './info.ts'

let front: Front

beforeAll(async () => {
  const p = '11111111111111111111111111111111LpoYY'
  const x = '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed'
  const isBootstrapped = (): boolean => false
  const ledger = recordedLedger()
  const nodes = ledger.currentStakers('0'.repeat(64)).map(({ nodeId }) => nodeId)
  front = await startFront('127.0.0.1', 0, [
    infoRoutes({
      blockchains: new Map([
        ['P', p],
        ['X', x],
      ]),
      ledger: Promise.resolve(ledger),
      peers: Promise.resolve({
        known: () => new Map(nodes.map((id) => [id, '127.0.0.1:9651'])),
        versions: new Map(),
      }),
      isBootstrapped,
    }),
    healthRoutes({
      heads: () => new Map(['C', 'P', 'X'].map((alias) => [alias, { height: 1, id: x }])),
      isBootstrapped,
    }),
  ])
})
afterAll(() => front.close())

/**
 * Members that depend on the machine, on the chain that the recorded node failed to start, or on how long a check
 * has failed.
 */
const optional = new Set([
  'diskspace',
  'message',
  'zBJbw5fQuQvgUfnRnV3UvwhZjKPAztTgLc8GMDmwfz1icYUnT',
  'contiguousFailures',
  'timeOfFirstFailure',
])

const served = recordedAnswers.filter(({ path }) => /^\/ext\/(info|health)/.test(path))

test.each(served)('$name has the recorded shape', async (recorded) => {
  const { path, httpMethod, contentType, body } = recorded
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(front.url + path, {
    method: httpMethod,
    ...(httpMethod === 'POST' ? { headers: { 'content-type': contentType }, body: text } : {}),
  })
  expect(response.status).toBe(recorded.status)
  expect(response.headers.get('content-type')).toBe(recorded.type)
  const said = await response.text()
  const answer: unknown = recorded.type?.startsWith('application/json') === true ? JSON.parse(said) : said
  expect(shapeFaults(answer, recorded.answer, optional)).toEqual([])
  if (recorded.name.startsWith('error.')) expect(answer).toEqual(recorded.answer)
})
