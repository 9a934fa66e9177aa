import type { BareHex } from '../../../protocol/ids/bare-hex.ts'
import { type PTx } from '../transactions.ts'
import { makeAuthorised, makeP } from '../engine/build-p.ts'
import type { Engine } from '../engine/engine.ts'
import { proofOf } from '../keys.ts'
import { validatorOf } from '../stakers.ts'
import { zeroId } from '../state.ts'
import { type Made, output, type Party, partyOwner } from '../wallet.ts'
import { type Node } from '../world.ts'

/** The terms of an auto-renewed validator. */
export type RenewalTerms = {
  readonly node: Node
  /** The owner of the stake and of the validator's own rewards. */
  readonly party: Party
  /** The owner of the rewards from its delegations. */
  readonly collects: Party
  readonly authority: Party
  readonly weight: bigint
  /** The share of its delegators' rewards that it keeps, in millionths. */
  readonly shares: number
  /** The share of a cycle's rewards that is restaked, in millionths. */
  readonly autoCompoundShares: number
  /** Duration of a cycle in seconds. */
  readonly period: number
}

/** Starts an auto-renewed validation. */
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

/** Changes the settings of a node's auto-renewed validator. With `period` 0 it leaves at its cycle's end. */
export function configure(
  engine: Engine,
  time: number,
  nodeId: BareHex,
  terms: { readonly autoCompoundShares: number; readonly period: number },
): Made<PTx> | undefined {
  const staker = validatorOf(engine.state.current, zeroId, nodeId)
  if (staker?.renewal === undefined) return undefined
  return makeAuthorised(engine, time, staker.renewal.authority, (base, authority) => ({
    type: 'SetAutoRenewedValidatorConfigTx',
    base,
    autoCompoundShares: terms.autoCompoundShares,
    period: BigInt(terms.period),
    stakingTxId: staker.txId,
    authority,
  }))
}
