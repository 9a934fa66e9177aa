/**
 * The central 95 % of a binomial distribution: the least numbers with at most 2.5 % of the probability below and above.
 * Exact up to rounding: the probabilities are summed from their logarithms.
 */
export function binomialBand(trials: number, chance: number): { low: number; high: number } {
  if (trials === 0 || chance <= 0) return { low: 0, high: 0 }
  if (chance >= 1) return { low: trials, high: trials }
  const [logP, logQ] = [Math.log(chance), Math.log1p(-chance)]
  let logTerm = trials * logQ
  let sum = Math.exp(logTerm)
  let low: number | undefined = sum > 0.025 ? 0 : undefined
  for (let count = 0; count < trials; count += 1) {
    if (sum >= 0.975) return { low: low ?? count, high: count }
    logTerm += Math.log((trials - count) / (count + 1)) + logP - logQ
    sum += Math.exp(logTerm)
    if (low === undefined && sum > 0.025) low = count + 1
  }
  return { low: low ?? trials, high: trials }
}
