import { expect, test } from 'vitest'
import { tokenSeries } from './token-days.ts'

const day = 86_400

test('days without a transfer keep supply and holders, and count no transfers', () => {
  const point = (at: number, supply: string, holderCount: string, transferCount: string) => ({
    timestamp: at * day,
    supply,
    holderCount,
    transferCount,
  })
  const { supply, holders, transfers } = tokenSeries(
    [point(10, '1000000000000000000000', '3', '5'), point(12, '900', '2', '9')],
    13 * day + 7,
  )
  expect(supply.map(({ timestamp, value }) => [timestamp / day, value])).toEqual([
    [10, 1000000000000000000000n],
    [11, 1000000000000000000000n],
    [12, 900n],
    [13, 900n],
  ])
  expect(holders.map(({ value }) => value)).toEqual([3n, 3n, 2n, 2n])
  expect(transfers.map(({ value }) => value)).toEqual([5n, 0n, 4n, 0n])
  expect(tokenSeries([], 13 * day).supply).toEqual([])
})
