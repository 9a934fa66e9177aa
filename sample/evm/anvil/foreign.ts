import type { Hex } from '../../kernel/hex.ts'
import { isHex, lower } from '../../kernel/hex.ts'
import type { RpcClient } from './rpc.ts'
import { RpcError } from './rpc.ts'

/** Signed transactions from outside, from the moment the node accepts them until a block includes them. */
export type ForeignTransactions = {
  /** Gives a signed transaction to the node and resolves with its hash. Throws `RpcError` when it is refused. */
  submit(raw: Hex): Promise<Hex>
  /** The senders, in lower case, whose transactions are ready for the next block. */
  readySenders(): Promise<ReadonlySet<string>>
  /** Forgets what the new head includes or rules out, and submits again what the node has dropped. */
  afterBlock(): Promise<void>
}

/** A transaction as the node shows it, as far as its order in a block depends on it. */
export type PricedTransaction = {
  readonly hash: Hex
  readonly from: Hex
  readonly gasPrice?: Hex
  readonly maxFeePerGas?: Hex
}

type Waiting = PricedTransaction & {
  readonly raw: Hex
  /** Milliseconds. */
  readonly since: number
}

/** The limits of geth's pool: transactions in it, and how long one waits. */
const mostWaiting = 4096
const lifetimeMs = 3 * 3600 * 1000

function priceOf({ maxFeePerGas, gasPrice }: PricedTransaction): bigint {
  return BigInt(maxFeePerGas ?? gasPrice ?? 0)
}

/**
 * The order in which transactions have to be submitted so that anvil's block has them in the order they are given in.
 * anvil picks the highest fee first, among equals the one submitted first, and drops a sender's next transaction when
 * it pays more than the one before it and comes after it: the dearer one has to be there first.
 */
export function submissionOrder<T extends PricedTransaction>(inBlock: readonly T[]): T[] {
  return inBlock.toSorted((a, b) => {
    const difference = priceOf(b) - priceOf(a)
    return difference === 0n ? 0 : difference > 0n ? 1 : -1
  })
}

/** The newest block's transactions with their signed bytes, in the order in which to submit them again. */
export async function readContent(
  rpc: RpcClient,
): Promise<readonly (PricedTransaction & { readonly raw: Hex })[]> {
  const block = (await rpc.call('eth_getBlockByNumber', 'latest', true)) as {
    readonly transactions: readonly PricedTransaction[]
  }
  const bytes = (await rpc.batch(
    block.transactions.map(({ hash }) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
  )) as readonly Hex[]
  return submissionOrder(block.transactions.map((each, index) => ({ ...each, raw: bytes[index] ?? '0x' })))
}

/** The transactions that others send to the node behind `rpc`. */
export function createForeignTransactions(rpc: RpcClient): ForeignTransactions {
  const waiting = new Map<Hex, Waiting>()

  /** Submits the sender's transactions anew, in the order in which anvil keeps all of them. */
  async function reorder(sender: Hex): Promise<void> {
    const own = [...waiting.values()].filter(({ from }) => from === sender)
    if (own.length < 2) return
    await rpc.call('anvil_removePoolTransactions', sender)
    for (const { raw } of submissionOrder(own)) {
      try {
        await rpc.call('eth_sendRawTransaction', raw)
      } catch (error) {
        // One that another replaced, or that the base fee has left behind: `afterBlock` decides about it.
        if (!(error instanceof RpcError)) throw error
      }
    }
  }

  async function find(hashes: readonly Hex[]): Promise<(Record<string, unknown> | null)[]> {
    const calls = hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }))
    return (await rpc.batch(calls)) as (Record<string, unknown> | null)[]
  }

  return {
    async submit(raw) {
      if (waiting.size >= mostWaiting) {
        throw new RpcError('eth_sendRawTransaction', -32_000, 'txpool is full')
      }
      const hash = (await rpc.call('eth_sendRawTransaction', raw)) as Hex
      const [found] = (await find([hash])) as readonly (PricedTransaction | null)[]
      if (found === null || found === undefined) return hash
      const { gasPrice, maxFeePerGas } = found
      waiting.set(hash, {
        raw,
        hash,
        from: lower(found.from),
        since: Date.now(),
        ...(maxFeePerGas === undefined ? { gasPrice } : { maxFeePerGas }),
      } as Waiting)
      await forgetReplaced(lower(found.from))
      await reorder(lower(found.from))
      return hash
    },
    async readySenders() {
      const status = (await rpc.call('txpool_status')) as { pending: Hex }
      if (Number(status.pending) === 0) return new Set()
      const { pending } = (await rpc.call('txpool_content')) as { pending: Readonly<Record<Hex, unknown>> }
      return new Set(Object.keys(pending).filter(isHex).map(lower))
    },
    async afterBlock() {
      if (waiting.size === 0) return
      const hashes = [...waiting.keys()]
      const dropped: Waiting[] = []
      for (const [index, found] of (await find(hashes)).entries()) {
        const each = waiting.get(hashes[index] ?? '0x')
        if (each === undefined) continue
        const isIncluded = isHex(found?.['blockNumber'])
        const isOld = Date.now() - each.since > lifetimeMs
        if (isIncluded || isOld) waiting.delete(each.hash)
        if (isOld && !isIncluded) await rpc.call('anvil_dropTransaction', each.hash)
        else if (found === null) dropped.push(each)
      }
      for (const each of submissionOrder(dropped)) {
        try {
          await rpc.call('eth_sendRawTransaction', each.raw)
        } catch (error) {
          if (!(error instanceof RpcError)) throw error
          // A fee below the base fee may do later; whatever else the node says is final.
          if (!/max fee per gas less/i.test(error.message)) waiting.delete(each.hash)
        }
      }
    },
  }

  /** Forgets the sender's transactions that the node no longer has because another took their nonce. */
  async function forgetReplaced(sender: Hex): Promise<void> {
    const own = [...waiting.values()].filter(({ from }) => from === sender)
    const found = await find(own.map(({ hash }) => hash))
    for (const [index, { hash }] of own.entries()) if (found[index] === null) waiting.delete(hash)
  }
}
