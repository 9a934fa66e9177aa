import { expect, test } from 'vitest'
import type { AddressTransaction } from '../../../../contract/evm/addresses.ts'
import { effectsOf, directionOf } from './effects.ts'

const own = `0x${'aB'.repeat(20)}`
const other = `0x${'11'.repeat(20)}`
const token = `0x${'22'.repeat(20)}`
const native = { symbol: 'AVAX', decimals: 18 }

const party = (address: string) => ({ address: address.toLowerCase() })
const transfer = (
  from: string,
  to: string,
  value: string,
  facts: object = { symbol: 'SUSD', decimals: 6 },
) => ({
  from: party(from),
  to: party(to),
  logIndex: 0,
  value,
  erc20Token: { address: token, ercType: 'ERC-20', ...facts },
})
const call = (from: string, to: string, value: string, isReverted = false) => ({
  from: party(from),
  to: party(to),
  internalTxType: 'CALL',
  value,
  isReverted,
  gasUsed: '0',
  gasLimit: '0',
})
// The transaction's own fields do not affect its effects.
const row = (parts: object): AddressTransaction => ({ nativeTransaction: {}, ...parts }) as AddressTransaction
const texts = (parts: object): string[] =>
  effectsOf(row(parts), own, native).map(({ text, item = '' }) => text + item)

test('nets the transfers of one token, with the sign as seen from the address', () => {
  const erc20Transfers = [transfer(other, own, '5000000'), transfer(own, other, '1500000')]
  expect(texts({ erc20Transfers })).toEqual(['+3.5 SUSD'])
  expect(texts({ erc20Transfers: erc20Transfers.slice(1) })).toEqual(['−1.5 SUSD'])
  const [effect] = effectsOf(row({ erc20Transfers }), own, native)
  expect(effect).toMatchObject({ gain: true, exact: `3.5 SUSD ${token}` })
})

test('ignores transfers of an address to itself', () => {
  const [effect] = effectsOf(row({ erc20Transfers: [transfer(own, own, '7')] }), own, native)
  expect(effect).toMatchObject({ gain: undefined, text: '0 SUSD' })
})

test('counts a token without decimals in smallest units, and strips control characters from its name', () => {
  expect(texts({ erc20Transfers: [transfer(other, own, '1200', {})] })).toEqual(['+1,200 smallest units'])
  const turned = { symbol: 'A\u202EB', decimals: 0 }
  expect(texts({ erc20Transfers: [transfer(other, own, '3', turned)] })).toEqual(['+3 AB'])
  const absurd = { symbol: 'X', decimals: 255 }
  const rows = row({ erc20Transfers: [transfer(other, own, '3', absurd)] })
  expect(effectsOf(rows, own, native)).toMatchObject([
    { text: '+3 smallest units of X', exact: `3 smallest units of X ${token}` },
  ])
})

test('names NFTs by collection and id, and adds up an id that a batch has twice', () => {
  const item = (tokenId: string) => ({ address: token, name: 'Relics', ercType: 'ERC-1155', tokenId })
  const sides = { from: party(own), to: party(other), logIndex: 1 }
  expect(
    texts({
      erc721Transfers: [{ ...sides, from: party(other), to: party(own), erc721Token: item('12') }],
      erc1155Transfers: [
        { ...sides, value: '2', erc1155Token: item('7') },
        { ...sides, value: '3', erc1155Token: item('7') },
      ],
    }),
  ).toEqual(['+Relics #12', '−5 × Relics #7'])
})

test('names both ends of a range of NFTs, and counts it', () => {
  const range = {
    from: party(other),
    to: party(own),
    logIndex: 0,
    erc721Token: { address: token, ercType: 'ERC-721', name: 'Art', tokenId: '1', lastTokenId: '5000' },
  }
  expect(texts({ erc721Transfers: [range] })).toEqual(['+5000 × Art #1–#5000'])
  const [effect] = effectsOf(row({ erc721Transfers: [range] }), own, native)
  expect(effect?.exact).toBe(`5000 × #1-5000 ${token}`)
})

test('names a collection without a name by its address', () => {
  const erc1155Token = { address: token, ercType: 'ERC-1155', tokenId: '7' }
  const erc1155Transfers = [{ from: party(other), to: party(own), logIndex: 1, value: '1', erc1155Token }]
  expect(texts({ erc1155Transfers })).toEqual(['+0x2222…2222 #7'])
})

test('is incoming or outgoing if all effects have the same direction, otherwise undefined', () => {
  const wayOfAll = (...transfers: object[]) =>
    directionOf(effectsOf(row({ erc20Transfers: transfers }), own, native))
  const second = { symbol: 'B', decimals: 0 }
  const gained = transfer(other, own, '5')
  const lost = {
    ...transfer(own, other, '5', second),
    erc20Token: { address: other, ercType: 'ERC-20', ...second },
  }
  expect(wayOfAll(gained)).toBe('in')
  expect(wayOfAll(lost)).toBe('out')
  expect(wayOfAll(gained, lost)).toBeUndefined()
  expect(wayOfAll()).toBeUndefined()
})

test('counts internal calls that moved value and were not reverted', () => {
  const internalTransactions = [
    call(other, own, '2000000000000000000'),
    call(own, other, '500000000000000000'),
    call(other, own, '9000000000000000000', true),
    call(other, own, '0'),
    // It runs in the account of its caller: the value stays there.
    { ...call(other, own, '7000000000000000000'), internalTxType: 'DELEGATECALL' },
  ]
  expect(texts({ internalTransactions })).toEqual(['+1.5 AVAX inside'])
  expect(texts({ internalTransactions: internalTransactions.slice(2) })).toEqual([])
})
