import { expect, test } from 'vitest'
import { cb58 } from '../../../protocol/ids/text.ts'
import { contentOf, destinationOf, destinationText, kindOf, nextStep } from './about.ts'

const pChain = '11111111111111111111111111111111LpoYY'
const idBytes = new Uint8Array(32).fill(7)
const id = cb58(idBytes)
const word = (hex: string) => hex.padStart(64, '0')
const teleporter = {
  payloadKind: 'AddressedCall',
  sourceBlockchainId: id,
  sourceAddress: '0x253b2784c75e510dD0fF1da844684a1aC0aa5fcf',
  payload: `0x${word('20')}${word('1')}${word('ab')}${'07'.repeat(32)}${word('cd')}`,
}
const l1 = (type: string, source: string, rest = {}) => ({
  payloadKind: 'AddressedCall',
  sourceBlockchainId: source,
  l1Message: { type, ...rest },
})

test('a message of the Teleporter contract names its destination, by the name of the chain where it is known', () => {
  expect(destinationOf(teleporter)).toEqual({ kind: 'chain', id: '07'.repeat(32) })
  const chains = [{ platformChainId: id, chainName: 'Meridian' }]
  expect(destinationText(destinationOf(teleporter), chains)).toBe('Meridian')
  expect(destinationText(destinationOf(teleporter), [])).toBe('0x07070707…0707')
  // Another contract may put anything there.
  const other = { ...teleporter, sourceAddress: `0x${'1'.repeat(40)}` }
  expect(destinationText(destinationOf({ ...other, payload: '0x00' }), chains)).toBe('–')
  // … but the id of a chain is not a chance.
  expect(destinationText(destinationOf(other), chains)).toBe('Meridian')
  expect(destinationText(destinationOf(other), [])).toBe('–')
})

test('L1 messages go from the manager to the P-Chain or back, and say what to do with them', () => {
  const registered = l1('L1ValidatorRegistration', pChain, { validationId: id, registered: true })
  expect(destinationText(destinationOf(registered), [])).toBe('L1’s manager')
  expect(kindOf(registered)).toBe('Validator registration')
  expect(contentOf(registered)).toMatch(/^validation .+: registered$/)
  expect(nextStep(registered)).toContain('completeValidatorRegistration')
  const weight = l1('L1ValidatorWeight', id, { validationId: id, weight: '1200' })
  expect(destinationText(destinationOf(weight), [])).toBe('P-Chain')
  expect(contentOf(weight)).toMatch(/, weight 1,200$/)
  expect(nextStep(weight)).toContain('SetL1ValidatorWeightTx')
  expect(nextStep({ ...weight, sourceBlockchainId: pChain })).toContain('completeValidatorWeightUpdate')
  expect(nextStep(l1('RegisterL1Validator', id))).toContain('RegisterL1ValidatorTx')
  expect(nextStep(teleporter)).toContain('receiveCrossChainMessage')
})

test('a payload is text where it is readable, and else its size', () => {
  expect(contentOf({ ...teleporter, payload: '0x68656c6c6f' })).toBe('“hello”')
  expect(contentOf({ ...teleporter, payload: '0x00ff' })).toBe('2 bytes from 0x253b27…5fcf')
  // As Solidity encodes it: the offset, the length in bytes, the bytes.
  const text = Buffer.from('Grüße aus dem Hafen')
  const encoded = `0x${word('20')}${word(text.length.toString(16))}${text.toString('hex').padEnd(64, '0')}`
  expect(contentOf({ ...teleporter, payload: encoded })).toBe('“Grüße aus dem Hafen”')
  expect(kindOf({ payloadKind: 'Another', sourceBlockchainId: id })).toBe('Another')
})
