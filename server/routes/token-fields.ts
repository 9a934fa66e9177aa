import type { Token } from '../../contract/evm-tokens.ts'
import type { Chain } from '../chains.ts'
import type { Config } from '../config.ts'
import { notFound } from '../errors.ts'
import type { Currency } from '../prices/document.ts'
import { erc20Asset, priceField, type PriceOf } from '../prices/prices.ts'
import type { Queryable } from '../store/database.ts'
import { readToken, type TokenKind, type TokenRow } from '../store/read-token.ts'
import { reputationOf } from '../tokens/reputation.ts'
import type { ContractBook } from './address-names.ts'
import { bytesOf } from './context.ts'

/** A token contract by its 0x address. Throws a 404 for an address that never moved one of these kinds. */
export async function findToken(
  database: Queryable,
  chain: Chain,
  address: string,
  kinds?: readonly TokenKind[],
): Promise<TokenRow> {
  const found = await readToken(database, chain.key, bytesOf(address), kinds)
  if (!found) throw notFound(`${address} is no token contract that chain ${chain.id} has seen moving`)
  return found
}

export type TokenFieldsOptions = {
  readonly config: Config
  readonly book: ContractBook
  readonly chain: Chain
  readonly priceOf: PriceOf
  readonly currency: Currency
}

/** A token contract as a list shows it (contract/evm-tokens.ts). A supply below zero counts as zero. */
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
