import type { Hex } from 'viem'
import { isHex, lower } from '../../kernel/hex.ts'
import { type RpcClient, RpcError } from './rpc.ts'

/** Signed transactions that users submit, from acceptance by the node until a block includes them. */
type ForeignTransactions = {
  /** Submits a signed transaction to the node and resolves with its hash. Throws `RpcError` when it is refused. */
  submit(raw: Hex): Promise<Hex>
  /** The senders (lower case) whose transactions are ready for the next block. */
  readySenders(): Promise<ReadonlySet<string>>
  /** Forgets transactions that the new head includes or makes invalid, and resubmits those that the node dropped. */
  afterBlock(): Promise<void>
}

/** The members of a transaction that decide its order in a block. */
type PricedTransaction = {
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

/** The limits of geth's pool: the number of transactions, and how long one waits. */
const maxWaiting = 4096
const lifetimeMs = 3 * 3600 * 1000

function priceOf({ maxFeePerGas, gasPrice }: PricedTransaction): bigint {
  return BigInt(maxFeePerGas ?? gasPrice ?? 0)
}

/**
 * The order in which to submit transactions so that anvil's block has them in the given order. anvil picks the
 * highest fee first, among equal fees the one submitted first. It drops a sender's next transaction when it pays
 * more than the previous one and is submitted later, so the higher fee must be submitted first.
 */
function submissionOrder<T extends PricedTransaction>(inBlock: readonly T[]): T[] {
  return inBlock.toSorted((a, b) => {
    const difference = priceOf(b) - priceOf(a)
    return difference === 0n ? 0 : difference > 0n ? 1 : -1
  })
}

/** The newest block's transactions as signed bytes, in the order in which to resubmit them. */
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

/** Tracks the transactions that users send to a node. */
export function createForeignTransactions(rpc: RpcClient): ForeignTransactions {
  const waiting = new Map<Hex, Waiting>()

  /** Resubmits the sender's transactions in an order in which anvil keeps all of them. */
  async function reorder(sender: Hex): Promise<void> {
    const own = [...waiting.values()].filter(({ from }) => from === sender)
    if (own.length < 2) return
    await rpc.call('anvil_removePoolTransactions', sender)
    for (const { raw } of submissionOrder(own)) {
      try {
        await rpc.call('eth_sendRawTransaction', raw)
      } catch (error) {
        // Replaced, or priced below the base fee: `afterBlock` handles these.
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
      if (waiting.size >= maxWaiting) {
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
          // A fee below the base fee may suffice later; any other refusal is final.
          if (!/max fee per gas less/i.test(error.message)) waiting.delete(each.hash)
        }
      }
    },
  }

  /** Forgets the sender's transactions that were replaced by others with the same nonce. */
  async function forgetReplaced(sender: Hex): Promise<void> {
    const own = [...waiting.values()].filter(({ from }) => from === sender)
    const found = await find(own.map(({ hash }) => hash))
    for (const [index, { hash }] of own.entries()) if (found[index] === null) waiting.delete(hash)
  }
}
