import { encodeFunctionData, parseAbi } from 'viem'
import type { Database } from '../store/database.ts'
import type { NodeReader } from './node.ts'
import type { CountedBalance, TokenRecount } from './token-recount.ts'

/** The node's answers for some balances, read from the contracts. */
export type BalanceAnswers = {
  /** Number of answers at past blocks and at the head. */
  readonly past: number
  readonly head: number
  /** Whether the node lacked a past block's state. */
  readonly pastGone: boolean
  /**
   * Tokens whose contract differs from the sum of its logs, or does not answer, with the number of answers.
   */
  readonly disagreeing: readonly { token: string; kind: number; wrong: number; asked: number }[]
}

const erc20 = parseAbi(['function balanceOf(address) view returns (uint256)'])
const erc721 = parseAbi(['function ownerOf(uint256) view returns (address)'])
const erc1155 = parseAbi(['function balanceOfBatch(address[], uint256[]) view returns (uint256[])'])

type Question = CountedBalance & { readonly block: number }

/**
 * Reads random balances of the recount from the node, as many at random blocks as at the head, and compares
 * them with the store. A token that differs is not an error: rebasing tokens and those with a transfer fee
 * differ from their logs. A node without old states is asked at the head only.
 */
export async function askBalances(
  database: Database,
  chain: bigint,
  node: NodeReader,
  { recount, first, head, sample }: { recount: TokenRecount; first: number; head: number; sample: number },
): Promise<BalanceAnswers> {
  // No function returns the total over all ids of an ERC-1155 contract.
  const keys = [
    ...[...recount.entries.values()].filter(({ kind, id }) => kind !== 1155 || id >= 0n),
    // Of a range, the ids at its ends: no entry has those that did not move since.
    ...[...recount.ranges.values()].flatMap((ranges) =>
      ranges.flatMap(({ token, first, last, to }) =>
        [first, last].map((id): CountedBalance => ({ kind: 721, token, address: to, id })),
      ),
    ),
  ]
  const draw = (block: () => number): Question[] =>
    Array.from({ length: Math.min(sample, keys.length) }, () => keys[Math.floor(Math.random() * keys.length)])
      .filter((key) => key !== undefined)
      .map((key) => ({ ...key, block: block() }))
  const answers = { past: 0, head: 0, pastGone: false }
  const tokens = new Map<string, { token: string; kind: number; wrong: number; asked: number }>()
  const ask = async (question: Question): Promise<boolean> => {
    const answer = await node.call(question.token, dataOf(question), question.block)
    if (answer === 'gone') return false
    const key = `${question.kind} ${question.token}`
    const token = tokens.get(key) ?? { token: question.token, kind: question.kind, wrong: 0, asked: 0 }
    tokens.set(key, token)
    token.asked += 1
    if (figureOf(question, answer) !== (await storedBalance(database, chain, question))) token.wrong += 1
    return true
  }
  for (const question of draw(() => first + Math.floor(Math.random() * (head - first + 1)))) {
    // Before the contract's creation, nothing answers and nothing is held.
    const born = recount.tokens.get(`${question.kind} ${question.token}`)?.firstBlock ?? first
    if (!(await ask({ ...question, block: Math.max(question.block, born) }))) {
      answers.pastGone = true
      break
    }
    answers.past += 1
  }
  for (const question of draw(() => head)) {
    if (!(await ask(question))) break
    answers.head += 1
  }
  return { ...answers, disagreeing: [...tokens.values()].filter(({ wrong }) => wrong > 0) }
}

function dataOf({ kind, address, id }: Question): string {
  const holder = address as `0x${string}`
  if (kind === 1155) {
    return encodeFunctionData({ abi: erc1155, functionName: 'balanceOfBatch', args: [[holder], [id]] })
  }
  return id < 0n
    ? encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [holder] })
    : encodeFunctionData({ abi: erc721, functionName: 'ownerOf', args: [id] })
}

/** The balance in an answer; undefined if it is malformed. An NFT whose contract reverts has no owner. */
function figureOf({ kind, address, id }: Question, answer: string): bigint | undefined {
  const owned = kind === 721 && id >= 0n
  // The list of a batch follows its offset and length.
  const at = kind === 1155 ? 2 + 2 * 64 : 2
  const text = answer.slice(at, at + 64)
  if (text.length < 64) return owned ? 0n : undefined
  const word = BigInt(`0x${text}`)
  if (!owned) return word
  return word === BigInt(address) ? 1n : 0n
}

/** The stored balance after a block, read like the service does. */
async function storedBalance(database: Database, chain: bigint, question: Question): Promise<bigint> {
  const bytes = (text: string) => Buffer.from(text.slice(2), 'hex')
  const [row] = await database<{ balance: string }[]>`
    select balance from balances
    where chain = ${chain} and address = ${bytes(question.address)} and kind = ${question.kind}
      and token = ${bytes(question.token)} and token_id = ${`${question.id}`} and number <= ${question.block}
    order by number desc limit 1`
  if (question.kind !== 721) return BigInt(row?.balance ?? 0)
  const [ranges] = await database<{ given: string }[]>`
    select coalesce(sum((recipient = ${bytes(question.address)})::int - (sender = ${bytes(question.address)})::int), 0)
      as given
    from nft_ranges
    where chain = ${chain} and token = ${bytes(question.token)} and number <= ${question.block}
      and ${`${question.id}`}::numeric between from_id and to_id`
  return BigInt(row?.balance ?? 0) + BigInt(ranges?.given ?? 0)
}
