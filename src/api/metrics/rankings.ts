import { queryOptions } from '@tanstack/react-query'
import {
  rankContracts,
  rankMethods,
  rankTokens,
  type CallOrder,
  type TokenOrder,
} from '../../../contract/metrics/rankings.ts'
import { call } from '../session.ts'

/** The range of a ranking in Unix seconds, both ends exclusive. */
export type RankingRange = {
  readonly startTimestamp: number | undefined
  readonly endTimestamp: number | undefined
}

const rows = 50
const fresh = { staleTime: 30_000 }

/** The contracts that were called most. */
export const contractsRankingQuery = (chainId: string, range: RankingRange, sortBy: CallOrder) =>
  queryOptions({
    ...fresh,
    queryKey: ['ranking', 'contracts', chainId, range.startTimestamp, range.endTimestamp, sortBy],
    queryFn: ({ signal }) =>
      call(rankContracts, { params: { chainId }, query: { ...range, sortBy, pageSize: rows }, signal }),
  })

/** The methods that were called most. */
export const methodsRankingQuery = (chainId: string, range: RankingRange, sortBy: CallOrder) =>
  queryOptions({
    ...fresh,
    queryKey: ['ranking', 'methods', chainId, range.startTimestamp, range.endTimestamp, sortBy],
    queryFn: ({ signal }) =>
      call(rankMethods, { params: { chainId }, query: { ...range, sortBy, pageSize: rows }, signal }),
  })

/** The tokens that moved most. */
export const tokensRankingQuery = (chainId: string, range: RankingRange, sortBy: TokenOrder) =>
  queryOptions({
    ...fresh,
    queryKey: ['ranking', 'tokens', chainId, range.startTimestamp, range.endTimestamp, sortBy],
    queryFn: ({ signal }) =>
      call(rankTokens, { params: { chainId }, query: { ...range, sortBy, pageSize: rows }, signal }),
  })
