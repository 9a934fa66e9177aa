import { expect, test } from 'vitest'
import { afterKey, takeTyped } from './typed-ahead.ts'
import { typedKeys } from './typed-keys.ts'

const key = (name: string, rest: Partial<KeyboardEvent> = {}) =>
  ({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...rest }) as KeyboardEvent

test('characters are added, Backspace removes one, and other keys and shortcuts change nothing', () => {
  expect(afterKey('bl', key('o'))).toBe('blo')
  expect(afterKey('bl', key(' '))).toBe('bl ')
  expect(afterKey('bl', key('Backspace'))).toBe('b')
  expect(afterKey('', key('Backspace'))).toBe('')
  expect(afterKey('bl', key('Escape'))).toBe('')
  for (const name of ['Shift', 'ArrowDown', 'Enter', 'Tab']) expect(afterKey('bl', key(name))).toBe('bl')
  expect(afterKey('bl', key('a', { ctrlKey: true }))).toBe('bl')
})

test('what is typed is taken once', () => {
  typedKeys.all = ['a', 'b', 'c', 'Backspace'].map((name) => key(name))
  expect(takeTyped()).toBe('ab')
  expect(takeTyped()).toBe('')
})
