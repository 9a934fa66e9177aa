import { expect, test } from 'vitest'
import { HeadCache } from './head-cache.ts'

function setUp(options: { maxSize?: number; maxAge?: number; connected?: boolean } = {}) {
  const state = { version: 1, now: 0, made: 0 }
  const cache = new HeadCache({
    live: { version: () => state.version, connected: options.connected ?? true },
    now: () => state.now,
    ...(options.maxSize !== undefined && { maxSize: options.maxSize }),
    maxAge: options.maxAge ?? 1000,
  })
  const get = async (key = 'key', text = () => `made ${++state.made}`) =>
    (await cache.get(key, ['43113'], async () => text())).text
  return { state, cache, get }
}

test('keeps an answer until the chain changes', async () => {
  const { state, get } = setUp()
  expect([await get(), await get()]).toEqual(['made 1', 'made 1'])
  state.version += 1
  expect([await get(), await get()]).toEqual(['made 2', 'made 2'])
})

test('keeps an answer no longer than its maximum age', async () => {
  const { state, get } = setUp()
  await get()
  state.now = 999
  expect(await get()).toBe('made 1')
  state.now = 1000
  expect(await get()).toBe('made 2')
})

test('does not keep an answer that was read while the chain changed', async () => {
  const { state, cache, get } = setUp()
  let finish: (text: string) => void = () => undefined
  const slow = cache.get('key', ['43113'], () => new Promise((resolve) => (finish = resolve)))
  state.version += 1
  const fresh = get('key', () => 'after the change')
  finish('before the change')
  expect((await slow).text).toBe('before the change')
  expect(await fresh).toBe('after the change')
  expect(await get()).toBe('after the change')
})

test('shares one read between concurrent requests', async () => {
  const { state, get } = setUp()
  expect(await Promise.all([get(), get(), get()])).toEqual(['made 1', 'made 1', 'made 1'])
  expect(state.made).toBe(1)
})

test('does not keep a failure', async () => {
  const { cache, get } = setUp()
  await expect(cache.get('key', ['43113'], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await get()).toBe('made 1')
})

test('keeps nothing while announcements do not arrive', async () => {
  const { get } = setUp({ connected: false })
  expect([await get(), await get()]).toEqual(['made 1', 'made 2'])
})

test('stays below its size limit by dropping the oldest answers', async () => {
  const { cache, get } = setUp({ maxSize: 30 })
  for (const key of ['a', 'b', 'c']) await get(key, () => '0123456789')
  expect(cache.size).toBe(22)
  expect(await get('c', () => 'new')).toBe('0123456789')
  expect(await get('a', () => 'new')).toBe('new')
})
