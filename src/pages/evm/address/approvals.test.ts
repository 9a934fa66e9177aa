import { expect, test } from 'vitest'
import type { Approval } from '../../../../contract/evm/approvals.ts'
import { isUnlimited, summaryOf } from './approvals.ts'

const approval = (rest: Partial<Approval>): Approval => ({
  kind: 'AMOUNT',
  token: { address: '0x01' },
  spender: { address: '0x02' },
  isContract: true,
  blockNumber: '1',
  blockTimestamp: 1,
  txHash: '0x03',
  ...rest,
})
const all = (2n ** 256n - 1n).toString()

test('an allowance that nobody can exhaust has no limit, also after something was taken', () => {
  expect(isUnlimited(approval({ allowance: all }))).toBe(true)
  expect(isUnlimited(approval({ allowance: (BigInt(all) - 10n ** 30n).toString() }))).toBe(true)
  expect(isUnlimited(approval({ allowance: (10n ** 30n).toString() }))).toBe(false)
  expect(isUnlimited(approval({ kind: 'NFT', tokenId: '1' }))).toBe(false)
})

test('a sentence counts those who may take, each once, and what has no limit', () => {
  const rows = [
    approval({ allowance: '5' }),
    approval({ allowance: all, token: { address: '0x09' } }),
    approval({ kind: 'COLLECTION', spender: { address: '0x04' }, isContract: false }),
  ]
  expect(summaryOf(rows)).toBe(
    '1 contract and 1 account may take tokens of this address, 2 approvals without a limit.',
  )
  expect(summaryOf(rows.slice(0, 1))).toBe('1 contract may take tokens of this address.')
})
