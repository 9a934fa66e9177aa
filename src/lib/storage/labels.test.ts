import { expect, test } from 'vitest'
import { importLabels, labels, setLabel } from './labels.ts'
import { recents, remember } from './recents.ts'
import { settings } from './settings.ts'

const one = `0x${'aB'.repeat(20)}`

test('labels are kept by lower-case address and removed by an empty name', () => {
  setLabel(one, '  Treasury ')
  expect(labels.get()).toEqual({ [one.toLowerCase()]: 'Treasury' })
  setLabel(one.toLowerCase(), ' ')
  expect(labels.get()).toEqual({})
})

test('a file of labels adds what is an address and says what is wrong with another file', () => {
  expect(importLabels(JSON.stringify({ [one]: 'Mine', nonsense: 'x', __proto__: 'y' }))).toBe(1)
  expect(labels.get()[one.toLowerCase()]).toBe('Mine')
  expect(() => importLabels('{')).toThrow('not JSON')
  expect(() => importLabels('[1]')).toThrow('address to name')
  expect(importLabels('{"__proto__":"polluted"}')).toBe(0)
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('wallets and nodes have labels too, and a node ID keeps its case', () => {
  const node = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
  const wallet = `fuji1${'q'.repeat(38)}`
  expect(importLabels(JSON.stringify({ [node]: 'Ours', [wallet]: 'Safe', 'NodeID-0': 'x' }))).toBe(2)
  expect(labels.get()).toMatchObject({ [node]: 'Ours', [wallet]: 'Safe' })
  setLabel(node, '')
  expect(labels.get()[node]).toBeUndefined()
})

test('the same page is remembered once, the latest first, at most twenty', () => {
  for (let index = 0; index < 25; index += 1)
    remember({ path: `/${index}`, title: `${index}`, kind: 'block' })
  remember({ path: '/10', title: 'ten', kind: 'block' })
  expect(recents.get()).toHaveLength(20)
  expect(recents.get()[0]?.title).toBe('ten')
  expect(recents.get().filter((recent) => recent.path === '/10')).toHaveLength(1)
})

test('settings begin with the defaults of the design', () => {
  expect(settings.get()).toMatchObject({ theme: 'system', zone: 'utc', times: 'age', density: 'normal' })
})
