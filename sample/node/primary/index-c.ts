import { encodeWrapper, unsignedWrapper, type WrapperInput } from '../../../protocol/primary/proposer.ts'
import type { Hex as ViemHex } from 'viem'
import type { EvmChain } from '../../evm/evm-chain.ts'
import { quantity } from '../../kernel/hex.ts'
import { blockRlp } from '../evm/block-rlp.ts'
import type { Certificate } from '../../primary/certificates.ts'
import type { Container, Ledger } from '../../primary/ledger.ts'
import type { ContainerSource } from './index-service.ts'
import { sha256 } from '../../../protocol/native/hashes.ts'

/** A block with whole transactions, as the chain's node returns it. */
type Block = {
  readonly number: ViemHex
  readonly hash: ViemHex
  readonly timestamp: ViemHex
  readonly transactions: readonly ViemHex[]
  readonly [field: string]: unknown
}

/** What is kept of a container: enough to check that its block still exists, and to build the next one. */
type Known = {
  readonly hash: ViemHex
  readonly id: string
  /** The block's bytes and time; dropped for old blocks. */
  block: { readonly inner: Uint8Array; readonly time: number } | undefined
  signature: Uint8Array | undefined
}

const blocksPerBatch = 128
/** The number of newest blocks that are kept in memory. */
const kept = 4096
const epochSeconds = 300
/** A proposer names a P block that is this old, so rebuilding a container gives the same bytes. */
const pDelaySeconds = 60

/** The signed header: chain id, parent id and hash of the unsigned wrapper. */
function headerBytes(chainId: string, parent: string, unsigned: Uint8Array): Uint8Array {
  const version = Buffer.from([0, 0])
  return Buffer.concat([version, Buffer.from(chainId + parent, 'hex'), sha256(unsigned)])
}

/** The height of the newest P block at `time`, Unix seconds. */
function pHeightAt(ledger: Ledger, time: number): number {
  let [low, high] = [0, ledger.height('P')]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((ledger.block('P', middle)?.time ?? Infinity) <= time) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * The containers of the C-Chain, starting with block 1: proposer wrappers around the blocks of the sample's EVM
 * node, built on demand. After a reorganization, which a real chain never has, the new branch replaces the old one.
 */
export function createCIndex(
  chain: EvmChain,
  ledger: Ledger,
  proposers: readonly Certificate[],
): ContainerSource {
  const known: Known[] = []
  const indices = new Map<string, number>()
  let queue: Promise<unknown> = Promise.resolve()

  async function blocksFrom(first: number, last: number): Promise<{ block: Block; inner: Uint8Array }[]> {
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    const calls = numbers.map((number) => ({
      method: 'eth_getBlockByNumber',
      params: [quantity(number), false],
    }))
    const found = (await chain.anvil.rpc.batch(calls)) as Block[]
    const hashes = found.flatMap(({ transactions }) => transactions)
    const raws = (
      hashes.length === 0
        ? []
        : await chain.anvil.rpc.batch(
            hashes.map((hash) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
          )
    ) as ViemHex[]
    let taken = 0
    return found.map((block) => {
      const own = raws.slice(taken, taken + block.transactions.length)
      taken += own.length
      return { block, inner: blockRlp(block, own, ledger.extraData(Number(block.number))) }
    })
  }

  function wrapperOf(
    parent: string,
    time: number,
    inner: Uint8Array,
    certificate: Certificate,
  ): WrapperInput {
    const common = {
      parentId: parent,
      time: BigInt(time),
      pChainHeight: BigInt(pHeightAt(ledger, time - pDelaySeconds)),
      certificate: certificate.der,
      block: inner,
      signature: new Uint8Array(),
    }
    const { granite } = ledger.upgrades
    if (time < granite) return { type: 'SIGNED', ...common }
    const epoch = Math.floor((time - granite) / epochSeconds)
    const epochStart = granite + epoch * epochSeconds
    const epochHeight = pHeightAt(ledger, epochStart - pDelaySeconds)
    return {
      type: 'EPOCH',
      ...common,
      epochPChainHeight: BigInt(epochHeight),
      epochNumber: BigInt(epoch + 1),
      epochStart: BigInt(epochStart),
    }
  }

  function proposerOf(height: number): Certificate {
    const found = proposers[height % proposers.length]
    if (found === undefined) throw new Error('the C-Chain has no proposers')
    return found
  }

  /** The parent of the first wrapper is the genesis block; that of every other is the wrapper before it. */
  async function parentOf(height: number): Promise<string> {
    const before = known[height - 2]
    if (before !== undefined) return before.id
    const genesis = (await chain.anvil.rpc.call('eth_getBlockByNumber', '0x0', false)) as Block
    return genesis.hash.slice(2)
  }

  /** Drops the containers of blocks that a reorganization removed. */
  async function dropUndone(): Promise<void> {
    for (let last = known.at(-1); last !== undefined; last = known.at(-1)) {
      const number = quantity(known.length)
      const block = (await chain.anvil.rpc.call('eth_getBlockByNumber', number, false)) as Block | null
      if (block?.hash === last.hash) return
      known.pop()
      indices.delete(last.id)
    }
  }

  /** Builds the containers of the blocks up to `height`. */
  async function extend(height: number): Promise<void> {
    await dropUndone()
    while (known.length < height) {
      const first = known.length + 1
      for (const { block, inner } of await blocksFrom(first, Math.min(first + blocksPerBatch - 1, height))) {
        const at = known.length + 1
        const time = Number(block.timestamp)
        const made = wrapperOf(await parentOf(at), time, inner, proposerOf(at))
        const id = sha256(unsignedWrapper(made)).toString('hex')
        indices.set(id, known.length)
        known.push({ hash: block.hash, id, block: { inner, time }, signature: undefined })
        const old = known[known.length - 1 - kept]
        if (old !== undefined) old.block = undefined
      }
    }
  }

  /** Runs one call at a time, so that no container is built twice. */
  async function inTurn<T>(height: number, work: () => Promise<T>): Promise<T> {
    const turn = queue.then(async () => {
      await extend(Math.min(height, chain.head.number))
      return work()
    })
    queue = turn.catch(() => undefined)
    return turn
  }

  async function containerAt(index: number): Promise<Container> {
    const found = known[index]
    if (found === undefined) throw new Error(`there is no C block ${index + 1}`)
    let { block } = found
    if (block === undefined) {
      const [again] = await blocksFrom(index + 1, index + 1)
      if (again === undefined) throw new Error(`there is no C block ${index + 1}`)
      block = { inner: again.inner, time: Number(again.block.timestamp) }
    }
    const certificate = proposerOf(index + 1)
    const parent = await parentOf(index + 1)
    const unsigned = wrapperOf(parent, block.time, block.inner, certificate)
    found.signature ??= certificate.sign(headerBytes(ledger.ids.C, parent, unsignedWrapper(unsigned)))
    const { id, signature } = found
    return { index, id, bytes: encodeWrapper({ ...unsigned, signature } as WrapperInput), time: block.time }
  }

  return {
    count: () => chain.head.number,
    range: (start, end) =>
      inTurn(end, async () => {
        const found: Container[] = []
        for (let index = start; index < Math.min(end, known.length); index += 1) {
          found.push(await containerAt(index))
        }
        return found
      }),
    indexOf: (id) => inTurn(Infinity, async () => indices.get(id)),
  }
}
