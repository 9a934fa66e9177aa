import type { Queryable } from '../database.ts'

/** What the index of names knows of a token. */
export type NamedFacts = {
  readonly name: string | null
  readonly symbol: string | null
  readonly reputation: string | null
}

/**
 * Keeps the words and tails of a token's names where the tables are distributed; elsewhere triggers do the same
 * (server/store/schema/token-names.ts). Runs in the transaction that changes the row.
 */
export async function keepNames(
  sql: Queryable,
  chain: number,
  token: Buffer,
  former: NamedFacts,
  { name, symbol, reputation }: NamedFacts,
): Promise<void> {
  if (former.name === name && former.symbol === symbol && former.reputation === reputation) return
  const isBenign = (facts: NamedFacts): boolean => facts.reputation !== 'Malicious'
  const tailsOf = async (facts: NamedFacts): Promise<string[]> => {
    const [row] = await sql<{ tails: string[] }[]>`
      select tails_of_name(${facts.name}) || tails_of_name(${facts.symbol}) as tails`
    return [...new Set(row?.tails)]
  }
  // Index entries are deleted by their key.
  await sql`
    delete from name_tails where chain = ${chain} and token = ${token} and benign = ${isBenign(former)}
      and tail = any(${await tailsOf(former)})`
  const benign = isBenign({ name, symbol, reputation })
  const rows = (await tailsOf({ name, symbol, reputation })).map((tail) => ({ benign, tail, chain, token }))
  if (rows.length === 0 && name === null && symbol === null) return
  if (rows.length > 0)
    await sql`insert into name_tails ${sql(rows, 'benign', 'tail', 'chain', 'token')} on conflict do nothing`
  await sql`
    insert into name_words (word)
    select distinct word from unnest(words_of_name(${name}) || words_of_name(${symbol})) word
    where word <> '' order by word on conflict do nothing`
}
