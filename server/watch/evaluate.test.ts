import { describe, expect, test } from 'vitest'
import type { NetworkFacts, NodeFacts, Round, SubjectFacts } from './facts.ts'
import { duration, highestUptime, evaluate } from './evaluate.ts'

const day = 86_400
const network: NetworkFacts = {
  chain: 11,
  polls: 7,
  sampledTs: 1_000,
  silence: 5,
  sampleSeconds: 15,
  isIsolated: false,
  height: 9,
  chainTs: 50 * day,
  isLate: false,
  accruedFees: '1000',
  l1Price: '10',
  versions: { 'avalanchego/1.14.0': 6, 'avalanchego/1.13.5': 4 },
  heliconTs: null,
  stake: '1000',
  proposedShare: 0.8,
}
const roundOf = (change: Partial<NetworkFacts> = {}, disk: number | null = 50): Round => ({
  round: 3,
  ts: 1_010,
  facts: {
    diskFree: disk,
    chains: {
      '43113': { name: 'C', lag: 30, state: 'live', silence: 5 },
      '1': { name: 'Stopped', lag: null, state: 'stopped', silence: 5, reason: 'the genesis is another one' },
      '2': {
        name: 'Silent',
        lag: null,
        state: 'waiting',
        silence: 130,
        sampleSeconds: 12,
        reason: 'connection refused',
      },
      '3': { name: 'Lost', lag: 0, state: 'live', silence: 59, sampleSeconds: 12 },
      '4': { name: 'Slow', lag: 0, state: 'live', silence: 70, sampleSeconds: 40 },
      '5': { name: 'New', lag: null, state: 'waiting', silence: 59 },
      '6': { name: 'Quiet', lag: 0, state: 'live', silence: 1, height: 7, headTs: 410 },
      '7': { name: 'Behind', lag: 600, state: 'live', silence: 1, height: 7, headTs: 410 },
      '8': { name: 'Dead', lag: null, state: 'live', silence: 130, height: 7, headTs: 410 },
    },
    balances: {
      '6:0xa': { amount: '1234.5000006789', symbol: 'AVAX' },
      '6:0xb': { amount: '0', symbol: 'AVAX' },
    },
    networks: { fuji: { ...network, ...change } },
    staleAfter: 60,
  },
})
const node: NodeFacts = {
  validation: { startTs: 40 * day, endTs: 60 * day, renewsItself: false, earnsReward: true },
  validates: true,
  uptime: 82,
  isConnected: true,
  version: 'avalanchego/1.13.5',
  proposer: { stake: 50n, height: 9 },
}
const factsOf = (change: Partial<NodeFacts> = {}): SubjectFacts => ({
  nodes: new Map([['N', { ...node, ...change }]]),
  l1: new Map([
    ['V', { weight: 5n, endFee: 37_000n, nodeId: 'N' }],
    ['inactive', { weight: 5n, endFee: null, nodeId: 'N' }],
    ['removed', { weight: 0n, endFee: null, nodeId: 'N' }],
  ]),
  subnets: new Map([
    ['S', { total: 100n, running: 70n, unknown: 0n }],
    ['unsure', { total: 100n, running: 90n, unknown: 40n }],
  ]),
  delegations: [],
})
type Case = {
  kind: string
  threshold?: number
  hysteresis?: number
  id?: string
  subject?: 'node' | 'l1Validator' | 'subnet' | 'chain' | 'network' | 'service' | 'address'
}
const evaluated = (
  { kind, threshold, hysteresis = 0, id = 'N', subject = 'node' }: Case,
  facts = factsOf(),
  round = roundOf(),
) => evaluate({ kind, threshold, hysteresis }, { kind: subject, id, network: 'fuji' }, round, facts)

/** What the address 6:0xa holds. */
const held = 1_234.5000006789

describe('a evaluation by explicit facts', () => {
  test.each<[Case, number | undefined, boolean, boolean]>([
    // 82 % of a required 80 %: two points of margin.
    [{ kind: 'uptimeLow', threshold: 2 }, 2, false, true],
    [{ kind: 'uptimeLow', threshold: 2.1 }, 2, true, false],
    [{ kind: 'uptimeLow', threshold: 1.5, hysteresis: 1 }, 2, false, false],
    // Half of the time is over: (82 + 100) / 2 can still be reached.
    [{ kind: 'rewardUnreachable', threshold: 11 }, 11, false, true],
    [{ kind: 'rewardUnreachable', threshold: 11.5 }, 11, true, false],
    [{ kind: 'stakeEnds', threshold: 10 * day }, 10 * day, false, true],
    [{ kind: 'stakeEnds', threshold: 10 * day + 1 }, 10 * day, true, false],
    [{ kind: 'versionBehind', threshold: 60 }, 60, true, false],
    [{ kind: 'versionBehind', threshold: 61 }, 60, false, true],
    [{ kind: 'l1BalanceLow', subject: 'l1Validator', id: 'V', threshold: 3_600 }, 3_600, false, true],
    [{ kind: 'l1BalanceLow', subject: 'l1Validator', id: 'V', threshold: 3_601 }, 3_600, true, false],
    [{ kind: 'l1BalanceLow', subject: 'l1Validator', id: 'inactive', threshold: 1 }, 0, true, false],
    [{ kind: 'quorumNear', subject: 'subnet', id: 'S', threshold: 3 }, 3, false, true],
    [{ kind: 'quorumNear', subject: 'subnet', id: 'S', threshold: 3.1 }, 3, true, false],
    [{ kind: 'indexerLate', subject: 'chain', id: '43113', threshold: 30 }, 30, true, false],
    [{ kind: 'indexerLate', subject: 'chain', id: '43113', threshold: 31 }, 30, false, true],
    [{ kind: 'indexerLate', subject: 'chain', id: '1', threshold: 31 }, undefined, true, false],
    // Whoever does not answer is behind by the silence at least.
    [{ kind: 'indexerLate', subject: 'chain', id: '2', threshold: 130 }, 130, true, false],
    [{ kind: 'indexerLate', subject: 'chain', id: '2', threshold: 131 }, 130, false, true],
    [{ kind: 'nodeSilent', subject: 'chain', id: '2', threshold: 60 }, 130, true, false],
    [{ kind: 'nodeSilent', subject: 'chain', id: '3', threshold: 60 }, 59, false, true],
    // Two intervals of the indexer's notes are not a silence yet.
    [{ kind: 'nodeSilent', subject: 'chain', id: '4', threshold: 60 }, 70, false, true],
    [{ kind: 'diskFull', subject: 'service', threshold: 50 }, 50, false, true],
    [{ kind: 'chainQuiet', subject: 'chain', id: '6', threshold: 600 }, 600, true, false],
    [{ kind: 'chainQuiet', subject: 'chain', id: '6', threshold: 601 }, 600, false, true],
    // The node has a newer block, so the newest is younger than this.
    [{ kind: 'chainQuiet', subject: 'chain', id: '7', threshold: 601 }, 600, false, true],
    [{ kind: 'addressBalanceLow', subject: 'address', id: '6:0xa', threshold: 1_235 }, held, true, false],
    [{ kind: 'addressBalanceLow', subject: 'address', id: '6:0xa', threshold: 1_234.5 }, held, false, true],
    [
      { kind: 'addressBalanceLow', subject: 'address', id: '6:0xa', threshold: 1_234.5, hysteresis: 1 },
      held,
      false,
      false,
    ],
    [{ kind: 'addressBalanceLow', subject: 'address', id: '6:0xb', threshold: 0.000001 }, 0, true, false],
    [{ kind: 'addressBalanceHigh', subject: 'address', id: '6:0xa', threshold: 1_234.5 }, held, true, false],
    [{ kind: 'addressBalanceHigh', subject: 'address', id: '6:0xa', threshold: 1_235 }, held, false, true],
  ])('%o', (given, value, isBreach, isClear) => {
    expect(evaluated(given)).toMatchObject({ kind: 'known', value, isBreach, isClear })
  })

  test('old samples, a cut-off node and a late indexer are unknown', () => {
    for (const kind of ['notConnected', 'uptimeLow', 'rewardUnreachable', 'versionBehind']) {
      expect(evaluated({ kind }, factsOf(), roundOf({ silence: 61 })).kind, kind).toBe('unknown')
      expect(evaluated({ kind }, factsOf(), roundOf({ isIsolated: true })).kind, kind).toBe('unknown')
      expect(evaluated({ kind }, factsOf(), roundOf({ polls: 0 })).kind, kind).toBe('unknown')
    }
    const late = roundOf({ isLate: true })
    for (const kind of ['stakeEnds', 'uptimeLow', 'rewardUnreachable'])
      expect(evaluated({ kind }, factsOf(), late).kind).toBe('unknown')
    expect(evaluated({ kind: 'l1BalanceLow', subject: 'l1Validator', id: 'V' }, factsOf(), late).kind).toBe(
      'unknown',
    )
    expect(evaluated({ kind: 'quorumNear', subject: 'subnet', id: 'S' }, factsOf(), late).kind).toBe(
      'unknown',
    )
    expect(evaluated({ kind: 'diskFull', subject: 'service' }, factsOf(), roundOf({}, null)).kind).toBe(
      'unknown',
    )
    expect(evaluated({ kind: 'notConnected' }, factsOf({ isConnected: undefined })).kind).toBe('unknown')
    // The quorum holds only if all the unknown ones are up.
    expect(evaluated({ kind: 'quorumNear', subject: 'subnet', id: 'unsure', threshold: 8 }).kind).toBe(
      'unknown',
    )
  })

  test('a validator that proposes none of the blocks that its stake lets one expect fires', () => {
    const after = (blocks: number, threshold: number, change: Partial<NetworkFacts> = {}) =>
      evaluated({ kind: 'noProposals', threshold }, factsOf(), roundOf({ height: 9 + blocks, ...change }))
    // 5 % of the stake, and of 250 blocks 200 with a known proposer: 10 of them were expected.
    expect(after(250, 10)).toMatchObject({
      isBreach: true,
      isClear: false,
      value: 10,
      sample: 259,
      // 0.95 to the power of 200.
      text: 'It has proposed none of the last 250 blocks; its stake predicts 10. Chance explains that in 0.0035 % of cases.',
    })
    expect(after(250, 10.1)).toMatchObject({ isBreach: false, isClear: true })
    expect(after(0, 1)).toMatchObject({ isBreach: false, value: 0, text: 'It proposed the last block.' })
    expect(after(250, 10, { proposedShare: 0 }).kind).toBe('unknown')
    expect(after(250, 10, { isLate: true }).kind).toBe('unknown')
    expect(after(250, 10, { silence: 61 }).kind).toBe('unknown')
  })

  test('what does not validate any more is gone, not unknown', () => {
    const ended = factsOf({ validation: undefined, validates: false })
    for (const kind of ['notConnected', 'uptimeLow', 'stakeEnds', 'noProposals'])
      expect(evaluated({ kind }, ended).kind, kind).toBe('gone')
    expect(evaluated({ kind: 'l1BalanceLow', subject: 'l1Validator', id: 'removed' }).kind).toBe('gone')
    // While the indexer is late, nobody knows whether it validates.
    for (const kind of ['notConnected', 'uptimeLow', 'stakeEnds', 'noProposals'])
      expect(evaluated({ kind }, ended, roundOf({ isLate: true })).kind, kind).toBe('unknown')
  })

  test('says why a chain is late or its node silent', () => {
    const textOf = (kind: string, id: string): string =>
      evaluated({ kind, subject: 'chain', id, threshold: 60 }, factsOf(), roundOf()).text
    expect(textOf('indexerLate', '1')).toBe('The indexer has stopped: the genesis is another one.')
    expect(textOf('indexerLate', '2')).toBe('The node has not answered for 2 min 10 s: connection refused.')
    expect(textOf('nodeSilent', '2')).toBe('The node has not answered for 2 min 10 s: connection refused.')
    expect(textOf('nodeSilent', '3')).toBe('The last answer of the node is 59 s old.')
    expect(evaluated({ kind: 'nodeSilent', subject: 'chain', id: '9' }).kind).toBe('gone')
    expect(evaluated({ kind: 'indexerLate', subject: 'chain', id: '5' }).kind).toBe('unknown')
  })

  test('a chain is quiet only if the node says so, and a balance is told exactly', () => {
    const textOf = (kind: string, id: string, subject: 'chain' | 'address'): string => {
      const found = evaluated({ kind, subject, id, threshold: 60 }, factsOf(), roundOf())
      return `${found.kind}: ${found.text}`
    }
    expect(textOf('chainQuiet', '6', 'chain')).toBe('known: The newest block is 10 min old.')
    expect(textOf('chainQuiet', '7', 'chain')).toBe('unknown: The indexer is behind the node.')
    expect(textOf('chainQuiet', '8', 'chain')).toBe('unknown: The node has not answered for 2 min 10 s.')
    expect(textOf('chainQuiet', '5', 'chain')).toBe('unknown: No block is indexed yet.')
    expect(textOf('chainQuiet', '99', 'chain')).toBe('gone: The chain is no longer configured.')
    expect(textOf('addressBalanceLow', '6:0xa', 'address')).toBe('known: It holds 1,234.5 AVAX.')
    expect(textOf('addressBalanceLow', '6:0xb', 'address')).toBe('known: It holds 0 AVAX.')
    expect(textOf('addressBalanceLow', '6:0xc', 'address')).toBe(
      'unknown: The node did not tell the balance.',
    )
  })

  test('silence fires, and so does a node that is cut off', () => {
    const silence = (change: Partial<NetworkFacts>) =>
      evaluated(
        { kind: 'nodeSilent', subject: 'network', id: 'fuji', threshold: 60 },
        factsOf(),
        roundOf(change),
      )
    expect(silence({ silence: 59 })).toMatchObject({ isBreach: false })
    expect(silence({ silence: 60 })).toMatchObject({ isBreach: true, value: 60 })
    expect(silence({ isIsolated: true })).toMatchObject({ isBreach: true })
    // An answer that is due only now is not late yet.
    expect(silence({ silence: 89, sampleSeconds: 45 })).toMatchObject({ isBreach: false })
    expect(silence({ silence: 90, sampleSeconds: 45 })).toMatchObject({ isBreach: true, value: 90 })
  })
})

test('the highest uptime counts the rest of the validation as up', () => {
  expect(highestUptime(0, 0, 100, 50)).toBe(50)
  expect(highestUptime(40, 0, 100, 100)).toBe(40)
  expect(highestUptime(40, 0, 100, 0)).toBe(100)
})

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [61, '1 min 1 s'],
  [3_600, '1 h'],
  [90_061, '1 d 1 h'],
])('%i s is %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})
