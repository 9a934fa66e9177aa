import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const kept = new Map<string, string>()
const address = `0x${'ab'.repeat(20)}`
const wallet = `fuji1${'q'.repeat(38)}`
const nodeId = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'

beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  })
  vi.resetModules()
})
afterEach(() => void vi.unstubAllGlobals())

const load = () => import('./watch-list.ts')

test('is kept, and is empty on a first visit', async () => {
  const first = await load()
  expect(first.watchList.get()).toEqual([])
  const entries = [
    { kind: 'validator', place: 'fuji', id: nodeId },
    { kind: 'wallet', place: 'fuji', id: wallet },
    { kind: 'address', place: '43113', id: address },
  ] as const
  for (const entry of entries.toReversed()) first.toggleWatched(entry)
  vi.resetModules()
  const second = await load()
  expect(second.watchList.get()).toEqual(entries)
  second.toggleWatched(entries[1])
  expect(JSON.parse(kept.get('ridgeline.watchList') ?? '')).toEqual([entries[0], entries[2]])
})

test('unreadable entries are left out one by one', async () => {
  const good = { kind: 'token', place: '43113', id: address }
  kept.set('ridgeline.watchList', JSON.stringify([null, { kind: 'nothing' }, good, 7]))
  expect((await load()).watchList.get()).toEqual([good])
  kept.set('ridgeline.watchList', '{')
  vi.resetModules()
  expect((await load()).watchList.get()).toEqual([])
})
