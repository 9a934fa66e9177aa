import { type Hex, getAddress, parseTransaction, recoverTransactionAddress } from 'viem'
import { RpcError } from '../../evm/anvil/rpc.ts'
import type { LocalNode } from './blocks.ts'
import { type LocalMethod, MethodError } from './local.ts'
import { taking } from './params.ts'

type Sent = {
  readonly from: Hex
  readonly nonce: number
  /** Wei for a unit of gas. */
  readonly feeCap: bigint
  readonly cost: bigint
}

/** The first bytes of the typed transactions that the network accepts; a legacy transaction starts with a list. */
const types: ReadonlySet<number> = new Set([1, 2])
const firstList = 0xc0
/** Wei. */
const minFee = 1n

async function readRaw(raw: Hex): Promise<Sent | undefined> {
  try {
    const found = parseTransaction(raw)
    const from = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
    const feeCap = found.maxFeePerGas ?? found.gasPrice ?? 0n
    return {
      from,
      nonce: found.nonce ?? 0,
      feeCap,
      cost: (found.gas ?? 0n) * feeCap + (found.value ?? 0n),
    }
  } catch {
    // Not a transaction; the node has reported that already.
    return undefined
  }
}

/** The network's error for a transaction that anvil refused. */
async function worded({ rpc }: LocalNode, raw: Hex, error: RpcError): Promise<MethodError> {
  const said = error.message.replace(/^eth_sendRawTransaction: /, '')
  const sent = await readRaw(raw)
  if (sent === undefined) return new MethodError(said)
  const { from, nonce, feeCap, cost } = sent
  const ask = async (method: string): Promise<bigint> =>
    BigInt((await rpc.call(method, from, 'latest')) as Hex)
  if (/already imported/i.test(said)) return new MethodError('already known')
  if (/nonce too low/i.test(said)) {
    const next = await ask('eth_getTransactionCount')
    return new MethodError(`nonce too low: next nonce ${next}, tx nonce ${nonce}`)
  }
  if (/max fee per gas less/i.test(said)) {
    const least = `have gas fee cap (${feeCap}) < pool minimum fee cap (${minFee})`
    if (feeCap < minFee) return new MethodError(`transaction underpriced: address ${from} ${least}`)
    return new MethodError(
      `max fee per gas less than block base fee: address ${from}, maxFeePerGas: ${feeCap}`,
    )
  }
  if (/insufficient funds/i.test(said)) {
    const balance = await ask('eth_getBalance')
    const sums = `balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`
    return new MethodError(`insufficient funds for gas * price + value: ${sums}`)
  }
  return new MethodError(said)
}

/** eth_sendRawTransaction with the network's error messages. */
export function sendMethod(starting: Promise<LocalNode>): LocalMethod {
  return taking(['hex'], async (raw) => {
    const first = Number.parseInt(raw.slice(2, 4), 16)
    if (Number.isNaN(first)) throw new MethodError('typed transaction too short')
    if (first < firstList && !types.has(first)) throw new MethodError('transaction type not supported')
    const node = await starting
    try {
      return await node.submit(raw)
    } catch (error) {
      if (error instanceof RpcError) throw await worded(node, raw, error)
      throw error
    }
  })
}

type Part<T> = Readonly<Record<string, Readonly<Record<string, T>>>>
type Pool<T> = {
  readonly pending: Part<T>
  readonly queued: Part<T>
}

async function poolOf<T>(
  starting: Promise<LocalNode>,
  method: string,
  shown: (value: T) => T,
): Promise<Pool<T>> {
  const found = (await (await starting).rpc.call(method)) as Pool<T>
  const part = (senders: Part<T>): Part<T> =>
    Object.fromEntries(
      Object.entries(senders).map(([sender, list]) => [
        getAddress(sender),
        Object.fromEntries(Object.entries(list).map(([nonce, value]) => [nonce, shown(value)])),
      ]),
    )
  return { pending: part(found.pending), queued: part(found.queued) }
}

/** A summary with the receiver in the network's address format. */
function inspected(summary: string): string {
  return summary.replace(/^0x[0-9a-fA-F]{40}/, (address) => getAddress(address))
}

/** `eth_sendRawTransaction` and `txpool_…`, with the messages of the network's nodes. */
export function poolMethods(starting: Promise<LocalNode>): Readonly<Record<string, LocalMethod>> {
  const content = (): Promise<Pool<unknown>> => poolOf<unknown>(starting, 'txpool_content', (value) => value)
  return {
    eth_sendRawTransaction: sendMethod(starting),
    txpool_content: content,
    txpool_contentFrom: taking(['address'], async (address) => {
      const { pending, queued } = await content()
      const sender = getAddress(address)
      return { pending: pending[sender] ?? {}, queued: queued[sender] ?? {} }
    }),
    txpool_inspect: () => poolOf<string>(starting, 'txpool_inspect', inspected),
  }
}
