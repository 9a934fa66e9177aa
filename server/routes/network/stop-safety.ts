import type { MemberRow } from '../../store/network/read-staking.ts'

/** A number's shortest decimal as an integer and how many of its digits are behind the point. */
function decimalOf(value: number): { readonly digits: bigint; readonly places: number } {
  const text = String(value)
  const [whole = '0', fraction = ''] = (text.includes('e') ? value.toFixed(20) : text).split('.')
  return { digits: BigInt(whole + fraction), places: fraction.length }
}

/**
 * Which members may stop while the others still reach the quorum. The chain includes the weight of an
 * inactive L1 validator in the total, but it cannot sign, so it never counts as running. If no member has a
 * connection sample, all others count as running; otherwise, a member without samples also counts as running.
 */
export function evaluateStopSafety(members: readonly MemberRow[], quorumPercentage: number) {
  // All digits of the percentage count, and the smallest weight that reaches it is rounded up.
  const { digits, places } = decimalOf(quorumPercentage)
  const whole = 100n * 10n ** BigInt(places)
  const totalWeight = sum(members)
  const quorumWeight = (totalWeight * digits + whole - 1n) / whole
  const isRunning = (member: MemberRow): boolean => member.is_active && member.connected !== false
  const running = members.filter(isRunning)
  const runningWeight = sum(running)
  const isSafe = runningWeight >= quorumWeight
  const spareWeight = isSafe ? runningWeight - quorumWeight : 0n
  const lightest = running.toSorted((left, right) => compare(BigInt(left.weight), BigInt(right.weight)))
  // A largest set of members that may stop at the same time, lightest first.
  const safeTogether: MemberRow[] = []
  let stopped = 0n
  for (const member of lightest) {
    stopped += BigInt(member.weight)
    if (!isSafe || stopped > spareWeight) break
    safeTogether.push(member)
  }
  return {
    totalWeight,
    quorumWeight,
    runningWeight,
    spareWeight,
    isSafe,
    knowsConnections: members.some((member) => member.connected !== null),
    members: members.map((member) => ({
      ...member,
      isRunning: isRunning(member),
      mayStopAlone: isSafe && (!isRunning(member) || BigInt(member.weight) <= spareWeight),
    })),
    safeTogether,
  }
}

const sum = (members: readonly MemberRow[]): bigint =>
  members.reduce((total, member) => total + BigInt(member.weight), 0n)
const compare = (left: bigint, right: bigint): number => (left === right ? 0 : left < right ? -1 : 1)
