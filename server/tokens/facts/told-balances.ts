import type { Database } from '../../store/database.ts'
import { RetryableError } from '../../kernel/errors.ts'
import { balanceCall, totalSupply, wordOfAnswer } from './disagreement.ts'
import type { NodeCalls } from './node-calls.ts'

/** Maximum number of accounts whose balances are asked for, and of requests for logs, each time. */
const maxAccounts = 5_000
const maxRequests = 40
/** Blocks per request for logs, which nodes limit. */
const blocksPerRequest = 2_000n

type Place = {
  readonly number: bigint
  readonly hash: Buffer
  readonly named_to: bigint | null
  /** Whether the token was asked before. */
  readonly told: boolean
  readonly first: bigint
}

/**
 * Asks a token for its supply and for the balance of every account that a log of it names, and stores them. Used for
 * tokens that do not follow their logs. The logs are those of the node, because the store finds only transfers by their
 * contract. Accounts that new logs name come first, then the longest unasked ones; a token with more than 5,000 of them, or
 * with a long history, takes several calls. Does nothing if the node lacks the state of the newest stored block.
 */
export async function tellBalances(
  database: Database,
  node: NodeCalls,
  chain: number,
  token: Buffer,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const [place] = await database<Place[]>`
    select b.number, b.hash, f.named_to, f.told_block is not null as told, coalesce(
        (select min(number) from contracts where chain = ${chain} and address = ${token}),
        (select min(first_block) from tokens where chain = ${chain} and token = ${token}), 0) as first
    from (select number, hash from blocks where chain = ${chain} order by number desc limit 1) b
    cross join token_facts f where f.chain = ${chain} and f.token = ${token}`
  if (!place) return
  const named = await readNamed(node, token, place, signal)
  if (!place.told)
    await database`
      insert into told_balances (chain, token, address, balance)
      select chain, token, address, 0 from holders where chain = ${chain} and token = ${token} and kind = 20
      on conflict do nothing`
  await database`
    insert into told_balances (chain, token, address, balance)
    select ${chain}, ${token}, decode(address, 'hex'), 0
    from json_array_elements_text(${JSON.stringify([...named.addresses])}::text::json) as named (address)
    on conflict (chain, token, address) do update set told_block = null`
  const accounts = (
    await database<{ address: Buffer }[]>`
      select address from told_balances where chain = ${chain} and token = ${token}
      order by told_block nulls first limit ${maxAccounts}`
  ).map(({ address }) => address)
  const to = `0x${token.toString('hex')}`
  const calls = [...accounts.map(balanceCall), totalSupply].map((data) => ({ to, data }))
  let answers
  try {
    answers = await node.batch(calls, { blockHash: `0x${place.hash.toString('hex')}` }, signal)
  } catch (error) {
    if (error instanceof RetryableError && error.kind === 'rpc') return postpone(database, chain, token, now)
    throw error
  }
  // An account that the token answers nothing for keeps what it said before, and is not asked for at once again.
  const rows = accounts.map((address, index) => ({
    address: address.toString('hex'),
    balance: wordOfAnswer(answers[index])?.toString() ?? null,
  }))
  const supply = wordOfAnswer(answers.at(-1))?.toString() ?? null
  await database.begin(async (sql) => {
    await sql`
      update told_balances t set balance = coalesce(r.balance, t.balance), told_block = ${place.number}
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (address text, balance numeric)
      where t.chain = ${chain} and t.token = ${token} and t.address = decode(r.address, 'hex')`
    // What is left unasked is due at once.
    await sql`
      update token_facts set told_supply = ${supply}, told_block = ${place.number}, named_to = ${named.to},
        told_ts = case when exists (
            select from told_balances where chain = ${chain} and token = ${token} and told_block is null)
          then 0 else ${now}::bigint end,
        told_holders = (
          select count(*) from told_balances where chain = ${chain} and token = ${token} and balance > 0)
      where chain = ${chain} and token = ${token}`
  })
}

const postpone = async (database: Database, chain: number, token: Buffer, now: number): Promise<void> =>
  void (await database`update token_facts set told_ts = ${now} where chain = ${chain} and token = ${token}`)

/** The accounts (hex digits) that new logs of a token name in a topic or a word of their data, and how far it came. */
async function readNamed(
  node: NodeCalls,
  token: Buffer,
  { number, named_to, first }: Place,
  signal: AbortSignal,
): Promise<{ addresses: Set<string>; to: bigint }> {
  const addresses = new Set<string>()
  let from = named_to === null || named_to > number ? first : named_to + 1n
  let span = blocksPerRequest
  for (let requests = 0; from <= number && requests < maxRequests; requests += 1) {
    const last = from + span - 1n < number ? from + span - 1n : number
    const filter = {
      address: `0x${token.toString('hex')}`,
      fromBlock: `0x${from.toString(16)}`,
      toBlock: `0x${last.toString(16)}`,
    }
    let logs: unknown
    try {
      logs = await node.ask('eth_getLogs', [filter], signal)
    } catch (error) {
      if (signal.aborted) throw error
      // A node may refuse a range, or its answer is too large: of one block, what the store knows is told all the same.
      if (span === 1n) break
      span = span / 8n || 1n
      continue
    }
    for (const log of Array.isArray(logs) ? (logs as { topics?: unknown; data?: unknown }[]) : []) {
      const topics = Array.isArray(log.topics) ? log.topics.slice(1).map(String) : []
      const words =
        String(log.data ?? '0x')
          .slice(2)
          .match(/.{64}/gs) ?? []
      for (const word of [...topics.map((topic) => topic.slice(2)), ...words.slice(0, 16)]) {
        const account = accountOf(word)
        if (account !== undefined) addresses.add(account)
      }
    }
    from = last + 1n
  }
  return { addresses, to: from - 1n }
}

/** The account in a word; undefined for a word that is rather an amount: below 2^64. */
const accountOf = (word: string): string | undefined =>
  /^0{24}(?!0{24})[0-9a-f]{40}$/i.test(word) ? word.slice(24).toLowerCase() : undefined
