import { describe, expect, vi, test } from 'vitest'
import { createCrosshair } from './crosshair.ts'

describe('the cross-hair of a page', () => {
  test('notifies every chart once per move', () => {
    const store = createCrosshair()
    const first = vi.fn()
    const second = vi.fn()
    store.subscribe(first)
    const stop = store.subscribe(second)
    store.point('a', 100)
    store.point('a', 100)
    expect(store.get()).toEqual({ time: 100, source: 'a', selection: null })
    stop()
    store.point('a', 200)
    expect(first).toHaveBeenCalledTimes(2)
    expect(second).toHaveBeenCalledTimes(1)
  })

  test('follows the chart that was entered last; leaving another one does not clear it', () => {
    const store = createCrosshair()
    store.point('a', 100)
    store.point('b', 120)
    store.leave('a')
    expect(store.get().time).toBe(120)
    store.leave('b')
    expect(store.get()).toEqual({ time: null, source: null, selection: null })
  })

  test('keeps a selection while it is dragged and clears it separately', () => {
    const store = createCrosshair()
    store.select('a', 100, 300)
    expect(store.get()).toEqual({ time: 300, source: 'a', selection: { from: 100, to: 300 } })
    store.dropSelection()
    expect(store.get()).toEqual({ time: 300, source: 'a', selection: null })
  })
})
