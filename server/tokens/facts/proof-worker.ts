import { pause } from '../../kernel/pause.ts'
import { checkLogs } from './disagreement.ts'
import { readHead } from './first-seen.ts'
import { NodeCalls, type WorkerOptions } from './node-calls.ts'
import { NodeFailures } from './node-failures.ts'
import { tellBalances } from './told-balances.ts'
import { proveWrappers } from './wrappers.ts'

/**
 * Seconds between two checks of a token that moves: doubled with each that agrees, up to ten minutes, and after a dozen
 * up to an hour. A token is therefore checked five times in the ten minutes after its first transfer.
 */
const intervals = { first: 60, young: 600, old: 3_600, oldAfter: 12 } as const
/**
 * Seconds after which the balances of a token that does not follow its logs are asked for again: of one that moved since,
 * and of any, because a rebase may log nothing.
 */
const toldAgain = { moved: 60, any: 3_600 } as const
/** Tokens that are checked at a time, and those that wait at most. */
const together = 4
const maxWaiting = 20_000
/** Blocks below the head whose tokens are checked at the start; the daily reading of facts checks the others. */
const atStart = 256n

type Check = { readonly due: number; readonly agreed: number }

/**
 * Finds the ERC-20 tokens that do not follow their logs (docs/tokens.md): each is checked soon after it moved. One
 * difference is a proof, which no later check takes back. The balances of such tokens are asked of the contract and
 * stored. Contracts that may be wrappers of the native token are asked whether they are. Runs beside the worker that reads facts, on connections of its own, so that a token that answers slowly delays
 * only others of its kind.
 */
export class ProofWorker {
  readonly #options: WorkerOptions
  readonly #node: NodeCalls
  readonly #waiting = new Set<string>()
  readonly #checks = new Map<string, Check>()
  readonly #failures: NodeFailures
  #mark: bigint | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#failures = new NodeFailures(options, 'balances')
    this.#node = new NodeCalls(options.chain, { maxBytes: 1_048_576, concurrency: together })
  }

  /** Has a token (hex digits) checked even if it does not move. */
  add(token: string): void {
    if (this.#waiting.size < maxWaiting) this.#waiting.add(token)
  }

  async run(signal: AbortSignal): Promise<void> {
    const { tick = 2_000, chain, clock, database } = this.#options
    try {
      while (!signal.aborted) {
        try {
          await this.#addMoved()
          await this.#checkDue(signal)
          await this.#tell(signal)
          await proveWrappers(database, this.#node, chain.evmChainId, clock(), signal)
          this.#failures.end()
        } catch (error) {
          await this.#failures.wait(error, signal)
        }
        await pause(tick, signal)
      }
    } finally {
      this.#node.close()
    }
  }

  async #addMoved(): Promise<void> {
    const { database, chain } = this.#options
    const head = await readHead(database, chain.evmChainId)
    if (head === undefined) return
    const mark = this.#mark ?? head - atStart
    this.#mark = head
    if (mark >= head) return
    const moved = await database<{ token: string }[]>`
      select encode(token, 'hex') as token from tokens
      where chain = ${chain.evmChainId} and kind = 20 and last_block > ${mark} and last_block <= ${head}
      limit ${maxWaiting}`
    for (const { token } of moved) this.add(token)
  }

  async #checkDue(signal: AbortSignal): Promise<void> {
    const now = this.#options.clock()
    const due = [...this.#waiting].filter((token) => (this.#checks.get(token)?.due ?? 0) <= now)
    for (let start = 0; start < due.length && !signal.aborted; start += together)
      await Promise.all(due.slice(start, start + together).map((token) => this.#check(token, signal)))
  }

  async #check(token: string, signal: AbortSignal): Promise<void> {
    const { database, chain, clock } = this.#options
    const id = chain.evmChainId
    const key = Buffer.from(token, 'hex')
    const found = await checkLogs(database, this.#node, id, key, signal)
    this.#waiting.delete(token)
    const before = this.#checks.get(token)?.agreed ?? 0
    const agreed = found === 'agrees' ? before + 1 : before
    const longest = agreed > intervals.oldAfter ? intervals.old : intervals.young
    this.#checks.delete(token)
    this.#checks.set(token, { agreed, due: clock() + Math.min(longest, intervals.first * 2 ** agreed) })
    const [oldest] = this.#checks.keys()
    if (this.#checks.size > maxWaiting && oldest !== undefined) this.#checks.delete(oldest)
    if (found === undefined) return
    await database`
      insert into token_facts (chain, token, asked_block, asked_ts, due_ts) values (${id}, ${key}, 0, 0, 0)
      on conflict do nothing`
    // A proof stands: that a token agrees later, by luck or after another rebase, does not make its logs complete.
    await database`
      update token_facts set disagrees = disagrees or ${found === 'differs'}, unprovable = ${found === 'silent'}
      where chain = ${id} and token = ${key}
        and (disagrees, unprovable) is distinct from (disagrees or ${found === 'differs'}, ${found === 'silent'})`
  }

  /** Asks the tokens that do not follow their logs for their balances. */
  async #tell(signal: AbortSignal): Promise<void> {
    const { database, chain, clock } = this.#options
    const id = chain.evmChainId
    const now = clock()
    const due = await database<{ token: Buffer }[]>`
      select f.token from token_facts f
      where f.chain = ${id} and f.disagrees and f.told_ts <= ${now - toldAgain.moved}
        and (f.told_block is null or f.told_ts <= ${now - toldAgain.any} or exists (
          select from tokens t where t.chain = ${id} and t.token = f.token and t.last_block > f.told_block))
      order by f.told_ts limit 16`
    for (const { token } of due)
      if (!signal.aborted) await tellBalances(database, this.#node, id, token, now, signal)
  }
}
