import recorded from '../../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { decodePBlock } from '../../../../protocol/primary/p-blocks.ts'
import { cb58, fromCheckedHex, idOfText } from '../../../../protocol/ids/text.ts'
import {
  addPBlock,
  emptyBase as base,
  rewardTx,
  rewardUtxo,
  txIdOf,
  withoutCredentials,
} from './own-blocks.ts'
import type { RecordedNode } from './recorded-node.ts'

/** When an auto-renewed validator begins, in Unix seconds. */
export const start = 1_795_300_000
export const day = 86_400
/** Seconds of one of its periods. */
export const period = 14 * day
const asset = idOfText(recorded.genesis.xAssets[0]?.[1] ?? '')
const nodeId = Buffer.alloc(20, 7)
/** A key with proof of possession, from a validator that a real node accepted. */
const signer = recorded.pBlocks
  .flatMap(({ hex }) => decodePBlock(fromCheckedHex(hex)).transactions)
  .flatMap(({ unsigned }) => ('signer' in unsigned && unsigned.signer ? [unsigned.signer] : []))[0]
const owner = Buffer.alloc(20, 1)
const feeOwner = Buffer.alloc(20, 2)
export const authority = Buffer.alloc(20, 3)
const ownedBy = (address: Uint8Array) => ({ locktime: 0n, threshold: 1, addresses: [address] })
const amount = (value: bigint) => ({
  assetId: asset,
  output: { type: 'TRANSFER', amount: value, stakeableLocktime: 0n, owner: ownedBy(owner) } as const,
})

/**
 * Adds an auto-renewed validator and a ten-day delegation whose reward is paid. Returns the validator's id.
 */
export function stake(
  node: RecordedNode,
  weight: bigint,
  compoundShares: number,
  delegatorReward: bigint,
): Uint8Array {
  const validation = withoutCredentials({
    type: 'AddAutoRenewedValidatorTx',
    base,
    nodeId,
    signer,
    stake: [amount(weight)],
    rewardsOwner: ownedBy(owner),
    delegationRewardsOwner: ownedBy(feeOwner),
    validatorAuthority: ownedBy(authority),
    shares: 100_000,
    autoCompoundShares: compoundShares,
    period: BigInt(period),
  })
  const delegation = withoutCredentials({
    type: 'AddPermissionlessDelegatorTx',
    base,
    terms: { nodeId, start: 0n, end: BigInt(start + 10 * day), weight: 500_000_000_000n },
    subnetId: new Uint8Array(32),
    stake: [amount(500_000_000_000n)],
    rewardsOwner: ownedBy(owner),
  })
  addPBlock(node, 32, start, [validation, delegation])
  const delegationTx = txIdOf(delegation)
  node.rewards.set(cb58(delegationTx), [rewardUtxo(delegationTx, 1, asset, delegatorReward, owner)])
  addPBlock(node, 29, start + 10 * day, [rewardTx(delegationTx)])
  addPBlock(node, 31, start + 10 * day, [])
  return txIdOf(validation)
}

/** Ends a period with the payments reported by the node, to the validator and to the owner of its fees. */
export function endPeriod(
  node: RecordedNode,
  validation: Uint8Array,
  end: number,
  decision: 30 | 31,
  paid: readonly bigint[],
): void {
  const proposal = withoutCredentials({
    type: 'RewardAutoRenewedValidatorTx',
    stakingTxId: validation,
    time: BigInt(end),
  })
  const id = txIdOf(proposal)
  const owners = [owner, feeOwner]
  node.rewards.set(
    cb58(id),
    paid.map((each, index) => rewardUtxo(id, index, asset, each, owners[index] ?? owner)),
  )
  addPBlock(node, 29, end, [proposal])
  addPBlock(node, decision, end, [])
}

/** Makes the validator leave at the end of its period. */
export function stopRenewing(node: RecordedNode, validation: Uint8Array, time: number): void {
  addPBlock(node, 32, time, [
    withoutCredentials({
      type: 'SetAutoRenewedValidatorConfigTx',
      base,
      stakingTxId: validation,
      authority: [0],
      autoCompoundShares: 1_000_000,
      period: 0n,
    }),
  ])
}
