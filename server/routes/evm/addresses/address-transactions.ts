import { listAddressTransactions } from '../../../../contract/evm/addresses.ts'
import { withStored } from '../../../tokens/abi/stored.ts'
import type { TokenTransfer } from '../../../tokens/abi/token-transfers.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { readTraceGaps, type TraceGap } from '../../../store/evm/read-trace-gaps.ts'
import { readKept, type Kept } from '../../../store/evm/read-kept.ts'
import { beforeAllPlaces, placeCursor } from '../../../store/evm/read-transactions.ts'
import { describeCall, partiesOfCall, untracedBlocks } from './address-internals.ts'
import { createContractBook, describeTransfer, namesOfTransfers, type Names } from '../address-names.ts'
import { describeTransaction, partiesOf } from '../transaction-fields.ts'
import { keptFields } from '../kept.ts'
import { gatherActivity, type Activity } from './address-walk.ts'
import { openList } from '../../../http/keyset-list.ts'
import { bytesOf, resolveRange, type RouteContext } from '../../../http/route-context.ts'

/**
 * `/v1/chains/{chainId}/addresses/{address}/transactions` (as in the hosted API): each transaction that
 * involves the address as a party, by a transfer, by an internal call or by an authorization that it signed, once, with
 * the transfers, calls and authorizations that involve the address. Transactions that only a dropped log or call would find are missing, which `logsFrom` and
 * `tracesFrom` say. A page may have fewer than `pageSize` items if these are many.
 */
export function addressTransactionRoutes(context: RouteContext): Implementation[] {
  const { chains, store, abis } = context
  const book = createContractBook(context.config)
  return [
    implement(listAddressTransactions, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const order = query.sortOrder
      const filters = { chainId: chain.id, address }
      const list = openList(context, listAddressTransactions, placeCursor, filters, query)
      return list.answer([chain.id], async () => {
        const { database } = store.get()
        const range = await resolveRange(database, chain.key, query)
        const walk = { chain: chain.key, address: bytesOf(address), order, range }
        const [{ rows: activities, nextPageToken }, gaps] = await Promise.all([
          list.walk(beforeAllPlaces[order], (after, pageSize) =>
            gatherActivity(database, walk, after, pageSize),
          ),
          readTraceGaps(database, chain.key, range),
        ])
        const kept = await readKept(database, chain.key)
        const names = await namesOfTransfers(
          database,
          chain,
          book,
          activities.flatMap(({ transfers }) => transfers),
          activities.flatMap(({ transaction, calls, authorizations }) => [
            ...partiesOf(transaction),
            ...calls.flatMap(partiesOfCall),
            ...authorizations.map(({ address }) => address),
          ]),
        )
        const known = await withStored(
          abis,
          database,
          chain,
          activities.map(({ transaction }) => transaction.to),
        )
        return JSON.stringify({
          nextPageToken,
          transactions: activities.map((activity) => ({
            nativeTransaction: describeTransaction(activity.transaction, names, known, chain.id),
            ...describeActivity(activity, names, gaps, kept),
          })),
          ...untracedBlocks(gaps),
          ...keptFields(kept, range),
        })
      })
    }),
  ]
}

function describeActivity(
  { number, transfers, calls, authorizations }: Activity,
  names: Names,
  gaps: readonly TraceGap[],
  kept: Kept,
) {
  const of = (standard: TokenTransfer['standard']): TokenTransfer[] =>
    transfers.filter((transfer) => transfer.standard === standard)
  const isTraced = number >= kept.traces && !gaps.some(({ first, last }) => first <= number && number <= last)
  return {
    ...(number >= kept.logs && {
      erc20Transfers: of('ERC-20').map((transfer) => describeTransfer['ERC-20'](transfer, names)),
      erc721Transfers: of('ERC-721').map((transfer) => describeTransfer['ERC-721'](transfer, names)),
      erc1155Transfers: of('ERC-1155').map((transfer) => describeTransfer['ERC-1155'](transfer, names)),
    }),
    ...(isTraced && {
      internalTransactions: calls.map((call) => describeCall(call, names)),
    }),
    ...(authorizations.length > 0 && {
      authorizations: authorizations.map(({ address, nonce }) => ({ address: names.party(address), nonce })),
    }),
  }
}
