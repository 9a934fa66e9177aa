import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clientPath } from './client-path.ts'
import { firstLinesOf } from './first-lines.ts'

/** A module that draws what it was given and one answer; it fails, or never ends, on two pages. */
const drawing = `
export async function firstLines({ page, values, networkLabel, answer }) {
  if (page === 'chains') throw new Error('cannot draw')
  if (page === 'settings') return new Promise(() => undefined)
  const found = await answer('/v1/answer?network=:ofProfile')
  return found && [page, values.chainId, found.network, networkLabel, found.caller].join(' ')
}
`

let folder: string
let app: FastifyInstance
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-lines-'))
  const file = join(folder, 'first-lines.mjs')
  await writeFile(file, drawing)
  app = Fastify()
  app.get('/v1/answer', (request, reply) =>
    request.headers.cookie === undefined
      ? reply.code(401).send({})
      : reply.send({
          network: (request.query as { network: string }).network,
          caller: `${request.headers.cookie} ${request.headers['x-other']} ${request.ip}`,
        }),
  )
  const linesOf = firstLinesOf(app, file, { network: 'fuji', networkLabel: 'Sample' })
  app.route({
    method: 'GET',
    url: '/*',
    handler: async (request) => {
      const place = clientPath(request.url)
      return { lines: (place && (await linesOf(place, request))) ?? null }
    },
  })
})
afterEach(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const linesAt = async (url: string, headers: Record<string, string> = {}): Promise<string | null> =>
  (await app.inject({ url, headers, remoteAddress: '10.1.2.3' })).json<{ lines: string | null }>().lines

test('draws the lines of a page from answers that the caller itself would get', async () => {
  const headers = { cookie: 'session=own', 'x-other': 'not passed on' }
  expect(await linesAt('/chain/43113', headers)).toBe(
    'chain 43113 fuji Sample session=own undefined 10.1.2.3',
  )
  expect(await linesAt('/chain/43113')).toBeNull()
})

test('sends a document without lines where they belong to another profile, cannot be drawn, or are late', async () => {
  const headers = { cookie: 'session=own' }
  expect(await linesAt('/p/mainnet/chain/43113', headers)).toBeNull()
  expect(await linesAt('/chains', headers)).toBeNull()
  expect(await linesAt('/settings', headers)).toBeNull()
})
