import type { Hex } from 'viem'
import type { Draft } from './draft.ts'
import type { Random } from '../kernel/random.ts'
import type { CaseState } from './state.ts'

/** What a step of a script may read. It changes `state` to match the effects of its transaction. */
export type CaseScene = {
  /** The address of a contract of the script from an earlier block. Throws when it does not exist yet. */
  at(name: string): Hex
  /** The accounts that send the script's transactions. */
  readonly makers: readonly Hex[]
  /** The sender, an index in `makers`. */
  readonly self: number
  /** The chain's other accounts, its deployer first. */
  readonly people: readonly Hex[]
  readonly random: Random
  readonly state: CaseState
}

/** One transaction of a script. */
export type CaseStep = {
  /** The sender. Each sender's steps are sent in order, one in a block. */
  readonly maker: number
  /** The fraction of the history after which the step may run. */
  readonly at: number
  /** Contracts and marks that must exist; the sender waits until they do. */
  readonly needs: readonly string[]
  /** A mark that this step sets, for others to wait for. */
  readonly marks?: string
  /** The name of the contract that the transaction creates directly. */
  readonly makes?: string
  /** Contracts that it creates in internal calls. */
  readonly also?: (scene: CaseScene) => Readonly<Record<string, Hex>>
  readonly draft: (scene: CaseScene) => Draft
}

/** A transaction that the script's accounts send repeatedly, in the history and live. */
export type CaseRound = {
  /** The relative frequency. */
  readonly weight: number
  readonly needs: readonly string[]
  /** Undefined when this account cannot send it now. */
  readonly draft: (scene: CaseScene) => Draft | undefined
}

/** The special contracts of a chain: the steps that create them, and the rounds that use them. */
export type CaseScript = {
  readonly steps: readonly CaseStep[]
  readonly rounds: readonly CaseRound[]
}
