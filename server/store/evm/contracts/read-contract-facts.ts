import { byteaList } from '../../sql-literals.ts'
import { withoutNulls } from '../../../kernel/without-nulls.ts'
import { columnsOf, digits, hex, integer, optional, rowOf, text, type ObjectOf } from '../../json-rows.ts'
import { query } from '../../read.ts'

const tokenFacts = {
  token: hex('f.token'),
  name: optional(text('f.name')),
  symbol: optional(text('f.symbol')),
  decimals: optional(integer('f.decimals')),
}
/** The metadata that a token contract itself returned (table token_facts). Absent fields are unknown. */
export type TokenFacts = Partial<Omit<ObjectOf<typeof tokenFacts>, 'token'>>

/** The metadata of an NFT (table nft_metadata), with the field names of the API. */
const nftFacts = {
  token: hex('m.token'),
  tokenId: digits('m.token_id'),
  tokenUri: optional(text('m.uri')),
  indexStatus: text('m.status'),
  metadataLastUpdatedTimestamp: optional(integer('m.updated_ts')),
  name: optional(text('m.name')),
  symbol: optional(text('m.symbol')),
  imageUri: optional(text('m.image_uri')),
  description: optional(text('m.description')),
  animationUri: optional(text('m.animation_uri')),
  externalUrl: optional(text('m.external_url')),
  background: optional(text('m.background')),
  decimals: optional(integer('m.decimals')),
  properties: optional(text('m.properties')),
  attributes: optional(text('m.attributes')),
}
/** The metadata of an NFT and the URI from which it was read. */
export type NftFacts = {
  readonly tokenUri?: string
  readonly metadata: Omit<ObjectOf<typeof nftFacts>, 'token' | 'tokenId' | 'tokenUri'>
}

/** One token id of a contract; the id in decimal digits. */
export type NftKey = { readonly token: string; readonly tokenId: string }

// A seek for each address: a plan for `= any` may read the whole table.
const tokenRow = rowOf(tokenFacts)
const tokenStatement = `
  select ${columnsOf(tokenFacts)}
  from unnest($2::text::bytea[]) as asked (token)
  cross join lateral (
    select token, name, symbol, decimals from token_facts
    where chain = $1 and token = asked.token limit 1) f`

/** The metadata of those addresses (0x text) that are known token contracts, by address. */
export const readTokenFacts = query(
  tokenRow,
  (chain: bigint, addresses: readonly string[]) =>
    addresses.length > 0 ? [tokenStatement, [chain, byteaList(addresses)]] : undefined,
  (rows): ReadonlyMap<string, TokenFacts> =>
    new Map(rows.map(({ token, ...facts }) => [token, withoutNulls(facts)])),
)

const nftRow = rowOf(nftFacts)
const nftStatement = `
  select ${columnsOf(nftFacts)}
  from unnest($2::text::bytea[], $3::text::numeric[]) as asked (token, token_id)
  cross join lateral (
    select * from nft_metadata
    where chain = $1 and token = asked.token and token_id = asked.token_id limit 1) m`

/** The metadata of those NFTs that have a row, by `nftName`. */
export const readNftFacts = query(
  nftRow,
  (chain: bigint, keys: readonly NftKey[]) =>
    keys.length > 0
      ? [
          nftStatement,
          [
            chain,
            byteaList(keys.map(({ token }) => token)),
            `{${keys.map(({ tokenId }) => tokenId).join(',')}}`,
          ],
        ]
      : undefined,
  (rows): ReadonlyMap<string, NftFacts> =>
    new Map(
      rows.map(({ token, tokenId, tokenUri, ...metadata }) => [
        nftName({ token, tokenId }),
        { ...(tokenUri !== null && { tokenUri }), metadata: withoutNulls(metadata) },
      ]),
    ),
)

/** The key of an NFT in the result of `readNftFacts`. */
export const nftName = ({ token, tokenId }: NftKey): string => `${token} ${tokenId}`
