import { setTimeout as delay } from 'node:timers/promises'
import { PeerFailure, type PeerFailureKind } from './peer/failures.ts'
import { PeerMessageError } from '../../protocol/peer/errors.ts'
import { decodeSignatureResponse } from '../../protocol/peer/messages.ts'
import type { Peers } from './peer/peers.ts'
import { describeRefusal, throttledCode } from './peer/refusals.ts'
import type { SignerResult } from './round.ts'
import type { RpcSource } from './rpc-source.ts'

/** How it ended with a signer. */
export type Ended = Omit<SignerResult, 'index' | 'milliseconds'>

type SignerAskerOptions = {
  readonly peers: Peers
  readonly rpc: RpcSource
  readonly message: Uint8Array
  /** What a peer is asked, the same of every signer of a round: see `encodeSignatureRequest`. */
  readonly question: Uint8Array
  readonly sourceChainId: Uint8Array
  /** Milliseconds for one answer. */
  readonly answerTimeout: number
  /** When the round is over, by `now`. */
  readonly deadline: number
  readonly now: () => number
  readonly signal: AbortSignal
  /** Called when an attempt failed: whether there will be a signature is open from then on. */
  readonly onDoubt: () => void
  /** Whether a signature is the signer's. */
  readonly check: (signature: Uint8Array, source: 'peer' | 'rpc') => Promise<boolean>
}

/** How often a connection is tried in one round, and how often a silent or busy validator is asked. */
const maxConnects = 3
const maxAsks = 3
/** Milliseconds before a validator that was asked too often is asked again. */
const throttleRest = 500

/** Failures that another attempt may mend; with the others the validator is as good as not there. */
const passing: ReadonlySet<PeerFailureKind> = new Set(['address', 'connection', 'timeout', 'resting', 'busy'])

/** What tells the most of a signer that gave no signature comes first. */
const tellingOrder = ['wrong', 'refused', 'silent', 'unreachable', 'signed'] as const

const moreTelling = (a: Ended | undefined, b: Ended): Ended =>
  a && tellingOrder.indexOf(a.outcome) <= tellingOrder.indexOf(b.outcome) ? a : b

/** Gets one signer's signature: from each of its validators as a peer, then from their RPC where it is known. */
export class SignerAsker {
  readonly #options: SignerAskerOptions
  #doing: 'connecting' | 'waiting' | 'checking' = 'connecting'
  #failure: string | undefined

  constructor(options: SignerAskerOptions) {
    this.#options = options
  }

  /** Rejects with the signal's reason when that ends it. */
  async ask(nodeIds: readonly string[]): Promise<Ended> {
    const { rpc, sourceChainId } = this.#options
    let told: Ended | undefined
    for (const nodeId of nodeIds) {
      const end = await this.#askPeer(nodeId)
      if (end.outcome === 'signed') return end
      told = moreTelling(told, end)
    }
    // A validator that was reached and refused, or lied, does no better at its RPC.
    if (told && (told.outcome === 'refused' || told.outcome === 'wrong')) return told
    for (const nodeId of nodeIds) {
      if (!rpc.has(nodeId, sourceChainId)) continue
      const end = await this.#askRpc(nodeId)
      if (end?.outcome === 'signed') return end
      if (end) told = moreTelling(told, end)
    }
    return told ?? { outcome: 'unreachable', reason: 'the signer has no validator' }
  }

  /** How far it has come, for a round that is over. */
  caught(): Ended {
    switch (this.#doing) {
      case 'connecting':
        return { outcome: 'unreachable', reason: this.#failure ?? 'not connected when time was over' }
      case 'waiting':
        return { outcome: 'silent', reason: 'no answer when time was over' }
      case 'checking':
        return { outcome: 'silent', reason: 'its signature was not checked when time was over' }
    }
  }

  async #askPeer(nodeId: string): Promise<Ended> {
    let connects = 0
    let asks = 0
    for (;;) {
      try {
        const end = await this.#askOnce(nodeId)
        if (end) return end
        asks += 1
        if (asks >= maxAsks)
          return {
            outcome: 'refused',
            source: 'peer',
            reason: describeRefusal(this.#options.sourceChainId, throttledCode, ''),
          }
        await this.#pause(throttleRest * (1 + Math.random()))
      } catch (error) {
        if (!(error instanceof PeerFailure)) throw error
        this.#options.onDoubt()
        if (this.#doing === 'waiting' && error.kind === 'timeout') {
          asks += 1
          if (asks >= maxAsks) return { outcome: 'silent', reason: error.message }
          continue
        }
        this.#failure = error.message
        connects += 1
        const rest = this.#options.peers.restOf(nodeId)
        const isLate = this.#options.now() + rest >= this.#options.deadline
        if (connects >= maxConnects || isLate || !passing.has(error.kind)) {
          return { outcome: 'unreachable', reason: error.message }
        }
        await this.#pause(Math.max(rest, 50))
      }
    }
  }

  /** One question over the shared connection; undefined when the validator was asked too often. */
  async #askOnce(nodeId: string): Promise<Ended | undefined> {
    const { peers, question, sourceChainId, signal, answerTimeout, deadline, now } = this.#options
    this.#doing = 'connecting'
    const connection = await this.#unlessOver(peers.connection(nodeId))
    this.#doing = 'waiting'
    const answer = await connection.request({
      chainId: sourceChainId,
      bytes: question,
      timeout: Math.max(1, Math.min(answerTimeout, deadline - now())),
      signal,
    })
    if (answer.kind === 'error') {
      if (answer.code === throttledCode) return undefined
      const reason = describeRefusal(sourceChainId, answer.code, answer.text)
      return { outcome: 'refused', source: 'peer', reason }
    }
    let signature: Uint8Array | undefined
    try {
      signature = decodeSignatureResponse(answer.bytes)
    } catch (error) {
      if (!(error instanceof PeerMessageError)) throw error
    }
    if (!signature) return { outcome: 'wrong', source: 'peer', reason: 'the answer is not a signature' }
    return this.#checked(signature, 'peer')
  }

  async #askRpc(nodeId: string): Promise<Ended | undefined> {
    const { rpc, sourceChainId, message } = this.#options
    this.#doing = 'waiting'
    const answer = await this.#unlessOver(rpc.ask(nodeId, sourceChainId, message))
    switch (answer.kind) {
      case 'signature':
        return this.#checked(answer.signature, 'rpc')
      case 'failed':
        // What the peer said tells more.
        return undefined
      default:
        return { outcome: answer.kind, source: 'rpc', reason: answer.reason }
    }
  }

  async #checked(signature: Uint8Array, source: 'peer' | 'rpc'): Promise<Ended> {
    this.#doing = 'checking'
    return (await this.#options.check(signature, source))
      ? { outcome: 'signed', source }
      : { outcome: 'wrong', source, reason: 'the signature does not hold' }
  }

  #pause(milliseconds: number): Promise<void> {
    return this.#unlessOver(delay(milliseconds, undefined, { signal: this.#options.signal }))
  }

  /** What a promise comes to, or the signal's reason as soon as that ends the round. */
  async #unlessOver<Value>(promise: Promise<Value>): Promise<Value> {
    const { signal } = this.#options
    let leave = (): void => undefined
    const over = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason as Error)
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
    })
    try {
      return await Promise.race([promise, over])
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }
}
