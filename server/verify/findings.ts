/** The invariants of docs/indexer.md that can be checked in a database, and two of the rows themselves. */
export const invariants = {
  I1: 'heights are contiguous and parent-linked',
  I2: 'counts, receipts and bloom agree',
  I3: 'no row lies off the chain',
  I4: 'the cursor is the highest block',
  I5: "the rows are those of the node's chain",
  I6: 'metrics, balances, holders and totals equal a recount',
  I7: 'a page walk yields each row once',
} as const
export type Invariant = keyof typeof invariants

/** The problems that a check found: the first few of each invariant in words, and their number. */
export class Findings {
  readonly #shown: Record<Invariant, string[]> = {
    I1: [],
    I2: [],
    I3: [],
    I4: [],
    I5: [],
    I6: [],
    I7: [],
  }
  readonly #counts: Record<Invariant, number> = { I1: 0, I2: 0, I3: 0, I4: 0, I5: 0, I6: 0, I7: 0 }

  add(invariant: Invariant, problem: string): void {
    this.#counts[invariant] += 1
    if (this.#shown[invariant].length < 10) this.#shown[invariant].push(problem)
  }

  count(invariant: Invariant): number {
    return this.#counts[invariant]
  }

  problems(invariant: Invariant): readonly string[] {
    return this.#shown[invariant]
  }

  /** The first few problems of all invariants, each with the invariant's name. */
  all(): string[] {
    return Object.entries(this.#shown).flatMap(([name, problems]) =>
      problems.map((problem) => `${name}: ${problem}`),
    )
  }

  /** Whether nothing was found. */
  get clean(): boolean {
    return Object.values(this.#counts).every((count) => count === 0)
  }
}
