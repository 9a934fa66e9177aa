import { array, assert, bigInt, constantFrom, integer, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import type { Utxo } from '../../../../contract/primary/fields.ts'
import { flowOf, foldEnds, ribbonsOf, type FlowEnd } from './flow.ts'

const assetOf = (assetId: string, amount: string) => ({
  assetId,
  name: assetId,
  symbol: assetId,
  denomination: 9,
  type: 'secp256k1',
  amount,
})

const utxo = (owner: string, amount: bigint, more: Partial<Utxo> = {}, assetId = 'AVAX'): Utxo => ({
  addresses: [owner],
  asset: assetOf(assetId, amount.toString()),
  consumedOnChainId: 'p-chain',
  createdOnChainId: 'p-chain',
  utxoId: `${owner}${amount}`,
  outputIndex: 0,
  utxoType: 'TRANSFER',
  threshold: 1,
  ...more,
})

const total = (ends: readonly FlowEnd[], assetId: string): bigint =>
  ends.reduce((sum, end) => (end.asset.assetId === assetId ? sum + end.amount : sum), 0n)

const names = (ends: readonly FlowEnd[]): string[] =>
  ends.map(({ party, amount, utxoCount, tags }) =>
    [party.kind === 'owners' ? party.addresses.join('+') : party.kind, amount, utxoCount, ...tags].join(' '),
  )

test('groups UTXOs by owner, marks the difference as burned, and separates stakes', () => {
  const flow = flowOf(
    {
      txHash: 't',
      txType: 'AddPermissionlessDelegatorTx',
      blockTimestamp: 1000,
      consumedUtxos: [utxo('ann', 70n), utxo('ann', 40n), utxo('bob', 5n)],
      emittedUtxos: [utxo('ann', 100n, { utxoType: 'STAKE', staked: true }), utxo('ann', 10n)],
    },
    'p-chain',
  )
  expect(names(flow.inputs)).toEqual(['ann 110 2', 'bob 5 1'])
  expect(names(flow.outputs)).toEqual(['ann 100 1 staked', 'ann 10 1', 'burned 5 0'])
})

test('separates L1 balances from fees and rewards from inputs, and names locks and other chains', () => {
  const l1 = flowOf(
    {
      txHash: 't',
      txType: 'RegisterL1ValidatorTx',
      consumedUtxos: [utxo('ann', 100n)],
      emittedUtxos: [utxo('ann', 60n)],
      amountL1ValidatorBalanceBurned: [assetOf('AVAX', '35')],
    },
    'p-chain',
  )
  expect(names(l1.outputs)).toEqual(['ann 60 1', 'l1Balance 35 0', 'burned 5 0'])
  const reward = flowOf(
    {
      txHash: 't',
      txType: 'RewardValidatorTx',
      blockTimestamp: 50,
      emittedUtxos: [
        utxo('ann', 3n, { rewardType: 'VALIDATOR' }),
        utxo('bob', 9n, { stakeableLocktime: 51, consumedOnChainId: 'x-chain' }),
        utxo('eve', 1n, { platformLocktime: 50 }),
      ],
    },
    'p-chain',
  )
  expect(names(reward.inputs)).toEqual(['issued 13 0'])
  expect(names(reward.outputs)).toEqual(['bob 9 1 to X-Chain stakeable lock', 'ann 3 1 reward', 'eve 1 1'])
})

const ends = array(
  tuple(constantFrom('ann', 'bob', 'eve', 'joe'), bigInt(1n, 2n ** 64n), constantFrom('AVAX', 'GOLD')),
  { maxLength: 60 },
)

test('has the same sum of every asset on both sides, folded or not', () => {
  assert(
    property(ends, ends, integer({ min: 3, max: 12 }), (ins, outs, max) => {
      const of = ([owner, amount, asset]: [string, bigint, string], index: number): Utxo =>
        utxo(`${owner}${index % 9}`, amount, {}, asset)
      const flow = flowOf(
        { txHash: 't', txType: 'BaseTx', consumedUtxos: ins.map(of), emittedUtxos: outs.map(of) },
        'p-chain',
      )
      for (const assetId of ['AVAX', 'GOLD']) {
        expect(total(flow.inputs, assetId)).toBe(total(flow.outputs, assetId))
        expect(total(foldEnds(flow.inputs, max), assetId)).toBe(total(flow.inputs, assetId))
      }
      // A folded end for each asset, and the burned amounts, may be added.
      expect(foldEnds(flow.outputs, max).length).toBeLessThanOrEqual(max + 4)
    }),
  )
})

test('fills the bar of an asset with ribbons without gaps or overlaps', () => {
  const flow = flowOf(
    {
      txHash: 't',
      txType: 'BaseTx',
      consumedUtxos: [utxo('ann', 75n), utxo('bob', 25n), utxo('eve', 10n, {}, 'GOLD')],
    },
    'p-chain',
  )
  const ribbons = ribbonsOf(flow.inputs, flow.assets, { rowHeight: 48, height: 200, bar: 120, side: 'left' })
  const inner = ribbons.map(({ path }) => {
    const match = /100 ([\d.]+)V([\d.]+)C/.exec(path)
    return [Number(match?.[1]), Number(match?.[2])]
  })
  expect(inner).toEqual([
    [40, 85],
    [85, 100],
    [100, 160],
  ])
})
