import type { Anvil } from './anvil/anvil.ts'
import type { ChainPlan } from './chains.ts'
import type { ManagerMessage } from './courier.ts'
import type { NamedAddresses } from './generator.ts'
import type { Hex } from '../kernel/hex.ts'
import type { BlockToMake } from './order.ts'
import type { RpcClient } from './anvil/rpc.ts'
import type { AccountChange } from '../primary/ledger.ts'
import type { ChainStore, JournalEntry, Save } from './store.ts'
import type { Timeline } from './story.ts'

/** The newest block. Time in Unix seconds. */
export type Head = {
  readonly number: number
  readonly hash: Hex
  readonly time: number
}

/** What becomes of the blocks above a height. */
export type Replacement = {
  readonly height: number
  readonly blocks: readonly BlockToMake[]
}

/** One living chain: an anvil process and the generator that feeds it. */
export type EvmChain = {
  readonly plan: ChainPlan
  readonly timeline: Timeline
  /** The node that carries it now. */
  readonly anvil: Anvil
  /** Resolves when the node has gone by itself, with the words to say so. */
  readonly gone: Promise<string>
  readonly store: ChainStore
  readonly head: Head
  /** Mines the history's blocks one after another; `progress` hears how many there are so far. */
  mineHistory(times: readonly number[], progress: (done: number) => void, stop: AbortSignal): Promise<void>
  /**
   * Makes one block and writes it to the journal. Calls queue up, and `place` is asked when its turn has come: a time
   * that was worked out earlier may lie before the head by then.
   */
  mine(place: (head: Head) => BlockToMake): Promise<JournalEntry>
  /** Makes one block upon the head of this hash; nothing when another head has come while the call waited. */
  mineUpon(hash: Hex, block: BlockToMake): Promise<JournalEntry | undefined>
  /**
   * Undoes every block above a height and makes others in their place, as `plan` says when its turn has come, with no
   * block of anybody else between. Only states the node still keeps can be gone back to.
   */
  replace(plan: (head: Head) => Promise<Replacement>): Promise<JournalEntry[]>
  /** Makes the journal's blocks again. Returns the first that came out different or was refused, if one did. */
  replay(entries: readonly JournalEntry[]): Promise<JournalEntry | undefined>
  /** Takes transactions from outside from now on. */
  open(): void
  /**
   * Gives a signed transaction to the node, between two blocks, and resolves with its hash. Throws `RpcError` when it
   * is refused, as every one is before `open`: the history is made from the seed alone.
   */
  submit(raw: Hex): Promise<Hex>
  /** The addresses of its contracts by name, as far as they stand, and of the accounts that hold many tokens. */
  addresses(): NamedAddresses
  /** The plan's tokens by symbol, at the addresses that they have or will have. */
  tokens(): Readonly<Record<string, Hex>>
  /** Saves the chain to disk, as the last thing before it is stopped. */
  save(): Promise<void>
  /** Saves the chain to disk and goes on from what was saved. */
  checkpoint(): Promise<void>
  /** How the block of this height was made; known for the newest few hundred. */
  blockAt(height: number): BlockToMake | undefined
  stop(): Promise<void>
}

export type EvmChainOptions = {
  readonly plan: ChainPlan
  readonly timeline: Timeline
  readonly seed: number
  readonly store: ChainStore
  readonly keptStates?: number
  /** What comes from other chains, or goes to them, in the block of this height: settled before it is made. */
  readonly settle?: (height: number, time: number, rpc: RpcClient) => Promise<readonly AccountChange[]>
  /** The messages of the L1's manager to the P-chain in the history. */
  readonly messages?: () => Promise<readonly ManagerMessage[]>
  /** Hears the id of the node's process as soon as there is one. */
  readonly onSpawn: (pid: number) => void
  /** What to continue from. */
  readonly saved?: { readonly save: Save; readonly load: string }
}
