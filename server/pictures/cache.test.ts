import { expect, test } from 'vitest'
import { PictureCache } from './cache.ts'

const picture = (bytes: number): Buffer => Buffer.alloc(bytes, 1)

/** A promise that the test settles. */
function promised() {
  let finish: (value: Buffer) => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  const promise = new Promise<Buffer>((resolve, reject) => ([finish, fail] = [resolve, reject]))
  return { promise, finish, fail }
}

test('makes a picture once, for requests at the same time too', async () => {
  const cache = new PictureCache()
  const { promise, finish } = promised()
  const [one, other] = [cache.get('a', () => promise), cache.get('a', () => promise)]
  finish(picture(3))
  expect([(await one).length, (await other).length, (await cache.get('a', () => promise)).length]).toEqual([
    3, 3, 3,
  ])
  expect([cache.made, cache.bytes]).toEqual([1, 3])
})

test('drops the least recently used, and keeps none that is larger than all room', async () => {
  const cache = new PictureCache({ maxBytes: 10 })
  const get = (key: string, bytes = 4) => cache.get(key, async () => picture(bytes))
  await get('a')
  await get('b')
  await get('a')
  await get('c')
  expect([cache.bytes, cache.made]).toEqual([8, 3])
  await get('a')
  expect(cache.made).toBe(3)
  await get('b')
  expect(cache.made).toBe(4)
  await get('huge', 11)
  expect(cache.bytes).toBe(8)
})

test('makes few at a time, lets some wait, and refuses the rest', async () => {
  const cache = new PictureCache({ concurrent: 1, waiting: 1 })
  const [first, second] = [promised(), promised()]
  let started = false
  const one = cache.get('a', () => first.promise)
  const other = cache.get('b', () => {
    started = true
    return second.promise
  })
  await expect(cache.get('c', () => second.promise)).rejects.toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
  })
  expect(started).toBe(false)
  // One that fails makes room too, and is made again when it is asked for.
  first.fail(new Error('no'))
  await expect(one).rejects.toThrow('no')
  second.finish(picture(1))
  expect((await other).length).toBe(1)
  expect((await cache.get('a', async () => picture(2))).length).toBe(2)
})
