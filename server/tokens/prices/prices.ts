import { worthOf } from './decimal.ts'
import type { Currency } from './document.ts'

/** The price of one whole unit of an asset as a decimal text; undefined if unknown. */
export type PriceOf = (asset: string) => string | undefined

/**
 * A source of fiat prices. A price belongs to a UTC day: that of the newest known day up to the given one, at
 * most seven days old.
 */
export type Prices = {
  /** The name of the prices on pages, such as "sample prices"; undefined without a provider. */
  readonly label: string | undefined
  /**
   * The prices on the UTC day of a time in Unix seconds. Never rejects: without an answer, there are no
   * prices.
   */
  on(timestamp: number, currency: Currency): Promise<PriceOf>
}

/** The asset id of a chain's native token. */
export const nativeAsset = (chainId: string | bigint | number): string => `native:${chainId}`
/** The asset id of an ERC-20 token; `address` is 0x text. */
export const erc20Asset = (chainId: string | bigint | number, address: string): string =>
  `erc20:${chainId}:${address.toLowerCase()}`

type PricedValue = { currencyCode: string; value: string }

/** The `price` field of an answer; absent without a price. */
export function priceField(price: string | undefined, currency: Currency): { price?: PricedValue } {
  return price === undefined ? {} : { price: { currencyCode: currency, value: price } }
}

/**
 * The `price` and `balanceValue` fields of an answer (docs/api.md, Balances). `balance` is in the smallest
 * unit. Without known decimals, there is only a price.
 */
export function pricedFields(
  price: string | undefined,
  currency: Currency,
  balance: string,
  decimals: number | null | undefined,
): { price?: PricedValue; balanceValue?: PricedValue } {
  if (price === undefined || decimals == null) return priceField(price, currency)
  return {
    ...priceField(price, currency),
    balanceValue: { currencyCode: currency, value: worthOf(balance, decimals, price) },
  }
}
