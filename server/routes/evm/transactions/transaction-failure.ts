import {
  getTransactionFailure,
  type TransactionFailure,
} from '../../../../contract/evm/transaction-failure.ts'
import { JsonText, implement, type Implementation } from '../../../http/bind.ts'
import type { RouteContext } from '../../../http/route-context.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { evictOldest } from '../../../kernel/evict-oldest.ts'
import { notFound } from '../../../kernel/http-errors.ts'
import type { NodeClient } from '../../../node/client.ts'
import {
  isMachineError,
  isRevert,
  NodeRefusal,
  NodeUnavailable,
  StateNotKept,
} from '../../../node/failures.ts'
import { askState } from '../../../node/state.ts'
import { failingCall, traceTransaction, type FailingCall, type Frame } from '../../../node/trace-call.ts'
import { isTruncated } from '../../../store/evm/kept-call-data.ts'
import type { StoredTransaction } from '../../../store/evm/read-transaction.ts'
import { withStored } from '../../../tokens/abi/stored.ts'
import type { AbiBook } from '../../../tokens/abi/operator.ts'
import { createContractBook, readNames, type Names } from '../address-names.ts'
import { describeEnding, revertedAlone, type Ending } from '../failure-ending.ts'
import { findTransaction } from './stored-transaction.ts'

/** Maximum number of cached answers; the oldest is evicted first. */
const maxKept = 1_000

/**
 * Only in Ridgeline: why a transaction failed, by what the indexer kept of the trace of its block. Only if that lacks
 * something is the node asked: it traces the transaction, or replays its call on the state before its block (`eth_call`);
 * if the state is gone, the stored calls and the receipt say what they can. 404 for a transaction that is not indexed or
 * succeeded; 502 if the node is needed and can't be reached. Answers that come from the node are cached once their block
 * is final.
 */
export function transactionFailureRoutes(context: RouteContext): Implementation[] {
  const { nodes, abis, config } = context
  const contracts = createContractBook(config)
  const kept = new Map<string, JsonText>()
  return [
    implement(getTransactionFailure, async ({ params }) => {
      const { chain, database, stored } = await findTransaction(context, params)
      if (stored.txStatus !== '0') throw notFound(`transaction ${params.txHash} did not fail`)
      const book = await withStored(
        abis,
        database,
        chain,
        [stored.to, ...stored.calls.map(({ to }) => to)],
        BigInt(stored.blockNumber),
      )
      const key = `${chain.id} ${stored.blockHash} ${stored.txHash} ${book.edition}`
      const known = kept.get(key)
      if (known) return known
      const { source, isStateMissing, ending, failing } = await explain(
        nodes.forTraces(chain),
        chain,
        stored,
        book,
      )
      const names = await readNames(database, chain, contracts, failing ? partiesOf(failing.frame) : [])
      const answer = new JsonText(
        JSON.stringify({
          txHash: stored.txHash,
          blockNumber: stored.blockNumber,
          source,
          isStateMissing,
          ...ending,
          ...(failing && { call: describeCall(failing, names, book, chain) }),
          ...(stored.tracesFrom !== null && { tracesFrom: stored.tracesFrom }),
        } satisfies TransactionFailure),
      )
      if (stored.isFinalized === true && (source === 'TRACE' || source === 'REPLAY')) {
        kept.set(key, answer)
        evictOldest(kept, maxKept)
      }
      return answer
    }),
  ]
}

type Explanation = Pick<TransactionFailure, 'source' | 'isStateMissing'> & {
  readonly ending: Ending
  readonly failing?: FailingCall | undefined
}

type EndingOf = (frame: Frame) => Ending

async function explain(
  client: NodeClient,
  chain: Chain,
  stored: StoredTransaction,
  abis: AbiBook,
): Promise<Explanation> {
  const endingOf = (frame: Frame): Ending =>
    describeEnding(frame, (selector) => abis.errors(selector, chain.id, frame.to ?? ''))
  const known = fromTrace(stored, endingOf)
  if (known && isWhole(stored)) return known
  try {
    const asked = await ask(client, chain, stored, endingOf)
    const knowsMore = asked.source === 'TRACE' || (asked.source === 'REPLAY' && asked.ending !== notRepeated)
    return known && !knowsMore ? { ...known, isStateMissing: asked.isStateMissing } : asked
  } catch (error) {
    if (known && error instanceof NodeUnavailable) return known
    throw error
  }
}

/** Whether the stored output is all that the transaction's own call returned. */
const isWhole = ({ error, output }: StoredTransaction): boolean =>
  output === null ? !isRevert(error ?? '') : !isTruncated(output)

/** What the indexer stored of the trace; undefined if the block is not traced. */
function fromTrace(stored: StoredTransaction, endingOf: EndingOf): Explanation | undefined {
  const { error, failingCall: ordinal } = stored
  if (error === null || ordinal === null) return undefined
  const own = { error, output: stored.output ?? undefined }
  const top = { ...topOf(stored), ...own }
  const call = stored.calls[ordinal]
  const source = { source: 'STORED_TRACE', isStateMissing: false } as const
  if (ordinal < 0) return { ...source, ending: endingOf(top), failing: { frame: top, depth: 0, index: -1 } }
  // Internal calls may be dropped earlier than transactions.
  if (!call) return { ...source, ending: endingOf(top) }
  const failing = { frame: { ...frameOf(call), output: own.output }, depth: call.depth, index: ordinal }
  return { ...source, ending: endingOf(withData(failing.frame, own)), failing }
}

/** Data that spread to the transaction are those of the failing call; without data, the call itself says more. */
const withData = (frame: Frame, own: Replayed): Frame =>
  own.output !== undefined && own.output !== '0x' ? { ...frame, ...own } : frame

/** What the node says of a failure, with the stored calls and the receipt. */
async function ask(
  client: NodeClient,
  chain: Chain,
  stored: StoredTransaction,
  endingOf: EndingOf,
): Promise<Explanation> {
  const traced = chain.config.traces === 'off' ? undefined : await traceTransaction(client, stored.txHash)
  // A node on another branch may have executed the transaction with another result.
  if (traced?.error !== undefined) {
    // Nodes differ in whether the gas of the transaction's own call has what was paid before it; the receipt's has it.
    const failing = failingCall({ ...traced, gasLimit: stored.gasLimit, gasUsed: stored.gasUsed })
    return { source: 'TRACE', isStateMissing: false, ending: endingOf(failing.frame), failing }
  }
  const replayed = await replay(client, stored)
  const top = topOf(stored)
  if (replayed === 'lost' || replayed === 'refused') {
    const isStateMissing = replayed === 'lost'
    const failing = failingCall(top)
    if (failing.depth === 0) return { source: 'RECEIPT', isStateMissing, ending: fromReceipt(stored) }
    return { source: 'STORED_TRACE', isStateMissing, ending: endingOf(failing.frame), failing }
  }
  const source = { source: 'REPLAY', isStateMissing: false } as const
  if (replayed.error === undefined) return { ...source, ending: notRepeated }
  const own = endingOf({ ...top, ...replayed })
  // Stored calls have the text of a reason but no data, so the replay is compared with them by its text.
  const failing = failingCall({ ...top, error: own.kind === 'REASON' ? own.reason : replayed.error })
  const frame = failing.depth === 0 ? { ...failing.frame, ...replayed } : withData(failing.frame, replayed)
  return { ...source, ending: endingOf(frame), ...(!stored.untraced && { failing }) }
}

/** The end of a replayed call: its error, absent if it succeeded, and what it returned. */
type Replayed = Pick<Frame, 'error' | 'output'>

/**
 * The call of a transaction, executed on the state before its block: earlier transactions of the block are not
 * included. Neither are the C-Chain's imports and exports in the block, which it applies after its transactions
 * (coreth, consensus/dummy, Finalize; avalanchego, vms/saevm/hook, EndOfBlockOps). `lost` if the node no longer keeps
 * that state, `refused` if it does not execute the call.
 */
async function replay(
  client: NodeClient,
  { sender, to, callType, input, value, gasLimit, blockNumber }: StoredTransaction,
): Promise<Replayed | 'lost' | 'refused'> {
  const hex = (digits: string): string => `0x${BigInt(digits).toString(16)}`
  const call = {
    from: sender,
    ...(callType !== 'CONTRACT_CREATION' && { to }),
    data: input,
    value: hex(value),
    gas: hex(gasLimit),
  }
  try {
    await askState(client, 'eth_call', [call], BigInt(blockNumber) - 1n)
    return {}
  } catch (error) {
    if (error instanceof StateNotKept) return 'lost'
    if (!(error instanceof NodeRefusal)) throw error
    if (error.data !== undefined || error.reverted) {
      return { error: 'execution reverted', output: error.data?.toLowerCase() ?? '0x' }
    }
    return isMachineError(error.reason) ? { error: error.reason, output: '0x' } : 'refused'
  }
}

const notRepeated: Ending = {
  kind: 'UNKNOWN',
  reason: 'the replayed call succeeded, so the failure depends on earlier transactions of its block',
}

/** Everything but a revert uses all the gas. */
const fromReceipt = ({ gasUsed, gasLimit }: StoredTransaction): Ending =>
  gasUsed === gasLimit
    ? { kind: 'UNKNOWN', reason: 'used all of its gas: it ran out of gas, or an instruction was invalid' }
    : revertedAlone

/** The call of the transaction itself, with the stored calls that it made, without how it ended. */
function topOf({ sender, to, callType, selector, gasLimit, gasUsed, calls }: StoredTransaction): Frame {
  const isCreation = callType === 'CONTRACT_CREATION'
  const top: Branch = {
    type: isCreation ? 'CREATE' : 'CALL',
    from: sender,
    to: to === '' ? undefined : to,
    method: isCreation || selector.length < 10 ? undefined : selector,
    gasLimit,
    gasUsed,
    calls: [],
  }
  const path = [top]
  for (const call of calls) {
    const frame = frameOf(call)
    path.length = Math.min(path.length, call.depth)
    path.at(-1)?.calls.push(frame)
    path.push(frame)
  }
  return top
}

type Branch = Frame & { readonly calls: Frame[] }

const frameOf = (call: StoredTransaction['calls'][number]): Branch => ({
  type: call.type,
  from: call.from,
  to: call.to ?? undefined,
  method: call.method ?? undefined,
  gasLimit: call.gasLimit,
  gasUsed: call.gasUsed,
  error: call.error ?? undefined,
  calls: [],
})

const partiesOf = ({ from, to }: Frame): string[] => (to === undefined ? [from] : [from, to])

function describeCall({ frame, depth, index }: FailingCall, names: Names, abis: AbiBook, chain: Chain) {
  const { type, from, to = '', method, gasLimit, gasUsed } = frame
  const [known] = method === undefined ? [] : abis.functions(method, chain.id, to).known
  return {
    depth,
    internalTxType: type,
    from: names.party(from),
    to: names.party(to),
    ...(method !== undefined && { methodHash: method }),
    ...(known && { methodName: known.signature }),
    gasLimit,
    gasUsed,
    ...(index >= 0 && { internalIndex: index }),
  }
}
