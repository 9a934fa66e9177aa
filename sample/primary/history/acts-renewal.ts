import { type PTx } from '../transactions.ts'
import { makeP } from '../engine/build-p.ts'
import type { Engine } from '../engine/engine.ts'
import { proofOf } from '../keys.ts'
import type { Hex } from '../ledger.ts'
import { validatorOf } from '../stakers.ts'
import { zeroId } from '../state.ts'
import type { Made, Party } from '../wallet.ts'
import { output, partyOwner, places } from '../wallet.ts'
import type { Node } from '../world.ts'
import { partyOf } from '../world.ts'

/** How an auto-renewed validator begins. */
export type RenewalTerms = {
  readonly node: Node
  /** Whose stake it is, and who has the validator's own rewards. */
  readonly party: Party
  /** Who has the rewards of its delegations. */
  readonly collects: Party
  readonly authority: Party
  readonly weight: bigint
  /** Millionths of its delegators' rewards that it keeps. */
  readonly shares: number
  /** Millionths of a cycle's rewards that are staked again. */
  readonly autoCompoundShares: number
  /** Seconds of a cycle. */
  readonly period: number
}

/** Begins a validation that renews itself. */
export function renew(engine: Engine, time: number, terms: RenewalTerms): Made<PTx> {
  const { avax } = engine.world.ids
  const { node, party, collects, authority, weight, shares, autoCompoundShares, period } = terms
  return makeP(engine, time, {
    party,
    needs: [[avax, weight]],
    build: (base) => ({
      type: 'AddAutoRenewedValidatorTx',
      base,
      nodeId: node.nodeId,
      signer: proofOf(node.bls()),
      stake: [output(avax, weight, partyOwner(party))],
      rewardsOwner: partyOwner(party),
      delegationRewardsOwner: partyOwner(collects),
      validatorAuthority: partyOwner(authority),
      shares,
      autoCompoundShares,
      period: BigInt(period),
    }),
  })
}

/** Changes what becomes of a node's auto-renewed validator; `period` 0 lets it leave at its cycle's end. */
export function configure(
  engine: Engine,
  time: number,
  nodeId: Hex,
  terms: { readonly autoCompoundShares: number; readonly period: number },
): readonly Made<PTx>[] {
  const staker = validatorOf(engine.state.current, zeroId, nodeId)
  if (staker?.renewal === undefined) return []
  const office = partyOf(engine.world, staker.renewal.authority)
  const made = makeP(engine, time, {
    party: office,
    office,
    build: (base) => ({
      type: 'SetAutoRenewedValidatorConfigTx',
      base,
      autoCompoundShares: terms.autoCompoundShares,
      period: BigInt(terms.period),
      stakingTxId: staker.txId,
      authority: places(office),
    }),
  })
  return [made]
}
