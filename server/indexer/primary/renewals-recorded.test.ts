import { expect, test } from 'vitest'
import { decodePBlock } from '../../../protocol/primary/p-blocks.ts'
import { decodePTx } from '../../../protocol/primary/p-transactions.ts'
import { decodeUtxo } from '../../../protocol/primary/outputs.ts'
import { cb58, fromCheckedHex, idOfText } from '../../../protocol/ids/text.ts'
import { Batch } from './batch/batch.ts'
import recorded from './fixtures/auto-renewed.json' with { type: 'json' }
import type { Staker } from './batch/model.ts'
import { applyPBlock, decidedReward } from './p-apply.ts'
import { applyPGenesis } from './p-genesis.ts'
import { primarySubnet, PState } from './p-state.ts'
import { primaryRewardsAt, rewardOf } from '../../../protocol/primary/rewards.ts'
import { bytesOfKey, keyOf } from './batch/rows.ts'

const p = 11
const seconds = (time: string): number => Date.parse(time) / 1_000
const helicon = seconds(recorded.upgrades.heliconTime)
const idOf = (text: string): string => keyOf(idOfText(text))

function recordedState(): PState {
  const state = new PState({
    chain: p,
    xChain: 12,
    cChain: 13,
    xId: idOf(recorded.xBlockchainId),
    cId: idOf(recorded.cBlockchainId),
    avaxAsset: idOfText(recorded.assetId),
    followed: new Set(),
    upgrades: { cortina: 0, durango: 0, etna: 0, helicon },
    l1Fees: { target: 10_000n, minPrice: 1n, conversion: 865_617n },
  })
  const txs = recorded.genesisTxs.map(({ hex }) => decodePTx(fromCheckedHex(hex).subarray(2)))
  const validators = txs.filter(({ unsigned }) => unsigned.type === 'AddPermissionlessValidatorTx')
  applyPGenesis(
    effectsOf(state),
    {
      time: Number(recorded.genesisValidators[0]?.startTime),
      supply: 360_000_000_000_000_000n,
      utxos: recorded.genesisUtxos.wallet.map((hex) => utxoOf(hex)),
      validators,
      chains: txs.filter((tx) => !validators.includes(tx)),
      potentialRewards: new Map(
        recorded.genesisValidators.map((each) => [idOf(each.txID), BigInt(each.potentialReward)]),
      ),
    },
    blockAt(0),
  )
  return state
}

const effectsOf = (state: PState) => ({
  state,
  batch: new Batch(p),
  genesisTime: 0,
  strays: { next: 0 },
})

const utxoOf = (hex: string) => decodeUtxo(fromCheckedHex(hex), 'P')
const blockAt = (height: number) => decodePBlock(fromCheckedHex(recorded.blocks[height]?.hex ?? ''))

const rewardUtxos: Readonly<Record<string, readonly string[]>> = recorded.rewardUtxos

/** Applies a block with the recorded rewards, as the indexer would fetch them. */
function apply(state: PState, height: number): void {
  const block = blockAt(height)
  const decided = decidedReward(block, state.proposal?.tx)
  const rewards = decided && (rewardUtxos[cb58(decided)] ?? [])
  applyPBlock(effectsOf(state), {
    block,
    wrapper: undefined,
    rewards: rewards?.map((hex) => utxoOf(hex)),
  })
}

const shown = (staker: Staker) => ({
  txID: cb58(bytesOfKey(staker.txId)),
  weight: String(staker.weight),
  startTime: String(staker.start),
  endTime: String(staker.end),
  potentialReward: String(staker.potentialReward),
  ...(staker.renewal && {
    nextPeriod: String(staker.renewal.nextPeriod),
    autoCompoundRewardShares: String(staker.renewal.compoundShares),
    accruedDelegateeReward: String(staker.renewal.pendingFees),
  }),
})

test('every block of a real network with auto-renewed validators leads to the state reported by the node', () => {
  const state = recordedState()
  const genesis = new Set(recorded.genesisValidators.map((each) => idOf(each.txID)))
  const compared = []
  for (const snapshot of recorded.snapshots) {
    while (state.height < snapshot.height) apply(state, state.height + 1)
    const ours = [...state.stakers.values()].filter(
      (each) => each.isCurrent && !each.isDelegator && !genesis.has(each.txId),
    )
    const told = snapshot.validators.map((each) => {
      const { txID, weight, startTime, endTime, potentialReward, ...more } = each
      const { nextPeriod, autoCompoundRewardShares, accruedDelegateeReward } = more as Record<string, string>
      return {
        txID,
        weight,
        startTime,
        endTime,
        potentialReward,
        ...(nextPeriod !== undefined && { nextPeriod, autoCompoundRewardShares, accruedDelegateeReward }),
      }
    })
    const byId = (a: { txID: string }, b: { txID: string }) => (a.txID < b.txID ? -1 : 1)
    const at = `height ${snapshot.height}`
    expect(ours.map(shown).toSorted(byId), at).toEqual(told.toSorted(byId))
    expect(state.supplyOf(primarySubnet), at).toBe(BigInt(snapshot.supply))
    compared.push(...told)
  }
  // The recording contains renewals, a validator that reaches the maximum stake, a departure, and a refused
  // reward.
  expect(state.height).toBe(recorded.blocks.length - 1)
  expect(compared.length).toBeGreaterThan(20)
})

test.each(recorded.rewardVectors)('rewards with Helicon at $heliconTime', ({ heliconTime, validators }) => {
  for (const { supplyBefore, weight, startTime, endTime, potentialReward } of validators) {
    const rules = primaryRewardsAt(Number(startTime), heliconTime)
    const period = Number(endTime) - Number(startTime)
    expect(rewardOf(rules, period, BigInt(weight), BigInt(supplyBefore))).toBe(BigInt(potentialReward))
  }
})
