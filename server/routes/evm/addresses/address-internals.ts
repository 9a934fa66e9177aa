import { listInternalTransactions } from '../../../../contract/evm/addresses.ts'
import type { BlockSpan } from '../../../../contract/base/fields.ts'
import {
  beforeAllCalls,
  callCursor,
  readInternalCalls,
  type Call,
} from '../../../store/evm/read-address-calls.ts'
import { unavailable } from '../../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { hasCalls, readTraceGaps, type TraceGap } from '../../../store/evm/read-trace-gaps.ts'
import { createContractBook, readNames, type Names } from '../address-names.ts'
import { readWhereKept } from '../kept.ts'
import { openList } from '../../../http/keyset-list.ts'
import { bytesOf, resolveRange, type RouteContext } from '../../../http/route-context.ts'

/**
 * `transactions:listInternals` (as in the hosted API): the calls by or to an address that move value or
 * create a contract, latest first, and the untraced blocks of the range. 503 if no block of the range is
 * traced, and 410 if none is kept, because an empty list would be wrong.
 */
export function addressInternalRoutes(context: RouteContext): Implementation[] {
  const { chains, store } = context
  const book = createContractBook(context.config)
  return [
    implement(listInternalTransactions, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const filters = { chainId: chain.id, address }
      const list = openList(context, listInternalTransactions, callCursor, filters, query)
      return list.answer([chain.id], async () => {
        const { database } = store.get()
        const range = await resolveRange(database, chain.key, query)
        const { value, fields } = await readWhereKept(database, chain, 'traces', range, async (kept) => {
          const gaps = await readTraceGaps(database, chain.key, kept)
          if (gaps.length > 0 && !(await hasCalls(database, chain.key, kept))) {
            throw unavailable(
              `not traced: internal calls are read from traces, which the node of ${chain.config.name} could not give for ${describeGaps(gaps)}`,
            )
          }
          const page = await list.page(beforeAllCalls, (after, limit) =>
            readInternalCalls(database, chain.key, bytesOf(address), kept, after, limit),
          )
          return { ...page, gaps }
        })
        const { rows, nextPageToken, gaps } = value
        const names = await readNames(database, chain, book, rows.flatMap(partiesOfCall))
        return JSON.stringify({
          nextPageToken,
          transactions: rows.map((call) => ({
            blockNumber: call.number.toString(),
            blockTimestamp: call.ts,
            blockHash: call.blockHash,
            txHash: call.txHash,
            ...describeCall(call, names),
            ...(call.output !== null && { output: call.output }),
          })),
          ...untracedBlocks(gaps),
          ...fields,
        })
      })
    }),
  ]
}

/** Maximum number of gaps in an answer: the latest ones. */
const maxGaps = 100

/** The field with the blocks whose internal calls are unknown; empty if there are none. */
export function untracedBlocks(gaps: readonly TraceGap[]): { untracedBlocks?: BlockSpan[] } {
  if (gaps.length === 0) return {}
  const named = gaps.slice(0, maxGaps)
  return {
    untracedBlocks: named.map(({ first, last }) => ({ firstBlock: `${first}`, lastBlock: `${last}` })),
  }
}

/** Describes gaps: `blocks 10 to 20` and the number of further ones. */
function describeGaps([latest, ...others]: readonly TraceGap[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} earlier ranges`
  return `blocks ${latest?.first} to ${latest?.last}${more}`
}

/** The addresses of a call; a failed creation has no recipient. */
export const partiesOfCall = ({ from, to }: Call): string[] => (to === null ? [from] : [from, to])

/** The displayed fields of a call, without its position in the chain. */
export function describeCall(call: Call, names: Names) {
  return {
    from: names.party(call.from),
    to: names.party(call.to ?? ''),
    internalTxType: call.type,
    value: call.value,
    isReverted: call.reverted,
    gasUsed: call.gasUsed,
    gasLimit: call.gasLimit,
    depth: call.depth,
    ...(call.method !== null && { methodHash: call.method }),
    ...(call.error !== null && { error: call.error }),
  }
}
