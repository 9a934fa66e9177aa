import { utxos as utxoCodecs, decodeUtxo } from '../../protocol/primary/outputs.ts'
import { type PTx, readP, txsOfBlock, known } from './transactions.ts'
import { encode } from '../../protocol/codec/schema.ts'
import { pTx } from '../../protocol/primary/p-transactions.ts'
import { decodePBlock, isDecision } from '../../protocol/primary/p-blocks.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { applyP, applyReward, type PContext } from './engine/apply-p.ts'
import recorded from './fixtures/renewals.json' with { type: 'json' }
import { activate, advanceTime } from './stakers.ts'
import { create, emptyState, type State, zeroId } from './state.ts'
import { type BareHex, bytesOf, hexOf, hexOfCb58 } from '../../protocol/ids/bare-hex.ts'
import { cb58 } from '../../protocol/ids/text.ts'
import { sha256Hex } from '../../protocol/native/hashes.ts'
import { hexed } from './hexed.ts'

// A recorded single-node network across Helicon: validators were renewed, capped, changed, ended and refused.
const avax = hexOfCb58(recorded.assetId) ?? ''
const ages = { cortina: 0, durango: 0, etna: 0, helicon: Date.parse(recorded.heliconTime) / 1000 }

function idOf(tx: PTx): BareHex {
  return sha256Hex(encode(pTx, tx))
}

function firstState(): State {
  const state = emptyState(recorded.startTime)
  for (const hex of recorded.genesisUtxos) {
    const { txId, outputIndex, assetId, output } = hexed(decodeUtxo(bytesOf(hex), 'P'))
    create(state, 'P', txId, outputIndex, assetId, output)
  }
  const tx = readP(bytesOf(recorded.genesisValidator))
  const { unsigned } = tx
  if (unsigned.type !== 'AddPermissionlessValidatorTx' || unsigned.signer === undefined) {
    throw new Error('the genesis has no validator')
  }
  // The genesis states the supply without its validator's potential reward.
  state.supply.set(zeroId, 360_000_000_000_000_000n)
  activate(
    state,
    {
      txId: idOf(tx),
      kind: 'validator',
      isPermissioned: false,
      subnetId: zeroId,
      nodeId: unsigned.terms.nodeId,
      start: Number(unsigned.terms.start),
      end: Number(unsigned.terms.end),
      weight: unsigned.terms.weight,
      shares: unsigned.shares,
      signer: unsigned.signer,
      validationOwner: unsigned.rewardsOwner,
      delegationOwner: unsigned.delegationRewardsOwner,
      potentialReward: 0n,
      accruedDelegateeReward: 0n,
    },
    ages.helicon,
  )
  return state
}

type Snapshot = (typeof recorded.snapshots)[number]

/** The state of the validators other than the genesis validator, in the form of the snapshots. */
function seen(state: State): Omit<Snapshot, 'height'> {
  const genesis = idOf(readP(bytesOf(recorded.genesisValidator)))
  return {
    supply: String(state.supply.get(zeroId)),
    validators: [...state.current.values()]
      .filter(({ kind, txId }) => kind === 'validator' && txId !== genesis)
      .map(({ renewal, ...staker }) => ({
        txID: cb58(staker.txId),
        weight: String(staker.weight),
        startTime: String(staker.start),
        endTime: String(staker.end),
        potentialReward: String(staker.potentialReward),
        accruedDelegateeReward: String(staker.accruedDelegateeReward),
        ...(renewal === undefined
          ? {}
          : {
              nextPeriod: String(renewal.nextPeriod),
              autoCompoundRewardShares: String(renewal.autoCompoundShares),
            }),
      })),
  }
}

function byId({ txID: a }: { readonly txID: string }, { txID: b }: { readonly txID: string }): number {
  return a < b ? -1 : 1
}

describe('a network of the Helicon age, replayed from its blocks', () => {
  let state: State
  /** The snapshot after each block. */
  const after = new Map<number, Omit<Snapshot, 'height'>>()

  beforeAll(() => {
    state = firstState()
    after.set(0, seen(state))
    const txs = new Map<BareHex, PTx>()
    const contextOf = (txId: BareHex): PContext => ({
      txId,
      ages,
      avax,
      ids: {},
      staking: (id) => txs.get(id) ?? readP(bytesOf(recorded.genesisValidator)),
    })
    let proposal: PTx | undefined
    for (const { height, hex } of recorded.blocks.slice(1)) {
      const block = decodePBlock(bytesOf(hex))
      if (block.time !== undefined) advanceTime(state, block.time, ages)
      for (const tx of txsOfBlock(bytesOf(hex))) txs.set(idOf(tx), tx)
      for (const tx of block.transactions) applyP(state, known(tx), contextOf(hexOf(tx.id)))
      if (block.proposal !== undefined) proposal = known(block.proposal)
      if (proposal !== undefined && isDecision(block.kind)) {
        const { unsigned } = proposal
        if (!('stakingTxId' in unsigned)) throw new Error(`block ${height} decides nothing`)
        const isCommitted = block.kind === 'commit'
        applyReward(state, unsigned.stakingTxId, isCommitted, contextOf(idOf(proposal)))
      }
      after.set(height, seen(state))
    }
  })

  test('has the transactions of the node', () => {
    const types = recorded.blocks.flatMap(({ hex }) => txsOfBlock(bytesOf(hex)))
    const count = (type: string): number => types.filter(({ unsigned }) => unsigned.type === type).length
    expect(count('AddAutoRenewedValidatorTx')).toBe(4)
    expect(count('SetAutoRenewedValidatorConfigTx')).toBe(3)
    expect(count('RewardAutoRenewedValidatorTx')).toBe(8)
  })

  test('has the supply and the validators with their cycles that the node reported after each block', () => {
    for (const { height, supply, validators } of recorded.snapshots) {
      const found = after.get(height)
      expect(`${height}: ${found?.supply ?? ''}`).toBe(`${height}: ${supply}`)
      expect(found?.validators.toSorted(byId)).toEqual(validators.toSorted(byId))
    }
  })

  test('made the payments that the node reported, under the same ids', () => {
    const paid = [...state.rewards]
      .filter(([, utxos]) => utxos.length > 0)
      .map(([id, utxos]) => [cb58(id), utxos.map((utxo) => hexOf(encode(utxoCodecs.P, utxo)))])
    expect(Object.fromEntries(paid)).toEqual(recorded.rewardUtxos)
  })
})
