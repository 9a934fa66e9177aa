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
import { readSomeErc20Balances } from '../../../store/tokens/read-balance.ts'
import { createContractBook, readNames } from '../address-names.ts'
import {
  changesBy,
  describeChange,
  wrapsOf,
  type Asset,
  type Change,
  type Wrapped,
} from '../balance-changes.ts'
import { findTransaction } from './stored-transaction.ts'

/** Maximum number of addresses whose balances are read, from the store and from the node. */
const maxAddresses = 20

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
      const all = changesOf(
        stored,
        await wrapsOf(
          database,
          chain,
          stored.txStatus === '1' ? stored.logs : [],
          BigInt(stored.blockNumber),
        ),
      )
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
          ...describeChange(change, chain, names, priceOf, query.currency),
          ...balances.get(change),
        })),
        omittedCount: all.length - changes.length,
        ...withoutNulls({ tracesFrom: stored.tracesFrom, logsFrom: stored.logsFrom }),
      }
    }),
  ]
}

/** What a transaction changed, its fee included. */
function changesOf(stored: StoredTransaction, wraps: readonly Wrapped[]): Change[] {
  const { sender, to, value, txFee, txStatus, calls, logs } = stored
  const fee = { address: sender, amount: -BigInt(txFee) }
  if (txStatus !== '1') return changesBy({ fee })
  const moves = calls.flatMap(({ type, reverted, from, to: recipient, value: moved }) =>
    !reverted && recipient !== null && movesValue(type, BigInt(moved))
      ? [{ from, to: recipient, value: BigInt(moved) }]
      : [],
  )
  return changesBy({ fee, moves: [{ from: sender, to, value: BigInt(value) }, ...moves], logs, wraps })
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
