import { oneAvax, daySeconds, delegate } from './acts-p.ts'
import { configure, renew, type RenewalTerms } from './acts-renewal.ts'
import { nodeOf, personOf, type Step } from './script.ts'
import { renewers, type World } from '../world.ts'

const hour = 3_600

/** Node and start of a validation; the weight is in AVAX. */
type Plan = {
  readonly place: number
  /** Unix seconds. */
  readonly at: number
} & Omit<RenewalTerms, 'node'>

/** Auto-renewed validators, since Helicon. The names in `renewers` say which case each demonstrates. */
export function renewalSteps(world: World): Step[] {
  const { helicon, end } = world.ages
  const firm = world.firms[0] ?? world.collector
  const day = (days: number): number => helicon + days * daySeconds
  const steps: Step[] = []

  const begin = (plan: Plan): void => {
    steps.push({
      at: plan.at,
      p: (engine, time) =>
        renew(engine, time, { ...plan, node: nodeOf(world, plan.place), weight: plan.weight * oneAvax }),
    })
  }
  const change = (place: number, at: number, autoCompoundShares: number, period: number): void => {
    steps.push({
      at,
      p: (engine, time) =>
        configure(engine, time, nodeOf(world, place).nodeId, { autoCompoundShares, period }),
    })
  }
  /** Adds a delegation, which must end by the end of the cycle. */
  const carry = (place: number, person: number, at: number, weight: bigint, seconds: number): void => {
    steps.push({
      at,
      p: (engine, time) =>
        delegate(engine, time, {
          party: personOf(world, person),
          node: nodeOf(world, place),
          weight: weight * oneAvax,
          wait: 0,
          seconds,
        }),
    })
  }
  const one = (person: number): Pick<Plan, 'party' | 'collects' | 'authority'> => {
    const party = personOf(world, person)
    return { party, collects: party, authority: party }
  }

  begin({
    place: renewers.giant,
    at: day(1),
    period: 10 * daySeconds,
    weight: 2_998_000n,
    party: world.collector,
    collects: world.collector,
    authority: world.collector,
    shares: 100_000,
    autoCompoundShares: 1_000_000,
  })
  carry(renewers.giant, 46, day(1) + hour, 1_900n, 9 * daySeconds)
  change(renewers.giant, day(25), 1_000_000, 0)

  begin({
    place: renewers.compounds,
    at: day(2),
    period: 30 * daySeconds,
    weight: 20_000n,
    ...one(47),
    shares: 20_000,
    autoCompoundShares: 1_000_000,
  })

  begin({
    place: renewers.paysOut,
    at: day(3),
    period: 14 * daySeconds,
    weight: 35_000n,
    ...one(48),
    shares: 50_000,
    autoCompoundShares: 0,
  })
  carry(renewers.paysOut, 49, day(4), 3_000n, 12 * daySeconds)

  begin({
    place: renewers.shares,
    at: day(4),
    period: 21 * daySeconds,
    weight: 25_000n,
    ...one(50),
    collects: personOf(world, 51),
    shares: 150_000,
    autoCompoundShares: 300_000,
  })
  for (let cycle = 0; cycle < 6; cycle += 1) {
    const start = day(4 + 21 * cycle)
    carry(renewers.shares, 52, start + 6 * hour, 2_000n, 15 * daySeconds)
    // Ends in the cycle's last second: delegators are settled before their validator.
    carry(renewers.shares, 54, start + daySeconds, 900n, 20 * daySeconds)
  }
  change(renewers.shares, day(70), 400_000, 21 * daySeconds)

  begin({
    place: renewers.falters,
    at: day(5),
    period: 12 * daySeconds,
    weight: 12_000n,
    ...one(55),
    collects: personOf(world, 56),
    shares: 200_000,
    autoCompoundShares: 600_000,
  })
  for (const cycle of [0, 2, 3]) {
    carry(renewers.falters, 57, day(5 + 12 * cycle) + hour, 1_500n, 11 * daySeconds)
  }

  begin({
    place: renewers.changes,
    at: day(6),
    period: 15 * daySeconds,
    weight: 10_000n,
    ...one(58),
    collects: firm,
    authority: firm,
    shares: 30_000,
    autoCompoundShares: 0,
  })
  carry(renewers.changes, 59, day(7), 1_000n, 13 * daySeconds)
  change(renewers.changes, day(11), 500_000, 20 * daySeconds)
  change(renewers.changes, day(46), 250_000, 0)

  // Half a day is the shortest cycle. Another cycle ends soon after the end of the history.
  begin({
    place: renewers.brisk,
    at: end - 20 * 12 * hour + 25 * 60,
    period: 12 * hour,
    weight: 15_000n,
    ...one(53),
    shares: 20_000,
    autoCompoundShares: 1_000_000,
  })
  return steps
}
