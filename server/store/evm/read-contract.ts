import type { Queryable } from '../database.ts'
import { byteaList } from './read-contract-facts.ts'
import { lineBreak, mostRows, read, readLines } from '../read.ts'

/** A place in a chain: a creation by its block, its transaction and its position among that one's calls. */
export type CreationPlace = { readonly number: bigint; readonly tx: number; readonly ordinal: number }

/** One creation. `origin` signed the transaction, `deployer` created: the same, or a contract. */
export type Creation = CreationPlace & {
  readonly address: string
  readonly deployer: string
  readonly origin: string
  readonly ts: number
  readonly txHash: string
}

const creationFields = `
  '{"number":"' || c.number || '","tx":' || c.tx_index || ',"ordinal":' || c.ordinal
  || ',"address":"0x' || encode(c.address, 'hex') || '","deployer":"0x' || encode(c.deployer, 'hex')
  || '","origin":"0x' || encode(c.origin, 'hex') || '","ts":' || b.ts || ',"txHash":"0x' || encode(t.hash, 'hex') || '"}'`

const placed = `
  cross join lateral (select ts from blocks where chain = $1 and number = c.number limit 1) b
  cross join lateral (
    select hash from transactions where chain = $1 and number = c.number and index = c.tx_index limit 1) t`

const latestFirst = 'order by number desc, tx_index desc, ordinal desc'

const pageOf = (rows: string): string => `
  select string_agg(page.json, ${lineBreak} order by page.number desc, page.tx_index desc, page.ordinal desc) as lines
  from (select c.number, c.tx_index, c.ordinal, ${creationFields} as json from (${rows}) c ${placed}) page`

const before = '(number, tx_index, ordinal) < ($2, $3, $4)'

const chainStatement = pageOf(`
  select * from (select * from contracts where chain = $1 and ${before} ${latestFirst} limit ${mostRows}) range
  ${latestFirst} limit $5`)

const deployerBranches = ['deployer', 'origin'].map(
  (role) => `
    (select * from (
       select * from contracts where chain = $1 and ${role} = $6 and ${before} ${latestFirst} limit ${mostRows}) range
     ${latestFirst} limit $5)`,
)

const deployerStatement = pageOf(`
  select distinct on (number, tx_index, ordinal) * from (${deployerBranches.join(' union all ')}) either
  ${latestFirst} limit $5`)

/**
 * Creations before a place, latest first: of the whole chain, or those that an address made itself or in
 * transactions that it signed. `limit` is at most 101.
 */
export async function readCreations(
  database: Queryable,
  chain: bigint,
  deployer: Buffer | undefined,
  past: CreationPlace,
  limit: number,
): Promise<Creation[]> {
  const place = [chain, past.number, past.tx, past.ordinal, limit]
  const lines = deployer
    ? await readLines(database, deployerStatement, [...place, deployer])
    : await readLines(database, chainStatement, place)
  return lines.map(parseCreation)
}

const parseCreation = (line: string): Creation => {
  const creation = JSON.parse(line) as Creation
  return { ...creation, number: BigInt(creation.number) }
}

const contractStatement = `
  select ${creationFields} as lines
  from (select * from contracts where chain = $1 and address = $2 ${latestFirst} limit 1) c ${placed}`

/** How a contract came to be; the last time, where it was created anew. Undefined for any other address. */
export async function readCreation(
  database: Queryable,
  chain: bigint,
  address: Buffer,
): Promise<Creation | undefined> {
  const [line] = await readLines(database, contractStatement, [chain, address])
  return line === undefined ? undefined : parseCreation(line)
}

// The interface that a contract claims by ERC-165, then the shape of most of its transfers: as in read-token.ts.
const kindsStatement = `
  select coalesce(json_agg(json_build_array('0x' || encode(asked.token, 'hex'), coalesce(f.interface, k.kind))), '[]') as found
  from unnest($2::text::bytea[]) as asked (token)
  left join lateral (
    select t.kind from tokens t
    cross join lateral (
      select cum_transfers from token_blocks
      where chain = $1 and token = t.token and kind = t.kind
      order by number desc limit 1) totals
    where t.chain = $1 and t.token = asked.token
    order by totals.cum_transfers desc, t.first_block, t.kind limit 1) k on true
  left join lateral (
    select interface from token_facts where chain = $1 and token = asked.token limit 1) f on true
  where coalesce(f.interface, k.kind) is not null`

/** The ERC number of those of the addresses that are token contracts: 20, 721 or 1155. */
export async function readTokenKinds(
  database: Queryable,
  chain: bigint,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (addresses.length === 0) return new Map()
  const [row] = await read<{ found: [string, number][] }>(database, kindsStatement, [
    chain,
    byteaList(addresses),
  ])
  return new Map(row?.found)
}

/** Who created how many contracts, and when last. */
export type DeployerRow = {
  readonly address: string
  readonly count: string
  readonly last_block: string
  readonly last_ts: number
}

const deployersStatement = `
  select coalesce(json_agg(json_build_object('address', '0x' || encode(d.deployer, 'hex'), 'count', d.count::text,
    'last_block', d.last_block::text, 'last_ts', b.ts) order by d.count desc, d.last_block desc, d.deployer), '[]') as found
  from (
    select deployer, count(*) as count, max(number) as last_block from contracts
    where chain = $1 and number >= (
      select number from blocks
      where chain = $1 and ts > (select ts from blocks where chain = $1 order by number desc limit 1) - $2::bigint
      order by ts, number limit 1)
    group by deployer
    order by count(*) desc, max(number) desc, deployer
    limit 100) d
  cross join lateral (select ts from blocks where chain = $1 and number = d.last_block limit 1) b`

/** Who created most contracts in the last seconds before the head's time: at most 100, most first. */
export async function readDeployers(
  database: Queryable,
  chain: bigint,
  seconds: number,
): Promise<DeployerRow[]> {
  const [row] = await read<{ found: DeployerRow[] }>(database, deployersStatement, [chain, seconds])
  return row?.found ?? []
}
