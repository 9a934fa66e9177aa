import type { AddressTransaction } from '../../../../contract/evm/addresses.ts'
import {
  amountText,
  nameOf,
  plainWithUnit,
  idsText,
  plainIds,
  type TokenFacts,
} from '../../../components/tokens/token-amount.tsx'
import { signOf } from '../../../lib/amounts.ts'
import { shorten } from '../../../lib/text.ts'
import { netFlows } from '../net-flows.ts'

/**
 * One effect of a transaction on an address: `text`, and the counted `item`, whose name may be shortened where the
 * count may not. `gain` is undefined if the net effect is zero.
 */
export type Effect = { key: string; gain: boolean | undefined; text: string; item?: string; exact: string }

type Native = { symbol: string; decimals: number }

const size = (value: bigint): bigint => (value < 0n ? -value : value)
const gainOf = (value: bigint): boolean | undefined => (value === 0n ? undefined : value > 0n)
const plainSign = (value: bigint): string => (value < 0n ? '-' : '')

const collection = (token: TokenFacts): string => nameOf(token) || shorten(token.address, 4, 4)

/**
 * The net effects of a transaction on an address in addition to its own value: tokens, NFTs, and native value moved
 * by internal calls. Reverted calls have no effect.
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
            exact: `${plainSign(inside)}${plainWithUnit(size(inside), coin)}`,
          },
        ]
      : []),
    ...[...fungible].map(([key, { token, total }]) => ({
      key,
      gain: gainOf(total),
      text: `${signOf(total)}${amountText(size(total), token)}`,
      exact: `${plainSign(total)}${plainWithUnit(size(total), token)} ${token.address}`,
    })),
    ...[...items].map(([key, { token, total, tokenId = '', lastTokenId }]) => ({
      key,
      gain: gainOf(total),
      text: `${signOf(total)}${size(total) > 1n ? `${size(total)} × ` : ''}`,
      item: `${collection(token)} ${idsText({ tokenId, lastTokenId })}`,
      exact: `${plainSign(total)}${size(total)} × #${plainIds({ tokenId, lastTokenId })} ${token.address}`,
    })),
  ]
}

/** The common direction of all effects: undefined without effects or with both directions. */
export function directionOf(effects: readonly Effect[]): 'in' | 'out' | undefined {
  const gains = new Set(effects.map(({ gain }) => gain))
  if (gains.size !== 1) return undefined
  return gains.has(true) ? 'in' : gains.has(false) ? 'out' : undefined
}
