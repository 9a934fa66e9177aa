import { expect, test } from 'vitest'
import { subjectName, subjectPath } from './subject.tsx'

const node = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const validation = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'

test('a subject is called by its label, else by its short id', () => {
  expect(subjectName({ kind: 'node', id: node, name: 'gamma' })).toBe('gamma')
  expect(subjectName({ kind: 'node', id: node })).toBe('NodeID-7Xhw2m…t3Lg')
  expect(subjectName({ kind: 'l1Validator', id: validation })).toBe('2JVSBoin…bBrm')
  expect(subjectName({ kind: 'service', id: 'service' })).toBe('This service')
  // Direction marks of a label must not turn the text around it.
  expect(subjectName({ kind: 'node', id: node, name: '\u202egamma' })).toBe('gamma')
})

test('a subject leads to its page, and with a range to that time on its chart', () => {
  expect(subjectPath({ kind: 'node', id: node }, 'fuji')).toBe(`/networks/fuji/validators/${node}`)
  expect(subjectPath({ kind: 'node', id: node }, 'fuji', { from: 10, to: 20 })).toBe(
    `/networks/fuji/validators/${node}?tab=history&from=10&to=20`,
  )
  expect(subjectPath({ kind: 'l1Validator', id: validation }, 'fuji', { from: 10, to: 20 })).toBe(
    `/networks/fuji/l1-validators/${validation}?tab=chart&from=10&to=20`,
  )
  expect(subjectPath({ kind: 'subnet', id: validation }, 'fuji')).toBe(
    `/networks/fuji/l1-validators?tab=safety&subnet=${validation}`,
  )
  expect(subjectPath({ kind: 'chain', id: '43113' }, 'fuji')).toBe('/chain/43113')
  expect(subjectPath({ kind: 'chain', id: 'fuji P' }, 'fuji')).toBeUndefined()
  const address = '0x71c7656ec7ab88b098defb751b7401b5f6d8976f'
  expect(subjectPath({ kind: 'address', id: `43113:${address}` }, 'fuji')).toBe(
    `/chain/43113/address/${address}`,
  )
})
