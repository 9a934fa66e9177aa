import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { randomFrom } from '../../testing/primary-lives.ts'
import { fujiKeys, fujiNetwork, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import {
  idText,
  nodeText,
  startPrimaryService,
  walletText,
  type PrimaryService,
} from '../../testing/primary-service.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService } from '../../testing/service.ts'

const now = 1_700_000_000
const accrued = 5_000n
const chain = fujiKeys.p

let store: TestDatabase
let network: PrimaryService

type Stake = { start: number; end: number | null; weight: bigint; isDelegator: boolean }
const random = randomFrom(4)
const stakes: Stake[] = Array.from({ length: 60 }, (_, index) => {
  const start = now - 50_000 + random(600) * 100
  const ended = start + random(80) * 100
  return {
    start,
    end: random(3) === 0 || ended > now ? null : ended,
    weight: BigInt(1 + random(500)),
    isDelegator: index % 4 !== 0,
  }
})
const samples = Array.from({ length: 200 }, (_, index) => ({
  ts: now - index * 1_700,
  tx: index < 90 ? 'second' : 'first',
  uptime: index % 101,
}))
const l1 = [
  { name: 'a', weight: 40, endFee: 9_000n as bigint | null, connected: true as boolean | null },
  { name: 'b', weight: 30, endFee: 5_000n + 700n * 60n + 1n, connected: true },
  { name: 'c', weight: 15, endFee: 70_000n, connected: null },
  { name: 'd', weight: 10, endFee: 80_000n, connected: false },
  { name: 'e', weight: 5, endFee: null, connected: true },
  { name: 'f', weight: 0, endFee: null, connected: null },
]

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  await insertPrimary(database, 'primary_blocks', [
    {
      chain,
      height: 900,
      ts: now,
      id: idBytes('head'),
      parent_id: idBytes('parent'),
      accrued_fees: accrued,
      l1_excess: 0,
      supply: '42',
      proposer_node: shortBytes('node'),
    },
  ])
  await insertPrimary(
    database,
    'stakers',
    stakes.map((stake, index) => ({
      chain,
      height: index,
      tx_id: idBytes(`stake ${index}`),
      is_delegator: stake.isDelegator,
      node: shortBytes('node'),
      weight: stake.weight,
      start_ts: stake.start,
      end_ts: now + 90_000,
      ended_ts: stake.end,
      outcome: stake.end === null ? null : 'rewarded',
    })),
  )
  await insertPrimary(
    database,
    'stakers',
    ['first', 'second'].map((name, index) => ({
      chain,
      height: 100 + index,
      tx_id: idBytes(name),
      node: shortBytes('sampled'),
      weight: '7000000000000',
      shares: 20_000,
      start_ts: index,
      end_ts: now + 500,
      ended_ts: index === 0 ? now - 200_000 : null,
      outcome: index === 0 ? 'rewarded' : null,
    })),
  )
  await insertPrimary(
    database,
    'uptime_samples',
    samples.map(({ ts, tx, uptime }) => ({
      chain,
      node: shortBytes('sampled'),
      tx_id: idBytes(tx),
      ts,
      uptime,
    })),
  )
  await insertPrimary(
    database,
    'l1_validators',
    l1.map((each, ordinal) => ({
      chain,
      height: 200,
      ordinal,
      ts: now - 900,
      validation_id: idBytes(`l1 ${each.name}`),
      tx_id: idBytes('conversion'),
      subnet: idBytes('ridge'),
      node: shortBytes(`l1 ${each.name}`),
      weight: each.weight,
      end_fee: each.endFee,
    })),
  )
  await insertPrimary(
    database,
    'uptime_samples',
    l1.flatMap(({ name, connected }) =>
      connected === null
        ? []
        : [{ chain, node: shortBytes(`l1 ${name}`), tx_id: idBytes(`l1 ${name}`), ts: now - 9, connected }],
    ),
  )
  network = await startPrimaryService(database)
  // The node's own terms, unlike those of public networks: the minimum price is 700 nAVAX per second.
  await database`update primary_chains set l1_min_price = 700, l1_conversion = 1000 where chain = ${chain}`
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

test('the stake of a node has a point for each time at which it changed', async () => {
  const begun = stakes.filter(({ start, end }) => start <= now && (end === null || end > start))
  const moments = [
    ...new Set(begun.flatMap(({ start, end }) => (end === null ? [start] : [start, end]))),
  ].toSorted((left, right) => left - right)
  const expected = moments.map((timestamp) => {
    const held = begun.filter(({ start, end }) => start <= timestamp && (end === null || end > timestamp))
    const sum = (of: boolean): string =>
      held
        .filter(({ isDelegator }) => isDelegator === of)
        .reduce((total, { weight }) => total + weight, 0n)
        .toString()
    const delegatorCount = held.filter(({ isDelegator }) => isDelegator).length
    return { timestamp, amountStaked: sum(false), amountDelegated: sum(true), delegatorCount }
  })
  const path = `/validators/${nodeText('node')}/stake`
  expect(await network.walk(`${path}?pageSize=9`, 'points')).toEqual(expected)
  const [after, before] = [now - 40_000, now - 20_000]
  expect(await network.walk(`${path}?startTimestamp=${after}&endTimestamp=${before}`, 'points')).toEqual(
    expected.filter(({ timestamp }) => timestamp > after && timestamp < before),
  )
})

test('uptime has the last sample of each hour, over all validations of the node, latest first', async () => {
  const hours = new Map<number, (typeof samples)[number]>()
  for (const sample of samples.toReversed()) hours.set(Math.floor(sample.ts / 3_600), sample)
  const expected = [...hours.values()].reverse().map(({ ts, tx, uptime }) => ({
    timestamp: ts,
    txHash: idText(tx),
    uptimePerformance: uptime,
    isConnected: true,
  }))
  const path = `/validators/${nodeText('sampled')}/uptime`
  expect(await network.walk(`${path}?pageSize=7`, 'samples')).toEqual(expected)
  const [after, before] = [now - 200_000, now - 100_000]
  const inside = await network.walk(
    `${path}?startTimestamp=${after}&endTimestamp=${before}&pageSize=100`,
    'samples',
  )
  expect(inside.length).toBeGreaterThan(20)
  for (const { timestamp } of inside.slice(1))
    expect(expected.map((each) => each.timestamp)).toContain(timestamp)
  expect(inside.every(({ timestamp }) => Number(timestamp) > after && Number(timestamp) < before)).toBe(true)
})

describe('L1 validators', () => {
  const ids = (items: readonly Record<string, unknown>[]): unknown[] =>
    items.map(({ validationId }) => validationId)
  const named = (...names: string[]): string[] => names.map((name) => idText(`l1 ${name}`))

  test('are listed while they have a balance, or all, filtered by subnet, node or validation', async () => {
    expect(ids(await network.walk('/l1Validators?pageSize=2', 'validators'))).toEqual(
      named('d', 'c', 'b', 'a'),
    )
    const all = await network.walk('/l1Validators?pageSize=4&includeInactiveL1Validators=true', 'validators')
    expect(ids(all)).toEqual(named('f', 'e', 'd', 'c', 'b', 'a'))
    for (const query of [`l1ValidationId=${idText('l1 b')}`, `nodeId=${nodeText('l1 b')}`]) {
      expect(ids(await network.walk(`/l1Validators?${query}`, 'validators'))).toEqual(named('b'))
    }
    expect(await network.walk(`/l1Validators?subnetId=${idText('other')}`, 'validators')).toEqual([])
  })

  test('have their balance at the head, and the time when the fee exhausts it', async () => {
    const { body } = await network.get(`/l1Validators?nodeId=${nodeText('l1 b')}`)
    expect(body).toMatchObject({
      blockHeight: '900',
      validators: [
        {
          weight: 30,
          // 700 nAVAX per second: a minute, and the second that is not fully covered.
          remainingBalance: 700 * 60 + 1,
          emptyTimestamp: now + 61,
          isActive: true,
          creationTimestamp: now - 900,
          remainingBalanceOwner: { addresses: [walletText('owner')], threshold: 1 },
        },
      ],
    })
    const inactive = await network.get(
      `/l1Validators?includeInactiveL1Validators=true&nodeId=${nodeText('l1 e')}`,
    )
    expect(inactive.body['validators']).toMatchObject([{ remainingBalance: 0, isActive: false }])
    expect(JSON.stringify(inactive.body)).not.toContain('emptyTimestamp')
  })

  test('have a history of their changes', async () => {
    const row = { validation_id: idBytes('l1 a'), chain, ts: now - 5 }
    await insertPrimary(store.database, 'l1_validator_changes', [
      {
        ...row,
        height: 200,
        tx_id: idBytes('conversion'),
        type: 35,
        balance_change: 4_000,
        balance: 4_000,
        end_fee: 4_000,
      },
      { ...row, height: 300, index: -1, balance_change: 0, balance: 0, end_fee: null },
      {
        ...row,
        height: 300,
        index: 2,
        tx_id: idBytes('more'),
        type: 38,
        balance_change: 7_000,
        balance: 7_000,
        end_fee: 9_000,
      },
    ])
    const path = `/l1Validators/${idText('l1 a')}/history?pageSize=1`
    const told = (await network.walk(path, 'changes')).map(({ txType, txHash, balanceChange, isActive }) => [
      txType,
      txHash,
      balanceChange,
      isActive,
    ])
    const expected = [
      ['IncreaseL1ValidatorBalanceTx', idText('more'), 7_000, true],
      [undefined, undefined, 0, false],
      ['ConvertSubnetToL1Tx', idText('conversion'), 4_000, true],
    ]
    expect(told).toEqual(expected)
    const ascending = await network.walk(`${path}&sortOrder=asc`, 'changes')
    expect(ascending.map(({ balanceChange }) => balanceChange)).toEqual([4_000, 0, 7_000])
  })
})

describe('who may stop', () => {
  const ask = async (quorum: string) =>
    (await network.get(`/subnets/${idText('ridge')}/stopSafety${quorum}`)).body
  const stopping = (body: Record<string, unknown>): string[] =>
    (body['validators'] as { nodeId: string; mayStopAlone: boolean }[])
      .filter(({ mayStopAlone }) => mayStopAlone)
      .map(({ nodeId }) => nodeId)
  const nodes = (...names: string[]): string[] => names.map((name) => nodeText(`l1 ${name}`))

  test('are validators without which the others still reach the quorum', async () => {
    // The total is 100; a, b and c run with 85; d is not connected and e cannot sign.
    const body = await ask('')
    expect(body).toMatchObject({
      totalWeight: '100',
      quorumWeight: '67',
      runningWeight: '85',
      spareWeight: '18',
      isSafe: true,
      knowsConnections: true,
      safeTogether: nodes('c'),
    })
    expect(stopping(body)).toEqual(nodes('c', 'd', 'e'))
    const half = await ask('?quorumPercentage=40')
    expect([half['spareWeight'], half['safeTogether']]).toEqual(['45', nodes('c', 'b')])
    expect(stopping(half)).toEqual(nodes('a', 'b', 'c', 'd', 'e'))
  })

  test('are none if the quorum is already missed', async () => {
    const body = await ask('?quorumPercentage=85.5')
    expect(body).toMatchObject({ quorumWeight: '86', isSafe: false, spareWeight: '0', safeTogether: [] })
    expect(stopping(body)).toEqual([])
  })
})

describe('the figures of a node', () => {
  test('are flat, and those of its newest validation', async () => {
    const { body } = await network.get(`/validators/${nodeText('sampled')}/feed`)
    expect(body).toEqual({
      nodeId: nodeText('sampled'),
      timestamp: now,
      validationStatus: 'active',
      endTimestamp: now + 500,
      secondsRemaining: 500,
      amountStaked: '7000000000000',
      amountDelegated: '0',
      delegatorCount: 0,
      delegationCapacity: '28000000000000',
      uptimePerformance: 0,
      uptimeRequirement: 80,
      isConnected: true,
      sampledTimestamp: now,
      l1Validations: [],
    })
    const l1Feed = await network.get(`/validators/${nodeText('l1 b')}/feed`)
    expect(l1Feed.body).toMatchObject({
      l1Validations: [{ weight: 30, secondsRemaining: 61, isActive: true }],
    })
    const proposer = await network.get(`/validators/${nodeText('node')}/feed`)
    expect(proposer.body).toMatchObject({ lastProposedBlock: '900', lastProposedTimestamp: now })
  })

  const series = (query: string, headers = {}) =>
    network.service.app.inject({ url: `/metrics/validators?${query}`, headers })

  test('are series for Prometheus', async () => {
    const response = await series(`network=testnet&nodeIds=${nodeText('sampled')},${nodeText('l1 b')}`)
    expect(response.headers['content-type']).toContain('text/plain')
    const lines = response.body.split('\n')
    const node = `network="fuji",node="${nodeText('sampled')}"`
    expect(lines).toContain('# TYPE ridgeline_validator_active gauge')
    expect(lines).toContain(`ridgeline_validator_active{${node}} 1`)
    expect(lines).toContain(`ridgeline_validator_stake_navax{${node}} 7000000000000`)
    expect(lines).toContain(`ridgeline_validator_connected{${node}} 1`)
    const validation = `subnet="${idText('ridge')}",validation="${idText('l1 b')}"`
    expect(lines).toContain(
      `ridgeline_l1_validator_balance_navax{network="fuji",node="${nodeText('l1 b')}",${validation}} ${700 * 60 + 1}`,
    )
    // Each name is introduced once, and every line is a comment or a sample.
    expect(new Set(lines.filter((line) => line.startsWith('# TYPE'))).size).toBe(
      lines.filter((line) => line.startsWith('# TYPE')).length,
    )
    for (const line of lines) expect(line).toMatch(/^(|# .*|[a-z0-9_]+\{[^}]*\} -?\d+(\.\d+)?)$/)
  })

  test.each([
    ['network=fuji', 400],
    [`nodeIds=${nodeText('sampled')}`, 400],
    ['network=fuji&nodeIds=NodeID-abc', 400],
    [`network=mainnet&nodeIds=${nodeText('sampled')}`, 404],
  ])('?%s is a %i', async (query, status) => {
    expect((await series(query)).statusCode).toBe(status)
  })

  test('require a key if /metrics does', async () => {
    const closed = await startTestService(store.database, {
      config: testConfig({
        networks: [fujiNetwork],
        protectPrometheus: true,
        apiKeys: [
          { name: 'watcher', key: 'a key of the watcher', privileges: ['prometheus'] },
          { name: 'other', key: 'a key of another one' },
        ],
      }),
    })
    const url = `/metrics/validators?network=fuji&nodeIds=${nodeText('sampled')}`
    const statuses = await Promise.all(
      [
        {},
        { 'x-service-api-key': 'a key of another one' },
        { 'x-service-api-key': 'a key of the watcher' },
      ].map(async (headers) => (await closed.app.inject({ url, headers })).statusCode),
    )
    await closed.close()
    expect(statuses).toEqual([401, 403, 200])
  })
})

test('the overview counts the current state', async () => {
  const { body } = await network.get('/overview')
  const running = stakes.filter(({ end, start }) => end === null && start <= now)
  expect(body).toMatchObject({
    currentSupply: '42',
    l1ValidatorFee: '700',
    validatorCount: running.filter(({ isDelegator }) => !isDelegator).length + 1,
    delegatorCount: running.filter(({ isDelegator }) => isDelegator).length,
    pendingValidatorCount: stakes.filter(
      ({ isDelegator, end, start }) => !isDelegator && end === null && start > now,
    ).length,
    l1ValidatorCount: 5,
    activeL1ValidatorCount: 4,
    chains: [{ indexedHeight: '900', indexedTimestamp: now }, {}, {}],
  })
})
