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

test('the two lists of before become one, and stay as they are', async () => {
  const addresses = JSON.stringify([
    { chainId: '43113', address },
    { chainId: 'fuji', address: wallet },
    { chainId: 'fuji', address: 'unreadable' },
  ])
  kept.set('ridgeline.watched', addresses)
  kept.set('ridgeline.watchedNodes', JSON.stringify([{ network: 'fuji', nodeId }]))
  const { watchList, toggleWatched } = await load()
  const entries = [
    { kind: 'address', place: '43113', id: address },
    { kind: 'wallet', place: 'fuji', id: wallet },
    { kind: 'validator', place: 'fuji', id: nodeId },
  ] as const
  expect(watchList.get()).toEqual(entries)
  toggleWatched(entries[1])
  expect(JSON.parse(kept.get('ridgeline.watchList') ?? '')).toEqual([entries[0], entries[2]])
  expect(kept.get('ridgeline.watched')).toBe(addresses)
})

test('once there is one list, the others are not read, even if it is empty', async () => {
  kept.set('ridgeline.watchList', '[]')
  kept.set('ridgeline.watched', JSON.stringify([{ chainId: '43113', address }]))
  expect((await load()).watchList.get()).toEqual([])
})

test('unreadable entries are left out one by one', async () => {
  const good = { kind: 'token', place: '43113', id: address }
  kept.set('ridgeline.watchList', JSON.stringify([null, { kind: 'nothing' }, good, 7]))
  expect((await load()).watchList.get()).toEqual([good])
  kept.set('ridgeline.watchList', '{')
  vi.resetModules()
  expect((await load()).watchList.get()).toEqual([])
})
