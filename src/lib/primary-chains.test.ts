import { expect, test } from 'vitest'
import { chainAlias, chainToName } from './primary-chains.ts'

const live = (chainName: string) => ({ chainName, state: 'live' })

test('the header is about the P-Chain, unless another chain has stopped', () => {
  expect(chainToName([])).toBe('p-chain')
  expect(chainToName(['p-chain', 'x-chain', 'c-chain'].map(live))).toBe('p-chain')
  for (const alias of ['p-chain', 'x-chain', 'c-chain'])
    expect(chainToName(['p-chain', 'x-chain', 'c-chain'].map((one) => ({ ...live(one), ...(one === alias && { state: 'stopped' }) })))).toBe(alias) // prettier-ignore
  // A name of a newer service says nothing here.
  expect(chainToName([{ chainName: 'y-chain', state: 'stopped' }, live('p-chain')])).toBe('p-chain')
  // A chain that waits has not stopped.
  expect(chainToName([live('p-chain'), { chainName: 'x-chain', state: 'waiting' }])).toBe('p-chain')
})

test('a chain is known by its id, alias or letter, and by nothing that every object has', () => {
  expect(['11111111111111111111111111111111LpoYY', 'p-chain', 'P'].map(chainAlias)).toEqual(
    Array(3).fill('p-chain'),
  )
  expect(['constructor', 'toString', '__proto__', '5'].map(chainAlias)).toEqual(Array(4).fill(undefined))
})
