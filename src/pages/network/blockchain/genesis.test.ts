import { expect, test } from 'vitest'
import { compareGenesis, genesisRows, precompilesOf, valueText, wordsOf } from './genesis.ts'

const admin = '0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc'
const genesis = {
  config: {
    chainId: 431301,
    homesteadBlock: 0,
    eip150Hash: '0x2086799aeebeae135c246c65021c82b4e15a2c451340993aacfd2751886514f0',
    subnetEVMTimestamp: 0,
    allowFeeRecipients: true,
    feeConfig: { gasLimit: 8_000_000, minBaseFee: 25_000_000_000n, targetBlockRate: 2 },
    contractNativeMinterConfig: { blockTimestamp: 1_700_000_000, adminAddresses: [admin] },
    warpConfig: { blockTimestamp: 0, quorumNumerator: 67 },
    inventedConfig: { adminAddresses: [] },
    invented: 'a\u202Eb',
  },
  alloc: { [admin]: { balance: '0x10' } },
  gasLimit: '0x7a1200',
  timestamp: '0x6553f100',
  coinbase: '0x0000000000000000000000000000000000000000',
  baseFeePerGas: null,
}

const text = (key: string): string | undefined => genesisRows(genesis).find((row) => row.key === key)?.text

test('reads a genesis as tables: numbers, fees, times, forks and unknown settings', () => {
  expect(text('config.chainId')).toBe('431301')
  expect(text('config.feeConfig.minBaseFee')).toBe('25 gwei')
  expect(text('gasLimit')).toBe('8,000,000')
  expect(text('timestamp')).toBe('2023-11-14 22:13:20 UTC')
  expect(text('config.subnetEVMTimestamp')).toBe('from the start')
  expect(text('config.eip150Hash')).toBe(genesis.config.eip150Hash)
  expect(text('coinbase')).toBe(genesis.coinbase)
  expect(text('baseFeePerGas')).toBe('not set')
  expect(text('config.invented')).toBe('ab')
  expect(genesisRows(genesis).some(({ key }) => key.startsWith('alloc'))).toBe(false)
  expect([...new Set(genesisRows(genesis).map(({ group }) => group))]).toEqual([
    'Chain',
    'Fees',
    'Forks',
    'Precompiles',
    'Other',
  ])
})

test('reads the activation time and the roles of precompiles', () => {
  expect(precompilesOf(genesis)).toEqual([
    {
      key: 'contractNativeMinterConfig',
      label: 'Native minter',
      from: 1_700_000_000,
      admins: [admin],
      managers: [],
      enabled: [],
      more: '',
    },
    expect.objectContaining({ label: 'Warp messages', from: 0, more: 'Quorum numerator: 67' }),
    expect.objectContaining({ label: 'Invented', from: undefined }),
  ])
})

test('compares two chains, including settings that only one of them has', () => {
  const other = { config: { chainId: 431302, londonBlock: 5, feeConfig: { gasLimit: 8_000_000 } } }
  const rows = compareGenesis(genesis, other)
  const of = (key: string) => {
    const row = rows.find((one) => one.key === key)
    return [row?.one, row?.other]
  }
  expect(of('config.chainId')).toEqual(['431301', '431302'])
  expect(of('config.londonBlock')).toEqual([undefined, '5'])
  expect(of('config.feeConfig.gasLimit')).toEqual(['8,000,000', '8,000,000'])
  expect(of('config.warpConfig')).toEqual(['on from the start; Quorum numerator: 67', undefined])
})

test('keeps untrusted names and values as text', () => {
  expect(wordsOf('eip150Block')).toBe('EIP-150 block')
  expect(wordsOf('subnetEVMTimestamp')).toBe('Subnet EVM timestamp')
  expect(valueText('extraData', '0x00')).toBe('0x00')
  expect(valueText('x', { a: 1n })).toBe('{"a":"1"}')
  expect(genesisRows('junk')).toEqual([])
})
