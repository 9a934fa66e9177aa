import { FatalError } from '../../kernel/errors.ts'
import type { RowSink } from './batch/batch.ts'
import type { Utxo } from '../../../protocol/primary/outputs.ts'
import { isDecision, type PBlock } from '../../../protocol/primary/p-blocks.ts'
import type { PTx, PUnsigned } from '../../../protocol/primary/p-transactions.ts'
import type { ProposerWrapper } from '../../../protocol/primary/proposer.ts'
import { Flow } from './batch/flow.ts'
import type { Place } from './batch/model.ts'
import { applyPTx, type Effects, genesisInputs, utxoCountOf } from './p-effects.ts'
import { chargeL1 } from './p-l1.ts'
import { settlePeriod } from './p-renewals.ts'
import { advanceStakers, settleStaker } from './p-stakers.ts'
import type { PState } from './p-state.ts'
import { bytesOfKey, keyOf } from './batch/rows.ts'

/** A block with the data that the node provides besides its bytes. */
export type PBlockWithFacts = {
  readonly block: PBlock
  readonly wrapper: ProposerWrapper | undefined
  /** For a block that decides a reward, the UTXOs that were paid; undefined if they were not fetched. */
  readonly rewards: readonly Utxo[] | undefined
}

/** Applies one block: changes the state and adds its rows. */
export function applyPBlock(effects: Effects, { block, wrapper, rewards }: PBlockWithFacts): void {
  const { state, batch } = effects
  const { height } = block
  if (height !== state.height + 1 || keyOf(block.parentId) !== state.id) {
    throw new FatalError(`P-Chain block ${height} does not follow the stored block ${state.height}`)
  }
  if (block.time !== undefined) advanceTime(state, batch, block.time, height)
  const { proposal } = state
  state.proposal = undefined
  for (const [index, tx] of block.transactions.entries()) {
    const place = { height, index, ts: state.time }
    batch.transaction(place, tx, countOf(tx))
    applyPTx(effects, tx, place)
  }
  if (block.proposal) {
    const place = { height, index: block.transactions.length, ts: state.time }
    batch.transaction(place, block.proposal, countOf(block.proposal))
    state.proposal = { tx: block.proposal, place }
  }
  if (proposal && isDecision(block.kind)) {
    decide(effects, proposal.tx, proposal.place, block.kind === 'commit', rewards ?? [], height)
  }
  state.height = height
  state.id = keyOf(block.id)
  addBlockRow(state, batch, block, wrapper)
}

/**
 * The transaction whose reward UTXOs the block decides; undefined for other blocks. It is the staking
 * transaction or, for a period of an auto-renewed validator, the proposal itself. The proposal is the
 * transaction in the block's parent.
 */
export function decidedReward(block: PBlock, proposal: PTx | undefined): Uint8Array | undefined {
  if (!isDecision(block.kind)) return undefined
  if (proposal?.unsigned.type === 'RewardValidatorTx') return proposal.unsigned.stakingTxId
  return proposal?.unsigned.type === 'RewardAutoRenewedValidatorTx' ? proposal.id : undefined
}

function countOf({ unsigned }: PTx): number {
  return unsigned.type === 'UNKNOWN' ? 0 : utxoCountOf(unsigned)
}

function advanceTime(state: PState, batch: RowSink, time: number, height: number): void {
  if (time < state.time)
    batch.odd({ height, index: -1 }, 'olderThanParent', `by ${state.time - time} seconds`)
  if (time <= state.time) return
  const place = { height, index: 0, ts: time }
  advanceStakers(state, batch, time, place)
  chargeL1(state, batch, time, place)
  state.time = time
}

/**
 * Applies the decision about a proposal. The effects use the proposal's place, where its transaction is
 * stored.
 */
function decide(
  effects: Effects,
  tx: PTx,
  place: Place,
  isCommitted: boolean,
  rewards: readonly Utxo[],
  height: number,
): void {
  const { state, batch } = effects
  const { unsigned } = tx
  switch (unsigned.type) {
    case 'AdvanceTimeTx':
      if (isCommitted) advanceTime(state, batch, Number(unsigned.time), height)
      return
    case 'RewardValidatorTx': {
      const record = batch.record(place, tx.typeId)
      settleStaker(state, batch, record, place, {
        stakingTxId: unsigned.stakingTxId,
        rewardTx: tx,
        isRewarded: isCommitted,
        utxos: rewards,
      })
      return
    }
    case 'RewardAutoRenewedValidatorTx':
      settlePeriod(state, batch, batch.record(place, tx.typeId), place, {
        tx,
        unsigned,
        isRewarded: isCommitted,
        utxos: rewards,
      })
      return
    default:
      if (isCommitted) applyPTx(effects, tx, { ...place, ts: state.time })
      else if (unsigned.type !== 'UNKNOWN') giveBack(effects, tx, unsigned, { ...place, ts: state.time })
  }
}

/** Handles a stake that was rejected, before Banff: the fee is paid and the stake becomes a normal output. */
function giveBack(effects: Effects, tx: PTx, unsigned: PUnsigned, place: Place): void {
  if (!('base' in unsigned)) return
  const { state, batch } = effects
  const record = batch.record(place, tx.typeId)
  const flow = new Flow({ chain: state.rules.chain, batch, txId: tx.id, place, record })
  flow.spend(unsigned.base.inputs, genesisInputs(effects, tx))
  flow.make(unsigned.base.outputs)
  if ('stake' in unsigned) flow.make(unsigned.stake)
}

/** Adds the block's row, with the chain's state after the block. */
export function addBlockRow(
  state: PState,
  batch: RowSink,
  block: PBlock,
  wrapper: ProposerWrapper | undefined,
): void {
  const details = wrapper?.details
  batch.add('primary_blocks', [
    state.rules.chain,
    state.height,
    state.time,
    bytesOfKey(state.id),
    block.parentId,
    block.typeId,
    block.bytes.length,
    block.transactions.length + (block.proposal ? 1 : 0),
    state.supply,
    state.accruedFees,
    state.activeL1,
    state.l1Excess,
    wrapper?.id,
    wrapper?.parentId,
    details?.nodeId,
    details?.pChainHeight,
    details?.time,
  ])
}
