import { type Hex, keccak256, parseSignature, toRlp } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { isHex, lower, numeric, quantity } from '../../kernel/hex.ts'
import { RpcError } from '../../evm/anvil/rpc.ts'
import type { LocalNode } from './blocks.ts'
import { MethodError, badParam, kindOf } from './local.ts'
import { addressParam } from './params.ts'

/** The transaction parameters of a call, in JSON-RPC's format; amounts in wei. */
export type Order = {
  readonly from: Hex
  readonly to?: Hex
  readonly value?: Hex
  readonly gas?: Hex
  readonly gasPrice?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly nonce?: Hex
  readonly data?: Hex
  readonly input?: Hex
}

/** An order with all fields set. */
export type WholeOrder = Order & {
  readonly nonce: Hex
  readonly gas: Hex
}

type Signature = {
  readonly r: Hex
  readonly s: Hex
  /** 0 or 1. */
  readonly yParity: number
}

const noOne: Hex = `0x${'0'.repeat(40)}`
const emptySignature: Signature = { r: '0x0', s: '0x0', yParity: 0 }
/** The highest total fee that the node accepts: `rpc-tx-fee-cap`, in units of 10^18 wei. */
const feeCap = 100
const weiPerCoin = 1e18

/** Reads an order. Throws `MethodError`. */
export function orderParam(value: unknown): Order {
  if (value === undefined) throw new MethodError('missing value for required argument 0', -32602)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badParam(0, `json: cannot unmarshal ${kindOf(value)} into Go value of type ethapi.TransactionArgs`)
  }
  const order = value as Partial<Order>
  for (const part of Object.values(order)) {
    if (part !== undefined && !isHex(part)) throw badParam(0, 'hex string without 0x prefix')
  }
  const from = addressParam(order.from ?? noOne, 0)
  return { ...order, from, ...(order.to === undefined ? {} : { to: addressParam(order.to, 0) }) }
}

/** Throws `MethodError` for a field that must be set before the node signs. */
export function expectWhole(order: Order): asserts order is WholeOrder {
  const { gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce } = order
  if (gas === undefined) throw new MethodError('gas not specified')
  if (gasPrice === undefined && (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined)) {
    throw new MethodError('missing gasPrice or maxFeePerGas/maxPriorityFeePerGas')
  }
  if (nonce === undefined) throw new MethodError('nonce not specified')
}

/** Fills the unset fields of an order as the node does. */
export async function filled({ rpc }: LocalNode, order: Order): Promise<WholeOrder> {
  const call = { ...order, data: order.input ?? order.data }
  try {
    const [nonce, gas, tip, price] = await Promise.all([
      order.nonce ?? rpc.call('eth_getTransactionCount', order.from, 'pending'),
      order.gas ?? rpc.call('eth_estimateGas', call),
      rpc.call('eth_maxPriorityFeePerGas'),
      rpc.call('eth_gasPrice'),
    ])
    const fees =
      order.gasPrice !== undefined
        ? {}
        : {
            maxPriorityFeePerGas: order.maxPriorityFeePerGas ?? (tip as Hex),
            maxFeePerGas: order.maxFeePerGas ?? quantity(2n * BigInt(price as Hex)),
          }
    return { ...order, nonce: nonce as Hex, gas: gas as Hex, ...fees }
  } catch (error) {
    if (error instanceof RpcError) throw new MethodError(error.message, error.code)
    throw error
  }
}

/** Refuses a total fee above the cap, as the node does: `price` in wei for a unit of gas. */
export function expectReasonable(price: bigint, gas: bigint): void {
  const fee = Number(price * gas) / weiPerCoin
  if (fee > feeCap) {
    const cap = feeCap.toFixed(2)
    throw new MethodError(`tx fee (${fee.toFixed(2)} ether) exceeds the configured cap (${cap} ether)`)
  }
}

/** The highest price, in wei for a unit of gas. */
export function priceOf(order: Order): bigint {
  return BigInt(order.maxFeePerGas ?? order.gasPrice ?? 0)
}

/** A transaction with its bytes, as the node returns one that it filled in or signed. */
type TransactionResult = {
  readonly raw: Hex
  readonly tx: Readonly<Record<string, unknown>>
}

/** Whether the order is an EIP-1559 transaction (type 2); all others are legacy transactions. */
function isDynamic({ maxFeePerGas }: Order): boolean {
  return maxFeePerGas !== undefined
}

function bytesOf(order: WholeOrder, chainId: number, signature?: Signature): Hex {
  const common = [numeric(order.gas), order.to ?? '0x', numeric(order.value ?? 0), dataOf(order)] as const
  if (isDynamic(order)) {
    const fees = [order.maxPriorityFeePerGas ?? 0, order.maxFeePerGas ?? 0].map(numeric)
    const signed = signature === undefined ? [] : [signature.yParity, signature.r, signature.s].map(numeric)
    return `0x02${toRlp([numeric(chainId), numeric(order.nonce), ...fees, ...common, [], ...signed]).slice(2)}`
  }
  const head = [numeric(order.nonce), numeric(order.gasPrice ?? 0), ...common]
  if (signature === undefined) return toRlp([...head, numeric(chainId), '0x', '0x'])
  return toRlp([...head, ...[legacyV(signature, chainId), signature.r, signature.s].map(numeric)])
}

function dataOf({ input, data }: Order): Hex {
  return lower(input ?? data ?? '0x')
}

function legacyV(signature: Signature, chainId: number): number {
  return signature === emptySignature ? 0 : chainId * 2 + 35 + signature.yParity
}

/** The hash that is signed: equal for two orders with the same contents. */
export function signingHash(order: WholeOrder, chainId: number): Hex {
  return keccak256(bytesOf(order, chainId))
}

function resultOf(order: WholeOrder, chainId: number, signature: Signature): TransactionResult {
  const raw = bytesOf(order, chainId, signature)
  const common = {
    nonce: quantity(BigInt(order.nonce)),
    to: order.to ?? null,
    gas: quantity(BigInt(order.gas)),
  }
  const sums = { value: quantity(BigInt(order.value ?? 0)), input: dataOf(order) }
  const { yParity } = signature
  const marks = { r: quantity(BigInt(signature.r)), s: quantity(BigInt(signature.s)) }
  const hash = keccak256(raw)
  if (isDynamic(order)) {
    const { maxPriorityFeePerGas: tip = '0x0', maxFeePerGas: max = '0x0' } = order
    const fees = { maxPriorityFeePerGas: quantity(BigInt(tip)), maxFeePerGas: quantity(BigInt(max)) }
    const parity = quantity(yParity)
    const head = { type: '0x2', chainId: quantity(chainId), ...common, gasPrice: null, ...fees, ...sums }
    return { raw, tx: { ...head, accessList: [], v: parity, ...marks, yParity: parity, hash } }
  }
  const fees = {
    gasPrice: quantity(BigInt(order.gasPrice ?? 0)),
    maxPriorityFeePerGas: null,
    maxFeePerGas: null,
  }
  const v = quantity(legacyV(signature, chainId))
  const known = signature === emptySignature ? {} : { chainId: quantity(chainId) }
  return { raw, tx: { type: '0x0', ...known, ...common, ...fees, ...sums, v, ...marks, hash } }
}

/** The unsigned transaction of an order. */
export function unsigned(order: WholeOrder, chainId: number): TransactionResult {
  return resultOf(order, chainId, emptySignature)
}

/** The transaction of an order, signed by an account. */
export async function signedBy(
  account: PrivateKeyAccount,
  order: WholeOrder,
  chainId: number,
): Promise<TransactionResult> {
  const { r, s, yParity } = parseSignature(await account.sign({ hash: signingHash(order, chainId) }))
  return resultOf(order, chainId, { r, s, yParity })
}
