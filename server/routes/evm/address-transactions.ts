import { listAddressTransactions } from '../../../contract/evm/addresses.ts'
import { nameMethods } from '../../tokens/abi/method-names.ts'
import type { TokenTransfer } from '../../tokens/abi/token-transfers.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { lastBlock, lastIndex } from '../../store/read.ts'
import { readTraceGaps, type TraceGap } from '../../store/evm/read-trace-gaps.ts'
import type { Place } from '../../store/evm/read-transactions.ts'
import { describeCall, partiesOfCall, untracedBlocks } from './address-internals.ts'
import { createContractBook, describeTransfer, namesOfTransfers, type Names } from './address-names.ts'
import { nameParties, parseTransaction, partiesOf } from './address-native.ts'
import { gatherActivity, type Activity } from './address-walk.ts'
import { bytesOf, filtersOf, resolveRange, type RouteContext } from '../../http/route-context.ts'

/**
 * `/v1/chains/{chainId}/addresses/{address}/transactions` (hosted.md): each transaction that concerns the
 * address natively, by a transfer or by an internal call, once, with those of its transfers and calls that
 * concern the address. A page may hold fewer than `pageSize` where they are many.
 */
export function addressTransactionRoutes(context: RouteContext): Implementation[] {
  const { chains, store, hotPages, abis } = context
  const book = createContractBook(context.config)
  return [
    implement(listAddressTransactions, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const order = query.sortOrder
      const filters = filtersOf({ chainId: chain.id, address }, query)
      const scope = { operation: listAddressTransactions.id, filters }
      const page = async (): Promise<string> => {
        const { database, tokens } = store.get()
        const range = await resolveRange(database, chain.key, query)
        const first = order === 'asc' ? { number: -1n, index: 0 } : { number: lastBlock, index: lastIndex }
        let past: Place = first
        if (query.pageToken !== undefined) {
          const [number, index] = tokens.openData(scope, query.pageToken)
          past = { number: BigInt(number ?? 0), index: Number(index) }
        }
        const walk = { chain: chain.key, address: bytesOf(address), order, range }
        const [{ activities, next }, gaps] = await Promise.all([
          gatherActivity(database, walk, past, query.pageSize),
          readTraceGaps(database, chain.key, range),
        ])
        const found = activities.map(({ json }) => parseTransaction(nameMethods(json, abis, chain.id)))
        const names = await namesOfTransfers(
          database,
          chain,
          book,
          activities.flatMap(({ transfers }) => transfers),
          [...found.flatMap(partiesOf), ...activities.flatMap(({ calls }) => calls.flatMap(partiesOfCall))],
        )
        return JSON.stringify({
          ...(next && { nextPageToken: tokens.sealData(scope, [next.number.toString(), next.index]) }),
          transactions: found.map((transaction, position) => ({
            nativeTransaction: nameParties(transaction, names),
            ...describeActivity(activities[position], names, gaps),
          })),
          ...untracedBlocks(gaps),
        })
      }
      if (query.pageToken !== undefined) return page().then((text) => new JsonText(text))
      return hotPages.get(JSON.stringify([scope, query.pageSize]), [chain.id], page)
    }),
  ]
}

function describeActivity(activity: Activity | undefined, names: Names, gaps: readonly TraceGap[]) {
  const transfers = activity?.transfers ?? []
  const of = (standard: TokenTransfer['standard']): TokenTransfer[] =>
    transfers.filter((transfer) => transfer.standard === standard)
  return {
    erc20Transfers: of('ERC-20').map((transfer) => describeTransfer['ERC-20'](transfer, names)),
    erc721Transfers: of('ERC-721').map((transfer) => describeTransfer['ERC-721'](transfer, names)),
    erc1155Transfers: of('ERC-1155').map((transfer) => describeTransfer['ERC-1155'](transfer, names)),
    ...(activity &&
      !gaps.some(({ first, last }) => first <= activity.number && activity.number <= last) && {
        internalTransactions: activity.calls.map((call) => describeCall(call, names)),
      }),
  }
}
