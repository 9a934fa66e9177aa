import { ServiceError } from './service-errors.ts'
import { fromCb58 } from './encodings.ts'

/** The names of the node's chains. An alias added later is valid wherever a chain is named. */
export type ChainRegistry = {
  /** Blockchain ids in cb58 by every name of a chain, its id among them. */
  readonly blockchains: ReadonlyMap<string, string>
  /** The same ids in hex. */
  readonly hexIds: ReadonlyMap<string, string>
  /** The names of the chain with this id, in the order in which they were added; undefined for an unknown chain. */
  namesOf(id: string): readonly string[] | undefined
  /** Adds an alias to a chain, given by any of its names, and returns the chain's id. Throws `ServiceError`. */
  name(chain: string, alias: string): string
}

/** The registry of these chains: each by its names, the last of which is its id. */
export function createChainRegistry(
  chains: readonly { readonly id: string; readonly names: readonly string[] }[],
): ChainRegistry {
  const blockchains = new Map<string, string>()
  const hexIds = new Map<string, string>()
  const names = new Map<string, string[]>()

  function put(alias: string, id: string): void {
    blockchains.set(alias, id)
    hexIds.set(alias, fromCb58(id).toString('hex'))
    const known = names.get(id)
    if (known === undefined) names.set(id, [alias])
    else known.push(alias)
  }

  for (const { id, names: given } of chains) for (const alias of [...given, id]) put(alias, id)
  return {
    blockchains,
    hexIds,
    namesOf: (id) => names.get(id),
    name(chain, alias) {
      const id = blockchains.get(chain)
      if (id === undefined) throw new ServiceError(`there is no ID with alias: ${chain}`)
      if (blockchains.has(alias)) throw new ServiceError(`alias already mapped to an ID: ${alias}`)
      put(alias, id)
      return id
    },
  }
}
