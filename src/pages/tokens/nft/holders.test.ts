import { expect, test } from 'vitest'
import type { TokenTransferRow } from '../../../../contract/tokens/tokens.ts'
import { holdersOf } from './holders.ts'

const zero = `0x${'0'.repeat(40)}`
const move = (from: string, to: string, value: string): TokenTransferRow => ({
  blockNumber: '1',
  blockTimestamp: 1,
  blockHash: '0x',
  txHash: '0x',
  logIndex: 0,
  ercType: 'ERC-1155',
  from: { address: from },
  to: { address: to },
  value,
})

test('holders of an id are what its transfers come to', () => {
  const rows = [
    move(zero, '0xAA', '10'),
    move(zero, '0xBB', '9007199254740993'),
    move('0xaa', '0xCC', '10'),
    move('0xbb', '0xBB', '5'),
    move('0xCC', zero, '4'),
  ]
  expect(holdersOf(rows)).toEqual([
    { address: '0xBB', balance: '9007199254740993' },
    { address: '0xCC', balance: '6' },
  ])
})
