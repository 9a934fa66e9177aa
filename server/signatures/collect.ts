import { setMaxListeners } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import type { SignaturesConfig } from '../kernel/settings/config.ts'
import type { BlsThread } from './bls-thread.ts'
import { encodeSignatureRequest } from '../../protocol/peer/messages.ts'
import type { Peers } from './peer/peers.ts'
import {
  reaches,
  requiredWeight,
  type RoundOutcome,
  type RoundRequest,
  type Signer,
  type SignerResult,
} from './round.ts'
import type { RpcSource } from './rpc-source.ts'
import { SignerAsker, type Ended } from './signer.ts'

type CollectOptions = {
  readonly peers: Peers
  readonly rpc: RpcSource
  readonly bls: BlsThread
  readonly settings: Pick<SignaturesConfig, 'deadlineSeconds' | 'answerSeconds'>
  readonly logger: Pick<FastifyBaseLogger, 'debug'>
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
}

/** The most signers that are requested concurrently. */
const maxUnderway = 256
/** Milliseconds after which a round no longer relies on a signer that has not answered. */
const timeoutMs = 400
/** Milliseconds that a signature waits to be checked together with others, unless they may reach the quorum. */
const gathering = 50
/** The most signatures that are checked together. */
const maxChecked = 256

type Underway = {
  readonly signer: Signer
  readonly began: number
  readonly asker: SignerAsker
  readonly doubt: NodeJS.Timeout
  isDoubtful: boolean
}

type Unchecked = {
  readonly signer: Signer
  readonly signature: Uint8Array
  readonly source: 'peer' | 'rpc'
  readonly resolve: (isRight: boolean) => void
  readonly reject: (error: unknown) => void
}

/** Runs a round (docs/signatures.md). Rejects with the signal's reason when it aborts. */
export function collect(options: CollectOptions, request: RoundRequest): Promise<RoundOutcome> {
  return new Round(options, request).run()
}

/**
 * One round. Signers are requested in order of weight: as many as suffice if all of them sign, plus a twentieth of the
 * weight. A signer that fails, or does not answer soon, is replaced by the next.
 */
class Round {
  readonly #options: CollectOptions
  readonly #request: RoundRequest
  readonly #question: Uint8Array
  readonly #stop = new AbortController()
  readonly #queue: Signer[]
  readonly #underway = new Map<number, Underway>()
  readonly #results = new Map<number, SignerResult>()
  readonly #unchecked: Unchecked[] = []
  readonly #aggregates: Uint8Array[] = []
  readonly #signers: number[] = []
  readonly #target: bigint
  readonly #slack: bigint
  readonly #deadline: number
  #signedWeight = 0n
  #hopedWeight = 0n
  #uncheckedWeight = 0n
  #gather: NodeJS.Timeout | undefined
  #isChecking = false
  #finish: (end: { readonly error?: unknown }) => void = () => undefined

  constructor(options: CollectOptions, request: RoundRequest) {
    this.#options = options
    this.#request = request
    const { message, justification, set, quorumPercentage, quorumPercentageBuffer } = request
    this.#question = encodeSignatureRequest(message, justification)
    // A signed message needs at least one signature.
    const wanted = requiredWeight(set.totalWeight, quorumPercentage + quorumPercentageBuffer)
    this.#target = wanted > 0n ? wanted : 1n
    this.#slack = set.totalWeight / 20n
    this.#deadline = options.now() + options.settings.deadlineSeconds * 1_000
    // The heaviest signers are last, because the list is consumed from its end.
    this.#queue = [...set.signers].sort(
      (a, b) => Number(a.weight > b.weight) - Number(a.weight < b.weight) || b.index - a.index,
    )
    setMaxListeners(0, this.#stop.signal)
  }

  async run(): Promise<RoundOutcome> {
    const { signal } = this.#request
    signal.throwIfAborted()
    const ended = new Promise<{ readonly error?: unknown }>((resolve) => {
      this.#finish = resolve
    })
    const leave = (): void => this.#finish({ error: signal.reason })
    signal.addEventListener('abort', leave, { once: true })
    const timer = setTimeout(() => this.#finish({}), this.#deadline - this.#options.now())
    this.#advance()
    const end = await ended
    clearTimeout(timer)
    clearTimeout(this.#gather)
    signal.removeEventListener('abort', leave)
    this.#stop.abort()
    this.#endUnderway('error' in end)
    if ('error' in end) throw end.error
    return this.#outcome()
  }

  get #isComplete(): boolean {
    return this.#signedWeight >= this.#target
  }

  async #outcome(): Promise<RoundOutcome> {
    const { set, quorumPercentage } = this.#request
    const [first, ...more] = this.#aggregates
    const aggregate = more.length > 0 ? await this.#options.bls.join(this.#aggregates) : first
    return {
      results: [...this.#results.values()],
      signedWeight: this.#signedWeight,
      signers: this.#signers.toSorted((a, b) => a - b),
      ...(aggregate && { aggregate }),
      isReached: aggregate !== undefined && reaches(this.#signedWeight, set.totalWeight, quorumPercentage),
    }
  }

  /** Requests as many further signers as needed, and ends the round when none is left. */
  #advance(): void {
    if (this.#isComplete) return this.#finish({})
    const wanted = this.#target + this.#slack
    while (this.#underway.size < maxUnderway && this.#signedWeight + this.#hopedWeight < wanted) {
      const signer = this.#queue.pop()
      if (!signer) break
      this.#ask(signer)
    }
    if (this.#underway.size === 0) this.#finish({})
  }

  #ask(signer: Signer): void {
    const { peers, rpc, now, settings } = this.#options
    const { message, sourceChainId } = this.#request
    const asker = new SignerAsker({
      peers,
      rpc,
      now,
      answerTimeout: settings.answerSeconds * 1_000,
      deadline: this.#deadline,
      message,
      question: this.#question,
      sourceChainId,
      signal: this.#stop.signal,
      onDoubt: () => this.#doubt(signer.index),
      check: (signature, source) => this.#check(signer, signature, source),
    })
    const entry: Underway = {
      signer,
      began: now(),
      asker,
      isDoubtful: false,
      doubt: setInterval(() => {
        if (!signer.nodeIds.some((nodeId) => peers.isQueued(nodeId))) this.#doubt(signer.index)
      }, timeoutMs),
    }
    this.#hopedWeight += signer.weight
    this.#underway.set(signer.index, entry)
    asker.ask(signer.nodeIds).then(
      (end) => {
        if (end.outcome === 'signed' || !this.#underway.has(signer.index)) return
        this.#settle(entry, end)
        this.#advance()
      },
      (error: unknown) => {
        if (!this.#stop.signal.aborted) this.#finish({ error })
      },
    )
  }

  /** Requests further signers because one may not sign. */
  #doubt(index: number): void {
    const entry = this.#underway.get(index)
    if (!entry || entry.isDoubtful) return
    this.#stopHoping(entry)
    this.#advance()
  }

  #stopHoping(entry: Underway): void {
    clearInterval(entry.doubt)
    if (entry.isDoubtful) return
    entry.isDoubtful = true
    this.#hopedWeight -= entry.signer.weight
  }

  #settle(entry: Underway, end: Ended): void {
    const { signer, began } = entry
    this.#stopHoping(entry)
    this.#underway.delete(signer.index)
    const result = { index: signer.index, ...end, milliseconds: Math.round(this.#options.now() - began) }
    this.#results.set(signer.index, result)
    this.#options.logger.debug({ nodeIds: signer.nodeIds, ...result }, 'a signer was asked')
    this.#request.onResult(result, this.#signedWeight)
  }

  /** Whether a signature is valid; a valid signer is recorded before this resolves. */
  #check(signer: Signer, signature: Uint8Array, source: 'peer' | 'rpc'): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#unchecked.push({ signer, signature, source, resolve, reject })
      this.#uncheckedWeight += signer.weight
      this.#checkSoon()
    })
  }

  /** A check costs about the same for one signature as for many: it waits for more, unless these may suffice. */
  #checkSoon(): void {
    if (this.#isChecking || this.#unchecked.length === 0) return
    if (this.#signedWeight + this.#uncheckedWeight >= this.#target) void this.#checkAll()
    else this.#gather ??= setTimeout(() => void this.#checkAll(), gathering)
  }

  /** Checks all received signatures together. */
  async #checkAll(): Promise<void> {
    clearTimeout(this.#gather)
    this.#gather = undefined
    if (this.#isChecking) return
    this.#isChecking = true
    while (this.#unchecked.length > 0 && !this.#stop.signal.aborted) {
      const batch = this.#unchecked.splice(0, maxChecked)
      for (const { signer } of batch) this.#uncheckedWeight -= signer.weight
      const claimed = batch.map(({ signer, signature }) => ({ key: signer.uncompressed, signature }))
      try {
        const { places, aggregate } = await this.#options.bls.sound(this.#request.message, claimed)
        if (this.#stop.signal.aborted) return
        if (aggregate) this.#aggregates.push(aggregate)
        this.#take(batch, new Set(places))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      if (this.#unchecked.length < maxChecked) break
    }
    this.#isChecking = false
    this.#checkSoon()
  }

  #take(batch: readonly Unchecked[], right: ReadonlySet<number>): void {
    for (const [place, { signer, source, resolve }] of batch.entries()) {
      if (right.has(place)) {
        this.#signedWeight += signer.weight
        this.#signers.push(signer.index)
        const entry = this.#underway.get(signer.index)
        if (entry) this.#settle(entry, { outcome: 'signed', source })
      }
      resolve(right.has(place))
    }
    this.#advance()
  }

  /** Records the progress of signers that the deadline interrupted; signers no longer needed are left out. */
  #endUnderway(isCancelled: boolean): void {
    for (const entry of this.#underway.values()) {
      if (isCancelled || this.#isComplete) clearInterval(entry.doubt)
      else this.#settle(entry, entry.asker.caught())
    }
    this.#underway.clear()
  }
}
