import { randomBytes } from 'node:crypto'
import { RetryableError } from '../../kernel/errors.ts'
import type { Database } from '../../store/database.ts'
import { transferLogs } from '../../store/evm/transfer-logs.ts'
import { bytesOfAnswer, readWord } from './answers.ts'
import type { NodeCalls } from './node-calls.ts'

type Sample = { readonly hash: Buffer; readonly address: Buffer; readonly balance: string }

/**
 * Holders of an ERC-20 token, their balances by the logs, and the block of which both are, in one statement and
 * so of one moment: the largest two, who was paid last, and one at random.
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
 * Whether `balanceOf` of an ERC-20 token says something else than its logs add up to, for any of a few holders
 * at one block. Undefined when it can't be told: nobody holds it, it does not answer, or the node does not keep
 * the block's state. The block is named by its hash, so that a reorg in between can not look like a lie.
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

/** Checks in a row that must agree before a token's logs are believed again. */
const checksToClear = 3
const mostRemembered = 10_000

/**
 * What a series of checks comes to. One difference is enough to ask the node for a token's balances; three
 * checks in a row that agree end that. Counts are of this process: a restart begins them anew.
 */
export class Agreement {
  readonly #agreed = new Map<string, number>()

  /** The new standing of a token, from its old one and a check; undefined checks change nothing. */
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
