import { expect, test } from 'vitest'
import { nameOfAddress } from './address-name.ts'

test.each([
  ['the reader’s own', 'Mine', { label: 'Till', name: 'Coin', sourceName: 'Token' }, 'Mine', undefined],
  ['a label before a name', undefined, { label: 'Till', name: 'Coin', sourceName: 'Token' }, 'Till', 'label'],
  ['a name before a source', undefined, { name: 'Coin', sourceName: 'Token' }, 'Coin', undefined],
  ['a source alone', undefined, { sourceName: 'Token' }, 'Token', 'source'],
  ['nothing', undefined, {}, undefined, undefined],
] as const)('%s', (_, own, names, text, origin) => {
  expect(nameOfAddress(own, names)).toEqual({ text, origin })
})
