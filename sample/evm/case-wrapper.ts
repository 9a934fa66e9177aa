import { ether, send, someone, type Sketch } from './case-drafts.ts'
import type { CaseRound } from './case-types.ts'
import { call, deploy } from './draft.ts'

const name = 'Wrapped AVAX'

const depositOf = (value: bigint): Pick<Sketch, 'needs' | 'draft'> => ({
  needs: [name],
  draft: (scene) => call('Wrapper', scene.at(name), 80_000, 'deposit', [], value),
})

/** The wrapper's maker deposits, transfers and withdraws. */
export const wrapperSteps: readonly Sketch[] = [
  { makes: name, needs: [], draft: () => deploy('Wrapper', [name, 'WAVAX']) },
  { ...depositOf(60n * ether), marks: 'the wrapper is funded' },
  send(name, 'Wrapper', 'transfer', (scene) => [someone(scene), 4n * ether]),
  send(name, 'Wrapper', 'withdraw', [7n * ether]),
]

/** Other senders that only deposit, or deposit and withdraw, and never transfer. */
export const depositorSteps: readonly Sketch[] = [depositOf(12n * ether)]
export const withdrawerSteps: readonly Sketch[] = [
  depositOf(9n * ether),
  send(name, 'Wrapper', 'withdraw', [2n * ether]),
]

/** Deposits of any sender; withdrawals and transfers only of the maker, who has enough. */
export function wrapperRounds(maker: number): CaseRound[] {
  const needs = [name, 'the wrapper is funded']
  const hundredths = (max: number, random: { between(low: number, high: number): number }): bigint =>
    (BigInt(random.between(1, max)) * ether) / 100n
  return [
    {
      weight: 0.6,
      needs,
      draft: (scene) => depositOf(hundredths(40, scene.random)).draft(scene),
    },
    {
      weight: 0.6,
      needs,
      draft: (scene) =>
        scene.self === maker
          ? send(name, 'Wrapper', 'withdraw', [hundredths(4, scene.random)]).draft(scene)
          : undefined,
    },
    {
      weight: 0.6,
      needs,
      draft: (scene) =>
        scene.self === maker
          ? send(name, 'Wrapper', 'transfer', [someone(scene), hundredths(4, scene.random)]).draft(scene)
          : undefined,
    },
  ]
}
