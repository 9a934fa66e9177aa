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
import { keptOutput } from '../../store/evm/kept-output.ts'

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
  readonly method: string | undefined
  readonly error: string | undefined
}

/** How the own call of a failed transaction ended. */
export type FailedCall = {
  readonly txIndex: number
  /** The node's text, such as `execution reverted`; `Reverted` in flat traces. */
  readonly error: string
  /** What it returned, at most `keptOutput` bytes; undefined for a revert whose data the node does not tell. */
  readonly output: string | undefined
  /** The ordinal of the inner call in which the failure began; -1 for the transaction's own call. */
  readonly call: number
}

/** The traces of a block. */
export type BlockTraces = {
  readonly calls: readonly InnerCall[]
  readonly failures: readonly FailedCall[]
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
  return call.type.startsWith('CREATE') && !call.reverted && call.recipient !== undefined
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
  const failures: FailedCall[] = []
  traces.forEach((value, txIndex) => {
    const trace = object(value, 'a trace')
    if (trace['txHash'] !== undefined && trace['txHash'] !== hashes[txIndex]) {
      throw refuse('the traces are not those of the block')
    }
    if (trace['result'] === undefined) throw refuse('a trace has no result')
    const top = object(trace['result'], 'a call frame')
    const ends = readFrame(top, txIndex, calls)
    failures.push(...failureOf(txIndex, endOf(top, 0), ends))
  })
  return { calls, failures }
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
    const reverted = next.reverted || hasError(frame)
    calls.push({
      txIndex,
      ordinal: ordinal++,
      depth,
      type: typeOf(frame['type']),
      reverted,
      sender: hex(frame['from'], 'a caller', 20),
      recipient: optionalHex(frame['to'], 'a callee', 20),
      value: optionalQuantity(frame['value'], 'a value') ?? 0n,
      gasLimit: optionalQuantity(frame['gas'], 'a gas limit') ?? 0n,
      gasUsed: optionalQuantity(frame['gasUsed'], 'gas used') ?? 0n,
      method: methodOf(frame['type'], frame['input']),
      error: textOf(frame['revertReason']) ?? textOf(frame['error']),
    })
    if (hasFailed) ends.push(endOf(frame, depth))
    push(frame, depth + 1, reverted)
  }
  return ends
}

/** How a frame of the callTracer ended. It leaves out an output of no bytes. */
function endOf(frame: JsonObject, depth: number): CallEnd {
  return hasError(frame)
    ? { depth, error: textOf(frame['error']) ?? '', output: outputOf(frame['output'] ?? '0x') }
    : { depth }
}

/** The failure of a transaction; none if its own call succeeded. */
function failureOf(txIndex: number, own: CallEnd, ends: readonly CallEnd[]): FailedCall[] {
  if (own.error === undefined) return []
  return [{ txIndex, error: own.error, output: own.output, call: failingIndex(own, ends) }]
}

/** The output of a failed call, truncated. */
const outputOf = (output: unknown): string | undefined =>
  typeof output === 'string' ? hex(output.slice(0, 2 + 2 * keptOutput), 'an output') : undefined

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
  const failures: FailedCall[] = []
  const seen = new Set<number>()
  let failed: string[] = []
  let own: CallEnd = { depth: 0 }
  let ends: CallEnd[] = []
  let current = 0
  const endTransaction = () => failures.push(...failureOf(current, own, ends))
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
    if (own.error !== undefined) ends.push(flatEndOf(trace, place.length))
    const path = place.map((part) => `/${String(part)}`).join('')
    if (hasError(trace)) failed.push(path)
    const reverted = failed.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    const previous = calls.at(-1)
    const ordinal = previous?.txIndex === txIndex ? previous.ordinal + 1 : 0
    calls.push(readFlat(trace, { txIndex, ordinal, depth: place.length, reverted }))
  }
  for (let index = 0; index < (proven?.count ?? hashes.length); index += 1)
    if (!seen.has(index)) throw refuse('the traces are not those of the block')
  endTransaction()
  return { calls, failures }
}

/**
 * How a flat trace ended. Some nodes leave out the result of every failed call; a failed creation's output is in
 * `code`.
 */
function flatEndOf(trace: JsonObject, depth: number): CallEnd {
  if (!hasError(trace)) return { depth }
  const error = textOf(trace['error']) ?? ''
  const result = (trace['result'] ?? {}) as JsonObject
  const output = outputOf(result['output'] ?? result['code'])
  return { depth, error, output: output ?? (isRevert(error) ? undefined : '0x') }
}

function readFlat(
  trace: JsonObject,
  place: Pick<InnerCall, 'txIndex' | 'ordinal' | 'depth' | 'reverted'>,
): InnerCall {
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
      method: undefined,
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
    method: methodOf(type, action['input']),
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

/** The first four bytes of a call's input; a creation's input is code. */
function methodOf(type: unknown, input: unknown): string | undefined {
  if (typeOf(type).startsWith('CREATE') || typeof input !== 'string' || input.length < 10) return undefined
  return hex(input.slice(0, 10), 'an input', 4)
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
