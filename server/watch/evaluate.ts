import { watchKindOf } from '../../contract/watch/rule-kinds.ts'
import { wantedUptime } from '../../protocol/primary/staking-limits.ts'
import type { Evaluation } from './subject-state.ts'
import type { L1Facts, NetworkFacts, NodeFacts, Round, SubjectFacts, SubnetFacts } from './facts.ts'
import { expectedProposals } from './proposals.ts'
import { compareVersions, readableVersions, versionOf } from '../primary/versions.ts'

/** What of a rule decides whether a measured value fires. */
export type Limits = {
  readonly kind: string
  readonly threshold: number | undefined
  readonly hysteresis: number
}

/** What a rule is evaluated for. `id` is the text of the id; `network` where it belongs to one. */
export type Subject = {
  readonly kind: 'node' | 'l1Validator' | 'subnet' | 'chain' | 'network' | 'service' | 'address'
  readonly id: string
  readonly name?: string | undefined
  readonly nodeId?: string | undefined
  readonly network?: string | undefined
}

/** The key of a subject in `watch_states`. */
export const subjectKey = ({ kind, id }: Subject): string => `${kind}:${id}`

/** The subject of a key; without its name. */
export function subjectOfKey(key: string): Subject {
  const at = key.indexOf(':')
  return { kind: key.slice(0, at) as Subject['kind'], id: key.slice(at + 1) }
}

/** The weight that must stay connected, in percent of the whole. */
const quorumPercentage = 67

const unknown = (text: string): Evaluation => ({ kind: 'unknown', text })
const gone = (text: string): Evaluation => ({ kind: 'gone', text })

/** The evaluation of a measured value by the side of the threshold on which the kind fires. */
function measured(limits: Limits, value: number, sample: number, text: string): Evaluation {
  const { kind, threshold = 0, hysteresis } = limits
  const isBelow = watchKindOf.get(kind)?.fires === 'below'
  return {
    kind: 'known',
    sample,
    isBreach: isBelow ? value < threshold : value >= threshold,
    isClear: isBelow ? value >= threshold + hysteresis : value < threshold - hysteresis,
    value,
    text,
  }
}

/** The evaluation of something that holds or does not, whatever the threshold. */
const held = (isBreach: boolean, sample: number, text: string, value?: number): Evaluation => ({
  kind: 'known',
  sample,
  isBreach,
  isClear: !isBreach,
  value,
  text,
})

/**
 * What a round says about a subject, for every kind of rule but those of events. Pure: the same facts give the same
 * evaluation to the runner and to a dry run.
 */
export function evaluate(limits: Limits, subject: Subject, round: Round, facts: SubjectFacts): Evaluation {
  switch (limits.kind) {
    case 'diskFull': {
      const { diskFree } = round.facts
      if (diskFree === null) return unknown('The free space of the disk can’t be read.')
      return measured(limits, diskFree, round.round, `${percent(diskFree)} of the disk is free.`)
    }
    case 'indexerLate':
      return evaluateIndexer(limits, subject, round)
    case 'nodeSilent':
      return evaluateSilence(limits, subject, round)
    case 'chainQuiet':
      return evaluateQuiet(limits, subject, round)
    case 'addressBalanceLow':
    case 'addressBalanceHigh':
      return evaluateNativeBalance(limits, subject, round)
  }
  const network = subject.network === undefined ? undefined : round.facts.networks[subject.network]
  if (!network) return unknown('The network is not indexed here.')
  if (subject.kind === 'l1Validator') return evaluateBalance(limits, facts.l1.get(subject.id), round, network)
  if (subject.kind === 'subnet') return evaluateQuorum(limits, facts.subnets.get(subject.id), round, network)
  const node = facts.nodes.get(subject.id)
  if (limits.kind === 'stakeEnds') return evaluateEnd(limits, node, round, network)
  const stale = staleness(round, network)
  if (stale !== undefined) return unknown(stale)
  switch (limits.kind) {
    case 'notConnected':
      return evaluateConnection(node, network)
    case 'uptimeLow':
    case 'rewardUnreachable':
      return evaluateUptime(limits, node, network)
    case 'versionBehind':
      return evaluateVersion(limits, node, network)
    case 'noProposals':
      return evaluateProposals(limits, node, network)
    default:
      return unknown(`This version does not know rules of the kind ${limits.kind}.`)
  }
}

/** Why samples of the node cannot be used; undefined if they can. */
function staleness({ facts }: Round, network: NetworkFacts): string | undefined {
  if (network.polls === 0) return 'The node has not been asked yet.'
  if (network.silence > facts.staleAfter) return `The node has not answered for ${duration(network.silence)}.`
  if (network.isIsolated) return 'The node is connected to almost no validator itself.'
  return undefined
}

const lateChain = 'The P-Chain’s indexer is behind its node.'

function evaluateConnection(node: NodeFacts | undefined, { polls, isLate }: NetworkFacts): Evaluation {
  // Its validation may be in a block that is not indexed yet.
  if (node?.validates === false) return isLate ? unknown(lateChain) : gone('It does not validate.')
  if (node?.isConnected === undefined) return unknown('The node knows nothing of its connection.')
  return held(
    !node.isConnected,
    polls,
    node.isConnected ? 'It is connected.' : 'The node has no connection to it.',
  )
}

/** The uptime that a validation reaches at its end if nothing interrupts it any more, in percent. */
export function highestUptime(uptime: number, startTs: number, endTs: number, now: number): number {
  const total = endTs - startTs
  if (total <= 0) return uptime
  const left = Math.min(Math.max(endTs - now, 0), total)
  return (uptime * (total - left) + 100 * left) / total
}

function evaluateUptime(limits: Limits, node: NodeFacts | undefined, network: NetworkFacts): Evaluation {
  if (network.isLate) return unknown(lateChain)
  const { validation, uptime } = node ?? {}
  if (!validation) return gone('It does not validate.')
  if (!validation.earnsReward) return gone('Its validation earns no reward.')
  if (uptime === undefined) return unknown('Its uptime was not sampled yet.')
  const wanted = wantedUptime(validation.startTs, network.heliconTs ?? undefined)
  if (limits.kind === 'uptimeLow') {
    const text = `The uptime is ${percent(uptime)}; the reward needs ${wanted} %.`
    return measured(limits, round6(uptime - wanted), network.polls, text)
  }
  const highest = highestUptime(uptime, validation.startTs, validation.endTs, network.chainTs)
  const text = `The uptime is ${percent(uptime)} and can still reach ${percent(highest)}; the reward needs ${wanted} %.`
  return measured(limits, round6(highest - wanted), network.polls, text)
}

function evaluateEnd(
  limits: Limits,
  node: NodeFacts | undefined,
  round: Round,
  network: NetworkFacts,
): Evaluation {
  if (network.isLate) return unknown(lateChain)
  const { validation } = node ?? {}
  if (!validation) return gone('It does not validate.')
  if (validation.renewsItself) return gone('It renews itself.')
  const left = validation.endTs - network.chainTs
  return measured(limits, left, round.round, `The validation ends in ${duration(left)}.`)
}

function evaluateVersion(limits: Limits, node: NodeFacts | undefined, network: NetworkFacts): Evaluation {
  const { versions } = network
  if (versions === null) return unknown('The node does not report its peers.')
  if (node?.version === undefined) return unknown('It was never seen as a peer.')
  const own = versionOf(node.version)
  if (!own) return unknown(`Its version ${node.version} can’t be read.`)
  const known = readableVersions(versions)
  const total = known.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return unknown('The node has no peers.')
  const newer = known.reduce(
    (sum, { version, count }) => sum + (compareVersions(version, own) > 0 ? count : 0),
    0,
  )
  const share = round6((100 * newer) / total)
  const text = `It runs ${node.version}; ${percent(share)} of the peers run a newer version.`
  return measured(limits, share, network.polls, text)
}

function evaluateProposals(limits: Limits, node: NodeFacts | undefined, network: NetworkFacts): Evaluation {
  if (network.isLate) return unknown(lateChain)
  if (!node?.validation) return gone('It does not validate.')
  const { proposedShare, height } = network
  if (!node.proposer) return unknown('The stake of the network is not known.')
  if (proposedShare === 0)
    return unknown('No block with a known proposer: the node needs its index of the P-Chain.')
  const { blocks, expected, chance } = expectedProposals(node.proposer, {
    height,
    stake: BigInt(network.stake),
    proposedShare,
  })
  const value = Math.round(expected * 1e4) / 1e4
  const odds = Number((100 * chance).toPrecision(2))
  const text =
    blocks === 0
      ? 'It proposed the last block.'
      : `It has proposed none of the last ${blocks.toLocaleString('en-US')} blocks; its stake predicts ${Number(expected.toPrecision(3))}. Chance explains that in ${odds} % of cases.`
  return measured(limits, value, height, text)
}

function evaluateBalance(
  limits: Limits,
  l1: L1Facts | undefined,
  round: Round,
  network: NetworkFacts,
): Evaluation {
  if (network.isLate) return unknown(lateChain)
  if (!l1 || l1.weight === 0n) return gone('It no longer validates the L1.')
  if (l1.endFee === null) return measured(limits, 0, round.round, 'It is inactive: its balance is used up.')
  if (network.accruedFees === null || network.l1Price === null) return unknown('The fee is not known yet.')
  const left = Number(max(l1.endFee - BigInt(network.accruedFees), 0n) / max(BigInt(network.l1Price), 1n))
  return measured(limits, left, round.round, `The balance lasts ${duration(left)} at the present fee.`)
}

function evaluateQuorum(
  limits: Limits,
  subnet: SubnetFacts | undefined,
  round: Round,
  network: NetworkFacts,
): Evaluation {
  if (network.isLate) return unknown(lateChain)
  if (!subnet || subnet.total === 0n) return gone('The L1 has no validators.')
  const stale = staleness(round, network)
  if (stale !== undefined) return unknown(stale)
  const share = Number((subnet.running * 1_000_000n) / subnet.total) / 10_000
  const unsure = Number((subnet.unknown * 1_000_000n) / subnet.total) / 10_000
  const margin = round6(share - quorumPercentage)
  const text =
    `Validators with ${percent(share)} of the weight are connected; the quorum is ${quorumPercentage} %.` +
    (unsure > 0 ? ` The connection of ${percent(unsure)} is unknown and counts as up.` : '')
  const evaluated = measured(limits, margin, network.polls, text)
  // Whatever the unknown ones do, it does not get better than this; but it may be worse than it looks.
  if (
    evaluated.kind === 'known' &&
    !evaluated.isBreach &&
    margin - unsure < (limits.threshold ?? 0) &&
    unsure > 33
  )
    return unknown(text)
  return evaluated
}

function evaluateIndexer(limits: Limits, { id }: Subject, round: Round): Evaluation {
  const chain = round.facts.chains[id]
  if (!chain) return gone('The chain is no longer configured.')
  if (chain.state === 'stopped')
    return held(true, round.round, `The indexer has stopped${because(chain.reason)}.`)
  if (chain.lag === null) {
    // A node that answers, but of which no block is indexed yet, says nothing of a delay.
    if (chain.silence < silentAfter) return unknown('The node’s head is not known.')
    // Nobody knows how far the chain has gone on: the indexer is behind by the silence at least.
    return measured(limits, chain.silence, round.round, silenceText(chain.silence, chain.reason))
  }
  const text = `The indexer is ${duration(chain.lag)} behind the node.`
  return measured(limits, chain.lag, round.round, text)
}

/** The age of a chain's newest block. One that the indexer has not read yet may be newer. */
function evaluateQuiet(limits: Limits, { id }: Subject, round: Round): Evaluation {
  const chain = round.facts.chains[id]
  if (!chain) return gone('The chain is no longer configured.')
  const { headTs, lag, state, silence, reason } = chain
  if (headTs === undefined) return unknown('No block is indexed yet.')
  if (lag === null) return unknown(silenceText(silence, reason))
  const age = Math.max(0, round.ts - headTs)
  if (state !== 'live' || (lag > 0 && age >= (limits.threshold ?? 0)))
    return unknown('The indexer is behind the node.')
  return measured(limits, age, round.round, `The newest block is ${duration(age)} old.`)
}

function evaluateNativeBalance(limits: Limits, { id }: Subject, round: Round): Evaluation {
  const balance = round.facts.balances?.[id]
  if (!balance) return unknown('The node did not tell the balance.')
  const { amount, symbol } = balance
  return measured(limits, Number(amount), round.round, `It holds ${shortAmount(amount)} ${symbol}.`)
}

/** A decimal text with separators and at most six digits after the point, cut off. */
function shortAmount(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  const rest = fraction.slice(0, 6).replace(/0+$/, '')
  return `${BigInt(whole).toLocaleString('en-US')}${rest === '' ? '' : `.${rest}`}`
}

/** Seconds from which on a node that does not tell its head counts as silent. */
const silentAfter = 60

/** The reason of a chain as the end of a sentence. */
const because = (reason: string | undefined): string =>
  reason === undefined ? '' : `: ${reason.replace(/[.\s]+$/, '')}`

const silenceText = (silence: number, reason: string | undefined): string =>
  `The node has not answered for ${duration(silence)}${because(reason)}.`

/** The silence of a node: that of a network, or of an EVM chain. */
function evaluateSilence(limits: Limits, { kind, id }: Subject, round: Round): Evaluation {
  if (kind === 'chain') {
    const chain = round.facts.chains[id]
    if (!chain) return gone('The chain is no longer configured.')
    const { silence, sampleSeconds = 0, reason } = chain
    const threshold = Math.max(limits.threshold ?? 0, 2 * sampleSeconds)
    const text =
      silence < threshold
        ? `The last answer of the node is ${duration(silence)} old.`
        : silenceText(silence, reason)
    return measured({ ...limits, threshold }, silence, round.round, text)
  }
  const network = round.facts.networks[id]
  if (!network) return gone('The network is no longer configured.')
  if (network.isIsolated && network.silence <= round.facts.staleAfter)
    return held(true, round.round, 'The node is connected to almost no validator.', network.silence)
  // Before the next sample the last answer is an interval old already.
  const threshold = Math.max(limits.threshold ?? 0, 2 * network.sampleSeconds)
  const ofNetwork = Object.values(round.facts.chains).filter(
    (chain) => chain.network === id && chain.sampleSeconds === undefined,
  )
  const reason = ofNetwork.find((chain) => chain.reason !== undefined)?.reason
  const text =
    network.silence < threshold
      ? `The last answer of the node is ${duration(network.silence)} old.`
      : silenceText(network.silence, reason)
  return measured({ ...limits, threshold }, network.silence, round.round, text)
}

const max = (left: bigint, right: bigint): bigint => (left > right ? left : right)
const round6 = (value: number): number => Math.round(value * 1e6) / 1e6
const percent = (value: number): string => `${Math.round(value * 100) / 100} %`

/** A duration in its two largest units. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const parts: [number, string][] = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor((whole % 86_400) / 3_600), 'h'],
    [Math.floor((whole % 3_600) / 60), 'min'],
    [whole % 60, 's'],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
