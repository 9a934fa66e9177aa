import { expect, test } from 'vitest'
import { yieldToEventLoop } from './turns.ts'

test('gives each caller a turn of the event loop of its own, in order, also those that come meanwhile', async () => {
  let turn = 0
  let counting = true
  const count = (): void => {
    turn += 1
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  const taken: [caller: string, turn: number][] = []
  const take = async (caller: string): Promise<void> => {
    await yieldToEventLoop()
    taken.push([caller, turn])
  }
  const first = ['a', 'b', 'c'].map(take)
  await first[0]
  const late = take('d')
  await Promise.all([...first, late])
  counting = false
  expect(taken.map(([caller]) => caller)).toEqual(['a', 'b', 'c', 'd'])
  expect(new Set(taken.map(([, at]) => at)).size).toBe(4)
})
