import type { MemberRow } from '../../store/network/read-staking.ts'

/** Precision of a quorum's percentage. */
const scale = 1_000_000n

/**
 * Which members may stop while the others still reach the quorum. The chain includes the weight of an
 * inactive L1 validator in the total, but it cannot sign, so it never counts as running. If no member has a
 * connection sample, all others count as running; otherwise, a member without samples also counts as running.
 */
export function judgeStopSafety(members: readonly MemberRow[], quorumPercentage: number) {
  const share = BigInt(Math.round(quorumPercentage * Number(scale)))
  const whole = 100n * scale
  const totalWeight = sum(members)
  const quorumWeight = (totalWeight * share + whole - 1n) / whole
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
