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

/**
 * One thing that a transaction changed for an address: `text`, and the `item` that it counts, whose name may be
 * shortened where a count may not. `gain` is undefined where nothing came or went on balance.
 */
export type Effect = { key: string; gain: boolean | undefined; text: string; item?: string; exact: string }

type Native = { symbol: string; decimals: number }
type Sides = { from: { address: string }; to: { address: string } }

/** What a movement adds to the address: its value, less its value, or nothing where it went to itself. */
function net(own: string, { from, to }: Sides, value: bigint): bigint {
  const received = to.address.toLowerCase() === own ? value : 0n
  const sent = from.address.toLowerCase() === own ? value : 0n
  return received - sent
}

const size = (value: bigint): bigint => (value < 0n ? -value : value)
const gainOf = (value: bigint): boolean | undefined => (value === 0n ? undefined : value > 0n)
const plainSign = (value: bigint): string => (value < 0n ? '-' : '')

type Sum = { token: TokenFacts; total: bigint; tokenId?: string; name?: string | undefined }

function add(sums: Map<string, Sum>, key: string, sum: Sum): void {
  const known = sums.get(key)
  if (known) known.total += sum.total
  else sums.set(key, sum)
}

const collection = (token: TokenFacts): string => nameOf(token) || shorten(token.address, 4, 4)

/** `Relics #12`; a long id is cut in its middle. */
const itemText = (token: TokenFacts, tokenId: string): string =>
  `${collection(token)} #${tokenId.length > 12 ? shorten(tokenId, 6, 4) : tokenId}`

/**
 * What a transaction did for an address beside the value that it names itself: tokens that came and went, net
 * by token, NFTs, and native value moved by internal calls. Reverted calls move nothing.
 */
export function effectsOf(row: AddressTransaction, address: string, native: Native): Effect[] {
  const own = address.toLowerCase()
  const fungible = new Map<string, Sum>()
  const items = new Map<string, Sum>()
  for (const transfer of row.erc20Transfers ?? []) {
    const token = transfer.erc20Token
    add(fungible, token.address.toLowerCase(), { token, total: net(own, transfer, BigInt(transfer.value)) })
  }
  for (const transfer of row.erc721Transfers ?? []) {
    const { tokenId } = transfer.erc721Token
    const token: TokenFacts = transfer.erc721Token
    const key = `${token.address.toLowerCase()}/${tokenId}`
    add(items, key, { token, tokenId, total: net(own, transfer, 1n) })
  }
  for (const transfer of row.erc1155Transfers ?? []) {
    const { tokenId } = transfer.erc1155Token
    const token: TokenFacts = transfer.erc1155Token
    const key = `${token.address.toLowerCase()}/${tokenId}`
    add(items, key, { token, tokenId, total: net(own, transfer, BigInt(transfer.value)) })
  }
  const moved = (row.internalTransactions ?? [])
    .filter((call) => !call.isReverted && call.value !== '0')
    .map((call) => net(own, call, BigInt(call.value)))
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
