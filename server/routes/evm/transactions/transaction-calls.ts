import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  getTransactionCalls,
  maxCallBytesShown,
  maxCallsText,
  type CallData,
} from '../../../../contract/evm/transaction-calls.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { bytesOf, type RouteContext } from '../../../http/route-context.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { ifKnown } from '../../../node/state.ts'
import { callsOf, traceTransaction } from '../../../node/trace-call.ts'
import type { Database } from '../../../store/database.ts'
import { isTruncated } from '../../../store/evm/kept-call-data.ts'
import { readCallData } from '../../../store/evm/read-call-data.ts'
import type { StoredTransaction } from '../../../store/evm/read-transaction.ts'
import { decodeCall, decodeOutputs, maxDecoded } from '../../../tokens/abi/decode.ts'
import type { AbiBook } from '../../../tokens/abi/operator.ts'
import { withStored } from '../../../tokens/abi/stored.ts'
import { findTransaction } from './stored-transaction.ts'

/** After so many calls, other requests have their turn. */
const callsATurn = 100

/** What is known of a call: who was called, and 0x text. */
type KnownCall = {
  readonly to?: string | undefined
  readonly input?: string | undefined
  readonly output?: string | undefined
  readonly error?: string | undefined
  /** The selector of a call of code; a creation has none. */
  readonly method?: string | undefined
}

/**
 * Only in Ridgeline: the decoded inputs and outputs of a transaction's calls (contract/evm/transaction-calls.ts). The node
 * is asked for those that the index lacks or has truncated. 404 for an unknown transaction, 502 if the node is needed and
 * can't be reached.
 */
export function transactionCallsRoutes(context: RouteContext): Implementation[] {
  const { nodes, abis } = context
  return [
    implement(getTransactionCalls, async ({ params }) => {
      const { chain, database, stored, isIndexed } = await findTransaction(context, params)
      const { txHash, blockNumber } = stored
      const kept = isIndexed && !stored.untraced ? await keptCalls(database, chain, params.txHash) : undefined
      const known = kept?.every(isWhole) ? kept : ((await tracedCalls(nodes, chain, stored, kept)) ?? kept)
      if (!known) {
        const missing = chain.config.traces === 'off' ? 'TRACES_OFF' : 'NO_TRACE'
        return { txHash, blockNumber, missing }
      }
      const called = known.map(({ to }) => to ?? null)
      const book = await withStored(abis, database, chain, called, BigInt(blockNumber))
      const calls: CallData[] = []
      let room = maxCallsText
      for (const [index, each] of known.entries()) {
        if (index % callsATurn === callsATurn - 1) await nextTurn()
        const data = room > 0 ? describe(each, book, chain) : {}
        calls.push(data)
        room -= JSON.stringify(data).length
      }
      return { txHash, blockNumber, calls }
    }),
  ]
}

/** The calls of a transaction as the index has them, its own first. */
async function keptCalls(database: Database, chain: Chain, txHash: string): Promise<KnownCall[]> {
  const rows = await readCallData(database, chain.key, bytesOf(txHash), maxCallsText / 2)
  return rows.map(({ ordinal, to, input, output, error }) => ({
    to: to ?? undefined,
    input: input ?? undefined,
    // A transaction's own call that returned nothing has none in the store.
    output: output ?? (ordinal === -1 && to !== null && error === null ? '0x' : undefined),
    error: error ?? undefined,
    method: to !== null && input !== null && input.length >= 10 ? input.slice(0, 10) : undefined,
  }))
}

const isWhole = ({ input, output }: KnownCall): boolean =>
  !isTruncated(input ?? '') && !isTruncated(output ?? '')

/**
 * The calls of a transaction by a trace of the node, its own first; undefined if there is none. Throws NodeUnavailable (502)
 * if nothing is kept of them and the node can't be reached.
 */
async function tracedCalls(
  nodes: RouteContext['nodes'],
  chain: Chain,
  { txHash, calls }: StoredTransaction,
  kept: readonly KnownCall[] | undefined,
): Promise<readonly KnownCall[] | undefined> {
  if (chain.config.traces === 'off') return undefined
  const asked = traceTransaction(nodes.forTraces(chain), txHash)
  const top = kept ? await ifKnown(asked) : await asked
  if (!top) return undefined
  const frames = callsOf(top).map(({ frame }) => frame)
  // The node may be on another branch, where the transaction did something else.
  const inner = frames.slice(1)
  const isSame =
    inner.length === calls.length &&
    inner.every(({ from, to = null }, index) => calls[index]?.from === from && calls[index].to === to)
  return !kept || isSame ? frames : undefined
}

const shown = (bytes: string): string => bytes.slice(0, 2 + 2 * maxCallBytesShown)

function describe(
  { to = '', method, input, output, error }: KnownCall,
  abis: AbiBook,
  chain: Chain,
): CallData {
  const bytes = {
    ...(input !== undefined && { input: shown(input) }),
    ...(output !== undefined && { output: shown(output) }),
  }
  const failure =
    error !== undefined && output !== undefined && output.length >= 10
      ? decodeCall(output, abis.errors(output.slice(0, 10), chain.id, to))
      : undefined
  const functions = method === undefined ? undefined : abis.functions(method, chain.id, to)
  const call = functions && input !== undefined ? decodeCall(input, functions) : undefined
  // Signatures that are not of the contract's own ABI do not tell what a function returns.
  const returned = functions?.from !== undefined && error === undefined ? output : undefined
  const known = functions?.known.find(({ signature }) => signature === call?.signature)
  const results =
    known && returned !== undefined && returned.length <= maxDecoded
      ? decodeOutputs(known.item, returned)
      : undefined
  return { ...bytes, ...(call && { call }), ...(results && { results }), ...(failure && { error: failure }) }
}
