import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  getTransactionCalls,
  maxCallBytesShown,
  maxCallsText,
  type CallData,
  type TransactionCalls,
} from '../../../../contract/evm/transaction-calls.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import type { RouteContext } from '../../../http/route-context.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import type { NodeClient } from '../../../node/client.ts'
import { callsOf, traceTransaction, type TracedFrame } from '../../../node/trace-call.ts'
import type { StoredTransaction } from '../../../store/evm/read-transaction.ts'
import { decodeCall, decodeOutputs, maxDecoded } from '../../../tokens/abi/decode.ts'
import type { AbiBook } from '../../../tokens/abi/operator.ts'
import { withStored } from '../../../tokens/abi/stored.ts'
import { findTransaction } from './stored-transaction.ts'

/** After so many calls, other requests have their turn. */
const callsATurn = 100

/**
 * Only in Ridgeline: the decoded inputs and outputs of a transaction's calls (contract/evm/transaction-calls.ts). 404 for
 * an unknown transaction, 502 if the node can't be reached.
 */
export function transactionCallsRoutes(context: RouteContext): Implementation[] {
  const { nodes, abis } = context
  return [
    implement(getTransactionCalls, async ({ params }) => {
      const { chain, database, stored } = await findTransaction(context, params)
      const { txHash, blockNumber } = stored
      const frames = await framesOf(nodes.forTraces(chain), chain, stored)
      if (typeof frames === 'string') return { txHash, blockNumber, missing: frames }
      const called = frames.map(({ to }) => to ?? null)
      const book = await withStored(abis, database, chain, called, BigInt(blockNumber))
      const calls: CallData[] = []
      let room = maxCallsText
      for (const [index, frame] of frames.entries()) {
        if (index % callsATurn === callsATurn - 1) await nextTurn()
        const data = room > 0 ? describe(frame, book, chain) : {}
        calls.push(data)
        room -= JSON.stringify(data).length
      }
      return { txHash, blockNumber, calls }
    }),
  ]
}

/** The calls of a transaction by a trace, its own first, or why they are missing. */
async function framesOf(
  client: NodeClient,
  chain: Chain,
  { txHash, calls, untraced }: StoredTransaction,
): Promise<readonly TracedFrame[] | NonNullable<TransactionCalls['missing']>> {
  if (chain.config.traces === 'off') return 'TRACES_OFF'
  const top = await traceTransaction(client, txHash)
  if (!top) return 'NO_TRACE'
  const frames = callsOf(top).map(({ frame }) => frame)
  // The node may be on another branch, where the transaction did something else.
  const inner = frames.slice(1)
  const isSame =
    inner.length === calls.length &&
    inner.every(({ from, to = null }, index) => calls[index]?.from === from && calls[index].to === to)
  return untraced || isSame ? frames : 'OTHER_CALLS'
}

const shown = (bytes: string): string => bytes.slice(0, 2 + 2 * maxCallBytesShown)

function describe(
  { to = '', method, input, output, error }: TracedFrame,
  abis: AbiBook,
  chain: Chain,
): CallData {
  const bytes = { input: shown(input), output: shown(output) }
  const failure =
    error !== undefined && output.length >= 10
      ? decodeCall(output, abis.errors(output.slice(0, 10), chain.id, to))
      : undefined
  const functions = method === undefined ? undefined : abis.functions(method, chain.id, to)
  const call = functions && decodeCall(input, functions)
  // Signatures that are not of the contract's own ABI do not tell what a function returns.
  const own = functions?.isOwn === true && error === undefined && output.length <= maxDecoded
  const known = own ? functions.known.find(({ signature }) => signature === call?.signature) : undefined
  const results = known && decodeOutputs(known.item, output)
  return { ...bytes, ...(call && { call }), ...(results && { results }), ...(failure && { error: failure }) }
}
