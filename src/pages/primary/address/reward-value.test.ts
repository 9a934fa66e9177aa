import { expect, test } from 'vitest'
import { moneyText, rewardValue } from './reward-value.ts'

const reward = (amount: string, value?: string) => ({
  reward: {
    assetId: 'avax',
    name: 'Avalanche',
    symbol: 'AVAX',
    denomination: 9,
    type: 'secp256k1',
    amount,
    ...(value !== undefined && { historicalPrice: { currencyCode: 'usd', value } }),
  },
})

test('multiplies amount and price exactly, and has no value without a price', () => {
  expect(rewardValue(reward('1500000001', '17.25'))?.value).toBe('25.87500001725')
  expect(rewardValue(reward('720000000000000000', '3'))?.value).toBe('2160000000')
  expect(rewardValue(reward('1'))).toBeUndefined()
  expect(rewardValue(reward('1', 'n/a'))).toBeUndefined()
})

test('rounds to the digits of the currency', () => {
  expect(moneyText({ currencyCode: 'eur', value: '25.87500001725' })).toBe('25.88')
  expect(moneyText({ currencyCode: 'jpy', value: '2160.4999' })).toBe('2160')
  expect(moneyText({ currencyCode: 'usd', value: '3' })).toBe('3')
  expect(moneyText({ currencyCode: 'points', value: '1.005' })).toBe('1.01')
})
