import { expect, test } from 'vitest'
import { attributesOf } from './attributes.ts'

test('reads attributes from a list or an object, and leaves other text unparsed', () => {
  expect(
    attributesOf('[{"trait_type":"Hue","value":"red"},{"name":"Size","value":12345678901234567890},{}]'),
  ).toEqual([
    { name: 'Hue', value: 'red' },
    { name: 'Size', value: '12345678901234567890' },
    { name: '', value: '' },
  ])
  expect(attributesOf('{"__proto__":"x","rare":true,"list":[1,2]}')).toEqual([
    { name: '__proto__', value: 'x' },
    { name: 'rare', value: 'true' },
    { name: 'list', value: '[1,2]' },
  ])
  expect(attributesOf('[{"trait_type":"a\\u202eb\\u0000","value":"c\\u200bd"}]')).toEqual([
    { name: 'ab', value: 'cd' },
  ])
  for (const other of ['{', '"text"', '7', 'null', '[1]', '[[{}]]'])
    expect(attributesOf(other), other).toBeUndefined()
})
