import type { FastifyBaseLogger } from 'fastify'
import type { ChainConfig } from '../../kernel/settings/config.ts'
import { RetryableError } from '../../kernel/errors.ts'
import { pause } from '../../kernel/pause.ts'
import { together } from '../../kernel/together.ts'
import type { Database } from '../../store/database.ts'
import { askFacts, hasMulticall, type TokenFacts } from './ask-facts.ts'
import {
  followHead,
  followRules,
  postpone,
  queueTokens,
  queueUpgraded,
  readDueTokens,
  writeFacts,
  type DueToken,
} from './facts-store.ts'
import { FirstSeen, readHead } from './first-seen.ts'
import { NodeCalls } from './node-calls.ts'
import { NodeFailures } from './node-failures.ts'
import { ProofWorker } from './proof-worker.ts'
import { evaluate, rulesVersion, type TokenSettings } from './reputation.ts'
import { readSpread } from './spread.ts'

type FactsOptions = {
  readonly database: Database
  readonly settings: TokenSettings
  readonly chain: ChainConfig
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Unix seconds. */
  readonly clock: () => number
  /** Milliseconds between checks of the queue. */
  readonly tick?: number
}

/** Seconds until a token is read again: after the first time, and normally. */
const again = { first: 600, later: 86_400 } as const
/**
 * Normal intervals are spread over this many seconds, so that a thousand tokens of one block are not due
 * together.
 */
const spreadOver = 3_600
/** Tokens per batch. */
const atOnce = 16
/** Blocks below the head that are searched for upgrades; the daily read covers the rest. */
const upgradeBlocks = 256n
/**
 * The largest answer in bytes: a name of one megabyte takes two in hex and is read; one of four megabytes is
 * not.
 */
const bounds = { maxBytes: 4 * 1_048_576, concurrency: 2 }

/**
 * Maintains `token_facts` of a chain: reads each token soon after its first transfer, again ten minutes
 * later, then daily, and after a logged upgrade (docs/tokens.md). Runs until the signal, under the chain's
 * lock. A node that does not answer is asked again later; the indexer is not affected. Rejects only if the
 * store fails.
 */
export async function followFacts(options: FactsOptions, signal: AbortSignal): Promise<void> {
  const proofs = new ProofWorker(options)
  const worker = new FactsWorker(options, proofs)
  const run = together<{ readonly signal: AbortSignal }>(
    (both) => worker.run(both.signal),
    (both) => proofs.run(both.signal),
  )
  try {
    await run({ signal })
  } finally {
    worker.close()
  }
}

class FactsWorker {
  readonly #options: FactsOptions
  readonly #node: NodeCalls
  readonly #proofs: ProofWorker
  readonly #seen: FirstSeen
  readonly #failures: NodeFailures
  #multicall: boolean | undefined
  #searched: bigint | undefined

  constructor(options: FactsOptions, proofs: ProofWorker) {
    const { database, chain, clock } = options
    this.#options = options
    this.#proofs = proofs
    this.#failures = new NodeFailures(options, 'token facts')
    this.#node = new NodeCalls(chain, bounds)
    this.#seen = new FirstSeen(
      (from, max) => queueTokens(database, chain.evmChainId, from, max),
      chain.reorgLimit,
      clock(),
    )
  }

  async run(signal: AbortSignal): Promise<void> {
    const { database, chain, clock, settings, tick = 2_000 } = this.#options
    await followRules(database, chain.evmChainId, rulesVersion(settings, chain.evmChainId), clock())
    while (!signal.aborted) {
      const head = await readHead(database, chain.evmChainId)
      if (head !== undefined) {
        await this.#seen.queue(head, clock(), signal)
        await followHead(database, chain.evmChainId, head, clock())
        await this.#queueUpgraded(head)
        await this.#askDue(signal)
      }
      await pause(tick, signal)
    }
  }

  close(): void {
    this.#node.close()
  }

  async #queueUpgraded(head: bigint): Promise<void> {
    const { database, chain, clock } = this.#options
    const last = this.#searched ?? head
    this.#searched = head
    if (last >= head) return
    const from = head - last > upgradeBlocks ? head - upgradeBlocks : last + 1n
    await queueUpgraded(database, chain.evmChainId, from, head, clock())
  }

  /** Reads due tokens until none is left or the node fails, after which it pauses. */
  async #askDue(signal: AbortSignal): Promise<void> {
    const { database, chain, clock } = this.#options
    while (!signal.aborted) {
      const due = await readDueTokens(database, chain.evmChainId, clock(), atOnce)
      if (due.length === 0) return
      try {
        await this.#ask(due, signal)
        this.#failures.end()
      } catch (error) {
        if (error instanceof RetryableError && error.kind === 'rpc' && !signal.aborted)
          await this.#putOff(due)
        await this.#failures.wait(error, signal)
      }
    }
  }

  /** The node fails for these tokens only, so they are postponed and do not block others. */
  async #putOff(due: readonly DueToken[]): Promise<void> {
    const { database, chain, clock } = this.#options
    for (const { token, failures } of due) {
      const wait = Math.min(again.later, 60 * 2 ** Math.min(20, failures))
      await postpone(database, chain.evmChainId, token, clock() + wait, true)
    }
  }

  async #ask(due: readonly DueToken[], signal: AbortSignal): Promise<void> {
    const { database, chain, clock } = this.#options
    const present: DueToken[] = []
    for (const row of due) {
      if (row.kinds.length > 0) present.push(row)
      // A reorg removed it, and the next block may restore it.
      else await postpone(database, chain.evmChainId, row.token, clock() + again.first, false)
    }
    if (present.length === 0) return
    this.#multicall ??= await hasMulticall(this.#node, signal)
    const block = await this.#node.blockNumber(signal)
    const asked = present.map(({ token, kinds }) => ({ address: addressOf(token), kinds }))
    const facts = await askFacts(this.#node, asked, this.#multicall, signal)
    for (const [index, row] of present.entries()) {
      const found = facts[index]
      if (found) await this.#write(row, found, block)
    }
  }

  async #write(row: DueToken, facts: TokenFacts, block: bigint): Promise<void> {
    const { database, chain, clock, settings } = this.#options
    const id = chain.evmChainId
    const { token, kinds } = row
    const address = addressOf(token)
    const fungible = kinds.includes(20)
    if (fungible) this.#proofs.add(token.toString('hex'))
    const spread = fungible ? await readSpread(database, id, token) : undefined
    const evaluation = evaluate(settings, id, address, {
      kind: kinds[0] ?? 0,
      name: facts.name,
      symbol: facts.symbol,
      decimals: facts.decimals,
      ...(spread && { spread }),
    })
    const now = clock()
    const later = again.later + Math.floor(Math.random() * spreadOver)
    const wait = row.asked_ts === 0n ? again.first : later
    await writeFacts(database, id, token, {
      ...facts,
      ...evaluation,
      askedBlock: block,
      askedAt: now,
      due: now + wait,
    })
  }
}

const addressOf = (token: Buffer): string => `0x${token.toString('hex')}`
