import {
  listTransactionMovements,
  maxMovedTransfers,
  type TransactionMovements,
} from '../../../../contract/evm/transaction-movements.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import type { RouteContext } from '../../../http/route-context.ts'
import { readMovements, type Movements } from '../../../store/evm/read-movements.ts'
import type { Place } from '../../../store/evm/read-transactions.ts'
import { tokenTransfers, type TokenTransfer } from '../../../tokens/abi/token-transfers.ts'
import { createContractBook, describeTransfer, readNames, type Names } from '../address-names.ts'

/**
 * Only in Ridgeline: what moved in the transactions of a page of a list, with the names of their parties. The lists
 * themselves stay as small as in the hosted API; a page asks for this once for all of its rows.
 */
export function transactionMovementRoutes({ chains, config, store }: RouteContext): Implementation[] {
  const book = createContractBook(config)
  return [
    implement(listTransactionMovements, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const rows = await readMovements(
        database,
        chain.key,
        query.positions.map(placeOf),
        maxMovedTransfers + 1,
      )
      const moved = rows.map((row) => ({ row, ...transfersOf(row) }))
      const names = await readNames(
        database,
        chain,
        book,
        moved.flatMap(({ row, transfers }) => [
          row.sender,
          row.to,
          ...transfers.flatMap(({ token, from, to }) => [token, from, to]),
        ]),
      )
      return {
        transactions: moved.map(({ row, transfers, isComplete }) =>
          describe(row, transfers, isComplete, names),
        ),
      }
    }),
  ]
}

/** The place in a text of the contract: `1200-3`. */
function placeOf(text: string): Place {
  const [number = '', index = ''] = text.split('-')
  return { number: BigInt(number), index: Number(index) }
}

function transfersOf({ logs, logCount, hasSucceeded, logsFrom }: Movements): {
  transfers: readonly TokenTransfer[]
  isComplete: boolean
} {
  if (!hasSucceeded) return { transfers: [], isComplete: true }
  const all = logs.flatMap((log) => tokenTransfers(log, 0, maxMovedTransfers + 1))
  return {
    transfers: all.slice(0, maxMovedTransfers),
    isComplete:
      logsFrom === null &&
      all.length <= maxMovedTransfers &&
      logCount <= logs.length &&
      !logs.some(({ isLong }) => isLong),
  }
}

function describe(
  row: Movements,
  transfers: readonly TokenTransfer[],
  isComplete: boolean,
  names: Names,
): TransactionMovements {
  const of = (standard: TokenTransfer['standard']): TokenTransfer[] =>
    transfers.filter((transfer) => transfer.standard === standard)
  return {
    blockNumber: row.number,
    blockIndex: row.index,
    txHash: row.txHash,
    from: names.party(row.sender),
    to: names.party(row.to),
    isToContract: row.isToContract,
    isComplete,
    erc20Transfers: of('ERC-20').map((transfer) => describeTransfer['ERC-20'](transfer, names)),
    erc721Transfers: of('ERC-721').map((transfer) => describeTransfer['ERC-721'](transfer, names)),
    erc1155Transfers: of('ERC-1155').map((transfer) => describeTransfer['ERC-1155'](transfer, names)),
    ...(row.nativeReceived !== null && {
      nativeReceived: row.hasSucceeded ? row.nativeReceived : '0',
    }),
    ...(row.logsFrom !== null && { logsFrom: row.logsFrom }),
  }
}
