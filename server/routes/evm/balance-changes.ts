import type { BalanceChange } from '../../../contract/evm/transaction-changes.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import type { Database } from '../../store/database.ts'
import { readWrap, withoutCovered } from '../../store/evm/wraps.ts'
import { readWrappers } from '../../store/tokens/read-token.ts'
import { tokenTransfers, type TokenTransfer } from '../../tokens/abi/token-transfers.ts'
import { worthOf } from '../../tokens/prices/decimal.ts'
import { erc20Asset, nativeAsset, type PriceOf } from '../../tokens/prices/prices.ts'
import type { Names } from './address-names.ts'

const zeroAddress = `0x${'0'.repeat(40)}`

export type Asset = {
  readonly kind: 'NATIVE' | TokenTransfer['standard']
  readonly token: string
  readonly tokenId: string
}

/** What an address gained of an asset in all, or lost. */
export type Change = { readonly address: string; readonly asset: Asset; total: bigint }

const native: Asset = { kind: 'NATIVE', token: '', tokenId: '' }

type Log = Parameters<typeof tokenTransfers>[0]

/** What a wrapper of the native token credited or debited. */
export type Wrapped = {
  readonly token: string
  readonly from: string
  readonly to: string
  readonly value: bigint
}

/** The deposits into wrappers and the withdrawals among the logs of one transaction that no transfer among them tells of. */
export async function wrapsOf(
  database: Database,
  chain: Chain,
  logs: readonly Log[],
  block: bigint,
): Promise<Wrapped[]> {
  const wraps = logs.flatMap((log) => {
    const wrap = readWrap(log)
    return wrap ? [{ token: log.address, kind: 20, ...wrap, isWrap: true }] : []
  })
  if (wraps.length === 0) return []
  const contracts = [...new Set(wraps.map(({ token }) => token))]
  const wrappers = await readWrappers(database, chain.key, contracts, block)
  const transfers = logs
    .flatMap((log) => tokenTransfers(log))
    .filter(({ standard }) => standard === 'ERC-20')
    .map(({ token, from, to, value }) => ({ token, kind: 20, from, to, value: BigInt(value), isWrap: false }))
  return withoutCovered([...wraps, ...transfers].map((transfer) => ({ txIndex: 0, transfer }))).filter(
    ({ token, isWrap }) => isWrap && wrappers.some((wrapper) => wrapper.token === token),
  )
}

type Movements = {
  /** Who paid the fee, if there was one. */
  readonly fee?: { readonly address: string; readonly amount: bigint }
  /** Movements of the native token. */
  readonly moves?: readonly { readonly from: string; readonly to: string; readonly value: bigint }[]
  readonly logs?: readonly Log[]
  readonly wraps?: readonly Wrapped[]
}

/**
 * What one transaction changed, by address and asset, in order of its movements, without what is zero in the end. What
 * nobody held before or after, at the zero address, is not a change.
 */
export function changesBy({ fee, moves = [], logs = [], wraps = [] }: Movements): Change[] {
  const changes = new Map<string, Change>()
  const add = (address: string, asset: Asset, amount: bigint): void => {
    const key = `${address} ${asset.kind} ${asset.token} ${asset.tokenId}`
    const known = changes.get(key)
    if (known) known.total += amount
    else changes.set(key, { address, asset, total: amount })
  }
  const move = (asset: Asset, from: string, to: string, amount: bigint): void => {
    add(from, asset, -amount)
    add(to, asset, amount)
  }
  if (fee) add(fee.address, native, fee.amount)
  for (const { from, to, value } of moves) move(native, from, to, value)
  for (const transfer of logs.flatMap((log) => tokenTransfers(log))) {
    const { standard: kind, token, tokenId, lastTokenId, from, to, value } = transfer
    // A range counts for its collection: it may hold more ids than an answer.
    const hasId = kind !== 'ERC-20' && lastTokenId === undefined
    move({ kind, token, tokenId: hasId ? tokenId : '' }, from, to, BigInt(value))
  }
  for (const { token, from, to, value } of wraps)
    move({ kind: 'ERC-20', token, tokenId: '' }, from, to, value)
  return [...changes.values()].filter(
    ({ address, asset, total }) => total !== 0n && (asset.kind === 'NATIVE' || address !== zeroAddress),
  )
}

/** A change as answers have it, with its worth if there is a price. */
export function describeChange(
  { address, asset: { kind, token, tokenId }, total }: Change,
  chain: Chain,
  names: Names,
  priceOf: PriceOf,
  currencyCode: string,
): BalanceChange {
  const isNative = kind === 'NATIVE'
  const { name, symbol, decimals } = isNative ? chain.config.token : names.facts(token)
  const price = priceOf(isNative ? nativeAsset(chain.id) : erc20Asset(chain.id, token))
  const sign = total < 0n ? '-' : ''
  const size = (total < 0n ? -total : total).toString()
  return {
    address: names.party(address),
    asset: {
      kind,
      ...(!isNative && { address: token }),
      ...(tokenId !== '' && { tokenId }),
      ...(name !== undefined && { name }),
      ...(symbol !== undefined && { symbol }),
      ...(decimals !== undefined && { decimals }),
    },
    change: total.toString(),
    ...(price !== undefined &&
      decimals !== undefined && {
        changeValue: { currencyCode, value: `${sign}${worthOf(size, decimals, price)}` },
      }),
  }
}
