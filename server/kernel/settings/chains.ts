import { chainGroups, type ChainGroup } from '../../../contract/metrics/series.ts'
import type { ChainConfig } from './config.ts'
import { notFound } from '../http-errors.ts'

/** A configured chain with the keys that the store and the answers use. */
export type Chain = {
  /** The EVM chain id, as used in the store. */
  readonly key: bigint
  /** The same as text, as used in answers. */
  readonly id: string
  readonly config: ChainConfig
}

/** The configured chains, by either of their ids. */
export type ChainDirectory = {
  readonly all: readonly Chain[]
  /** A chain by EVM chain id or blockchain id (docs/api.md, Answers). Throws a 404. */
  find(id: string): Chain
  byKey(key: bigint): Chain | undefined
  /** The chains of `total`, `mainnet` or `testnet`, or the one chain. Throws a 404. */
  group(id: string): { readonly chains: readonly Chain[]; readonly group?: ChainGroup }
}

/** Creates the directory of the configured chains. */
export function createChainDirectory(configs: readonly ChainConfig[]): ChainDirectory {
  const all = configs.map((config) => ({
    key: BigInt(config.evmChainId),
    id: String(config.evmChainId),
    config,
  }))
  const byId = new Map<string, Chain>()
  for (const chain of all) {
    byId.set(chain.id, chain)
    if (chain.config.blockchainId !== undefined) byId.set(chain.config.blockchainId, chain)
  }
  const find = (id: string): Chain => {
    const chain = byId.get(id)
    if (!chain) throw notFound(`chain ${id} is not served here`)
    return chain
  }
  return {
    all,
    find,
    byKey: (key) => byId.get(key.toString()),
    group(id) {
      const group = chainGroups.find((name) => name === id)
      if (group === undefined) return { chains: [find(id)] }
      const chains =
        group === 'total' ? all : all.filter((chain) => chain.config.isTestnet === (group === 'testnet'))
      return { chains, group }
    },
  }
}
