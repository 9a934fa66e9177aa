import { type Hex, getContractAddress } from 'viem'
import { cCases } from './case-c.ts'
import { meridianCases } from './case-meridian.ts'
import type { CaseRound, CaseScene, CaseScript } from './case-types.ts'
import type { Effect } from './chains.ts'
import { chanceOf } from './courier.ts'
import type { Draft } from './draft.ts'
import type { BlockOrder } from './order.ts'
import { lower } from '../kernel/hex.ts'
import { type Random, randomOf } from '../kernel/random.ts'
import type { CaseState } from './state.ts'

/** The special contracts by chain key. */
const caseScripts: Readonly<Record<string, CaseScript>> = { c: cCases, meridian: meridianCases }

/** A transaction of one of the script's accounts. */
type CaseDraft = {
  readonly maker: number
  readonly draft: Draft
}

/** The position of a block in the history. */
type CaseMoment = {
  readonly order: BlockOrder
  /** The fraction of the history that has passed. */
  readonly progress: number
  /** Seconds since the last block. */
  readonly gap: number
  readonly effect: Effect
  readonly step: number
}

/** When a block's steps need this much gas, further steps wait, so that other transactions fit in. */
const enoughGas = 6_000_000
/**
 * The least seconds after the previous history block: otherwise the gas of a creation would be its day's peak rate.
 */
const minGap = 120
/** The probability that an account begins a round in an hour. */
const roundsPerHour = 0.07

/** The source of a chain's special transactions. */
type CaseSource = {
  /** The transactions of the next block. Changes `state`. */
  next(state: CaseState, nonces: readonly number[], moment: CaseMoment): CaseDraft[]
}

/** Creates the source of a chain's special transactions. `makers` are the accounts that send them. */
export function createCases(
  key: string,
  seed: number,
  makers: readonly Hex[],
  people: readonly Hex[],
): CaseSource {
  const script = caseScripts[key]
  const stepsOf = makers.map((_, maker) => script?.steps.filter((step) => step.maker === maker) ?? [])
  // Until its last creation an account sends only its steps: its nonces, and so the addresses of its contracts, then
  // depend on the script alone, at any time and length of the history.
  const freeFrom = stepsOf.map((steps) => 1 + steps.findLastIndex(({ makes }) => makes !== undefined))

  function chooseRound(random: Random): CaseRound | undefined {
    const rounds = script?.rounds ?? []
    let rest = random.next() * rounds.reduce((sum, { weight }) => sum + weight, 0)
    return rounds.find(({ weight }) => (rest -= weight) < 0)
  }

  return {
    next(state, nonces, { order, progress, gap, effect, step: number }) {
      const isRush = progress <= 1 && gap < minGap
      // Incidents have exact figures of their own.
      if (isRush || Object.keys(effect).length > 0) return []
      const made = { ...state.made }
      const marks = new Set(state.marks)
      const has = (needs: readonly string[]): boolean =>
        needs.every((name) => made[name] !== undefined || marks.has(name))
      const drafts: CaseDraft[] = []
      let gas = 0
      for (const [maker, self] of makers.entries()) {
        const random = randomOf(seed, key, 'case', number, order.salt ?? 0, maker)
        const scene: CaseScene = {
          at(name) {
            const found = made[name]
            if (found === undefined) throw new Error(`${name} does not exist yet`)
            return found
          },
          makers,
          self: maker,
          people,
          random,
          state,
        }
        const isResting = order.resting?.includes(people.length + maker) === true
        if (gas > enoughGas || isResting) continue
        const due = stepsOf[maker]?.[state.next[maker] ?? 0]
        let draft: Draft | undefined
        if (due !== undefined && due.at <= progress && has(due.needs)) {
          draft = due.draft(scene)
          state.next[maker] = (state.next[maker] ?? 0) + 1
          if (due.marks !== undefined) state.marks.push(due.marks)
          if (due.makes !== undefined) {
            const nonce = BigInt(nonces[maker] ?? 0)
            state.made[due.makes] = lower(getContractAddress({ from: self, nonce }))
          }
          for (const [name, address] of Object.entries(due.also?.(scene) ?? {}))
            state.made[name] = lower(address)
        } else if (
          (state.next[maker] ?? 0) >= (freeFrom[maker] ?? 0) &&
          random.chance(chanceOf(roundsPerHour, progress, gap))
        ) {
          const round = chooseRound(random)
          draft = round !== undefined && has(round.needs) ? round.draft(scene) : undefined
        }
        if (draft === undefined) continue
        gas += draft.gas
        drafts.push({ maker, draft })
      }
      return drafts
    },
  }
}
