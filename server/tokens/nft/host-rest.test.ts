import { expect, test } from 'vitest'
import { FetchFailure, type GuardedFetch } from '../../kernel/guarded-fetch.ts'
import { restHosts } from './host-rest.ts'

const options = { maxBytes: 1, accepts: () => true, signal: new AbortController().signal }

function setup() {
  const asked: string[] = []
  const state = { now: 0, failure: undefined as FetchFailure | undefined }
  const fetch: GuardedFetch = async (address) => {
    asked.push(address)
    if (state.failure) throw state.failure
    return Buffer.alloc(0)
  }
  const rested = restHosts(fetch, new Set(['mapped.test']), () => state.now)
  const get = (address: string): Promise<string> =>
    rested(address, options).then(
      () => 'ok',
      (error: Error) => error.message,
    )
  return { asked, state, get }
}

test('pauses a host after five timeouts, without affecting others, and retries later', async () => {
  const { asked, state, get } = setup()
  state.failure = new FetchFailure('unreachable', 'silence', { silent: true })
  for (let count = 0; count < 8; count += 1) await get(`https://dead.test/${count}`)
  expect(asked).toHaveLength(5)
  for (let count = 0; count < 8; count += 1) await get('https://mapped.test/')
  expect(asked).toHaveLength(13)
  state.failure = undefined
  expect(await get('https://other.test/')).toBe('ok')
  expect(await get('https://dead.test/9')).toBe('silence')
  state.now = 120_000
  expect(await get('https://dead.test/9')).toBe('ok')
})

test('pauses a host that asks for it; other failures belong to the document', async () => {
  const { asked, state, get } = setup()
  state.failure = new FetchFailure('unreachable', 'it answered 404')
  for (let count = 0; count < 9; count += 1) await get('https://busy.test/')
  expect(asked).toHaveLength(9)
  state.failure = new FetchFailure('throttled', 'it answered 429', { retryAfter: 30 })
  await get('https://busy.test/')
  state.failure = undefined
  state.now = 29_000
  expect(await get('https://busy.test/')).toBe('it answered 429')
  state.now = 30_000
  expect(await get('https://busy.test/')).toBe('ok')
})
