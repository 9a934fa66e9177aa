import type { AggregationEvent } from '../../../contract/signatures/aggregation-events.ts'
import type { NetworkName } from '../../api/current.ts'
import { ApiError } from '../../api/errors.ts'
import type { RoundEvent, SignatureRequest } from '../../api/signatures/signatures-stream.ts'
import { signersIn } from './signed.ts'

type Begun = AggregationEvent<'begun'>
type SignerResult = AggregationEvent<'done'>['results'][number]

/** The request: the body, or a transaction if the deployment finds the message itself. */
export type Asked = {
  network: NetworkName
  body: SignatureRequest
  /** The message's transaction. */
  tx?: string | undefined
  /** Whether only the transaction is sent: the deployment then uses its own quorum. */
  byTransaction: boolean
}

/** Why there is no signed message. */
type Failure = {
  status: number
  name: string
  lines: readonly string[]
  requestId?: string | undefined
}

/** The state of a round. Weights are known once the signer set is, or at the end. */
export type Run = {
  state: 'running' | 'done' | 'failed' | 'left'
  asked: Asked
  /** Unix milliseconds. */
  startedAt: number
  endedAt?: number
  begun?: Begun
  results: ReadonlyMap<number, SignerResult>
  signedWeight?: string
  totalWeight?: string
  requiredWeight?: string
  /** The signers whose signatures are in the message. */
  signers?: readonly number[] | undefined
  signedMessage?: string
  isCached?: boolean
  failure?: Failure
}

export const startRun = (asked: Asked, now: number): Run => ({
  state: 'running',
  asked,
  startedAt: now,
  results: new Map(),
})

type Weights = {
  signedWeight?: string | undefined
  totalWeight?: string | undefined
  requiredWeight?: string | undefined
}

/** The weights of an event; missing ones stay unchanged. */
const weightsOf = ({ signedWeight, totalWeight, requiredWeight }: Weights) => ({
  ...(signedWeight !== undefined && { signedWeight }),
  ...(totalWeight !== undefined && { totalWeight }),
  ...(requiredWeight !== undefined && { requiredWeight }),
})

function withResults(
  before: ReadonlyMap<number, SignerResult>,
  results: readonly SignerResult[],
): ReadonlyMap<number, SignerResult> {
  const next = new Map(before)
  for (const { index, outcome, source, reason, milliseconds } of results)
    next.set(index, {
      index,
      outcome,
      milliseconds,
      ...(source !== undefined && { source }),
      ...(reason !== undefined && { reason }),
    })
  return next
}

/** The run after some events. */
export function afterEvents(run: Run, events: readonly RoundEvent[], now: number): Run {
  let next = run
  const arrived: SignerResult[] = []
  for (const event of events) {
    switch (event.name) {
      case 'begun':
        next = { ...next, begun: event.data, totalWeight: event.data.set.totalWeight }
        break
      case 'signer':
        arrived.push(event.data)
        next = { ...next, ...weightsOf(event.data) }
        break
      case 'done': {
        const { signedMessage, signers, isCached, results } = event.data
        arrived.push(...results)
        next = {
          ...next,
          ...weightsOf(event.data),
          state: 'done',
          endedAt: now,
          signedMessage,
          signers,
          isCached,
        }
        break
      }
      case 'failed': {
        const { statusCode, error, message, results = [] } = event.data
        arrived.push(...results)
        next = {
          ...next,
          ...weightsOf(event.data),
          state: 'failed',
          endedAt: now,
          failure: { status: statusCode, name: error, lines: [message].flat() },
        }
        break
      }
    }
  }
  return arrived.length === 0 ? next : { ...next, results: withResults(run.results, arrived) }
}

/** The run after an answer that has the signed message only. */
export const afterAnswer = (run: Run, signedMessage: string, now: number): Run => ({
  ...run,
  state: 'done',
  endedAt: now,
  signedMessage,
  signers: signersIn(signedMessage),
})

/** The run after an error, or after the user cancelled it. */
export function afterError(run: Run, error: unknown, now: number, left: boolean): Run {
  if (left) return { ...run, state: 'left', endedAt: now }
  const known = error instanceof ApiError ? error : undefined
  const failure: Failure = {
    status: known?.status ?? 0,
    name: error instanceof Error ? error.name : 'Error',
    // The client joins the lines of an answer with this separator.
    lines: (error instanceof Error ? error.message : String(error)).split('; '),
    requestId: known?.requestId,
  }
  return { ...run, state: 'failed', endedAt: now, failure }
}
