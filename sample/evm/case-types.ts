import type { Draft } from './draft.ts'
import type { Hex } from '../kernel/hex.ts'
import type { Random } from '../kernel/random.ts'
import type { CaseState } from './state.ts'

/** What a step of a script may look at. It changes `state` as its transaction will change the chain. */
export type CaseScene = {
  /** The address of a contract of the script that stands since an earlier block. Throws when there is none. */
  at(name: string): Hex
  /** The accounts that send the script's transactions. */
  readonly makers: readonly Hex[]
  /** The account that sends this one, a place in `makers`. */
  readonly self: number
  /** The chain's other accounts, its deployer first. */
  readonly people: readonly Hex[]
  readonly random: Random
  readonly state: CaseState
}

/** One transaction of a script. */
export type CaseStep = {
  /** Who sends it. The steps of a maker are sent in their order, one a block. */
  readonly maker: number
  /** The fraction of the history that must have passed. */
  readonly at: number
  /** Contracts and marks that must stand: until they do, the maker waits. */
  readonly needs: readonly string[]
  /** What is done with this step, for others to wait for. */
  readonly marks?: string
  /** The name of the contract that the transaction itself creates. */
  readonly makes?: string
  /** Contracts that it creates in calls. */
  readonly also?: (scene: CaseScene) => Readonly<Record<string, Hex>>
  readonly draft: (scene: CaseScene) => Draft
}

/** A transaction that makers send again and again, in the history and live. */
export type CaseRound = {
  /** How often, compared with the others. */
  readonly weight: number
  readonly needs: readonly string[]
  /** Undefined when this maker cannot send it now. */
  readonly draft: (scene: CaseScene) => Draft | undefined
}

/** The special contracts of a chain: how they come to be, and what happens to them for ever after. */
export type CaseScript = {
  readonly steps: readonly CaseStep[]
  readonly rounds: readonly CaseRound[]
}
