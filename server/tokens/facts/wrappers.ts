import { RetryableError } from '../../kernel/errors.ts'
import type { Database } from '../../store/database.ts'
import { wrapLogs } from '../../store/evm/transfer-logs.ts'
import { readWrap } from '../../store/evm/wraps.ts'
import { balanceCall, totalSupply, wordOfAnswer } from './disagreement.ts'
import type { NodeCalls } from './node-calls.ts'

/**
 * Deposits and withdrawals of a contract that are added up. One with more, and without a single transfer, is a pool rather
 * than a wrapper.
 */
const maxLogs = 20_000
/** Accounts whose balance is asked for: those with the largest sums, and some whose sum is 0. */
const asked = { holding: 6, empty: 2 } as const
/** Seconds until a candidate is asked again: doubled each time, up to a day. */
const again = { first: 60, longest: 86_400 } as const
/** Candidates that one call asks. */
const together = 4

type Candidate = { readonly token: Buffer; readonly checks: number }

/**
 * Asks contracts that log deposits and withdrawals, but no transfer, whether they are wrappers of the native token
 * (docs/tokens.md), and notes those that are; the indexer makes these tokens with its next block.
 */
export async function proveWrappers(
  database: Database,
  node: NodeCalls,
  chain: number,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const due = await database<Candidate[]>`
    select token, checks from wrapper_candidates c
    where chain = ${chain} and proven_block is null and due_ts <= ${now}
      and not exists (select from tokens t where t.chain = ${chain} and t.token = c.token and t.kind = 20)
    order by due_ts limit ${together}`
  for (const { token, checks } of due) {
    if (signal.aborted) return
    const proven = await blockOfProof(database, node, chain, token, signal)
    const next = now + Math.min(again.longest, again.first * 2 ** Math.min(checks, 20))
    await database`
      update wrapper_candidates set proven_block = ${proven ?? null}, checks = checks + 1, due_ts = ${next}
      where chain = ${chain} and token = ${token}`
  }
}

/**
 * The block at which a contract is a wrapper: `balanceOf` is the sum of the account's deposits less its withdrawals, and
 * the contract has the native token that all of these sums stand for. Undefined if it is none, or if nobody holds
 * anything, which proves nothing.
 */
async function blockOfProof(
  database: Database,
  node: NodeCalls,
  chain: number,
  token: Buffer,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const found = await readSums(database, chain, token)
  if (!found) return undefined
  const { number, hash, sums } = found
  const total = [...sums.values()].reduce((sum, value) => sum + value, 0n)
  if (total === 0n || [...sums.values()].some((sum) => sum < 0n)) return undefined
  const sorted = [...sums].sort(([, left], [, right]) => (left < right ? 1 : left > right ? -1 : 0))
  const holding = sorted.filter(([, sum]) => sum > 0n).slice(0, asked.holding)
  const accounts = [...holding, ...sorted.filter(([, sum]) => sum === 0n).slice(0, asked.empty)]
  const block = { blockHash: hash }
  const to = `0x${token.toString('hex')}`
  const calls = [
    ...accounts.map(([account]) => balanceCall(Buffer.from(account.slice(2), 'hex'))),
    totalSupply,
  ]
  try {
    const answers = (
      await node.batch(
        calls.map((data) => ({ to, data })),
        block,
        signal,
      )
    ).map(wordOfAnswer)
    if ((answers.at(-1) ?? 0n) < total) return undefined
    if (accounts.some(([, sum], place) => answers[place] !== sum)) return undefined
    const backing = await node.ask('eth_getBalance', [to, block], signal)
    return typeof backing === 'string' && BigInt(backing) >= total ? number : undefined
  } catch (error) {
    // The node does not keep the block's state, or does not know blocks by their hash.
    if (error instanceof RetryableError && error.kind === 'rpc') return undefined
    throw error
  }
}

type Sums = {
  readonly number: bigint
  readonly hash: string
  readonly sums: ReadonlyMap<string, bigint>
}

/** The head, and what the accounts of a contract deposited less what they withdrew; undefined if there are too many logs. */
async function readSums(database: Database, chain: number, token: Buffer): Promise<Sums | undefined> {
  return database.begin('isolation level repeatable read read only', async (sql) => {
    const [head] = await sql<{ number: bigint; hash: string }[]>`
      select number, '0x' || encode(hash, 'hex') as hash from blocks where chain = ${chain} order by number desc limit 1`
    const logs = await sql<{ topics: string; data: string }[]>`
      select '0x' || encode(topic0, 'hex') || ' 0x' || encode(topic1, 'hex') as topics, '0x' || encode(data, 'hex') as data
      from logs where chain = ${chain} and address = ${token} and ${sql.unsafe(wrapLogs)}
      order by number, index limit ${maxLogs + 1}`
    if (!head || logs.length > maxLogs) return undefined
    const sums = new Map<string, bigint>()
    for (const { topics, data } of logs) {
      const wrap = readWrap({ topics: topics.split(' '), data })
      if (!wrap) continue
      const { account, amount } = wrap
      sums.set(account, (sums.get(account) ?? 0n) + amount)
    }
    return { ...head, sums }
  })
}
