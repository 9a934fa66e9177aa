import { createHash, timingSafeEqual } from 'node:crypto'
import type { TransactionSerializable } from 'viem'
import { getAddress, recoverMessageAddress, serializeSignature, serializeTransaction } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../evm/hex.ts'
import { isHex, lower, quantity } from '../evm/hex.ts'
import { RpcError } from '../evm/rpc.ts'
import type { LocalNode } from './evm-blocks.ts'
import type { LocalMethods } from './evm-local.ts'
import { MethodError, badParam, kindOf, localMethods } from './evm-local.ts'
import { sendMethod } from './evm-pool.ts'

interface Kept {
  readonly account: PrivateKeyAccount
  readonly password: Buffer
  /** Milliseconds until which it signs without its password. */
  openUntil: number
}

/** Keys are held in memory: more than these are refused. */
const MOST_KEYS = 100
const UNLOCK_SECONDS = 300
const LOCKED = 'authentication needed: password or unlock'
const NO_KEY = 'no key for given address or file'

function urlOf(address: Hex): string {
  return `keystore://memory/${address.slice(2)}`
}

function hashOf(password: string): Buffer {
  return createHash('sha256').update(password).digest()
}

function textParam(value: unknown, index: number): string {
  if (typeof value === 'string') return value
  if (value === undefined) throw new MethodError(`missing value for required argument ${index}`, -32602)
  throw badParam(index, `json: cannot unmarshal ${kindOf(value)} into Go value of type string`)
}

function hexParam(value: unknown, index: number): Hex {
  const text = textParam(value, index)
  if (!isHex(text)) {
    throw badParam(
      index,
      'json: cannot unmarshal hex string without 0x prefix into Go value of type hexutil.Bytes',
    )
  }
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) {
    throw badParam(index, 'json: cannot unmarshal invalid hex string into Go value of type hexutil.Bytes')
  }
  return text
}

function addressParam(value: unknown, index: number): Hex {
  const text = textParam(value, index)
  if (isHex(text) && /^0x[0-9a-f]{40}$/i.test(text)) return lower(text)
  throw badParam(index, 'json: cannot unmarshal invalid hex string into Go value of type common.Address')
}

interface Order {
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

function orderParam(value: unknown): Order {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badParam(0, `json: cannot unmarshal ${kindOf(value)} into Go value of type ethapi.TransactionArgs`)
  }
  const order = value as Partial<Order>
  for (const part of Object.values(order)) {
    if (part !== undefined && !isHex(part)) throw badParam(0, 'hex string without 0x prefix')
  }
  return { ...order, from: addressParam(order.from ?? `0x${'0'.repeat(40)}`, 0) }
}

/**
 * The keys of the node that its `personal_…` methods make and use. They are for this run only: a node writes them to
 * disk, the sample does not. The network's own accounts are not among them.
 */
export function keystoreMethods(starting: Promise<LocalNode>, chainId: number): LocalMethods {
  const keys = new Map<Hex, Kept>()
  const sendRaw = sendMethod(starting)

  function put(secret: Hex, password: string): Hex {
    if (keys.size >= MOST_KEYS)
      throw new MethodError(`the key store holds ${MOST_KEYS} keys and takes no more`)
    const account = privateKeyToAccount(secret)
    const address = lower(account.address)
    if (keys.has(address)) throw new MethodError('account already exists')
    keys.set(address, { account, password: hashOf(password), openUntil: 0 })
    return address
  }

  function opened(address: Hex, password: string): Kept {
    const kept = keys.get(address)
    if (kept === undefined) throw new MethodError(NO_KEY)
    if (timingSafeEqual(kept.password, hashOf(password))) return kept
    throw new MethodError('could not decrypt key with given password')
  }

  function openKey(address: Hex): Kept {
    const kept = keys.get(address)
    if (kept === undefined) throw new MethodError('unknown account')
    if (Date.now() >= kept.openUntil) throw new MethodError(LOCKED)
    return kept
  }

  /** The order with what it leaves open, as the node fills it. */
  async function filled(order: Order): Promise<Order> {
    const { rpc } = await starting
    const call = { ...order, data: order.input ?? order.data }
    try {
      const [nonce, gas, tip, price] = await Promise.all([
        order.nonce ?? rpc.call('eth_getTransactionCount', order.from, 'pending'),
        order.gas ?? rpc.call('eth_estimateGas', call),
        rpc.call('eth_maxPriorityFeePerGas'),
        rpc.call('eth_gasPrice'),
      ])
      const isOld = order.gasPrice !== undefined
      return {
        ...order,
        nonce: nonce as Hex,
        gas: gas as Hex,
        ...(isOld
          ? {}
          : {
              maxPriorityFeePerGas: order.maxPriorityFeePerGas ?? (tip as Hex),
              maxFeePerGas: order.maxFeePerGas ?? quantity(2n * BigInt(price as Hex)),
            }),
      }
    } catch (error) {
      if (error instanceof RpcError) throw new MethodError(error.message, error.code)
      throw error
    }
  }

  /** The order as viem takes it. */
  function requestOf(order: Order): TransactionSerializable {
    const data = order.input ?? order.data
    const common = {
      chainId,
      nonce: Number(order.nonce ?? 0),
      gas: BigInt(order.gas ?? 0),
      value: BigInt(order.value ?? 0),
      ...(order.to === undefined ? {} : { to: order.to }),
      ...(data === undefined ? {} : { data }),
    }
    if (order.gasPrice !== undefined) {
      return { ...common, type: 'legacy', gasPrice: BigInt(order.gasPrice) }
    }
    return {
      ...common,
      type: 'eip1559',
      maxFeePerGas: BigInt(order.maxFeePerGas ?? 0),
      maxPriorityFeePerGas: BigInt(order.maxPriorityFeePerGas ?? 0),
    }
  }

  function sign({ account }: Kept, order: Order): Promise<Hex> {
    return account.signTransaction(requestOf(order))
  }

  /** A signed order. What it leaves open is an error, as it is for the node. */
  function expectWhole({ gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce }: Order): void {
    if (gas === undefined) throw new MethodError('gas not specified')
    if (gasPrice === undefined && (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined)) {
      throw new MethodError('missing gasPrice or maxFeePerGas/maxPriorityFeePerGas')
    }
    if (nonce === undefined) throw new MethodError('nonce not specified')
  }

  async function send(kept: Kept, order: Order): Promise<unknown> {
    return sendRaw([await sign(kept, await filled(order))])
  }

  async function signed({ account }: Kept, data: Hex): Promise<Hex> {
    return account.signMessage({ message: { raw: data } })
  }

  /** Throws unless the wallet is one of these keys. */
  function expectWallet(url: unknown): void {
    const isKnown = [...keys.keys()].some((address) => urlOf(address) === url)
    if (!isKnown) throw new MethodError('unknown wallet')
  }

  async function pending(): Promise<unknown> {
    const pool = (await (await starting).rpc.call('txpool_content')) as {
      readonly pending: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    }
    return Object.entries(pool.pending)
      .filter(([sender]) => isHex(sender) && keys.has(lower(sender)))
      .flatMap(([, list]) => Object.values(list))
  }

  return localMethods({
    eth_pendingTransactions: pending,
    async eth_fillTransaction([given]) {
      const tx = await filled(orderParam(given))
      return { raw: serializeTransaction(requestOf(tx)), tx }
    },
    async eth_signTransaction([given]) {
      const order = orderParam(given)
      expectWhole(order)
      return { raw: await sign(openKey(order.from), order), tx: order }
    },
    personal_openWallet([url]) {
      expectWallet(url)
      return null
    },
    personal_deriveAccount([url]) {
      expectWallet(url)
      throw new MethodError('not supported')
    },
    eth_accounts: () => [...keys.keys()],
    eth_sign: ([address, data]) => signed(openKey(addressParam(address, 0)), hexParam(data, 1)),
    eth_sendTransaction([given]) {
      const order = orderParam(given)
      return send(openKey(order.from), order)
    },
    personal_listAccounts: () => [...keys.keys()],
    personal_listWallets: () =>
      [...keys.values()].map(({ account, openUntil }) => {
        const url = urlOf(lower(account.address))
        const status = Date.now() < openUntil ? 'Unlocked' : 'Locked'
        return { url, status, accounts: [{ address: lower(account.address), url }] }
      }),
    personal_newAccount: ([password]) => getAddress(put(generatePrivateKey(), textParam(password, 0))),
    personal_importRawKey([key, password]) {
      const digits = textParam(key, 0)
      const wrong = /[^0-9a-f]/i.exec(digits)?.[0]
      if (wrong !== undefined) throw new MethodError(`invalid hex character '${wrong}' in private key`)
      if (digits.length !== 64) throw new MethodError('invalid length, need 256 bits')
      return put(`0x${digits}`, textParam(password, 1))
    },
    personal_unlockAccount([address, password, seconds]) {
      const kept = opened(addressParam(address, 0), textParam(password, 1))
      const duration = typeof seconds === 'number' && seconds >= 0 ? seconds : UNLOCK_SECONDS
      kept.openUntil = duration === 0 ? Infinity : Date.now() + duration * 1000
      return true
    },
    personal_lockAccount([address]) {
      const kept = keys.get(addressParam(address, 0))
      if (kept !== undefined) kept.openUntil = 0
      return true
    },
    personal_sign: ([data, address, password]) =>
      signed(opened(addressParam(address, 1), textParam(password, 2)), hexParam(data, 0)),
    async personal_ecRecover([data, given]) {
      const signature = hexParam(given, 1)
      const bytes = Buffer.from(signature.slice(2), 'hex')
      if (bytes.length !== 65) throw new MethodError('signature must be 65 bytes long')
      const last = bytes[64]
      if (last !== 27 && last !== 28) {
        throw new MethodError('invalid Ethereum signature (V is not 27 or 28)')
      }
      const part = (from: number, to: number): Hex => `0x${bytes.subarray(from, to).toString('hex')}`
      const signer = await recoverMessageAddress({
        message: { raw: hexParam(data, 0) },
        signature: serializeSignature({ r: part(0, 32), s: part(32, 64), yParity: last - 27 }),
      })
      return lower(signer)
    },
    async personal_signTransaction([given, password]) {
      const order = orderParam(given)
      expectWhole(order)
      const kept = opened(order.from, textParam(password, 1))
      return { raw: await sign(kept, order), tx: order }
    },
    personal_sendTransaction([given, password]) {
      const order = orderParam(given)
      return send(opened(order.from, textParam(password, 1)), order)
    },
  })
}
