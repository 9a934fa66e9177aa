import { randomBytes } from 'node:crypto'
import { RetryableError } from '../../kernel/errors.ts'
import type { Database } from '../../store/database.ts'
import { transferLogs } from '../../store/evm/transfer-logs.ts'
import { bytesOfAnswer, readWord } from './answers.ts'
import type { Answer, NodeCalls } from './node-calls.ts'

/** What a check found: `silent` if balanceOf answers nothing, undefined if nothing can be compared now. */
type Finding = 'agrees' | 'differs' | 'silent' | undefined

type Sample = {
  readonly hash: Buffer
  readonly supply: string | null
  readonly negative: boolean
  readonly addresses: Buffer[]
  readonly balances: string[]
}

const transfers = `from logs where chain = $1 and address = $2 and ${transferLogs['ERC-20']}`

/**
 * Selects holders of an ERC-20 token with their balances according to the logs, the supply, and the block of these, in
 * one statement and thus one snapshot: the two largest holders, both sides of the last transfer, and the two addresses
 * from a random one on, which begins again at the lowest.
 */
const statement = `
  select b.hash, t.supply::text as supply,
    exists (select from holders where chain = $1 and token = $2 and kind = 20 and balance < 0) as negative,
    array(select address from picked order by address) as addresses,
    array(select balance::text from picked order by address) as balances
  from (select hash from blocks where chain = $1 order by number desc limit 1) b
  left join lateral (
    select supply from token_blocks where chain = $1 and token = $2 and kind = 20
    order by number desc limit 1) t on true`
const picked = `
  with last as materialized (
    select substring(topic1 from 13) as sender, substring(topic2 from 13) as recipient ${transfers}
    order by number desc, index desc limit 1),
  picked as materialized (
    (select address, balance from holders where chain = $1 and token = $2 and kind = 20 and balance > 0
      order by balance desc, address desc limit 2)
    union
    (select address, balance from (
      (select address, balance, 0 as lap from holders where chain = $1 and token = $2 and kind = 20 and address >= $3
        order by address limit 2)
      union all
      (select address, balance, 1 from holders where chain = $1 and token = $2 and kind = 20
        order by address limit 2)
      order by lap, address limit 2) random)
    union
    (select address, balance from holders where chain = $1 and token = $2 and kind = 20
      and address in (select sender from last union all select recipient from last)))`

/** The selectors of `balanceOf(address)` and `totalSupply()`. */
const balanceOf = '0x70a08231'
export const totalSupply = '0x18160ddd'
export const balanceCall = (address: Buffer): string =>
  `${balanceOf}${address.toString('hex').padStart(64, '0')}`

/** The number that a call answered; undefined if it failed or answered something else. */
export function wordOfAnswer(answer: Answer | undefined): bigint | undefined {
  const bytes = answer && 'result' in answer ? bytesOfAnswer(answer.result) : undefined
  return bytes && readWord(bytes)
}

/**
 * Whether an ERC-20 token follows its logs at one block, by `balanceOf` of a few holders and `totalSupply`. A negative
 * sum proves by itself that it does not. Undefined without holders, or if the node does not keep the block's state. The
 * block is identified by hash, so that a reorg in between cannot cause a difference.
 */
export async function checkLogs(
  database: Database,
  node: NodeCalls,
  chain: number,
  token: Buffer,
  signal: AbortSignal,
): Promise<Finding> {
  const [sample] = await database.unsafe<Sample[]>(picked + statement, [chain, token, randomBytes(20)])
  if (!sample || sample.addresses.length === 0) return undefined
  if (sample.negative) return 'differs'
  const to = `0x${token.toString('hex')}`
  const calls = [...sample.addresses.map(balanceCall), totalSupply].map((data) => ({ to, data }))
  let answers
  try {
    answers = await node.batch(calls, { blockHash: `0x${sample.hash.toString('hex')}` }, signal)
  } catch (error) {
    if (error instanceof RetryableError && error.kind === 'rpc') return undefined
    throw error
  }
  const supply = wordOfAnswer(answers.at(-1))
  if (supply !== undefined && sample.supply !== null && supply !== BigInt(sample.supply)) return 'differs'
  const told = answers.slice(0, -1).map(wordOfAnswer)
  if (told.every((balance) => balance === undefined)) return 'silent'
  const differs = told.some(
    (balance, index) => balance !== undefined && balance !== BigInt(sample.balances[index] ?? 0),
  )
  return differs ? 'differs' : 'agrees'
}
