import type { Database, Queryable } from '../../store/database.ts'
import { isDistributed } from '../../store/distribution.ts'
import { keepNames, type NamedFacts } from '../../store/tokens/keep-names.ts'
import type { TokenFacts } from './ask-facts.ts'
import type { Evaluation } from './reputation.ts'

/** A token whose metadata are due. */
export type DueToken = {
  readonly token: Buffer
  /** The kinds of its transfers so far; empty if a reorg removed the token. */
  readonly kinds: readonly number[]
  /** 0: never read. */
  readonly asked_ts: bigint
  readonly failures: number
}

/** Queues tokens first seen from a height on; see FirstSeen. A row that was never read has asked_ts 0. */
export async function queueTokens(
  database: Database,
  chain: number,
  from: bigint,
  max: number,
): Promise<{ found: number; last: bigint | undefined }> {
  const [row] = await database<{ found: number; last: bigint | null }[]>`
    with seen as materialized (
      select token, first_block from tokens where chain = ${chain} and first_block >= ${from}
      order by first_block fetch first ${max} rows with ties),
    added as (
      insert into token_facts (chain, token, asked_block, asked_ts, due_ts)
      select distinct ${chain}::bigint, token, 0, 0, 0 from seen
      where not exists (select from token_facts f where f.chain = ${chain} and f.token = seen.token)
      on conflict do nothing)
    select count(*)::int as found, max(first_block) as last from seen`
  return { found: row?.found ?? 0, last: row?.last ?? undefined }
}

/** The due tokens, longest due first. */
export async function readDueTokens(
  database: Database,
  chain: number,
  now: number,
  max: number,
): Promise<DueToken[]> {
  return database<DueToken[]>`
    select f.token, f.asked_ts, f.failures,
      array(select t.kind::int from tokens t where t.chain = f.chain and t.token = f.token order by 1) as kinds
    from token_facts f where f.chain = ${chain} and f.due_ts <= ${now} order by f.due_ts limit ${max}`
}

type AskedFacts = TokenFacts &
  Evaluation & {
    readonly askedBlock: bigint
    readonly askedAt: number
    readonly due: number
  }

/** Writes a token's answers. */
export async function writeFacts(
  database: Database,
  chain: number,
  token: Buffer,
  facts: AskedFacts,
): Promise<void> {
  if (!(await isDistributed(database))) return updateFacts(database, chain, token, facts)
  await database.begin(async (sql) => {
    const [former] = await sql<NamedFacts[]>`
      select name, symbol, reputation from token_facts where chain = ${chain} and token = ${token} for update`
    await updateFacts(sql, chain, token, facts)
    if (former) await keepNames(sql, chain, token, former, facts)
  })
}

async function updateFacts(sql: Queryable, chain: number, token: Buffer, facts: AskedFacts): Promise<void> {
  await sql`
    update token_facts set name = ${facts.name}, symbol = ${facts.symbol}, decimals = ${facts.decimals},
      interface = ${facts.interface}, reputation = ${facts.reputation},
      reputation_reasons = ${[...facts.reasons]}, asked_block = ${facts.askedBlock},
      asked_ts = ${facts.askedAt}, due_ts = ${facts.due}, failures = 0
    where chain = ${chain} and token = ${token}`
}

/** Postpones a token; its known metadata remain. */
export async function postpone(
  database: Database,
  chain: number,
  token: Buffer,
  due: number,
  failed: boolean,
): Promise<void> {
  await database`
    update token_facts set due_ts = ${due}, failures = failures + ${failed ? 1 : 0}
    where chain = ${chain} and token = ${token}`
}

/** Upgraded(address), BeaconUpgraded(address), Initialized(uint8), Initialized(uint64): ERC-1967, OpenZeppelin. */
const upgrades = [
  'bc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b',
  '1cf3b03a6cf19fa2baba4df148e9dcabedea7f8a5c07840e207e5c089be95d3e',
  '7f26b83ff96e1f2b6a682f133852f6798a09c465da95921460cefb3847402498',
  'c7f505b2f371ae2175ee4913f4499e1f2633a7b5936321eed1cdaeb6115181d2',
]

/** Minimum seconds between two reads of a token that reports upgrades. */
const upgradePause = 60

/** Schedules tokens that logged an upgrade in the given blocks, both inclusive. */
export async function queueUpgraded(
  database: Database,
  chain: number,
  from: bigint,
  to: bigint,
  now: number,
): Promise<void> {
  await database`
    update token_facts set due_ts = greatest(${now}, asked_ts + ${upgradePause})
    where chain = ${chain} and due_ts > greatest(${now}, asked_ts + ${upgradePause}) and token in (
      select address from logs where chain = ${chain} and number between ${from} and ${to}
        and topic0 in ${database(upgrades.map((topic) => Buffer.from(topic, 'hex')))})`
}

/**
 * Schedules every token of a chain, spread over the next hour, if the rule settings differ from those of the
 * last start, so that the stored evaluations are updated.
 */
export async function followRules(
  database: Database,
  chain: number,
  rules: string,
  now: number,
): Promise<void> {
  const key = `token-rules ${chain}`
  await database.begin(async (sql) => {
    const changed = await sql`
      insert into service (key, value) values (${key}, ${rules})
      on conflict (key) do update set value = excluded.value where service.value <> excluded.value
      returning 1`
    if (changed.length === 0) return
    await sql`
      update token_facts set due_ts = least(due_ts,
        ${now}::bigint + (get_byte(token, 18) * 256 + get_byte(token, 19)) * 3600 / 65536)
      where chain = ${chain}`
  })
}

/** The store counts as caught up within this many blocks of the node and seconds of the clock. */
const nearHead = { blocks: 8, seconds: 7_200 } as const

/**
 * Once a chain has caught up with its node and the clock, schedules the tokens that were read before, because
 * their evaluation used incomplete logs. The time when catching up began is stored in the database, so it may
 * span several starts.
 */
export async function followHead(
  database: Database,
  chain: number,
  head: bigint,
  now: number,
): Promise<void> {
  const key = `token-behind ${chain}`
  const [place] = await database<{ behind: boolean }[]>`
    select c.node_block - b.number > ${nearHead.blocks} or b.ts < ${now - nearHead.seconds} as behind
    from chains c join blocks b on b.chain = c.chain and b.number = ${head}
    where c.chain = ${chain} and c.node_block is not null`
  if (!place) return
  if (place.behind) {
    await database`
      insert into service (key, value) values (${key}, ${String(now)}) on conflict (key) do nothing`
    return
  }
  await database.begin(async (sql) => {
    const [ended] = await sql<{ since: bigint }[]>`
      delete from service where key = ${key} returning value::bigint as since`
    if (!ended) return
    await sql`
      update token_facts set due_ts = ${now}
      where chain = ${chain} and asked_ts >= ${ended.since} and due_ts > ${now}`
  })
}
