import { createHash } from 'node:crypto'
import type { SignaturesConfig } from '../kernel/settings/config.ts'
import { HttpError } from '../kernel/http-errors.ts'
import {
  reaches,
  type RoundOutcome,
  type RoundRequest,
  type SignatureNetwork,
  type SignerResult,
} from './round.ts'

/** Everything that decides what a round collects. */
export type Plan = Omit<RoundRequest, 'signal' | 'onResult'> & {
  /** The network of the path: `mainnet` or `fuji`. */
  readonly networkId: string
}

/** Called for each signer whose part is over, with the verified weight so far. */
type RoundListener = (result: SignerResult, signedWeight: bigint) => void

/** A caller's part in a round that others may share. */
export type Share = {
  /** Whether an earlier round had the outcome ready. */
  readonly isCached: boolean
  /** When the round ends at the latest, in Unix seconds. */
  readonly deadline: number
  /** What the round comes to. Rejects when the round fails, is closed, or this share was left. */
  readonly outcome: Promise<RoundOutcome>
  /** Tells of every signer, those before the call included. */
  listen(listener: RoundListener): void
  /** Gives up the part; the round ends when nobody is left. To be called once the outcome is known as well. */
  leave(): void
}

/** What rounds came to, since the start. */
export type RoundCounters = {
  underway: number
  /** Rounds that wait for one of the others to end. */
  waiting: number
  reached: number
  unreached: number
  abandoned: number
  failed: number
  cached: number
  shared: number
  refused: number
}

type Round = {
  readonly abort: AbortController
  readonly deadline: number
  readonly outcome: Promise<RoundOutcome>
  readonly told: [SignerResult, bigint][]
  readonly listeners: Set<RoundListener>
  callers: number
}

type Kept = { readonly outcome: RoundOutcome; readonly until: number }

/** Callers that may wait, for each round that may be underway: they share its place, and each holds a request. */
const callersEach = 8
/** Outcomes kept at once; the oldest goes first. One names every signer that was asked. */
const maxKept = 256

/** Why a share that was left has no outcome. Its answer goes to nobody. */
export class ShareLeft extends HttpError {
  constructor(detail: string) {
    super(408, detail)
  }
}

/**
 * Rounds that equal requests share while they are underway or wait for a slot, and outcomes that later ones get for a while.
 * Equal means the same message, justification, validators with their weights, and quorum. An outcome serves
 * another quorum too where its signatures reach it together with the buffer: more signatures than asked for are
 * still what was asked for, and cost the caller's chain little. One that fell short of its buffer serves nobody,
 * because another round may collect more.
 */
export class Rounds {
  readonly counters: RoundCounters = {
    underway: 0,
    waiting: 0,
    reached: 0,
    unreached: 0,
    abandoned: 0,
    failed: 0,
    cached: 0,
    shared: 0,
    refused: 0,
  }
  readonly #settings: Pick<SignaturesConfig, 'maxRounds' | 'cacheSeconds' | 'deadlineSeconds'>
  readonly #clock: () => number
  /** Rounds by their key, those that wait for a slot included. */
  readonly #unsettled = new Map<string, Round>()
  /** What starts the rounds that wait for a slot, the oldest first. */
  readonly #queue = new Set<() => void>()
  readonly #kept = new Map<string, Kept>()
  #callers = 0
  #isClosed = false

  /** `clock` gives Unix seconds. */
  constructor(
    settings: Pick<SignaturesConfig, 'maxRounds' | 'cacheSeconds' | 'deadlineSeconds'>,
    clock: () => number,
  ) {
    this.#settings = settings
    this.#clock = clock
  }

  /**
   * Joins the round of a plan, or begins it: at once, or when one of those underway ends. Throws a 503 with
   * `retry-after` when too many callers wait; a round that gets no slot in time rejects with one.
   */
  join(network: SignatureNetwork, plan: Plan): Share {
    if (this.#isClosed) throw stopping()
    const subject = subjectOf(plan)
    const kept = this.#find(subject, plan)
    if (kept) {
      this.counters.cached += 1
      return { isCached: true, deadline: this.#clock(), outcome: Promise.resolve(kept), ...unheard }
    }
    if (this.#callers >= callersEach * this.#settings.maxRounds)
      throw this.#refuse('too many wait for signatures')
    const key = `${subject} ${plan.quorumPercentage} ${plan.quorumPercentageBuffer}`
    let round = this.#unsettled.get(key)
    if (round) this.counters.shared += 1
    else round = this.#begin(network, plan, subject, key)
    return this.#share(round, key)
  }

  /** Ends every round: those who wait get a 503. */
  close(): void {
    this.#isClosed = true
    for (const round of this.#unsettled.values()) round.abort.abort(stopping())
  }

  #find(subject: string, { set, quorumPercentage, quorumPercentageBuffer }: Plan): RoundOutcome | undefined {
    const kept = this.#kept.get(subject)
    if (!kept) return undefined
    if (kept.until <= this.#clock()) {
      this.#kept.delete(subject)
      return undefined
    }
    const wanted = quorumPercentage + quorumPercentageBuffer
    return reaches(kept.outcome.signedWeight, set.totalWeight, wanted) ? kept.outcome : undefined
  }

  #begin(network: SignatureNetwork, plan: Plan, subject: string, key: string): Round {
    const abort = new AbortController()
    const { signal } = abort
    const told: Round['told'] = []
    const listeners: Round['listeners'] = new Set()
    const collect = async (): Promise<RoundOutcome> => {
      const found = await network.collect({
        ...plan,
        signal,
        onResult(result, signedWeight) {
          told.push([result, signedWeight])
          for (const listener of listeners) listener(result, signedWeight)
        },
      })
      return this.#settle(found, plan, subject)
    }
    const { deadlineSeconds, maxRounds } = this.#settings
    const mustWait = this.counters.underway >= maxRounds
    const outcome = (mustWait ? this.#enqueue(collect, signal) : this.#run(collect, signal)).finally(() => {
      if (this.#unsettled.get(key) === round) this.#unsettled.delete(key)
    })
    // Whoever waits hears of a failure; a round that everybody has left fails for nobody.
    outcome.catch(() => undefined)
    const deadline = Math.ceil(this.#clock() + deadlineSeconds * (mustWait ? 2 : 1))
    const round: Round = { abort, deadline, outcome, told, listeners, callers: 0 }
    this.#unsettled.set(key, round)
    return round
  }

  /** Takes a slot, collects, and hands the slot to the round that has waited longest. */
  async #run(collect: () => Promise<RoundOutcome>, signal: AbortSignal): Promise<RoundOutcome> {
    this.counters.underway += 1
    try {
      return await collect()
    } catch (error) {
      this.counters[signal.aborted ? 'abandoned' : 'failed'] += 1
      throw error
    } finally {
      this.counters.underway -= 1
      const [next] = this.#queue
      next?.()
    }
  }

  /** Waits for a slot, at most as long as a round may take: a 503 after that. */
  #enqueue(collect: () => Promise<RoundOutcome>, signal: AbortSignal): Promise<RoundOutcome> {
    const { deadlineSeconds, maxRounds } = this.#settings
    return new Promise((resolve, reject) => {
      const leaveQueue = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abandon)
        this.#queue.delete(start)
        this.counters.waiting = this.#queue.size
      }
      const start = (): void => {
        leaveQueue()
        resolve(this.#run(collect, signal))
      }
      const abandon = (): void => {
        leaveQueue()
        this.counters.abandoned += 1
        reject(signal.reason as Error)
      }
      const timer = setTimeout(() => {
        leaveQueue()
        reject(this.#refuse(`all ${maxRounds} rounds of signatures are taken`))
      }, deadlineSeconds * 1_000)
      signal.addEventListener('abort', abandon, { once: true })
      this.#queue.add(start)
      this.counters.waiting = this.#queue.size
    })
  }

  #refuse(why: string): HttpError {
    this.counters.refused += 1
    return new HttpError(503, `${why}, try again later`, { headers: { 'retry-after': '1' } })
  }

  #settle(outcome: RoundOutcome, plan: Plan, subject: string): RoundOutcome {
    const isReached = outcome.isReached && outcome.aggregate !== undefined
    this.counters[isReached ? 'reached' : 'unreached'] += 1
    const wanted = plan.quorumPercentage + plan.quorumPercentageBuffer
    if (isReached && reaches(outcome.signedWeight, plan.set.totalWeight, wanted)) this.#keep(subject, outcome)
    return outcome
  }

  #keep(subject: string, outcome: RoundOutcome): void {
    const { cacheSeconds } = this.#settings
    const before = this.#kept.get(subject)
    if (cacheSeconds === 0) return
    // The one with more signatures serves more requests.
    if (before && before.until > this.#clock() && before.outcome.signedWeight > outcome.signedWeight) return
    this.#kept.delete(subject)
    this.#kept.set(subject, { outcome, until: this.#clock() + cacheSeconds })
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= maxKept) return
      this.#kept.delete(oldest)
    }
  }

  #share(round: Round, key: string): Share {
    round.callers += 1
    this.#callers += 1
    const own = new Set<RoundListener>()
    let hasLeft = false
    let reject: (reason: Error) => void = () => undefined
    const left = new Promise<never>((_resolve, give) => {
      reject = give
    })
    const outcome = Promise.race([round.outcome, left])
    outcome.catch(() => undefined)
    return {
      isCached: false,
      deadline: round.deadline,
      outcome,
      listen(listener) {
        for (const [result, signedWeight] of round.told) listener(result, signedWeight)
        own.add(listener)
        round.listeners.add(listener)
      },
      leave: () => {
        if (hasLeft) return
        hasLeft = true
        for (const listener of own) round.listeners.delete(listener)
        round.callers -= 1
        this.#callers -= 1
        reject(new ShareLeft('the caller has left'))
        if (round.callers > 0 || this.#unsettled.get(key) !== round) return
        // Who asks the same from now on gets a round that lives.
        this.#unsettled.delete(key)
        round.abort.abort(new ShareLeft('every caller has left'))
      },
    }
  }
}

const unheard = { listen: () => undefined, leave: () => undefined }

const stopping = (): HttpError =>
  new HttpError(503, 'the service is stopping', { headers: { 'retry-after': '5' } })

/** A hash over what is signed, with which justification, by whom. */
function subjectOf({ networkId, message, justification, set }: Plan): string {
  const hash = createHash('sha256').update(
    `${networkId} ${set.subnetId} ${set.totalWeight} ${message.length} `,
  )
  hash.update(message).update(justification).update(`${set.signers.length} `)
  for (const { publicKey, weight } of set.signers) hash.update(publicKey).update(` ${weight} `)
  return hash.digest('hex')
}
