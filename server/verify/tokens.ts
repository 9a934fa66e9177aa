import type { Database } from '../store/database.ts'
import type { Findings } from './findings.ts'
import type { NodeReader } from './node.ts'
import { TokenRecount, type CountedBlock, type PlacedLog } from './token-recount.ts'

/** Blocks per read. */
const group = 512

/**
 * Recomputes everything from the stored transfer logs and compares every balance, holder, total and first
 * block with it. Returns the recount. `first` and `head` are the lowest and the highest stored block; logs before
 * `kept.from` are those of the node, because the stored ones were dropped. `onBlock` gets what a block came to.
 */
export async function compareTokens(
  database: Database,
  chain: bigint,
  { first, head }: { first: number; head: number },
  kept: { readonly from: number; readonly node: NodeReader | undefined },
  findings: Findings,
  onBlock: (number: number, counted: CountedBlock) => void,
): Promise<TokenRecount> {
  const known = await database<{ token: string }[]>`
    select '0x' || encode(token, 'hex') as token from tokens where chain = ${chain} and kind = 20`
  const proven = await database<{ token: string }[]>`
    select '0x' || encode(token, 'hex') as token from wrapper_candidates where chain = ${chain} and is_counted`
  const recount = new TokenRecount(
    new Set(known.map(({ token }) => token)),
    new Set(proven.map(({ token }) => token)),
  )
  for (let from = first; from <= head; from += group) {
    const to = Math.min(head, from + group - 1)
    const logs = new Map<number, readonly PlacedLog[]>()
    for (let number = from; number < kept.from && number <= to; number += 1) {
      const block = await kept.node?.block(number, false)
      logs.set(
        number,
        block?.transactions.flatMap(({ logs: own }, txIndex) => own.map((log) => ({ ...log, txIndex }))) ??
          [],
      )
    }
    for (const [number, stored] of await readLogs(database, chain, Math.max(from, kept.from), to))
      logs.set(number, stored)
    const [balances, totals] = [new Map<string, string>(), new Map<string, string>()]
    for (const [number, ofBlock] of logs) {
      const counted = recount.add(number, ofBlock)
      addLines(number, counted, balances, totals)
      onBlock(number, counted)
    }
    await compareRows('balance', balances, readBalances(database, chain, from, to), findings)
    await compareRows('total', totals, readTotals(database, chain, from, to), findings)
  }
  await compareStates(database, chain, recount, findings)
  return recount
}

/** The logs of some blocks, by block and in order. */
export async function readLogs(
  database: Database,
  chain: bigint,
  from: number,
  to: number,
): Promise<Map<number, PlacedLog[]>> {
  const rows = await database<
    { number: bigint; tx_index: number; address: string; topics: string; data: string }[]
  >`
    select number, tx_index, '0x' || encode(address, 'hex') as address, '0x' || encode(data, 'hex') as data,
      concat_ws(' ', '0x' || encode(topic0, 'hex'), '0x' || encode(topic1, 'hex'), '0x' || encode(topic2, 'hex'),
        '0x' || encode(topic3, 'hex')) as topics
    from logs where chain = ${chain} and number between ${from} and ${to} order by number, index`
  const logs = new Map<number, PlacedLog[]>()
  for (const { number, tx_index: txIndex, address, topics, data } of rows) {
    const log = { txIndex, address, data, topics: topics === '' ? [] : topics.split(' ') }
    const ofBlock = logs.get(Number(number))
    if (ofBlock) ofBlock.push(log)
    else logs.set(Number(number), [log])
  }
  return logs
}

function addLines(
  number: number,
  counted: CountedBlock,
  balances: Map<string, string>,
  totals: Map<string, string>,
): void {
  for (const { kind, token, address, id, balance } of counted.balances) {
    balances.set(`${number} ${kind} ${token} ${address} ${id}`, `${balance}`)
  }
  for (const { kind, token, supply, holders, transfers } of counted.totals) {
    totals.set(`${number} ${kind} ${token}`, `${supply} ${holders} ${transfers}`)
  }
}

/** A row as its key and its value. */
type Line = { readonly key: string; readonly value: string }

const readBalances = (database: Database, chain: bigint, from: number, to: number): AsyncIterable<Line[]> =>
  database<Line[]>`
    select concat_ws(' ', number, kind, '0x' || encode(token, 'hex'), '0x' || encode(address, 'hex'), token_id) as key,
      balance::text as value
    from balances where chain = ${chain} and number between ${from} and ${to}`.cursor(5_000)

const readTotals = (database: Database, chain: bigint, from: number, to: number): AsyncIterable<Line[]> =>
  database<Line[]>`
    select concat_ws(' ', number, kind, '0x' || encode(token, 'hex')) as key,
      concat_ws(' ', supply, holders, cum_transfers) as value
    from token_blocks where chain = ${chain} and number between ${from} and ${to}`.cursor(5_000)

/** Compares the tables with one row per key: newest balances, tokens and ids. */
async function compareStates(
  database: Database,
  chain: bigint,
  recount: TokenRecount,
  findings: Findings,
): Promise<void> {
  const [holders, tokens, nfts] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ]
  for (const { kind, token, address, id, balance, peak } of recount.entries.values()) {
    if (id === -1n && peak !== undefined) holders.set(`${kind} ${token} ${address}`, `${balance} ${peak}`)
  }
  for (const { kind, token, firstBlock, firstWrap, lastBlock, holding, ids } of recount.tokens.values()) {
    tokens.set(`${kind} ${token}`, `${firstBlock} ${lastBlock} ${holding.size} ${firstWrap ?? '-'}`)
    for (const [id, block] of ids) nfts.set(`${kind} ${token} ${id}`, `${block}`)
  }
  const ranges = new Map(
    [...recount.ranges.values()].flatMap((list) =>
      list.map(({ token, first, last, from, to, block }, place) => [
        `${token} ${place}`,
        `${first} ${last} ${from} ${to} ${block}`,
      ]),
    ),
  )
  const storedRanges = database<Line[]>`
    select concat_ws(' ', '0x' || encode(token, 'hex'), place) as key,
      concat_ws(' ', from_id, to_id, '0x' || encode(sender, 'hex'), '0x' || encode(recipient, 'hex'), number) as value
    from nft_ranges where chain = ${chain}`
  await compareRows('range of NFTs', ranges, storedRanges.cursor(5_000), findings)
  const storedHolders = database<Line[]>`
    select concat_ws(' ', kind, '0x' || encode(token, 'hex'), '0x' || encode(address, 'hex')) as key,
      concat_ws(' ', balance, peak) as value
    from holders where chain = ${chain}`
  await compareRows('holder', holders, storedHolders.cursor(5_000), findings)
  const storedTokens = database<Line[]>`
    select concat_ws(' ', kind, '0x' || encode(token, 'hex')) as key,
      concat_ws(' ', first_block, last_block, holders, coalesce(first_wrap::text, '-')) as value
    from tokens where chain = ${chain}`
  await compareRows('token', tokens, storedTokens.cursor(5_000), findings)
  const storedNfts = database<Line[]>`
    select concat_ws(' ', kind, '0x' || encode(token, 'hex'), token_id) as key, first_block::text as value
    from nfts where chain = ${chain}`
  await compareRows('NFT', nfts, storedNfts.cursor(5_000), findings)
}

/** Compares stored rows with the expected ones, removing those that match. */
async function compareRows(
  what: string,
  expected: Map<string, string>,
  stored: AsyncIterable<Line[]>,
  findings: Findings,
): Promise<void> {
  for await (const rows of stored) {
    for (const { key, value } of rows) {
      const counted = expected.get(key)
      if (counted !== value) findings.add('I6', `${what} ${key} is ${value}, counted ${counted ?? 'none'}`)
      expected.delete(key)
    }
  }
  for (const [key, counted] of expected) findings.add('I6', `${what} ${key} is missing, counted ${counted}`)
}
