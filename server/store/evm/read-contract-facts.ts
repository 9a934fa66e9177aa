import type { Queryable } from '../database.ts'
import { read } from '../read.ts'

/** What is known of a token contract from its own answers (table token_facts). Absent: not known. */
export type TokenFacts = {
  readonly name?: string
  readonly symbol?: string
  readonly decimals?: number
}

/** What is known of an NFT from its metadata (table nft_metadata); times in Unix seconds. */
export type NftFacts = {
  readonly status: string
  readonly uri?: string
  readonly name?: string
  readonly symbol?: string
  readonly description?: string
  readonly image_uri?: string
  readonly animation_uri?: string
  readonly external_url?: string
  readonly background?: string
  readonly decimals?: number
  readonly properties?: string
  readonly attributes?: string
  readonly updated_ts?: number
}

/** One token id of a contract; the id in decimal digits. */
export type NftKey = { readonly token: string; readonly tokenId: string }

/** A bytea[] as PostgreSQL reads it from text. Takes 0x texts. */
export const byteaList = (texts: readonly string[]): string =>
  `{${texts.map((text) => String.raw`"\\x${text.slice(2)}"`).join(',')}}`

// Each address is a seek of its own: a plan for `= any` may choose to read the table. json_strip_nulls
// leaves what is not known away.
const factsStatement = `
  select coalesce(json_agg(json_build_array(
    '0x' || encode(f.token, 'hex'),
    json_strip_nulls(json_build_object('name', f.name, 'symbol', f.symbol, 'decimals', f.decimals)))), '[]') as found
  from unnest($2::text::bytea[]) as asked (token)
  cross join lateral (
    select token, name, symbol, decimals from token_facts
    where chain = $1 and token = asked.token limit 1) f`

/** The facts of those of the addresses (0x text) that are known token contracts, by address. */
export async function readTokenFacts(
  database: Queryable,
  chain: bigint,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, TokenFacts>> {
  if (addresses.length === 0) return new Map()
  const [row] = await read<{ found: [string, TokenFacts][] }>(database, factsStatement, [
    chain,
    byteaList(addresses),
  ])
  return new Map(row?.found)
}

const nftStatement = `
  select coalesce(json_agg(json_build_array(
    '0x' || encode(m.token, 'hex') || ' ' || m.token_id,
    json_strip_nulls(to_json(m)))), '[]') as found
  from unnest($2::text::bytea[], $3::text::numeric[]) as asked (token, token_id)
  cross join lateral (
    select token, token_id, status, uri, name, symbol, description, image_uri, animation_uri, external_url,
      background, decimals, attributes, properties, updated_ts
    from nft_metadata
    where chain = $1 and token = asked.token and token_id = asked.token_id limit 1) m`

/** The metadata of those of the NFTs that have a row, by `nftName`. */
export async function readNftFacts(
  database: Queryable,
  chain: bigint,
  keys: readonly NftKey[],
): Promise<ReadonlyMap<string, NftFacts>> {
  if (keys.length === 0) return new Map()
  const [row] = await read<{ found: [string, NftFacts][] }>(database, nftStatement, [
    chain,
    byteaList(keys.map(({ token }) => token)),
    `{${keys.map(({ tokenId }) => tokenId).join(',')}}`,
  ])
  return new Map(row?.found)
}

/** The name under which `readNftFacts` gives an NFT. */
export const nftName = ({ token, tokenId }: NftKey): string => `${token} ${tokenId}`
