import type { proxyKinds } from '../../contract/evm/contract-code.ts'
import type { NodeClient } from './client.ts'
import { askContract, askState, readBytes } from './state.ts'

/** The contract to which a proxy delegates its calls. Addresses are lower-case 0x text. */
export type ProxyTarget = {
  readonly kind: (typeof proxyKinds)[number] | 'EIP-7702'
  readonly implementation: string
  /** All of them, for a proxy that has several. */
  readonly implementations?: readonly string[]
  /** The beacon that names the implementation. */
  readonly beacon?: string
  /** Who EIP-1967's slot names as the one that may change the implementation. */
  readonly admin?: string
}

/** The storage slots in which proxies keep the address of their implementation or of their beacon. */
export const proxySlots = {
  /** keccak256("eip1967.proxy.implementation") - 1 */
  'EIP-1967': '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  /** keccak256("eip1967.proxy.beacon") - 1 */
  'EIP-1967 beacon': '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  /** keccak256("eip1967.proxy.admin") - 1 */
  'EIP-1967 admin': '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
  /** keccak256("PROXIABLE") */
  'EIP-1822': '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  /** keccak256("org.zeppelinos.proxy.implementation") */
  OpenZeppelin: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
} as const

/** The selectors of what proxies answer themselves. */
const selectors = {
  /** `implementation()`: beacons, EIP-897 and older forms of OpenZeppelin and Compound. */
  implementation: '0x5c60da1b',
  /** `masterCopy()`: every version of Safe. */
  masterCopy: '0xa619486e',
  /** `comptrollerImplementation()`: Compound's Unitroller. */
  comptrollerImplementation: '0xbb82aa5e',
  /** `facetAddresses()`: EIP-2535. */
  facetAddresses: '0x52ef6b2c',
} as const

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

/** Whether a code has an instruction that runs another code in its place; data behind a push is none. */
function delegates(code: string): boolean {
  for (let at = 2; at < code.length; at += 2) {
    const instruction = Number.parseInt(code.slice(at, at + 2), 16)
    if (instruction === 0xf4) return true
    if (instruction >= 0x60 && instruction <= 0x7f) at += 2 * (instruction - 0x5f)
  }
  return false
}

/** How many facets of a diamond are told. */
const maxFacets = 64

/**
 * The target of a proxy, from its code, the known slots or what it answers, after a block or at the node's latest one;
 * undefined for other contracts. Throws a NodeUnavailable, and StateNotKept for a block whose state is gone.
 */
export async function findProxy(
  client: NodeClient,
  address: string,
  code: string,
  block?: bigint,
): Promise<ProxyTarget | undefined> {
  const named = proxyInCode(code)
  if (named) return named
  const word = async (place: string): Promise<string> => {
    const method = 'eth_getStorageAt'
    return readBytes(client, method, await askState(client, method, [address, place], block))
  }
  const slot = async (place: string): Promise<string | undefined> => addressIn(await word(place))
  const [implementation, beacon, admin, proxiable, old, first] = await Promise.all([
    slot(proxySlots['EIP-1967']),
    slot(proxySlots['EIP-1967 beacon']),
    slot(proxySlots['EIP-1967 admin']),
    slot(proxySlots['EIP-1822']),
    slot(proxySlots.OpenZeppelin),
    slot('0x0'),
  ])
  const ruled = { ...(admin !== undefined && { admin }) }
  if (implementation !== undefined) return { kind: 'EIP-1967', implementation, ...ruled }
  const behindBeacon =
    beacon === undefined
      ? undefined
      : addressIn(await askContract(client, beacon, selectors.implementation, block))
  if (beacon !== undefined && behindBeacon !== undefined)
    return { kind: 'EIP-1967 beacon', implementation: behindBeacon, beacon, ...ruled }
  if (proxiable !== undefined) return { kind: 'EIP-1822', implementation: proxiable }
  if (old !== undefined) return { kind: 'OpenZeppelin', implementation: old }
  return delegates(code) ? answeringProxy(client, address, first, block) : undefined
}

/** A proxy that says itself where its code is. `first` is the address in its first slot, where Safe keeps it. */
async function answeringProxy(
  client: NodeClient,
  address: string,
  first: string | undefined,
  block: bigint | undefined,
): Promise<ProxyTarget | undefined> {
  const [master, comptroller, implementation, facets] = await Promise.all([
    askContract(client, address, selectors.masterCopy, block),
    askContract(client, address, selectors.comptrollerImplementation, block),
    askContract(client, address, selectors.implementation, block),
    askContract(client, address, selectors.facetAddresses, block),
  ])
  const safe = addressIn(master)
  if (safe !== undefined && safe === first) return { kind: 'Safe', implementation: safe }
  const compound = addressIn(comptroller)
  if (compound !== undefined) return { kind: 'Compound', implementation: compound }
  const [facet, ...more] = addressesIn(facets)
  if (facet !== undefined)
    return { kind: 'EIP-2535', implementation: facet, implementations: [facet, ...more].slice(0, maxFacets) }
  const plain = addressIn(implementation)
  return plain === undefined ? undefined : { kind: 'EIP-897', implementation: plain }
}

/** The address in a word; undefined for zero and for words that are not an address. */
function addressIn(word: string): string | undefined {
  const [, address] = /^0x0{24}([0-9a-f]{40})$/.exec(word) ?? []
  return address === undefined || /^0+$/.test(address) ? undefined : `0x${address}`
}

/** The addresses of an ABI-encoded `address[]`; empty for anything else. */
function addressesIn(data: string): string[] {
  const words = data.slice(2).match(/.{64}/g) ?? []
  const [offset = '', count = '', ...rest] = words
  if (!/^0{62}20$/.test(offset) || BigInt(`0x${count || 'f'}`) !== BigInt(rest.length)) return []
  const found = rest.map((word) => addressIn(`0x${word}`))
  return found.every((each) => each !== undefined) ? found : []
}
