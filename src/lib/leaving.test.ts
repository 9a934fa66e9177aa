import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadUnlessLeft } from './leaving.ts'

// The window's events, which Node lacks.
const events = new EventTarget()
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events))
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('code that fails to load fails at once', async () => {
  await expect(loadUnlessLeft(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
})

test('code whose page is being left fails only when the page has stayed', async () => {
  let fail: (error: Error) => void = () => undefined
  const loading = loadUnlessLeft(() => new Promise((_, reject) => (fail = reject)))
  const failed = vi.fn()
  void loading.catch(failed)
  events.dispatchEvent(new Event('beforeunload'))
  fail(new Error('aborted'))
  await vi.advanceTimersByTimeAsync(9_000)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2_000)
  await expect(loading).rejects.toThrow('aborted')
  // What the page loads from then on has nothing to do with it.
  await expect(loadUnlessLeft(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
})

test('code that arrives while its page is being left is there', async () => {
  const loading = loadUnlessLeft(() => Promise.resolve('code'))
  events.dispatchEvent(new Event('beforeunload'))
  expect(await loading).toBe('code')
})
