import type { proxyKinds } from '../../contract/evm/contracts.ts'
import type { NodeClient } from './client.ts'
import { NodeRefusal } from './failures.ts'
import { askState, readBytes } from './state.ts'

/** The contract to which a proxy delegates its calls. Addresses are lower-case 0x text. */
export type ProxyTarget = {
  readonly kind: (typeof proxyKinds)[number] | 'EIP-7702'
  readonly implementation: string
}

/** The storage slots in which proxies keep the address of their implementation or of their beacon. */
export const proxySlots = {
  /** keccak256("eip1967.proxy.implementation") - 1 */
  'EIP-1967': '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  /** keccak256("eip1967.proxy.beacon") - 1 */
  'EIP-1967 beacon': '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  /** keccak256("PROXIABLE") */
  'EIP-1822': '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  /** keccak256("org.zeppelinos.proxy.implementation") */
  OpenZeppelin: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
} as const

/** The selector of `implementation()`. */
const implementationOf = '0x5c60da1b'

// EIP-1167 pushes the address with as few bytes as needed; EIP-7511 is the same with PUSH0.
const minimalProxies = [
  /^0x363d3d373d3d3d363d(6[0-9a-f]|7[0-3])([0-9a-f]{2,40}?)5af43d82803e903d91602[0-9a-f]57fd5bf3/,
  /^0x365f5f375f5f365f(73)([0-9a-f]{40})5af43d5f5f3e5f3d91602a57fd5bf3/,
] as const
const delegation = /^0xef0100([0-9a-f]{40})$/

/** The target that a contract's code itself contains: a minimal proxy, or a delegating account. */
function proxyInCode(code: string): ProxyTarget | undefined {
  for (const pattern of minimalProxies) {
    const [, push = '', address = ''] = pattern.exec(code) ?? []
    if (address !== '' && Number.parseInt(push, 16) - 0x5f === address.length / 2) {
      return { kind: 'EIP-1167', implementation: `0x${address.padStart(40, '0')}` }
    }
  }
  const [, delegate] = delegation.exec(code) ?? []
  return delegate === undefined ? undefined : { kind: 'EIP-7702', implementation: `0x${delegate}` }
}

/**
 * The target of a proxy, from its code or the known slots, read at the node's latest block; undefined for
 * other contracts. Throws a NodeUnavailable.
 */
export async function findProxy(
  client: NodeClient,
  address: string,
  code: string,
): Promise<ProxyTarget | undefined> {
  const named = proxyInCode(code)
  if (named) return named
  const slot = async (place: string): Promise<string | undefined> => {
    const method = 'eth_getStorageAt'
    return addressIn(readBytes(client, method, await askState(client, method, [address, place], undefined)))
  }
  const [implementation, beacon, proxiable, old] = await Promise.all([
    slot(proxySlots['EIP-1967']),
    slot(proxySlots['EIP-1967 beacon']),
    slot(proxySlots['EIP-1822']),
    slot(proxySlots.OpenZeppelin),
  ])
  if (implementation !== undefined) return { kind: 'EIP-1967', implementation }
  const behindBeacon = beacon === undefined ? undefined : await askBeacon(client, beacon)
  if (behindBeacon !== undefined) return { kind: 'EIP-1967 beacon', implementation: behindBeacon }
  if (proxiable !== undefined) return { kind: 'EIP-1822', implementation: proxiable }
  return old === undefined ? undefined : { kind: 'OpenZeppelin', implementation: old }
}

async function askBeacon(client: NodeClient, beacon: string): Promise<string | undefined> {
  const method = 'eth_call'
  try {
    const call = { to: beacon, data: implementationOf }
    return addressIn(readBytes(client, method, await askState(client, method, [call], undefined)))
  } catch (error) {
    // The slot does not contain a beacon.
    if (error instanceof NodeRefusal && error.reverted) return undefined
    throw error
  }
}

/** The address in a word; undefined for zero and for words that are not an address. */
function addressIn(word: string): string | undefined {
  const [, address] = /^0x0{24}([0-9a-f]{40})$/.exec(word) ?? []
  return address === undefined || /^0+$/.test(address) ? undefined : `0x${address}`
}
