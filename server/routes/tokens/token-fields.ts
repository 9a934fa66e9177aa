import type { Token } from '../../../contract/tokens/tokens.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { notFound } from '../../kernel/http-errors.ts'
import type { Currency } from '../../tokens/prices/document.ts'
import { erc20Asset, priceField, type PriceOf } from '../../tokens/prices/prices.ts'
import type { Queryable } from '../../store/database.ts'
import { readToken, type TokenKind, type TokenRow } from '../../store/tokens/read-token.ts'
import { reputationOf } from '../../tokens/facts/reputation.ts'
import type { ContractBook } from '../evm/address-names.ts'
import { bytesOf } from '../../http/route-context.ts'

/** A kind of token in the API's notation. */
export type ErcType = `ERC-${TokenKind}`

export const nftTypes: readonly ErcType[] = ['ERC-721', 'ERC-1155']

/**
 * A token contract by its 0x address: its main kind, or the first of the requested ones, and all its kinds.
 * Throws a 404 for an address that never moved such a token.
 */
export async function findToken(
  database: Queryable,
  chain: Chain,
  address: string,
  wanted?: readonly ErcType[],
): Promise<TokenRow & { readonly kinds: readonly TokenRow[] }> {
  const kinds = await readToken(database, chain.key, bytesOf(address))
  const found = wanted ? kinds.find(({ kind }) => wanted.includes(`ERC-${kind}`)) : kinds[0]
  if (found) return { ...found, kinds }
  const what = wanted && kinds.length > 0 ? `${wanted.join(' or ')} token` : 'token'
  throw notFound(`chain ${chain.id} has seen no transfer of a ${what} contract at ${address}`)
}

/** The requested kinds if the query has one. */
export const wantedType = (ercType: ErcType | undefined): readonly ErcType[] | undefined =>
  ercType === undefined ? undefined : [ercType]

type TokenFieldsOptions = {
  readonly config: Config
  readonly book: ContractBook
  readonly chain: Chain
  readonly priceOf: PriceOf
  readonly currency: Currency
}

/** The fields of a token contract in a list (contract/tokens/tokens.ts). A negative supply counts as zero. */
export function tokenFields(
  row: TokenRow,
  { config, book, chain, priceOf, currency }: TokenFieldsOptions,
): Token {
  const said = book.of(chain.id, row.token)
  const name = said?.name ?? row.name
  const price = row.kind === 20 ? priceOf(erc20Asset(chain.id, row.token)) : undefined
  return {
    address: row.token,
    ercType: `ERC-${row.kind}`,
    ...(name !== null && { name }),
    ...(row.symbol !== null && { symbol: row.symbol }),
    ...(row.decimals !== null && { decimals: row.decimals }),
    ...(said?.logoUri !== undefined && { logoUri: said.logoUri }),
    supply: row.supply.startsWith('-') ? '0' : row.supply,
    holderCount: row.holders.toString(),
    transferCount: row.transfers.toString(),
    firstBlock: row.first_block.toString(),
    ...reputationOf(config, chain.id, row.token, row),
    ...priceField(price, currency),
  }
}
