import { search, type SearchResult } from '../../../contract/network/search.ts'
import type { Chain } from '../../kernel/chains.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import type { Database } from '../../store/database.ts'
import {
  findAddress,
  findBlocksByHash,
  findBlocksByNumber,
  findTransactions,
  type BlockHit,
} from '../../store/network/read-search.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { NodeNames } from './node-names.ts'
import { searchPrimary } from './search-primary.ts'

const mostResults = 20

/**
 * `/v1/search`: Ridgeline's own operation for the possible meanings of a height, hash, address, name or id.
 */
export function searchRoutes({ chains, config, store }: RouteContext): Implementation[] {
  const names = new NodeNames()
  return [
    implement(search, async ({ query }) => {
      const wanted = query.chainId === undefined ? chains.all : [chains.find(query.chainId)]
      const text = query.query
      const { database } = store.get()
      const results = [
        ...(await findInStore(database, wanted, text)),
        ...wanted.filter((chain) => isNamed(chain, text)).map(chainResult),
        // A search limited to one EVM chain excludes the primary network.
        ...(query.chainId === undefined ? await searchPrimary(config, database, names, text) : []),
      ]
      return { results: results.slice(0, mostResults) }
    }),
  ]
}

async function findInStore(
  database: Database,
  chains: readonly Chain[],
  text: string,
): Promise<SearchResult[]> {
  const keys = chains.map((chain) => chain.key)
  const of = (key: bigint): Chain[] => chains.filter((chain) => chain.key === key)
  const height = text.replaceAll(/[,_ ]/g, '')
  if (/^\d{1,16}$/.test(height)) {
    return blockResults(of, await findBlocksByNumber(database, keys, BigInt(height)))
  }
  const hex = /^(?:0x)?([0-9a-f]+)$/i.exec(text)?.[1]?.toLowerCase()
  if (hex?.length === 64) {
    const bytes = Buffer.from(hex, 'hex')
    const [blocks, transactions] = await Promise.all([
      findBlocksByHash(database, keys, bytes),
      findTransactions(database, keys, bytes),
    ])
    return [
      ...transactions.flatMap((hit) =>
        of(hit.chain).map((chain) => ({
          ...named(chain),
          kind: 'transaction',
          id: `0x${hex}`,
          title: `0x${hex}`,
          detail: `In block ${hit.number}`,
        })),
      ),
      ...blockResults(of, blocks),
    ]
  }
  if (hex?.length === 40)
    return addressResults(of, hex, await findAddress(database, keys, Buffer.from(hex, 'hex')))
  return []
}

const named = (chain: Chain) => ({ chainId: chain.id, chainName: chain.config.name })

function blockResults(of: (key: bigint) => Chain[], hits: readonly BlockHit[]): SearchResult[] {
  return hits.flatMap((hit) =>
    of(hit.chain).map((chain) => ({
      ...named(chain),
      kind: 'block',
      id: hit.number.toString(),
      title: `Block ${hit.number}`,
      detail: `${hit.tx_count} ${hit.tx_count === 1 ? 'transaction' : 'transactions'}, ${hit.hash}`,
    })),
  )
}

/** Chains on which the address is known; if there are none, every chain, because it may be used later. */
function addressResults(
  of: (key: bigint) => Chain[],
  hex: string,
  hits: readonly { chain: bigint; contract: boolean; seen: boolean }[],
): SearchResult[] {
  const known = hits.filter((hit) => hit.contract || hit.seen)
  return (known.length > 0 ? known : hits).flatMap((hit) =>
    of(hit.chain).map((chain) => ({
      ...named(chain),
      kind: hit.contract ? 'contract' : 'address',
      id: `0x${hex}`,
      title: `0x${hex}`,
      ...(known.length === 0 && { detail: 'Not active in any indexed block' }),
    })),
  )
}

function isNamed({ id, config }: Chain, text: string): boolean {
  const wanted = text.toLowerCase()
  return (
    id === text ||
    config.blockchainId === text ||
    config.subnetId === text ||
    config.name.toLowerCase().includes(wanted) ||
    config.token.symbol.toLowerCase() === wanted
  )
}

function chainResult(chain: Chain): SearchResult {
  return {
    ...named(chain),
    kind: 'chain',
    id: chain.id,
    title: chain.config.name,
    detail: `Chain id ${chain.id}`,
  }
}
