import type { FailureKind } from './errors.ts'

/** Counters of one chain's indexer, for Prometheus and tests. They start at 0 with the process. */
export type IndexerStats = {
  blocksApplied: number
  transactionsApplied: number
  logsApplied: number
  reorgs: number
  /** Transfer logs that do not follow their standard: stored, but not counted as activity. */
  malformedTransfers: number
  /** Blocks whose hash could not be recomputed because the header has an unknown field. */
  unknownHeaders: number
  /** Blocks with an unknown transaction type, whose roots were therefore not recomputed. */
  unknownTransactionTypes: number
  /** Answers that failed a check and were requested again. */
  refusedAnswers: number
  rpcRequests: number
  rpcBytes: number
  rpcErrors: Record<FailureKind, number>
  /** Milliseconds spent waiting for blocks, writing them, and checking and decoding them, while catching up. */
  waitedMs: number
  storedMs: number
  decodedMs: number
  /** Fetched blocks that wait to be applied. */
  queueDepth: number
  headNumber: number
  indexedNumber: number
}

/** The counters of a process's indexers, by the chain's label in the series: `43114`, `fuji/p-chain`. */
export type StatsByChain = Map<string, IndexerStats>

/** New counters, all 0. */
export function createStats(): IndexerStats {
  return {
    blocksApplied: 0,
    transactionsApplied: 0,
    logsApplied: 0,
    reorgs: 0,
    malformedTransfers: 0,
    unknownHeaders: 0,
    unknownTransactionTypes: 0,
    refusedAnswers: 0,
    rpcRequests: 0,
    rpcBytes: 0,
    rpcErrors: {
      network: 0,
      timeout: 0,
      throttled: 0,
      unavailable: 0,
      malformed: 0,
      tooLarge: 0,
      rpc: 0,
      refused: 0,
      store: 0,
      disagreement: 0,
    },
    waitedMs: 0,
    storedMs: 0,
    decodedMs: 0,
    queueDepth: 0,
    headNumber: 0,
    indexedNumber: 0,
  }
}
