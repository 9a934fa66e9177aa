import { expect, test } from 'vitest'
import { joinMovements, type MovedTransaction } from '../../api/evm/movements.ts'
import { lineText, movedOf, movedText } from './moved.ts'

const address = (digit: string): string => `0x${digit.repeat(40)}`
const [alice, bob, pool, zero] = [address('a'), address('b'), address('c'), address('0')] as const
const party = (one: string) => ({ address: one })
const native = { symbol: 'AVAX', decimals: 18 }
const rdg = { address: address('1'), name: 'Ridge', symbol: 'RDG', decimals: 2, ercType: 'ERC-20' }
const usd = { address: address('2'), name: 'Sample Dollar', symbol: 'SUSD', decimals: 6, ercType: 'ERC-20' }
const art = { address: address('3'), name: 'Ridge Art', symbol: 'ART', ercType: 'ERC-721' }
const kit = { address: address('4'), name: 'Ridge Kit', ercType: 'ERC-1155' }

type Movements = NonNullable<MovedTransaction['movements']>
const move = (token: typeof rdg, from: string, to: string, value: bigint) => ({
  from: party(from),
  to: party(to),
  logIndex: 0,
  value: String(value),
  erc20Token: token,
})
const nft = (tokenId: string, from: string, to: string) => ({
  from: party(from),
  to: party(to),
  logIndex: 0,
  erc721Token: { ...art, tokenId },
})
const piece = (tokenId: string, from: string, to: string, value: bigint) => ({
  from: party(from),
  to: party(to),
  logIndex: 0,
  value: String(value),
  erc1155Token: { ...kit, tokenId },
})

const transaction = {
  blockNumber: '7',
  blockTimestamp: 1_700_000_000,
  blockHash: '0x07',
  chainId: '43114',
  blockIndex: 0,
  txHash: '0xF7',
  txStatus: '1',
  txType: 2,
  gasLimit: '60000',
  gasUsed: '50000',
  gasPrice: '1',
  nonce: '1',
  from: party(alice),
  to: party(pool),
  method: { callType: 'CONTRACT_CALL', methodHash: '0xa9059cbb' },
  value: '0',
}
const none: Movements = {
  blockNumber: '7',
  blockIndex: 0,
  txHash: '0xf7',
  from: party(alice),
  to: party(pool),
  isToContract: true,
  isComplete: true,
  erc20Transfers: [],
  erc721Transfers: [],
  erc1155Transfers: [],
}
const row = (movements: Partial<Movements> | null | undefined, tx: object = {}): MovedTransaction => ({
  ...transaction,
  ...tx,
  movements: movements ? { ...none, ...movements } : movements,
})
const shown = (tx: MovedTransaction): string => {
  const moved = movedOf(tx)
  return 'lines' in moved
    ? `${moved.kind}: ${moved.lines.map((line) => lineText(line, native)).join(' | ')}`
    : moved.kind
}
const avax = (amount: string) => ({ value: `${amount}${'0'.repeat(18)}` })

test('one token: scaled by its decimals, counted once on its way through several hands', () => {
  expect(shown(row({ erc20Transfers: [move(rdg, alice, bob, 123_450n)] }))).toBe('one: 1,234.5 RDG')
  const through = [move(rdg, alice, pool, 500n), move(rdg, pool, bob, 500n)]
  expect(shown(row({ erc20Transfers: through }))).toBe('one: 5 RDG')
  const toTwo = [move(rdg, alice, bob, 500n), move(rdg, alice, pool, 250n)]
  expect(shown(row({ erc20Transfers: toTwo }))).toBe('one: 7.5 RDG')
  expect(shown(row({ erc20Transfers: [move(rdg, zero, bob, 100n)] }))).toBe('one: 1 RDG')
})

test('NFTs: one with its id, several of a collection counted', () => {
  expect(shown(row({ erc721Transfers: [nft('7', alice, bob)] }))).toBe('one: #7 of Ridge Art')
  expect(shown(row({ erc721Transfers: [nft('7', alice, bob), nft('8', alice, bob)] }))).toBe(
    'one: 2 × Ridge Art',
  )
  expect(shown(row({ erc1155Transfers: [piece('5', zero, bob, 12n)] }))).toBe('one: 12 × #5 of Ridge Kit')
})

test('a range of NFTs: counted, not named by its first id', () => {
  const range = { ...nft('1', zero, alice), erc721Token: { ...art, tokenId: '1', lastTokenId: '5000' } }
  const tx = row({ erc721Transfers: [range] })
  expect(shown(tx)).toBe('one: 5,000 × Ridge Art')
  expect(movedText(tx, native)).toBe(`5000 × ${art.address}`)
})

test('a swap: the assets that left and reached the sender, including the native token', () => {
  const both = [move(rdg, alice, pool, 500n), move(usd, pool, alice, 2_000_000n)]
  expect(shown(row({ erc20Transfers: both }))).toBe('swap: 5 RDG | 2 SUSD')
  expect(shown(row({ erc20Transfers: [move(usd, pool, alice, 2_000_000n)] }, avax('3')))).toBe(
    'swap: 3 AVAX | 2 SUSD',
  )
  const sold = { erc20Transfers: [move(usd, alice, pool, 2_000_000n)], nativeReceived: avax('3').value }
  expect(shown(row(sold))).toBe('swap: 2 SUSD | 3 AVAX')
  const bought = row({ erc721Transfers: [nft('7', bob, alice)] }, avax('1'))
  expect(shown(bought)).toBe('swap: 1 AVAX | #7 of Ridge Art')
  expect(movedText(bought, native)).toBe(`1 AVAX → 1 × #7 ${art.address}`)
})

test('several assets, and more transfers than are known', () => {
  const tokens = { erc20Transfers: [move(rdg, alice, pool, 500n), move(usd, alice, pool, 1n)] }
  expect(shown(row(tokens))).toBe('several: 5 RDG | 0.000001 SUSD')
  expect(shown(row({ ...tokens, isComplete: false }, avax('1')))).toBe(
    'partly: 1 AVAX | 5 RDG | 0.000001 SUSD',
  )
  expect(movedText(row({ ...tokens, isComplete: false }), native)).toBe(
    `5 RDG ${rdg.address}; 0.000001 SUSD ${usd.address}; …`,
  )
})

test('the native token: sent, received by an internal call, or nothing', () => {
  expect(shown(row({}, avax('2')))).toBe('one: 2 AVAX')
  expect(shown(row({ nativeReceived: avax('2').value }))).toBe('one: 2 AVAX')
  expect(shown(row({ nativeReceived: '0' }))).toBe('none')
  const empty = { method: { callType: 'NATIVE_TRANSFER', methodHash: '0x' } }
  expect(shown(row({}, empty))).toBe('one: 0 AVAX')
})

test('a failed transaction moved nothing, whatever its value', () => {
  expect(shown(row({}, { ...avax('2'), txStatus: '0' }))).toBe('failed')
  expect(movedText(row({}, { ...avax('2'), txStatus: '0' }), native)).toBe('')
})

test('without movements the value is all that is known', () => {
  expect([shown(row(undefined)), shown(row(null)), shown(row(null, avax('2')))]).toEqual([
    'loading',
    'unknown: 0 AVAX',
    'one: 2 AVAX',
  ])
  expect(movedText(row(null), native)).toBe('')
})

test('a row takes the movements of its own hash only', () => {
  const other = { ...none, txHash: '0xf8', blockIndex: 1 }
  expect(joinMovements([transaction], { movements: [other, none], rest: null })[0]?.movements).toBe(none)
  expect(joinMovements([transaction], { movements: [other], rest: null })[0]?.movements).toBeNull()
  expect(joinMovements([transaction], { movements: [other], rest: undefined })[0]?.movements).toBeUndefined()
})
