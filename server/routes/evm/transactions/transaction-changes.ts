import {
  getTransactionChanges,
  maxChanges,
  type BalanceChange,
} from '../../../../contract/evm/transaction-changes.ts'
import { movesValue } from '../../../../protocol/evm/calls.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { bytesOf, type RouteContext } from '../../../http/route-context.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { withoutNulls } from '../../../kernel/without-nulls.ts'
import { ifKnown, nativeBalanceAt, soon } from '../../../node/state.ts'
import type { Database } from '../../../store/database.ts'
import type { StoredTransaction } from '../../../store/evm/read-transaction.ts'
import { readWrap, withoutCovered } from '../../../store/evm/wraps.ts'
import { readSomeErc20Balances } from '../../../store/tokens/read-balance.ts'
import { readWrappers } from '../../../store/tokens/read-token.ts'
import { tokenTransfers, type TokenTransfer } from '../../../tokens/abi/token-transfers.ts'
import { worthOf } from '../../../tokens/prices/decimal.ts'
import { erc20Asset, nativeAsset, type PriceOf } from '../../../tokens/prices/prices.ts'
import { createContractBook, readNames, type Names } from '../address-names.ts'
import { findTransaction } from './stored-transaction.ts'

const zeroAddress = `0x${'0'.repeat(40)}`

/** Maximum number of addresses whose balances are read, from the store and from the node. */
const maxAddresses = 20

type Asset = {
  readonly kind: 'NATIVE' | TokenTransfer['standard']
  readonly token: string
  readonly tokenId: string
}
type Change = { readonly address: string; readonly asset: Asset; total: bigint }
type Balances = Pick<BalanceChange, 'balanceBefore' | 'balanceAfter'>

/**
 * Only in Ridgeline: what a transaction changed, by address and asset, from its value and fee, its token transfers,
 * and the stored calls that moved the native token. Who received the fee is not included. Balances are those around
 * its block: of ERC-20 tokens from the logs, of the native token from the node as long as it keeps the state.
 */
export function transactionChangeRoutes(context: RouteContext): Implementation[] {
  const { config, prices } = context
  const book = createContractBook(config)
  return [
    implement(getTransactionChanges, async ({ params, query }) => {
      const { chain, database, stored } = await findTransaction(context, params)
      const all = changesOf(stored, await wrapsOf(database, chain, stored))
      const changes = all.slice(0, maxChanges)
      const [names, balances, priceOf] = await Promise.all([
        readNames(
          database,
          chain,
          book,
          changes.flatMap(({ address, asset }) => [address, asset.token]),
        ),
        balancesOf(context, database, chain, BigInt(stored.blockNumber), changes),
        prices.on(stored.blockTimestamp, query.currency),
      ])
      return {
        txHash: stored.txHash,
        blockNumber: stored.blockNumber,
        isTraced: !stored.untraced,
        changes: changes.map((change) => ({
          ...describe(change, chain, names, priceOf, query.currency),
          ...balances.get(change),
        })),
        omittedCount: all.length - changes.length,
        ...withoutNulls({ tracesFrom: stored.tracesFrom, logsFrom: stored.logsFrom }),
      }
    }),
  ]
}

const native: Asset = { kind: 'NATIVE', token: '', tokenId: '' }

/** What a wrapper of the native token credited or debited. */
type Wrapped = { readonly token: string; readonly from: string; readonly to: string; readonly value: bigint }

/** The deposits into wrappers and the withdrawals of a transaction that no transfer in it tells of. */
async function wrapsOf(database: Database, chain: Chain, stored: StoredTransaction): Promise<Wrapped[]> {
  const wraps = stored.logs.flatMap((log) => {
    const wrap = readWrap(log)
    return wrap ? [{ token: log.address, kind: 20, ...wrap, isWrap: true }] : []
  })
  if (wraps.length === 0 || stored.txStatus !== '1') return []
  const contracts = [...new Set(wraps.map(({ token }) => token))]
  const wrappers = await readWrappers(database, chain.key, contracts, BigInt(stored.blockNumber))
  const transfers = stored.logs
    .flatMap((log) => tokenTransfers(log))
    .filter(({ standard }) => standard === 'ERC-20')
    .map(({ token, from, to, value }) => ({ token, kind: 20, from, to, value: BigInt(value), isWrap: false }))
  return withoutCovered([...wraps, ...transfers].map((transfer) => ({ txIndex: 0, transfer }))).filter(
    ({ token, isWrap }) => isWrap && wrappers.some((wrapper) => wrapper.token === token),
  )
}

/** The changes that are not zero. What nobody held before or after, at the zero address, is not a change. */
function changesOf(stored: StoredTransaction, wraps: readonly Wrapped[]): Change[] {
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
  add(stored.sender, native, -BigInt(stored.txFee))
  if (stored.txStatus === '1') {
    move(native, stored.sender, stored.to, BigInt(stored.value))
    for (const { type, reverted, from, to, value } of stored.calls) {
      if (!reverted && to !== null && movesValue(type, BigInt(value))) move(native, from, to, BigInt(value))
    }
    for (const transfer of stored.logs.flatMap((log) => tokenTransfers(log))) {
      const { standard: kind, token, tokenId, lastTokenId, from, to, value } = transfer
      // A range counts for its collection: it may hold more ids than an answer.
      const hasId = kind !== 'ERC-20' && lastTokenId === undefined
      move({ kind, token, tokenId: hasId ? tokenId : '' }, from, to, BigInt(value))
    }
    for (const { token, from, to, value } of wraps)
      move({ kind: 'ERC-20', token, tokenId: '' }, from, to, value)
  }
  return [...changes.values()].filter(
    ({ address, asset, total }) => total !== 0n && (asset.kind === 'NATIVE' || address !== zeroAddress),
  )
}

/** The balances around a block, for the first addresses; without those that are not known. */
async function balancesOf(
  { nodes }: RouteContext,
  database: Database,
  chain: Chain,
  block: bigint,
  changes: readonly Change[],
): Promise<ReadonlyMap<Change, Balances>> {
  const found = new Map<Change, Balances>()
  const readNative = async (change: Change): Promise<void> => {
    const at = (height: bigint) => ifKnown(nativeBalanceAt(nodes, chain, change.address, height))
    const [before, after] = await Promise.all([at(block - 1n), at(block)])
    if (before === undefined || after === undefined) return
    found.set(change, { balanceBefore: before.toString(), balanceAfter: after.toString() })
  }
  const readTokens = async (address: string, own: readonly Change[]): Promise<void> => {
    const tokens = own.map(({ asset }) => asset.token)
    const at = (height: bigint) =>
      readSomeErc20Balances(database, chain.key, bytesOf(address), height, tokens)
    const [before, after] = await Promise.all([at(block - 1n), at(block)])
    for (const change of own) {
      const [first, last] = [before, after].map((rows) =>
        rows.find(({ token }) => token === change.asset.token),
      )
      // The logs of such a token do not add up to its balances.
      if (first?.disagrees === true || last?.disagrees === true) continue
      found.set(change, { balanceBefore: first?.balance ?? '0', balanceAfter: last?.balance ?? '0' })
    }
  }
  const addresses = [...new Set(changes.map(({ address }) => address))].slice(0, maxAddresses)
  const of = (address: string, kind: Asset['kind']): Change[] =>
    changes.filter((change) => change.address === address && change.asset.kind === kind)
  await Promise.all([
    soon(Promise.all(addresses.flatMap((address) => of(address, 'NATIVE').map(readNative)))),
    ...addresses.map(async (address) => {
      const own = of(address, 'ERC-20')
      if (own.length > 0) await readTokens(address, own)
    }),
  ])
  // Late answers must not change the result after it was returned.
  return new Map(found)
}

function describe(
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
