import { describe, expect, test } from 'vitest'
import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'
import { headlineOf, type HeadlinePart } from './headline.ts'

const account = (digit: string): string => `0x${digit.repeat(40)}`
const [alice, bob, carol, token, other, pool] = ['a', 'b', 'c', '1', '2', '3'].map((digit) =>
  account(digit),
) as [string, string, string, string, string, string]
const names = new Map([
  [alice, 'Alice'],
  [bob, 'Bob'],
  [carol, 'Carol'],
  [token, 'Ridge'],
  [other, 'Dollar'],
  [pool, 'Pool'],
])
const dollar = { address: other, name: 'Dollar', symbol: 'USD', decimals: 2, ercType: 'ERC-20' }
const ridge = { address: token, name: 'Ridge', symbol: 'RDG', decimals: 2, ercType: 'ERC-20' }
const relic = (tokenId: string, ercType = 'ERC-721') => ({ address: other, name: 'Relics', ercType, tokenId })
const party = (address: string) => ({ address })

type Native = TransactionDetails['nativeTransaction']

function details(native: Partial<Native>, rest: Partial<TransactionDetails> = {}): TransactionDetails {
  return {
    nativeTransaction: {
      blockNumber: '1',
      blockTimestamp: 1_700_000_000,
      blockHash: '0x',
      chainId: '43113',
      blockIndex: 0,
      txHash: '0x',
      txStatus: '1',
      txType: 2,
      gasLimit: '100',
      gasUsed: '10',
      gasPrice: '7',
      nonce: '0',
      from: party(alice),
      to: party(pool),
      value: '0',
      input: '0x12345678',
      baseFeePerGas: '1',
      ...native,
    },
    ...rest,
  }
}

/** The sentence as a reader sees it: names of the test's parties, two decimals for every amount. */
function text(of: TransactionDetails): string {
  const amount = (value: string): string => (Number(value) / 100).toFixed(2)
  const word = (part: HeadlinePart): string => {
    if (typeof part === 'string') return part
    if ('party' in part) return names.get(part.party.address) ?? part.party.address
    if ('native' in part) return `${amount(part.native)} AVAX`
    if ('token' in part) return `${amount(part.value)} ${part.token.symbol ?? ''}`
    if ('item' in part) return `${part.item.name ?? ''} #${part.tokenId}`
    return part.method
  }
  return headlineOf(of).map(word).join('')
}

const erc20 = (from: string, to: string, value: string, erc20Token = ridge, logIndex = 0) => ({
  from: party(from),
  to: party(to),
  value,
  erc20Token,
  logIndex,
})
const call = (signature: string, ...values: string[]) => ({
  name: signature.split('(')[0] ?? '',
  signature,
  args: values.map((value, index) => ({ name: `a${index}`, type: 'uint256', value })),
})
const noOne = account('0')
const endless = (2n ** 256n - 1n).toString()

describe('a transaction that succeeded', () => {
  test.each<[string, TransactionDetails]>([
    ['Alice sent 1.50 AVAX to Bob', details({ input: '0x', value: '150', to: party(bob) })],
    ['Alice sent 0.00 AVAX to itself', details({ input: '0x', to: party(alice) })],
    [
      'Alice deployed contract Pool',
      details({ contractAddress: pool, method: { callType: 'CONTRACT_CREATION', methodHash: '0x' } }),
    ],
    ['Alice sent 0.90 RDG to Bob', details({}, { erc20Transfers: [erc20(alice, bob, '90')] })],
    ['Alice received 0.90 RDG from Pool', details({}, { erc20Transfers: [erc20(pool, alice, '90')] })],
    ['Alice moved 0.90 RDG from Bob to Carol', details({}, { erc20Transfers: [erc20(bob, carol, '90')] })],
    ['Alice minted 5.00 RDG', details({}, { erc20Transfers: [erc20(noOne, alice, '500')] })],
    ['Alice minted 5.00 RDG to Bob', details({}, { erc20Transfers: [erc20(noOne, bob, '500')] })],
    ['Alice burned 5.00 RDG', details({}, { erc20Transfers: [erc20(alice, noOne, '500')] })],
    ['Alice burned 5.00 RDG of Bob', details({}, { erc20Transfers: [erc20(bob, noOne, '500')] })],
    [
      'Alice sent 1.00 RDG to 2 recipients',
      details({}, { erc20Transfers: [erc20(alice, bob, '90'), erc20(alice, carol, '10', ridge, 1)] }),
    ],
    [
      'Alice swapped 2.00 RDG for 3.00 USD on Pool',
      details({}, { erc20Transfers: [erc20(alice, pool, '200'), erc20(pool, alice, '300', dollar, 1)] }),
    ],
    [
      'Alice swapped 4.00 AVAX for 3.00 USD on Pool',
      details({ value: '400' }, { erc20Transfers: [erc20(pool, alice, '300', dollar)] }),
    ],
    [
      'Alice swapped 3.00 USD for 4.00 AVAX on Pool',
      details(
        {},
        {
          erc20Transfers: [erc20(alice, pool, '300', dollar)],
          internalTransactions: [
            {
              from: party(pool),
              to: party(alice),
              internalTxType: 'CALL',
              value: '400',
              isReverted: false,
              gasUsed: '1',
              gasLimit: '1',
            },
          ],
        },
      ),
    ],
    [
      'Alice bought Relics #7 for 2.00 AVAX on Pool',
      details(
        { value: '200' },
        { erc721Transfers: [{ from: party(bob), to: party(alice), logIndex: 0, erc721Token: relic('7') }] },
      ),
    ],
    [
      'Alice sold Relics #7 for 2.00 RDG on Pool',
      details(
        {},
        {
          erc721Transfers: [{ from: party(alice), to: party(bob), logIndex: 0, erc721Token: relic('7') }],
          erc20Transfers: [erc20(bob, alice, '200', ridge, 1)],
        },
      ),
    ],
    [
      'Alice sent Relics #7 to Bob',
      details(
        {},
        { erc721Transfers: [{ from: party(alice), to: party(bob), logIndex: 0, erc721Token: relic('7') }] },
      ),
    ],
    [
      'Alice sent 12 NFTs of Relics to Bob',
      details(
        {},
        {
          erc1155Transfers: ['3', '9'].map((value, logIndex) => ({
            from: party(alice),
            to: party(bob),
            value,
            logIndex,
            erc1155Token: relic(String(logIndex), 'ERC-1155'),
          })),
        },
      ),
    ],
    [
      'Alice minted 12 NFTs of Relics',
      details(
        {},
        {
          erc1155Transfers: ['3', '9'].map((value, logIndex) => ({
            from: party(noOne),
            to: party(alice),
            value,
            logIndex,
            erc1155Token: relic(String(logIndex), 'ERC-1155'),
          })),
        },
      ),
    ],
    [
      'Alice moved 1.00 RDG from Bob to 2 recipients',
      details({}, { erc20Transfers: [erc20(bob, carol, '90'), erc20(bob, pool, '10', ridge, 1)] }),
    ],
    ['Alice sent 0.90 RDG to itself', details({}, { erc20Transfers: [erc20(alice, alice, '90')] })],
    [
      'Alice called 0x12345678 on Pool',
      details(
        { method: { callType: 'CONTRACT_CALL', methodHash: '0x12345678' } },
        { erc20Transfers: [erc20(bob, carol, '90'), erc20(carol, pool, '10', dollar, 1)] },
      ),
    ],
    [
      'Alice allowed Bob to spend 0.90 RDG',
      details({ to: ridge }, { decodedInput: call('approve(address,uint256)', bob, '90') }),
    ],
    [
      'Alice allowed Bob to spend any amount of Ridge',
      details({ to: ridge }, { decodedInput: call('approve(address,uint256)', bob, endless) }),
    ],
    [
      'Alice revoked the approval of Bob for Ridge',
      details({ to: ridge }, { decodedInput: call('approve(address,uint256)', bob, '0') }),
    ],
    [
      'Alice allowed Bob to transfer all NFTs of Dollar',
      details({ to: party(other) }, { decodedInput: call('setApprovalForAll(address,bool)', bob, 'true') }),
    ],
    [
      'Alice revoked the approval of Bob for Dollar',
      details({ to: party(other) }, { decodedInput: call('setApprovalForAll(address,bool)', bob, 'false') }),
    ],
    [
      'Alice called stake on Pool with 2.00 AVAX',
      details({
        value: '200',
        method: { callType: 'CONTRACT_CALL', methodHash: '0x12345678', methodName: 'stake(uint256)' },
      }),
    ],
    [
      'Alice called 0x12345678 on Pool',
      details({ method: { callType: 'CONTRACT_CALL', methodHash: '0x12345678' } }),
    ],
    // Where the token has no decimals, the second argument may be the id of an NFT.
    [
      'Alice called approve on Dollar',
      details(
        {
          to: party(other),
          method: {
            callType: 'CONTRACT_CALL',
            methodHash: '0x095ea7b3',
            methodName: 'approve(address,uint256)',
          },
        },
        { decodedInput: call('approve(address,uint256)', bob, '7') },
      ),
    ],
  ])('%s', (sentence, of) => {
    expect(text(of)).toBe(`${sentence} and paid a fee of 0.70 AVAX.`)
  })

  test('uses the fee of the service', () => {
    expect(text(details({ input: '0x', txFee: '1234' }))).toContain('a fee of 12.34 AVAX.')
  })

  test('does not count reverted internal calls', () => {
    const of = details(
      { method: { callType: 'CONTRACT_CALL', methodHash: '0x1' } },
      {
        erc20Transfers: [erc20(alice, pool, '300', dollar)],
        internalTransactions: [
          {
            from: party(pool),
            to: party(alice),
            internalTxType: 'CALL',
            value: '400',
            isReverted: true,
            gasUsed: '1',
            gasLimit: '1',
          },
        ],
      },
    )
    expect(text(of)).toBe('Alice sent 3.00 USD to Pool and paid a fee of 0.70 AVAX.')
  })
})

describe('a transaction that failed', () => {
  const failed = { txStatus: '0' } as const
  test.each<[string, TransactionDetails]>([
    [
      'Alice tried to send 1.50 AVAX to Bob',
      details({ ...failed, input: '0x', value: '150', to: party(bob) }),
    ],
    [
      'Alice tried to deploy a contract',
      details({ ...failed, method: { callType: 'CONTRACT_CREATION', methodHash: '0x' } }),
    ],
    [
      'Alice tried to send 0.90 RDG to Bob',
      details({ ...failed, to: ridge }, { decodedInput: call('transfer(address,uint256)', bob, '90') }),
    ],
    [
      'Alice tried to move 0.90 RDG from Bob to Carol',
      details(
        { ...failed, to: ridge },
        { decodedInput: call('transferFrom(address,address,uint256)', bob, carol, '90') },
      ),
    ],
    [
      'Alice tried to call withAssert on Pool',
      details({
        ...failed,
        method: { callType: 'CONTRACT_CALL', methodHash: '0x1', methodName: 'withAssert()' },
      }),
    ],
  ])('%s', (sentence, of) => {
    expect(text(of)).toBe(`${sentence} and paid a fee of 0.70 AVAX.`)
  })
})
