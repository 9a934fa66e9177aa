import type { Hex } from 'viem'
import type { Anvil } from './anvil/anvil.ts'
import type { ChainPlan } from './chains.ts'
import type { ManagerMessage } from './courier.ts'
import type { NamedAddresses } from './generator.ts'
import type { BlockToMake } from './order.ts'
import type { RpcClient } from './anvil/rpc.ts'
import type { CBlock } from '../primary/host/host.ts'
import type { AccountChange } from '../primary/ledger.ts'
import type { ChainStore, JournalEntry, Save } from './store.ts'
import type { Timeline } from './story.ts'

/** The newest block. Time in Unix seconds. */
export type Head = {
  readonly number: number
  readonly hash: Hex
  readonly time: number
}

/** What replaces the blocks above a height. */
type Replacement = {
  readonly height: number
  readonly blocks: readonly BlockToMake[]
}

/** A running chain: an anvil process and the generator that feeds it. */
export type EvmChain = {
  readonly plan: ChainPlan
  readonly timeline: Timeline
  /** The node that runs it now. */
  readonly anvil: Anvil
  /** Resolves with a description when the node has exited by itself. */
  readonly gone: Promise<string>
  readonly store: ChainStore
  readonly head: Head
  /** Mines the history's blocks one after another; `progress` is called with the number mined. */
  mineHistory(times: readonly number[], progress: (done: number) => void, stop: AbortSignal): Promise<void>
  /**
   * Makes one block and writes it to the journal. Calls are queued, and `place` is called when it is the call's
   * turn: a time computed earlier could be before the head by then.
   */
  mine(place: (head: Head) => BlockToMake): Promise<JournalEntry>
  /** Makes one block on the head with this hash; nothing when the head has changed while the call waited. */
  mineUpon(hash: Hex, block: BlockToMake): Promise<JournalEntry | undefined>
  /**
   * Removes every block above a height and makes those of `plan` in one step, without other blocks in between. Works
   * only for states that the node still has.
   */
  replace(plan: (head: Head) => Promise<Replacement>): Promise<JournalEntry[]>
  /** Makes the journal's blocks again. Returns the first one that differs or was refused, if any. */
  replay(entries: readonly JournalEntry[]): Promise<JournalEntry | undefined>
  /** Accepts transactions from users from now on. */
  open(): void
  /**
   * Submits a signed transaction to the node, between two blocks, and resolves with its hash. Throws `RpcError` when
   * it is refused, which is always the case before `open`: the history depends on the seed alone.
   */
  submit(raw: Hex): Promise<Hex>
  /** The addresses of its contracts by name, those deployed so far, and of the accounts that hold many tokens. */
  addresses(): NamedAddresses
  /** The plan's tokens by symbol, at their current or future addresses. */
  tokens(): Readonly<Record<string, Hex>>
  /** Saves the chain to disk, before it is stopped. */
  save(): Promise<void>
  /** Saves the chain to disk and continues from the save. */
  checkpoint(): Promise<void>
  /** How the block at a height was made; known for the newest few hundred. */
  blockAt(height: number): BlockToMake | undefined
  stop(): Promise<void>
}

export type EvmChainOptions = {
  readonly plan: ChainPlan
  readonly timeline: Timeline
  readonly seed: number
  readonly store: ChainStore
  readonly keptStates?: number
  /** The effects of other chains on a block: computed before it is made. */
  readonly settle?: (block: CBlock, rpc: RpcClient) => Promise<readonly AccountChange[]>
  /** The messages of the L1's manager to the P-Chain in the history. */
  readonly messages?: () => Promise<readonly ManagerMessage[]>
  /** Called with the id of the node's process once it has started. */
  readonly onSpawn: (pid: number) => void
  /** The state to continue from. */
  readonly saved?: { readonly save: Save; readonly load: string }
}
