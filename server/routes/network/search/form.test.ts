import { expect, test } from 'vitest'
import { readForm } from './form.ts'

const hash = `0x${'ab'.repeat(32)}`
const account = `0x${'12'.repeat(20)}`
const cb58 = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'
const addresses = ['address', 'wallet', 'contract', 'token']

test.each([
  ['block 2143', { text: '2143', kinds: ['block', 'primaryBlock'] }],
  ['Block: 2,143', { text: '2,143', kinds: ['block', 'primaryBlock'] }],
  ['#2143', { text: '2143', kinds: ['block', 'primaryBlock'] }],
  ['tx 0xab', { text: '0xab', kinds: ['transaction', 'primaryTransaction'] }],
  ['token SUSD', { text: 'SUSD', kinds: ['token'] }],
  ['P-fuji1abc', { text: 'fuji1abc', alias: 'p-chain' }],
  ['p-chain 12', { text: '12', alias: 'p-chain' }],
  ['X block 12', { text: '12', alias: 'x-chain', kinds: ['block', 'primaryBlock'] }],
  ['0x870', { text: '2160', kinds: ['block', 'primaryBlock'] }],
  ['0x3938700', { text: '60000000', kinds: ['block', 'primaryBlock'] }],
  [
    `https://snowtrace.io/tx/${hash}?chainid=43114`,
    { text: hash, kinds: ['transaction', 'primaryTransaction'] },
  ],
  [`https://etherscan.io/address/${account}#code`, { text: account, kinds: addresses }],
  [`https://etherscan.io/token/${account}?a=1`, { text: account, kinds: ['token'] }],
  [
    'https://subnets.avax.network/c-chain/block/60000000',
    { text: '60000000', kinds: ['block', 'primaryBlock'] },
  ],
  [
    `https://subnets.avax.network/p-chain/tx/${cb58}`,
    { text: cb58, alias: 'p-chain', kinds: ['transaction', 'primaryTransaction'] },
  ],
  [
    'https://avascan.info/staking/validator/NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
    { text: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', kinds: ['node', 'l1Validation'] },
  ],
  [
    `http://127.0.0.1:4400/chain/43113/tx/${hash}`,
    { text: hash, kinds: ['transaction', 'primaryTransaction'] },
  ],
  ['https://example.org/about', undefined],
  ['https://example.org/%E0%A4%A', undefined],
  [`ethereum:${account}@43114?value=1e18`, { text: account, kinds: addresses }],
  [`ethereum:pay-${account}`, { text: account, kinds: addresses }],
  [`ethereum:${account}1`, undefined],
  ['Ridge', undefined],
  ['blocks', undefined],
  ['block', undefined],
  ['pepe coin', undefined],
  // Names of every object.
  ['constructor 12', undefined],
  [`https://example.org/constructor/${hash}`, { text: hash }],
])('%s', (text, expected) => {
  expect(readForm(text)).toEqual(expected)
})
