import { HttpError } from '../kernel/http-errors.ts'

const retryAfter = { headers: { 'retry-after': '2' } }

/** Limits what runs at the same time: of all callers, and of each. `what` names it in messages. */
export class Slots {
  readonly #max: number
  readonly #perCaller: number
  readonly #what: string
  readonly #taken = new Map<string, number>()
  #total = 0

  constructor({ concurrent, perCaller }: { concurrent: number; perCaller: number }, what = 'statements') {
    this.#what = what
    this.#max = concurrent
    this.#perCaller = perCaller
  }

  /**
   * Takes a slot for a caller and returns what gives it back, once. Throws a 429 if the caller has all of its own, and
   * a 503 if all are taken.
   */
  take(caller: string): () => void {
    const own = this.#taken.get(caller) ?? 0
    if (own >= this.#perCaller)
      throw new HttpError(
        429,
        `${this.#perCaller} of your ${this.#what} are running: wait for one of them`,
        retryAfter,
      )
    if (this.#total >= this.#max)
      throw new HttpError(503, `${this.#max} ${this.#what} are running: try again later`, retryAfter)
    this.#total += 1
    this.#taken.set(caller, own + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#total -= 1
      const left = (this.#taken.get(caller) ?? 1) - 1
      if (left > 0) this.#taken.set(caller, left)
      else this.#taken.delete(caller)
    }
  }
}
