import type { NamedAddresses } from '../evm/generator.ts'
import type { ChainKey } from '../controls/types.ts'

/**
 * The contracts and accounts of a running sample network that exist so far, by chain and name; after the history they
 * are those of docs/sample.md. `url` is the network's base URL. Addresses are in lower case.
 */
export async function sampleAddresses(url: string): Promise<Record<ChainKey, NamedAddresses>> {
  const response = await fetch(`${url}/sample/addresses`)
  return (await response.json()) as Record<ChainKey, NamedAddresses>
}

/** One contract's address. Throws when the chain has no contract of this name yet. */
export async function sampleContract(url: string, chain: ChainKey, name: string): Promise<`0x${string}`> {
  const { contracts } = (await sampleAddresses(url))[chain]
  const found = contracts[name]
  if (found !== undefined) return found
  throw new Error(`the chain ${chain} has no ${name}; it has ${Object.keys(contracts).join(', ')}`)
}
