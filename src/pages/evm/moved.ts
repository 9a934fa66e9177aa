import type { MovedTransaction } from '../../api/evm/movements.ts'
import {
  amountText,
  countOfIds,
  nameOf,
  plainIds,
  plainWithUnit,
  shortId,
  type TokenFacts,
} from '../../components/tokens/token-amount.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { groupBy } from '../../lib/group-by.ts'
import { shorten } from '../../lib/text.ts'
import { netFlows } from './net-flows.ts'

/** What moved of one asset, in its smallest unit: of the native token without a token, of one NFT with its id. */
export type Line = {
  readonly value: bigint
  readonly token?: TokenFacts
  readonly tokenId?: string
  /** NFTs of one collection: `value` counts them. */
  readonly isCollection?: boolean
}

/**
 * What a transaction moved: nothing, one asset, one for another, or several. `unknown` has the transaction's own
 * value only; `partly` has more transfers than are known.
 */
type Moved =
  | { readonly kind: 'failed' | 'loading' | 'none' }
  | { readonly kind: 'unknown'; readonly lines: readonly [Line] }
  | { readonly kind: 'one'; readonly lines: readonly [Line] }
  | { readonly kind: 'swap'; readonly lines: readonly [Line, Line] }
  | { readonly kind: 'several' | 'partly'; readonly lines: readonly Line[] }

type Native = { readonly symbol: string; readonly decimals: number }
type Sides = { from: { address: string }; to: { address: string } }

const key = (address: string): string => address.toLowerCase()

/** The sum of what each address gained of an asset: a value that passes through several hands counts once. */
function netOf(transfers: readonly (Sides & { value: bigint })[]): bigint {
  const totals = new Map<string, bigint>()
  const add = (address: string, value: bigint) =>
    totals.set(key(address), (totals.get(key(address)) ?? 0n) + value)
  for (const { from, to, value } of transfers) {
    add(from.address, -value)
    add(to.address, value)
  }
  return [...totals.values()].reduce((sum, total) => (total > 0n ? sum + total : sum), 0n)
}

type Item = TokenFacts & { tokenId: string; lastTokenId?: string | undefined }
type Known = NonNullable<MovedTransaction['movements']>

function tokenLines({ erc20Transfers, erc721Transfers, erc1155Transfers }: Known): Line[] {
  const coins = [...groupBy(erc20Transfers, ({ erc20Token }) => key(erc20Token.address)).values()].map(
    (group): Line => ({
      token: group[0]?.erc20Token ?? { address: '' },
      value: netOf(group.map((one) => ({ ...one, value: BigInt(one.value) }))),
    }),
  )
  const items = [
    ...erc721Transfers.map((one) => ({ ...one, token: one.erc721Token, value: countOfIds(one.erc721Token) })),
    ...erc1155Transfers.map((one) => ({ ...one, token: one.erc1155Token as Item, value: BigInt(one.value) })),
  ]
  const nfts = [...groupBy(items, ({ token }) => key(token.address)).values()].map((group): Line => {
    const byId = [...groupBy(group, ({ token }) => plainIds(token)).values()]
    const { tokenId, lastTokenId, ...token }: Item = group[0]?.token ?? { address: '', tokenId: '' }
    return byId.length === 1 && lastTokenId === undefined
      ? { token, tokenId, value: netOf(group) }
      : { token, isCollection: true, value: byId.reduce((sum, one) => sum + netOf(one), 0n) }
  })
  return [...coins, ...nfts]
}

/** The asset that left the sender and the one that came back, if it was one each. */
function swapOf(tx: MovedTransaction, known: Known): readonly [Line, Line] | undefined {
  const { fungible, items } = netFlows(known, tx.from.address)
  const coin: { total: bigint; token?: TokenFacts; tokenId?: string; lastTokenId?: string } = {
    total: BigInt(known.nativeReceived ?? '0') - BigInt(tx.value),
  }
  const flows = [coin, ...fungible.values(), ...items.values()].filter(({ total }) => total !== 0n)
  const lost = flows.find(({ total }) => total < 0n)
  const gained = flows.find(({ total }) => total > 0n)
  if (flows.length !== 2 || !lost || !gained) return undefined
  const line = ({ total, token, tokenId, lastTokenId }: typeof coin): Line => ({
    value: total < 0n ? -total : total,
    ...(token && { token }),
    ...(lastTokenId === undefined ? tokenId !== undefined && { tokenId } : { isCollection: true }),
  })
  return [line(lost), line(gained)]
}

/** What a transaction moved, for a row of a list. */
export function movedOf(tx: MovedTransaction): Moved {
  const { movements: known, value } = tx
  if (tx.txStatus === '0') return { kind: 'failed' }
  const sent: Line = { value: BigInt(value) }
  if (!known) {
    // Without input nothing but the value can move, as far as a list can say.
    if (sent.value > 0n) return { kind: 'one', lines: [sent] }
    return known === undefined ? { kind: 'loading' } : { kind: 'unknown', lines: [sent] }
  }
  if (known.logsFrom !== undefined) return { kind: 'unknown', lines: [sent] }
  if (known.isComplete) {
    const lines = swapOf(tx, known)
    if (lines) return { kind: 'swap', lines }
  }
  const received = BigInt(known.nativeReceived ?? '0')
  const native = sent.value > 0n ? sent : received > 0n ? { value: received } : undefined
  const lines = [...(native ? [native] : []), ...tokenLines(known)]
  if (!known.isComplete) return { kind: 'partly', lines }
  const [first, second] = lines
  if (!first)
    return tx.method?.callType === 'NATIVE_TRANSFER' ? { kind: 'one', lines: [sent] } : { kind: 'none' }
  return second ? { kind: 'several', lines } : { kind: 'one', lines: [first] }
}

/** The name of a collection, else its short address. */
export const collectionOf = (token: TokenFacts): string => nameOf(token) || shorten(token.address, 4, 4)

/** A line in words, rounded: `904,250 RDG`, `#7 of Ridge Art`. */
export function lineText({ value, token, tokenId, isCollection = false }: Line, native: Native): string {
  if (!token) return amountText(value, { address: '', ...native })
  if (isCollection) return `${formatInteger(value)} × ${collectionOf(token)}`
  if (tokenId === undefined) return amountText(value, token)
  const count = value > 1n ? `${formatInteger(value)} × ` : ''
  return `${count}${shortId(tokenId)} of ${collectionOf(token)}`
}

/** A line for an export: the exact amount, the symbol and the address of the token. */
function exactLine({ value, token, tokenId, isCollection = false }: Line, native: Native): string {
  if (!token) return plainWithUnit(value, { address: '', ...native })
  if (isCollection) return `${value} × ${token.address}`
  if (tokenId !== undefined) return `${value} × #${tokenId} ${token.address}`
  return `${plainWithUnit(value, token)} ${token.address}`
}

/** What moved as text of an export; empty if nothing moved or it is not known. */
export function movedText(tx: MovedTransaction, native: Native): string {
  const moved = movedOf(tx)
  if (!('lines' in moved) || moved.kind === 'unknown') return ''
  const lines = moved.lines.map((line) => exactLine(line, native))
  return moved.kind === 'swap'
    ? lines.join(' → ')
    : [...lines, ...(moved.kind === 'partly' ? ['…'] : [])].join('; ')
}
