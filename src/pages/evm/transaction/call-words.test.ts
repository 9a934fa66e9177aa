import { expect, test } from 'vitest'
import { callWords } from './call-words.ts'

const arg = (type: string, value: string | unknown[]) => ({ name: '', type, value })
const call = (...args: ReturnType<typeof arg>[]) => ({ name: 'give', signature: 'give()', args })

test.each([
  [{ call: call() }, 'give()'],
  [{ call: call(arg('uint256', '1000000'), arg('bool', 'true')) }, 'give(1000000, true)'],
  [{ call: call(arg('address', `0x${'12'.repeat(20)}`)) }, 'give(0x12121212…121212)'],
  [{ call: call(arg('bytes4', '0x12345678')) }, 'give(0x12345678)'],
  [{ call: call(arg('string', 'a, b')) }, 'give(“a, b”)'],
  [{ call: call(arg('uint256[]', ['1', '2'])) }, 'give([1, 2])'],
  [{ call: call(arg('string[]', ['a', 'b', 'c', 'd', 'e'])) }, 'give([“a”, “b”, “c”, 2 more])'],
  [{ call: call(arg('tuple', [`0x${'12'.repeat(20)}`, ['1']])) }, 'give([0x12121212…121212, [1]])'],
  [{ call: call(arg('uint256[]', [])) }, 'give([])'],
  [{ call: call(), results: [arg('uint256', '7'), arg('bool', 'true')] }, 'give() → 7, true'],
  // A list without an end is cut, and direction characters of a stranger are dropped.
  [{ call: call(arg('string', `${'x'.repeat(60)}`)) }, `give(“${'x'.repeat(40)}…”)`],
  [{ call: call(arg('string', 'a\u202Eb')) }, 'give(“ab”)'],
  [{}, undefined],
])('%j', (data, words) => {
  expect(callWords(data)).toBe(words)
})
