import { searchKinds, searchMatches, type SearchResult } from '../../../../contract/network/search.ts'
import type { Match } from './match.ts'

/** The fields of a result that do not depend on how it was found. */
export type Found = Pick<
  SearchResult,
  'kind' | 'network' | 'chainId' | 'chainName' | 'id' | 'title' | 'detail' | 'tokenReputation'
>

/** A result before it is ranked. */
export type Hit = {
  readonly result: Found
  readonly match: Match
  /** Holders of a token: of two tokens of one name, the one with more holders comes first. */
  readonly holders?: bigint
}

/** "1 transaction", "12 transactions": the detail of a block. */
export const transactionsText = (count: number): string =>
  `${count} ${count === 1 ? 'transaction' : 'transactions'}`

/** Maximum number of results. */
const maxResults = 20

/** Kinds that are looked for by name come before those that merely share digits. */
const kindOrder: readonly string[] = ['chain', 'token', 'contract', ...searchKinds]

const keyOf = ({ kind, network = '', chainId, id }: Hit['result']): string =>
  [kind, network, chainId, id].join(' ')

/**
 * The best results: malicious tokens last, then exact names and ids, beginnings, beginnings of words, parts, and
 * names with a typing mistake; then by kind, holders and length. An object that was found twice is shown once.
 */
export function rankHits(hits: readonly Hit[]): SearchResult[] {
  const best = new Map<string, Hit>()
  for (const hit of hits) {
    const key = keyOf(hit.result)
    const known = best.get(key)
    if (!known || searchMatches.indexOf(hit.match) < searchMatches.indexOf(known.match)) best.set(key, hit)
  }
  return [...best.values()]
    .toSorted(compare)
    .slice(0, maxResults)
    .map(({ result, match }) => ({ ...result, match }))
}

const isMalicious = ({ result }: Hit): boolean => result.tokenReputation === 'Malicious'

function compare(left: Hit, right: Hit): number {
  return (
    Number(isMalicious(left)) - Number(isMalicious(right)) ||
    searchMatches.indexOf(left.match) - searchMatches.indexOf(right.match) ||
    kindOrder.indexOf(left.result.kind) - kindOrder.indexOf(right.result.kind) ||
    Number((right.holders ?? 0n) - (left.holders ?? 0n)) ||
    left.result.title.length - right.result.title.length ||
    left.result.title.localeCompare(right.result.title, 'en')
  )
}
