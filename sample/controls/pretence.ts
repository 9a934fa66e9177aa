import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import { decodeWrapper, encodeWrapper, unsignedWrapper } from '../../protocol/primary/proposer.ts'
import type { ContainerKind, Container, Ledger, LedgerBlock } from '../primary/ledger.ts'
import { sha256Hex } from '../../protocol/native/hashes.ts'

/**
 * The pretended state of P or X. `head`: nothing above it is shown. `fork`: other blocks from this height on.
 */
export type Pretence = {
  readonly head?: number
  readonly fork?: number
}

export type PretenceChain = 'P' | 'X'

const banff = 29

/**
 * Byte offsets of a block's time and its parent's id. The time is undefined for P's first age, whose blocks
 * contain none.
 */
function placesOf(chain: PretenceChain, bytes: Uint8Array): { time: number | undefined; parent: number } {
  if (chain === 'X') return { time: 46, parent: 6 }
  const type = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readUInt32BE(2)
  return type >= banff ? { time: 6, parent: 14 } : { time: undefined, parent: 6 }
}

/**
 * The first block of a fork is one second later than the real one; the blocks after it differ by their
 * parents.
 */
function forked(chain: PretenceChain, block: LedgerBlock, parentId: string, isFirst: boolean): LedgerBlock {
  const bytes = Buffer.from(block.bytes)
  const { time, parent } = placesOf(chain, bytes)
  let seconds = block.time
  if (isFirst) {
    seconds += 1
    if (time !== undefined) bytes.writeBigUInt64BE(BigInt(seconds), time)
  }
  bytes.write(parentId, parent, 'hex')
  const all = new Uint8Array(bytes)
  return { ...block, id: sha256Hex(all), parentId, time: seconds, bytes: all }
}

type Fork = {
  readonly from: number
  readonly blocks: LedgerBlock[]
  readonly containers: Container[]
}

/**
 * The wrapper around the forked block. It keeps the old signature, which cannot be checked without the keys.
 */
function rewrapped(
  held: Container,
  real: LedgerBlock,
  block: LedgerBlock,
  parent: string | undefined,
): Container {
  if (Buffer.from(held.bytes).equals(real.bytes)) return { ...held, id: block.id, bytes: block.bytes }
  const found = decodeWrapper(held.bytes)
  const changed = { ...found, ...(parent === undefined ? {} : { parentId: parent }), block: block.bytes }
  return { ...held, id: sha256Hex(unsignedWrapper(changed)), bytes: encodeWrapper(changed) }
}

/** Makes the blocks and containers of the fork up to `height`, each once. */
function grow(ledger: Ledger, chain: PretenceChain, fork: Fork, height: number): void {
  for (let next = fork.from + fork.blocks.length; next <= height; next += 1) {
    const real = ledger.block(chain, next)
    const before = fork.blocks.at(-1) ?? ledger.block(chain, next - 1)
    const held = ledger.container(`${chain}/block`, next - 1)
    if (real === undefined || before === undefined || held === undefined) return
    const block = forked(chain, real, before.id, next === fork.from)
    fork.blocks.push(block)
    fork.containers.push(rewrapped(held, real, block, fork.containers.at(-1)?.id))
  }
}

const chainOf: Partial<Record<ContainerKind, PretenceChain>> = { 'P/block': 'P', 'X/block': 'X' }

/** What the node says of a validator instead of the truth. */
type NodePretence = {
  readonly isConnected?: boolean | undefined
  /** The share of its validation that it was online, 0 to 1. */
  readonly share?: number | undefined
}

/** A ledger whose visible state can be changed at any time. */
export type PretendingLedger = {
  readonly ledger: Ledger
  /** Sets the pretended state; an empty one ends it. Throws `RangeError` for impossible heights. */
  pretend(chain: PretenceChain, pretence: Pretence): void
  /** Sets what is said of a node; undefined ends it. */
  pretendNode(nodeId: BareHex, pretence: NodePretence | undefined): void
}

/**
 * A view of `real` with the blocks, transactions and containers of the pretended P and X chains. Balances,
 * validators and supply remain those of the newest block.
 */
export function pretendingLedger(real: Ledger): PretendingLedger {
  const heads = new Map<PretenceChain, number>()
  const forks = new Map<PretenceChain, Fork>()
  const nodes = new Map<BareHex, NodePretence>()

  function headOf(chain: PretenceChain): number {
    return Math.min(real.height(chain), heads.get(chain) ?? Infinity)
  }

  function forkAt(chain: PretenceChain, height: number): Fork | undefined {
    const fork = forks.get(chain)
    if (fork === undefined || height < fork.from) return undefined
    grow(real, chain, fork, height)
    return fork
  }

  function blockAt(chain: PretenceChain, height: number): LedgerBlock | undefined {
    if (height > headOf(chain)) return undefined
    const fork = forkAt(chain, height)
    return fork === undefined ? real.block(chain, height) : fork.blocks[height - fork.from]
  }

  function blockOf(chain: PretenceChain, at: number | string): LedgerBlock | undefined {
    if (typeof at === 'number') return blockAt(chain, at)
    const found = forkAt(chain, headOf(chain))?.blocks.find(({ id }) => id === at) ?? real.block(chain, at)
    return found !== undefined && blockAt(chain, found.height)?.id === at ? found : undefined
  }

  function containerAt(kind: ContainerKind, index: number): Container | undefined {
    const chain = chainOf[kind]
    if (chain === undefined) return real.container(kind, index)
    if (index >= headOf(chain)) return undefined
    const fork = forkAt(chain, index + 1)
    return fork === undefined ? real.container(kind, index) : fork.containers[index + 1 - fork.from]
  }

  const overrides: Partial<Ledger> = {
    height: (chain) => (chain === 'C' ? real.height(chain) : headOf(chain)),
    block: blockOf,
    tx(chain, id) {
      const found = real.tx(chain, id)
      if (chain === 'C' || found?.height === undefined || found.height <= headOf(chain)) return found
      return undefined
    },
    containers(kind) {
      const chain = chainOf[kind]
      return chain === undefined ? real.containers(kind) : Math.min(real.containers(kind), headOf(chain))
    },
    uptime(nodeId) {
      const { isConnected, share } = real.uptime(nodeId)
      const said = nodes.get(nodeId)
      return { isConnected: said?.isConnected ?? isConnected, share: said?.share ?? share }
    },
    container: containerAt,
    containerOf(kind, id) {
      const chain = chainOf[kind]
      const found =
        (chain === undefined
          ? undefined
          : forkAt(chain, headOf(chain))?.containers.find((each) => each.id === id)) ??
        real.containerOf(kind, id)
      return found !== undefined && containerAt(kind, found.index)?.id === id ? found : undefined
    },
  }

  return {
    ledger: Object.assign(Object.create(real) as Ledger, overrides),
    pretend(chain, { head, fork }) {
      if (fork !== undefined) {
        const first = real.block(chain, fork)
        if (fork < 1 || first === undefined) {
          throw new RangeError(`fork is ${fork}; it must be from 1 to the head, ${real.height(chain)}`)
        }
        if (placesOf(chain, first.bytes).time === undefined) {
          throw new RangeError('a fork must begin at a block that holds its time')
        }
      }
      if (head === undefined) heads.delete(chain)
      else heads.set(chain, head)
      if (fork === undefined) forks.delete(chain)
      else forks.set(chain, { from: fork, blocks: [], containers: [] })
    },
    pretendNode(nodeId, pretence) {
      if (pretence === undefined) nodes.delete(nodeId)
      else nodes.set(nodeId, pretence)
    },
  }
}
