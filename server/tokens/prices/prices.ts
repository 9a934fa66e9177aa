import { worthOf } from './decimal.ts'
import type { Currency } from './document.ts'

/** The price of one whole unit of an asset, a decimal as text; undefined where none is known. */
export type PriceOf = (asset: string) => string | undefined

/**
 * Where fiat values come from. A price is that of a UTC day: of the newest day that is known and not after
 * the asked one, at most seven days old.
 */
export type Prices = {
  /** How pages call the prices, such as "sample prices"; undefined without a provider. */
  readonly label: string | undefined
  /** The prices on the UTC day of a time in Unix seconds. Never rejects: without an answer nothing has a price. */
  on(timestamp: number, currency: Currency): Promise<PriceOf>
}

/** The native token of a chain as prices name it. */
export const nativeAsset = (chainId: string | bigint | number): string => `native:${chainId}`
/** An ERC-20 token as prices name it; `address` is 0x text. */
export const erc20Asset = (chainId: string | bigint | number, address: string): string =>
  `erc20:${chainId}:${address.toLowerCase()}`

type PricedValue = { currencyCode: string; value: string }

/** `price` of an answer; no field without one. */
export function priceField(price: string | undefined, currency: Currency): { price?: PricedValue } {
  return price === undefined ? {} : { price: { currencyCode: currency, value: price } }
}

/**
 * `price` and `balanceValue` of an answer (docs/api.md, Balances). `balance` is in the smallest unit;
 * an asset whose decimals are not known has a price only.
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
