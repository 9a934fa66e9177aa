import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { getBlock, listBlocks } from '../../contract/evm/blocks.ts'
import { hasOperation } from '../../contract/profile.ts'
import { profileOf } from '../../contract/profile-settings.ts'
import { askedProfile, understand } from './discovery.ts'
import { errorOfAnswer, isNotFound, isUnsupported } from './errors.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A service that answers every path by `answer`. */
async function serve(answer: (path: string) => { status: number; body: object }): Promise<string> {
  const server = createServer((request, response) => {
    const { status, body } = answer(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
}

const profileAt = (dataUrl: string, more: object = {}) =>
  profileOf({ name: 'A service', network: 'fuji', dataUrl, ...more })

test('a document says which operations there are, whatever it calls their parameters', async () => {
  const url = await serve((path) =>
    path === '/api/openapi.json'
      ? {
          status: 200,
          body: {
            servers: [{ url: '/api' }],
            paths: {
              '/v1/chains/{chain}/blocks/{numberOrHash}': { get: {} },
              '/v2/chains/{chain}/metrics/{name}': { get: {} },
            },
          },
        }
      : { status: 404, body: {} },
  )
  const profile = await askedProfile(profileAt(url))
  const has = ['getBlock', 'getMetric', 'listBlocks', 'reindexNft', 'runSql'].map((id) =>
    hasOperation(profile, id),
  )
  expect(has).toEqual([true, true, false, false, false])
})

test('without a document nothing is missing until an answer says so', async () => {
  const url = await serve(() => ({ status: 404, body: {} }))
  const profile = profileAt(url)
  expect(await askedProfile(profile)).toEqual(profile)
})

/** What `understand` makes of the answer to a request, beside the answer to a route that does not exist. */
async function meaning(
  message: (path: string) => string,
  {
    operation = getBlock,
    wasAnswered = false,
  }: { operation?: typeof getBlock | typeof listBlocks; wasAnswered?: boolean } = {},
) {
  const base = await serve((path) => ({
    status: 404,
    body: { message: message(path), error: 'Not Found', statusCode: 404 },
  }))
  const url = `${base}/v1/chains/43113/blocks${operation === getBlock ? '/12' : '?pageSize=5'}`
  const error = await errorOfAnswer(await fetch(url), 0)
  const understood = await understand(operation, url, error, wasAnswered)
  return {
    isNotFound: isNotFound(understood),
    lacks: understood.operation,
    isUnsupported: isUnsupported(understood),
  }
}

test('a 404 that repeats its path like that of no route means that the service lacks it', async () => {
  const express = await meaning((path) => `Cannot GET ${path}`)
  expect(express).toEqual({ isNotFound: false, lacks: 'getBlock', isUnsupported: true })
})

test('a 404 of its own means that there is no such thing', async () => {
  const own = await meaning((path) =>
    path.includes('/blocks/') ? 'Block 12 not found' : `Cannot GET ${path}`,
  )
  expect(own).toEqual({ isNotFound: true, lacks: undefined, isUnsupported: false })
})

test('a 404 that is the same for everything is said to mean either, unless only one is possible', async () => {
  const same = () => 'Not Found'
  expect(await meaning(same)).toEqual({ isNotFound: false, lacks: undefined, isUnsupported: true })
  // A list of a chain is there or not.
  expect(await meaning(same, { operation: listBlocks })).toMatchObject({ lacks: 'listBlocks' })
  // The service has answered another block.
  expect(await meaning(same, { wasAnswered: true })).toMatchObject({ isNotFound: true, lacks: undefined })
})

test('a proxy that cuts the beginning of the path does not hide that the service lacks a route', async () => {
  const cut = await meaning((path) => `Cannot GET ${path.replace('/api', '')}`)
  expect(cut).toEqual({ isNotFound: false, lacks: 'getBlock', isUnsupported: true })
})
