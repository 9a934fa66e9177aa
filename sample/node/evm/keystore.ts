import { createHash, timingSafeEqual } from 'node:crypto'
import { type Hex, getAddress, recoverMessageAddress, serializeSignature } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { isHex, lower, quantity } from '../../kernel/hex.ts'
import type { LocalNode } from './blocks.ts'
import { badParam, localMethods, type LocalMethods, MethodError } from './local.ts'
import {
  expectReasonable,
  expectWhole,
  filled,
  type Order,
  orderParam,
  priceOf,
  signedBy,
  signingHash,
  unsigned,
  type WholeOrder,
} from './orders.ts'
import { taking } from './params.ts'
import { sendMethod } from './pool.ts'

type Kept = {
  readonly account: PrivateKeyAccount
  readonly password: Buffer
  /** The time in milliseconds until which it signs without a password. */
  openUntil: number
}

/** Keys are held in memory: no more than this many. */
const maxKeys = 100
const unlockSeconds = 300
/** The type of EIP-1559 transactions. */
const dynamic = 2
const locked = 'authentication needed: password or unlock'
const noKey = 'no key for given address or file'

function urlOf(address: Hex): string {
  return `keystore://memory/${address.slice(2)}`
}

function hashOf(password: string): Buffer {
  return createHash('sha256').update(password).digest()
}

/** A pooled transaction as anvil shows it. */
type Pooled = Required<Pick<Order, 'from' | 'value' | 'gas' | 'nonce' | 'input'>> &
  Pick<Order, 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas'> & {
    readonly type: Hex
    readonly to: Hex | null
  }

/** The order that a pooled transaction was signed for. */
function orderOf({
  type,
  to,
  gasPrice = '0x0',
  maxFeePerGas,
  maxPriorityFeePerGas,
  ...rest
}: Pooled): WholeOrder {
  const { from, value, gas, nonce, input } = rest
  const common = { from, value, gas, nonce, input, ...(to === null ? {} : { to }) }
  if (Number(type) !== dynamic) return { ...common, gasPrice }
  return {
    ...common,
    maxFeePerGas: maxFeePerGas ?? '0x0',
    maxPriorityFeePerGas: maxPriorityFeePerGas ?? '0x0',
  }
}

function amountOf(text: string | undefined, index: number): bigint | undefined {
  if (text === undefined) return undefined
  if (!/^0x/i.test(text)) throw badParam(index, 'hex string without 0x prefix')
  if (!/^0x(?:0|[1-9a-f][0-9a-f]*)$/i.test(text)) throw badParam(index, 'invalid hex string')
  return BigInt(text)
}

/**
 * The keys that the node's `personal_…` methods create and use. Unlike a node's they are not written to disk and
 * last for this run only. The network's own accounts are not among them.
 */
export function keystoreMethods(starting: Promise<LocalNode>, chainId: number): LocalMethods {
  const keys = new Map<Hex, Kept>()
  const sendRaw = sendMethod(starting)

  function put(secret: Hex, password: string): Hex {
    if (keys.size >= maxKeys) throw new MethodError(`the key store holds ${maxKeys} keys and takes no more`)
    const account = privateKeyToAccount(secret)
    const address = lower(account.address)
    if (keys.has(address)) throw new MethodError('account already exists')
    keys.set(address, { account, password: hashOf(password), openUntil: 0 })
    return address
  }

  function opened(address: Hex, password: string): Kept {
    const kept = keys.get(address)
    if (kept === undefined) throw new MethodError(noKey)
    if (timingSafeEqual(kept.password, hashOf(password))) return kept
    throw new MethodError('could not decrypt key with given password')
  }

  function openKey(address: Hex): Kept {
    const kept = keys.get(address)
    if (kept === undefined) throw new MethodError('unknown account')
    if (Date.now() >= kept.openUntil) throw new MethodError(locked)
    return kept
  }

  async function send(kept: Kept, order: Order): Promise<unknown> {
    const { raw } = await signedBy(kept.account, await filled(await starting, order), chainId)
    return sendRaw([raw])
  }

  async function signed({ account }: Kept, data: Hex): Promise<Hex> {
    return account.signMessage({ message: { raw: data } })
  }

  /** Throws unless the URL names one of these keys. */
  function expectWallet(url: string): void {
    const [scheme, ...path] = url.split('://')
    if (scheme === '' || path.length !== 1) throw new MethodError('protocol scheme missing')
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

  /** eth_resend: replaces a pending transaction by one with another price and gas limit. */
  const resend = taking(['any?', 'text?', 'text?'], async (given, price, limit) => {
    const spec = orderParam(given)
    if (spec.nonce === undefined) throw new MethodError('missing transaction nonce in transaction spec')
    const [newPrice, newLimit] = [amountOf(price, 1), amountOf(limit, 2)]
    const node = await starting
    const order = await filled(node, spec)
    expectReasonable(newPrice ?? priceOf(order), newLimit ?? BigInt(order.gas))
    const wanted = signingHash(order, chainId)
    const { pending: pool } = (await node.rpc.call('txpool_content')) as {
      readonly pending: Readonly<Record<string, Readonly<Record<string, Pooled>>>>
    }
    const waits = Object.entries(pool)
      .filter(([sender]) => isHex(sender) && lower(sender) === order.from)
      .flatMap(([, list]) => Object.values(list))
      .some((pooled) => signingHash(orderOf(pooled), chainId) === wanted)
    if (!waits) {
      const { hash } = unsigned(order, chainId).tx
      throw new MethodError(`transaction ${String(hash)} not found`)
    }
    const changed = {
      ...order,
      ...(newPrice === undefined || newPrice === 0n ? {} : { gasPrice: quantity(newPrice) }),
      ...(newLimit === undefined || newLimit === 0n ? {} : { gas: quantity(newLimit) }),
    }
    const { raw } = await signedBy(openKey(order.from).account, changed, chainId)
    return sendRaw([raw])
  })

  return localMethods({
    eth_pendingTransactions: pending,
    async eth_fillTransaction([given]) {
      return unsigned(await filled(await starting, orderParam(given)), chainId)
    },
    eth_resend: resend,
    async eth_signTransaction([given]) {
      const order = orderParam(given)
      expectWhole(order)
      expectReasonable(priceOf(order), BigInt(order.gas))
      return signedBy(openKey(order.from).account, order, chainId)
    },
    personal_openWallet: taking(['text', 'text?'], expectWallet),
    personal_deriveAccount: taking(['text', 'text', 'flag?'], (url) => {
      expectWallet(url)
      throw new MethodError('not supported')
    }),
    eth_accounts: () => [...keys.keys()],
    eth_sign: taking(['address', 'hex'], (address, data) => signed(openKey(address), data)),
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
    personal_newAccount: taking(['text'], (password) => getAddress(put(generatePrivateKey(), password))),
    personal_importRawKey: taking(['text', 'text'], (digits, password) => {
      const wrong = /[^0-9a-f]/i.exec(digits)?.[0]
      if (wrong !== undefined) throw new MethodError(`invalid hex character '${wrong}' in private key`)
      if (digits.length !== 64) throw new MethodError('invalid length, need 256 bits')
      return put(`0x${digits}`, password)
    }),
    personal_unlockAccount: taking(['address', 'text', 'any?'], (address, password, seconds) => {
      const kept = opened(address, password)
      const duration = typeof seconds === 'number' && seconds >= 0 ? seconds : unlockSeconds
      kept.openUntil = duration === 0 ? Infinity : Date.now() + duration * 1000
      return true
    }),
    personal_lockAccount: taking(['address'], (address) => {
      const kept = keys.get(address)
      if (kept !== undefined) kept.openUntil = 0
      return true
    }),
    personal_sign: taking(['hex', 'address', 'text'], (data, address, password) =>
      signed(opened(address, password), data),
    ),
    personal_ecRecover: taking(['hex', 'hex'], async (data, signature) => {
      const bytes = Buffer.from(signature.slice(2), 'hex')
      if (bytes.length !== 65) throw new MethodError('signature must be 65 bytes long')
      const last = bytes[64]
      if (last !== 27 && last !== 28) {
        throw new MethodError('invalid Ethereum signature (V is not 27 or 28)')
      }
      const part = (from: number, to: number): Hex => `0x${bytes.subarray(from, to).toString('hex')}`
      const signer = await recoverMessageAddress({
        message: { raw: data },
        signature: serializeSignature({ r: part(0, 32), s: part(32, 64), yParity: last - 27 }),
      })
      return lower(signer)
    }),
    personal_signTransaction: taking(['any', 'text'], (given, password) => {
      const order = orderParam(given)
      expectWhole(order)
      return signedBy(opened(order.from, password).account, order, chainId)
    }),
    personal_sendTransaction: taking(['any', 'text'], (given, password) => {
      const order = orderParam(given)
      return send(opened(order.from, password), order)
    }),
  })
}
