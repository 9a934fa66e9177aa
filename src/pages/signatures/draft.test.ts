import { expect, test } from 'vitest'
import { signatureRequest } from '../../../contract/signatures/signatures.ts'
import { readSearch, writeSearch } from '../../lib/search-params.ts'
import {
  bodyOf,
  txIdError,
  contractErrors,
  serviceErrors,
  draftOf,
  linkOf,
  signaturesSchema,
  type Draft,
} from './draft.ts'

const tx = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwKjcumHUWEb5DbBrm'
const read = (query: string): Draft => draftOf(readSearch(signaturesSchema, new URLSearchParams(query)))
const written = (draft: Draft): string =>
  writeSearch(signaturesSchema, new URLSearchParams(), linkOf(draft)).toString()

test('fills in the form from a link and creates the same link from the form', () => {
  const draft = read(`tx=${tx}&subnet=abc&quorum=80&buffer=5&height=12`)
  expect(draft).toEqual({
    network: undefined,
    by: 'transaction',
    tx,
    message: '',
    justification: '',
    subnet: 'abc',
    quorum: '80',
    buffer: '5',
    height: '12',
  })
  expect(written(draft)).toBe(`tx=${tx}&subnet=abc&quorum=80&buffer=5&height=12`)
  expect(written(read(''))).toBe('')
  expect(written(read('message=0xab&network=mainnet'))).toBe('network=mainnet&message=0xab')
  // The choice between both stays if both or neither are filled in.
  expect(read(`tx=${tx}&by=message`).by).toBe('message')
  expect(written(read(`tx=${tx}&by=message`))).toBe(`by=message&tx=${tx}`)
  expect(written(read('by=transaction'))).toBe('by=transaction')
})

test('opens an empty form for an invalid link, and keeps long bytes out of links', () => {
  expect(read('quorum=-4&buffer=x&height=1e3&network=moon&by=luck')).toEqual(read(''))
  const long = { ...read(''), message: 'ab'.repeat(1_500), justification: 'cd' }
  expect(written(long)).toBe('justification=cd')
})

test('sends all six fields, from the input or from the transaction', () => {
  const draft = read('message=0xAB%0A cd&justification= ef &subnet= abc &quorum=60&buffer=7&height=9')
  expect(bodyOf(draft)).toEqual({
    message: '0xABcd',
    justification: 'ef',
    signingSubnetId: 'abc',
    quorumPercentage: 60,
    quorumPercentageBuffer: 7,
    pChainHeight: 9,
  })
  expect(bodyOf({ ...draft, by: 'transaction' }, { message: '0x01' })).toMatchObject({ message: '0x01' })
  expect(bodyOf({ ...draft, by: 'transaction' })).not.toHaveProperty('message')
  const manager = { message: '0x01', signingSubnetId: 'manager' }
  expect(bodyOf({ ...draft, by: 'transaction' }, manager)).toMatchObject({ signingSubnetId: 'abc' })
  expect(bodyOf({ ...draft, by: 'transaction', subnet: ' ' }, manager)).toMatchObject({
    signingSubnetId: 'manager',
  })
  expect(bodyOf({ ...draft, subnet: '' }, manager)).not.toHaveProperty('signingSubnetId')
})

test('reports the contract’s errors for each field and for the whole form', () => {
  const good = bodyOf(read('message=0xab'))
  expect(contractErrors(good)).toEqual({})
  expect(signatureRequest.safeParse(good).success).toBe(true)
  expect(contractErrors(bodyOf(read('')))).toEqual({
    message: 'either message or justification must be provided',
  })
  expect(contractErrors({ ...good, quorumPercentage: 67, quorumPercentageBuffer: 34 })).toEqual({
    quorumPercentageBuffer: 'quorumPercentage and quorumPercentageBuffer together must be at most 100',
  })
  const wrong = bodyOf({
    ...read(''),
    message: '0xabc',
    justification: 'zz',
    subnet: 'x',
    quorum: '',
    buffer: '101',
  })
  expect(contractErrors(wrong).quorumPercentageBuffer).toBe('must be at most 100')
  expect(Object.keys(contractErrors(wrong))).toEqual([
    'message',
    'justification',
    'signingSubnetId',
    'quorumPercentage',
    'quorumPercentageBuffer',
  ])
  expect(contractErrors(wrong).quorumPercentage).toBe('must be a whole number')
  expect(txIdError(` ${tx} `)).toBeUndefined()
  expect(txIdError('0x12')).toMatch(/cb58/)
  expect(txIdError(' ')).toMatch(/give/)
})

test('shows the service’s errors at their fields', () => {
  expect(
    serviceErrors([
      'Bad luck',
      'message: is of network 1',
      'fuji has the network ID 5',
      'txHash: is of no L1',
      'signingSubnetId: is unknown',
      'signingSubnetId: has no validators',
      'weather: is bad',
      'No luck',
    ]),
  ).toEqual({
    fields: {
      message: 'is of network 1; fuji has the network ID 5',
      tx: 'is of no L1',
      signingSubnetId: 'is unknown; has no validators',
    },
    rest: ['Bad luck', 'weather: is bad', 'No luck'],
  })
})
