import { randomBytes } from 'node:crypto'
import { RetryableError } from '../../kernel/errors.ts'
import type { Database } from '../../store/database.ts'
import { transferLogs } from '../../store/evm/transfer-logs.ts'
import { bytesOfAnswer, readWord } from './answers.ts'
import type { NodeCalls } from './node-calls.ts'

type Sample = { readonly hash: Buffer; readonly address: Buffer; readonly balance: string }

/**
 * Selects holders of an ERC-20 token with their balances according to the logs, and the block of these
 * balances, in one statement and thus one snapshot: the two largest holders, the last recipient, and a random
 * one.
 */
const statement = `
  select b.hash, h.address, h.balance::text
  from (select hash from blocks where chain = $1 order by number desc limit 1) b,
  lateral (
    (select address, balance from holders where chain = $1 and token = $2 and kind = 20 and balance > 0
      order by balance desc, address desc limit 2)
    union
    (select address, balance from holders where chain = $1 and token = $2 and kind = 20 and address >= $3
      order by address limit 1)
    union
    (select address, balance from holders where chain = $1 and token = $2 and kind = 20 and address =
      (select substring(topic2 from 13) from logs where chain = $1 and address = $2 and ${transferLogs['ERC-20']}
        order by number desc, index desc limit 1))
  ) h`

/**
 * Whether `balanceOf` of an ERC-20 token differs from the sum of its logs for any of a few holders at one
 * block. Undefined if this cannot be determined: it has no holders, it does not answer, or the node does not
 * keep the block's state. The block is identified by hash, so that a reorg in between cannot cause a
 * difference.
 */
export async function disagreesWithLogs(
  database: Database,
  node: NodeCalls,
  chain: number,
  token: Buffer,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const samples = await database.unsafe<Sample[]>(statement, [chain, token, randomBytes(20)])
  const [first] = samples
  if (!first) return undefined
  const calls = samples.map(({ address }) => ({
    to: `0x${token.toString('hex')}`,
    data: `0x70a08231${address.toString('hex').padStart(64, '0')}`,
  }))
  let answers
  try {
    answers = await node.batch(calls, { blockHash: `0x${first.hash.toString('hex')}` }, signal)
  } catch (error) {
    if (error instanceof RetryableError && error.kind === 'rpc') return undefined
    throw error
  }
  const compared = answers.flatMap((answer, index) => {
    const bytes = 'result' in answer ? bytesOfAnswer(answer.result) : undefined
    const said = bytes && readWord(bytes)
    const sample = samples[index]
    return said === undefined || !sample ? [] : [said === BigInt(sample.balance)]
  })
  return compared.length === 0 ? undefined : compared.includes(false)
}

/** Number of consecutive matching checks after which a token's logs are trusted again. */
const checksToClear = 3
const mostRemembered = 10_000

/**
 * Tracks the results of checks. One difference is enough to read a token's balances from the node; three
 * consecutive matching checks end that. The counts are kept in memory and start over after a restart.
 */
export class Agreement {
  readonly #agreed = new Map<string, number>()

  /** The new state of a token, from its old state and a check. An undefined check changes nothing. */
  settle(token: string, before: boolean, differs: boolean | undefined): boolean {
    if (differs === undefined) return before
    if (differs || !before) {
      this.#agreed.delete(token)
      return differs
    }
    const agreed = (this.#agreed.get(token) ?? 0) + 1
    this.#agreed.delete(token)
    if (agreed >= checksToClear) return false
    this.#agreed.set(token, agreed)
    const [oldest] = this.#agreed.keys()
    if (this.#agreed.size > mostRemembered && oldest !== undefined) this.#agreed.delete(oldest)
    return true
  }
}
