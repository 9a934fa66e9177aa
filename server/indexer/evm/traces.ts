import {
  hex,
  list,
  object,
  optionalHex,
  optionalQuantity,
  quantity,
  refuse,
  type JsonObject,
} from '../../kernel/json.ts'
import { isRevert } from '../../node/failures.ts'
import { failingIndex, type CallEnd } from '../../node/trace-call.ts'
import { keepCallData } from '../../store/evm/kept-call-data.ts'

/** A call made inside a transaction. Hex values are 0x text in lower case. */
export type InnerCall = {
  readonly txIndex: number
  /** Position in execution order within the transaction. */
  readonly ordinal: number
  /** 1 for a call made by the transaction's own code. */
  readonly depth: number
  readonly type: string
  /** Whether the call, or a call that contains it, failed. */
  readonly reverted: boolean
  readonly sender: string
  readonly recipient: string | undefined
  readonly value: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  /** Call data and what was returned, both truncated by `keepCallData`; undefined for code, and if the node does not tell. */
  readonly input: string | undefined
  readonly output: string | undefined
  readonly error: string | undefined
}

/** How the own call of a transaction ended. */
export type OwnCall = {
  readonly txIndex: number
  /**
   * What it returned, truncated by `keepCallData`. Undefined for a revert whose data the node does not tell; if the call
   * succeeded, also for nothing and for the code of a contract.
   */
  readonly output: string | undefined
  readonly failure?: {
    /** The node's text, such as `execution reverted`; `Reverted` in flat traces. */
    readonly error: string
    /** The ordinal of the inner call in which the failure began; -1 for the transaction's own call. */
    readonly call: number
  }
}

/** The traces of a block. */
export type BlockTraces = {
  readonly calls: readonly InnerCall[]
  /** Of the transactions that failed or returned something. */
  readonly ownCalls: readonly OwnCall[]
}

/**
 * A look-up of what is kept of a transaction's own call, by its index and whether it succeeded: a node on another branch
 * may have executed it with another result.
 */
export function ownCallsOf(
  traces: BlockTraces | undefined,
): (index: number, succeeded: boolean) => OwnCall | undefined {
  const all = new Map(traces?.ownCalls.map((own) => [own.txIndex, own]))
  return (index, succeeded) => {
    const own = all.get(index)
    return (own?.failure === undefined) === succeeded ? own : undefined
  }
}

/** A block to trace, with the hashes of its transactions. */
export type TracedBlock = {
  readonly number: number
  readonly hash: string
  readonly hashes: readonly string[]
  /** So many of them are sure to have traces; what the chain does by itself may have none. */
  readonly proven?: { readonly count: number }
}

/** Whether a call is a successful contract creation. */
export function isLastingCreation(call: InnerCall): call is InnerCall & { recipient: string } {
  return isCreation(call.type) && !call.reverted && call.recipient !== undefined
}

/**
 * Reads the answer to `debug_traceBlockByNumber` with the callTracer: one nested frame per transaction, in
 * block order. An answer for other transactions than the block's is refused.
 */
export function readDebugTraces(
  answer: unknown,
  { hashes, proven }: Pick<TracedBlock, 'hashes' | 'proven'>,
): BlockTraces {
  const traces = list(answer, 'the traces')
  if (traces.length > hashes.length || traces.length < (proven?.count ?? hashes.length))
    throw refuse('the traces are not those of the block')
  const calls: InnerCall[] = []
  const ownCalls: OwnCall[] = []
  traces.forEach((value, txIndex) => {
    const trace = object(value, 'a trace')
    if (trace['txHash'] !== undefined && trace['txHash'] !== hashes[txIndex]) {
      throw refuse('the traces are not those of the block')
    }
    if (trace['result'] === undefined) throw refuse('a trace has no result')
    const top = object(trace['result'], 'a call frame')
    const ends = readFrame(top, txIndex, calls)
    ownCalls.push(...ownCallOf(txIndex, endOf(top, 0), ends))
  })
  return { calls, ownCalls }
}

/** Adds the calls inside a frame, and returns how they ended if the frame itself failed. */
function readFrame(top: JsonObject, txIndex: number, calls: InnerCall[]): CallEnd[] {
  const ends: CallEnd[] = []
  const hasFailed = hasError(top)
  const pending: { frame: JsonObject; depth: number; reverted: boolean }[] = []
  const push = (parent: JsonObject, depth: number, reverted: boolean) => {
    const inner = parent['calls'] === undefined ? [] : list(parent['calls'], 'calls')
    for (const frame of [...inner].reverse())
      pending.push({ frame: object(frame, 'a call frame'), depth, reverted })
  }
  push(top, 1, hasFailed)
  let ordinal = 0
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { frame, depth } = next
    const type = typeOf(frame['type'])
    const end = endOf(frame, depth)
    const reverted = next.reverted || hasError(frame)
    calls.push({
      txIndex,
      ordinal: ordinal++,
      depth,
      type,
      reverted,
      sender: hex(frame['from'], 'a caller', 20),
      recipient: optionalHex(frame['to'], 'a callee', 20),
      value: optionalQuantity(frame['value'], 'a value') ?? 0n,
      gasLimit: optionalQuantity(frame['gas'], 'a gas limit') ?? 0n,
      gasUsed: optionalQuantity(frame['gasUsed'], 'gas used') ?? 0n,
      input: inputOf(type, frame['input']),
      output: type === 'SELFDESTRUCT' ? undefined : end.output,
      error: textOf(frame['revertReason']) ?? textOf(frame['error']),
    })
    if (hasFailed) ends.push(end)
    push(frame, depth + 1, reverted)
  }
  return ends
}

/** How a frame of the callTracer ended. It leaves out an output of no bytes. */
function endOf(frame: JsonObject, depth: number): CallEnd {
  const output = callData(frame['output'] ?? '0x', 'an output')
  if (hasError(frame)) return { depth, error: textOf(frame['error']) ?? '', output }
  return { depth, output: isCreation(typeOf(frame['type'])) ? undefined : output }
}

/** What is kept of a transaction's own call; nothing if it returned nothing and succeeded. */
function ownCallOf(txIndex: number, { error, output }: CallEnd, ends: readonly CallEnd[]): OwnCall[] {
  if (error !== undefined) {
    const call = failingIndex({ error, output }, ends)
    return [{ txIndex, output, failure: { error, call } }]
  }
  return output === undefined || output === '0x' ? [] : [{ txIndex, output }]
}

/** The kept part of an input or output; undefined if the node does not tell it. */
const callData = (bytes: unknown, what: string): string | undefined =>
  typeof bytes === 'string' ? hex(keepCallData(bytes), what) : undefined

/** The call data of a call; a creation's input is code. */
const inputOf = (type: string, input: unknown): string | undefined =>
  isCreation(type) || type === 'SELFDESTRUCT' ? undefined : callData(input, 'an input')

const isCreation = (type: string): boolean => type.startsWith('CREATE')

function hasError(frame: JsonObject): boolean {
  return frame['error'] !== undefined && frame['error'] !== null && frame['error'] !== ''
}

/**
 * Reads the answer to `trace_block`: a flat list in execution order, in which `traceAddress` is the position
 * in the call tree. Reward traces belong to no transaction and are skipped.
 */
export function readFlatTraces(
  answer: unknown,
  { hashes, hash: blockHash, proven }: Omit<TracedBlock, 'number'>,
): BlockTraces {
  const calls: InnerCall[] = []
  const ownCalls: OwnCall[] = []
  const seen = new Set<number>()
  let failed: string[] = []
  let own: CallEnd = { depth: 0 }
  let ends: CallEnd[] = []
  let current = 0
  const endTransaction = () => ownCalls.push(...ownCallOf(current, own, ends))
  for (const value of list(answer, 'the traces')) {
    const trace = object(value, 'a trace')
    if (trace['transactionHash'] === undefined || trace['transactionHash'] === null) continue
    const txIndex = Number(trace['transactionPosition'])
    if (hashes[txIndex] !== trace['transactionHash'] || (trace['blockHash'] ?? blockHash) !== blockHash) {
      throw refuse('the traces are not those of the block')
    }
    const place = list(trace['traceAddress'] ?? [], 'a trace address')
    if (place.length === 0) {
      endTransaction()
      current = txIndex
      own = flatEndOf(trace, 0)
      ends = []
      seen.add(txIndex)
      failed = hasError(trace) ? [''] : []
      continue
    }
    const end = flatEndOf(trace, place.length)
    if (own.error !== undefined) ends.push(end)
    const path = place.map((part) => `/${String(part)}`).join('')
    if (hasError(trace)) failed.push(path)
    const reverted = failed.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    const previous = calls.at(-1)
    const ordinal = previous?.txIndex === txIndex ? previous.ordinal + 1 : 0
    calls.push(readFlat(trace, end, { txIndex, ordinal, reverted }))
  }
  for (let index = 0; index < (proven?.count ?? hashes.length); index += 1)
    if (!seen.has(index)) throw refuse('the traces are not those of the block')
  endTransaction()
  return { calls, ownCalls }
}

/**
 * How a flat trace ended. Some nodes leave out the result of every failed call; a failed creation's output is in
 * `code`.
 */
function flatEndOf(trace: JsonObject, depth: number): CallEnd {
  const result = (trace['result'] ?? {}) as JsonObject
  if (!hasError(trace)) return { depth, output: callData(result['output'], 'an output') }
  const error = textOf(trace['error']) ?? ''
  const output = callData(result['output'] ?? result['code'], 'an output')
  return { depth, error, output: output ?? (isRevert(error) ? undefined : '0x') }
}

function readFlat(
  trace: JsonObject,
  { depth, output }: CallEnd,
  where: Pick<InnerCall, 'txIndex' | 'ordinal' | 'reverted'>,
): InnerCall {
  const place = { ...where, depth }
  const action = object(trace['action'], 'an action')
  const result =
    trace['result'] === undefined || trace['result'] === null ? {} : object(trace['result'], 'a result')
  const error = textOf(trace['error'])
  if (trace['type'] === 'suicide' || trace['type'] === 'selfdestruct') {
    return {
      ...place,
      type: 'SELFDESTRUCT',
      sender: hex(action['address'], 'an address', 20),
      recipient: optionalHex(action['refundAddress'], 'a refund address', 20),
      value: optionalQuantity(action['balance'], 'a balance') ?? 0n,
      gasLimit: 0n,
      gasUsed: 0n,
      input: undefined,
      output: undefined,
      error,
    }
  }
  const creation = trace['type'] === 'create'
  const type = creation
    ? typeOf(action['creationMethod'] ?? 'create')
    : typeOf(action['callType'] ?? trace['type'])
  return {
    ...place,
    type,
    sender: hex(action['from'], 'a caller', 20),
    recipient: optionalHex(creation ? (result as JsonObject)['address'] : action['to'], 'a callee', 20),
    value: optionalQuantity(action['value'], 'a value') ?? 0n,
    gasLimit: quantity(action['gas'], 'a gas limit'),
    gasUsed: optionalQuantity((result as JsonObject)['gasUsed'], 'gas used') ?? 0n,
    input: inputOf(type, action['input']),
    output,
    error,
  }
}

function typeOf(value: unknown): string {
  return typeof value === 'string'
    ? value
        .toUpperCase()
        .replace(/[^A-Z0-9_]/g, '')
        .slice(0, 32)
    : 'UNKNOWN'
}

/** Text that a contract may have chosen, with any length and characters: truncated; NUL and halves of pairs replaced. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== ''
    ? value.slice(0, 1000).replaceAll(/[\0\p{Surrogate}]/gu, '\uFFFD')
    : undefined
}

/**
 * Whether a trace may tell anything about a transaction: inner calls, or why it failed. Plain transfers (21,000 gas, no
 * input) that succeeded contain no calls.
 */
export function needsTraces(
  transactions: readonly { readonly gasUsed: number; readonly input: string; readonly hasFailed: boolean }[],
): boolean {
  return transactions.some(
    ({ gasUsed, input, hasFailed }) => gasUsed !== plainTransferGas || input !== '0x' || hasFailed,
  )
}

const plainTransferGas = 21_000
