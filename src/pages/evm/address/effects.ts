import type { AddressTransaction } from '../../../../contract/evm/addresses.ts'
import {
  amountText,
  nameOf,
  plainTokenAmount,
  symbolOf,
  type TokenFacts,
} from '../../../components/tokens/token-amount.tsx'
import { signOf } from '../../../lib/amounts.ts'
import { shorten } from '../../../lib/text.ts'
import { netFlows } from '../net-flows.ts'

/**
 * One thing that a transaction changed for an address: `text`, and the `item` that it counts, whose name may be
 * shortened where a count may not. `gain` is undefined where nothing came or went on balance.
 */
export type Effect = { key: string; gain: boolean | undefined; text: string; item?: string; exact: string }

type Native = { symbol: string; decimals: number }

const size = (value: bigint): bigint => (value < 0n ? -value : value)
const gainOf = (value: bigint): boolean | undefined => (value === 0n ? undefined : value > 0n)
const plainSign = (value: bigint): string => (value < 0n ? '-' : '')

const collection = (token: TokenFacts): string => nameOf(token) || shorten(token.address, 4, 4)

/** `Relics #12`; a long id is cut in its middle. */
const itemText = (token: TokenFacts, tokenId: string): string =>
  `${collection(token)} #${tokenId.length > 12 ? shorten(tokenId, 6, 4) : tokenId}`

/**
 * What a transaction did for an address beside the value that it names itself: tokens that came and went, net
 * by token, NFTs, and native value moved by internal calls. Reverted calls move nothing.
 */
export function effectsOf(row: AddressTransaction, address: string, native: Native): Effect[] {
  const { fungible, items, native: moved } = netFlows(row, address)
  const inside = moved.reduce((total, value) => total + value, 0n)
  const coin: TokenFacts = { address: '', symbol: native.symbol, decimals: native.decimals }

  return [
    ...(moved.length > 0
      ? [
          {
            key: 'native',
            gain: gainOf(inside),
            text: `${signOf(inside)}${amountText(size(inside), coin)} inside`,
            exact: `${plainSign(inside)}${plainTokenAmount(size(inside), coin)} ${symbolOf(coin)}`,
          },
        ]
      : []),
    ...[...fungible].map(([key, { token, total }]) => ({
      key,
      gain: gainOf(total),
      text: `${signOf(total)}${amountText(size(total), token)}`,
      exact: `${plainSign(total)}${plainTokenAmount(size(total), token)} ${symbolOf(token)} ${token.address}`,
    })),
    ...[...items].map(([key, { token, total, tokenId = '' }]) => ({
      key,
      gain: gainOf(total),
      text: `${signOf(total)}${size(total) > 1n ? `${size(total)} × ` : ''}`,
      item: itemText(token, tokenId),
      exact: `${plainSign(total)}${size(total)} × #${tokenId} ${token.address}`,
    })),
  ]
}

/** Which way it went on the whole: undefined where nothing moved, or some came and some went. */
export function wayOf(effects: readonly Effect[]): 'in' | 'out' | undefined {
  const gains = new Set(effects.map(({ gain }) => gain))
  if (gains.size !== 1) return undefined
  return gains.has(true) ? 'in' : gains.has(false) ? 'out' : undefined
}
