import { search } from '../../../../contract/network/search.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import type { RouteContext } from '../../../http/route-context.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { createContractBook } from '../../evm/address-names.ts'
import { NodeNames } from '../node-names.ts'
import { BlockchainNames } from './blockchain-names.ts'
import { searchChains } from './evm.ts'
import { readForm, type SearchForm } from './form.ts'
import { chainResult, searchNames, type NameContext } from './names.ts'
import { searchBlockchains, searchPrimary, type PrimaryNames } from './primary.ts'
import { rankHits, type Hit } from './rank.ts'

/**
 * `/v1/search`: Ridgeline's own operation for the possible meanings of a height, hash, address, name or id, or of
 * the beginning of one.
 */
export function searchRoutes({ chains, config, nodes, store }: RouteContext): Implementation[] {
  const names: PrimaryNames = {
    nodes: new NodeNames(),
    blockchains: new BlockchainNames(() => performance.now()),
  }
  const book = createContractBook(config)
  return [
    implement(search, async ({ query, request }) => {
      const wanted = query.chainId === undefined ? chains.all : [chains.find(query.chainId)]
      const lost = new Set<bigint>()
      const context = { config, book, nodes, database: store.get().database, logger: request.log, lost }
      // A search limited to one EVM chain excludes the primary network.
      const primary = query.chainId === undefined ? names : undefined
      const form = readForm(query.query)
      const [whole, typed] = await Promise.all([
        findAll(context, wanted, primary, query.query),
        form ? findAll(context, wanted, primary, form.text) : [],
      ])
      const hits = [...whole, ...(form ? typed.filter((hit) => isMeant(hit, form)) : [])]
      return {
        results: rankHits(mergeChains(hits, chains.all)),
        ...(lost.size > 0 && { missingChains: [...lost].map(String) }),
      }
    }),
  ]
}

async function findAll(
  context: NameContext,
  chains: readonly Chain[],
  names: PrimaryNames | undefined,
  text: string,
): Promise<Hit[]> {
  const { config, database, nodes } = context
  const found = await Promise.all([
    searchChains(context, chains, text),
    searchNames(context, chains, text),
    ...(names
      ? [
          searchPrimary(config, database, nodes, names, text),
          searchBlockchains(config, database, names, text),
        ]
      : []),
  ])
  return found.flat()
}

/** Whether a form allows a result: its kind, and its chain of the primary network. */
function isMeant({ result }: Hit, { kinds, alias }: SearchForm): boolean {
  if (kinds && !kinds.includes(result.kind)) return false
  // An address is the same on P, X and C.
  return alias === undefined || result.chainId === alias || result.kind === 'wallet'
}

/** A chain that is served here and its blockchain on the P-Chain are one thing: the chain's page has both. */
function mergeChains(hits: readonly Hit[], chains: readonly Chain[]): Hit[] {
  return hits.map((hit) => {
    if (hit.result.kind !== 'blockchain') return hit
    const chain = chains.find(({ config }) => config.blockchainId === hit.result.id)
    return chain ? { match: hit.match, result: chainResult(chain) } : hit
  })
}
