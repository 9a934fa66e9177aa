import { afterEach, expect, test } from 'vitest'
import { idBytes, insertPrimary, shortBytes } from '../testing/primary-rows.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { readMembers, readRules } from '../store/watch/read-rules.ts'
import { dryRun } from './dry-run.ts'
import { memberOf, ruleOf } from './rules.ts'
import { createFleet, createRule, createScene, createWebhook, start, type Scene } from './testing/fleet.ts'

let store: TestDatabase
let scene: Scene
afterEach(async () => {
  await scene.close()
  await store.drop()
})

/** A small generator, so that a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** What fired according to the rows of the runner. */
async function rangOf(rule: string) {
  return scene.database<{ subject: string; opened: number; resolved: number | null; sent: number }[]>`
    select split_part(subject, ':', 2) as subject, opened_ts::int as opened, resolved_ts::int as resolved,
      notifications as sent from watch_alarms where rule = ${rule} order by opened_ts, subject, alarm`
}

test('a dry run over the stored rounds finds what really fired, for every kind of rule', async () => {
  store = await createTestDatabase()
  const { database } = store
  const nodes = ['alpha', 'beta', 'gamma', 'delta']
  scene = await createScene(database, nodes)
  await insertPrimary(
    database,
    'l1_validators',
    ['one', 'two', 'three'].map((name, ordinal) => ({
      chain: 11,
      height: 2,
      ordinal,
      ts: start - 100,
      validation_id: idBytes(name),
      tx_id: idBytes('conversion'),
      subnet: idBytes('l1'),
      node: shortBytes(nodes[ordinal] ?? ''),
      weight: '100',
      end_fee: '2000000',
    })),
  )
  await insertPrimary(
    database,
    'l1_validator_changes',
    ['one', 'two', 'three'].map((name) => ({
      chain: 11,
      height: 2,
      ts: start - 100,
      validation_id: idBytes(name),
      weight: '100',
      balance: '2000000',
      end_fee: '2000000',
    })),
  )
  await database`update primary_chains set l1_min_price = 512, l1_conversion = 1000000`
  const fleet = await createFleet(database, nodes)
  const hook = await createWebhook(database, 'http://127.0.0.1:9/')
  const given = { fleet, channels: [hook] }
  const quiet = { from: '00:00', to: '12:00', timeZone: 'UTC' }
  const rules = [
    await createRule(database, { ...given, kind: 'notConnected', samples: 2, repeat: 50 }),
    await createRule(database, { ...given, kind: 'notConnected', samples: 1, quiet }, 'quiet'),
    await createRule(database, { ...given, kind: 'uptimeLow', threshold: 10, hysteresis: 2 }),
    await createRule(database, { ...given, kind: 'rewardUnreachable', threshold: 15, hysteresis: 0.5 }),
    await createRule(database, { ...given, kind: 'stakeEnds', threshold: 86_400 * 20 - 300 }),
    await createRule(database, { ...given, kind: 'delegationAdded' }),
    await createRule(database, { ...given, kind: 'delegationEnded' }),
    await createRule(database, { ...given, kind: 'l1BalanceLow', threshold: 3_500 }),
    await createRule(database, { ...given, kind: 'quorumNear', threshold: 8, samples: 2 }),
    await createRule(database, { ...given, kind: 'versionBehind', threshold: 50, hysteresis: 5 }),
    await createRule(database, { ...given, kind: 'noProposals', threshold: 1.5 }),
    await createRule(database, { kind: 'nodeSilent', threshold: 60 }),
    await createRule(database, { kind: 'diskFull', threshold: 10, hysteresis: 2 }),
    await createRule(database, { kind: 'indexerLate', threshold: 40 }),
  ]
  const chance = random(7)
  const up: Record<string, boolean> = Object.fromEntries(nodes.map((node) => [node, true]))
  let height = 5
  for (let round = 0; round < 90; round += 1) {
    for (const node of nodes) if (chance() < 0.12) up[node] = !up[node]
    // The node is silent for a while, and the indexer stands still for another.
    const isSilent = round > 30 && round < 42
    if (!isSilent && chance() < 0.8) {
      await scene.poll(up, 80 + Math.floor(chance() * 20))
      await database`update watch_polls set versions = '{"avalanchego/1.13.0": 4, "avalanchego/1.14.0": 5}'`
      if (chance() < 0.1) {
        const version = chance() < 0.5 ? 'avalanchego/1.13.0' : 'avalanchego/1.14.0'
        const node = shortBytes(nodes[Math.floor(chance() * nodes.length)] ?? '')
        await database`insert into peer_versions values (11, ${node}, ${scene.now}, ${version}) on conflict do nothing`
      }
    }
    scene.disk = Math.floor(chance() * 20)
    if (round < 55 || round > 66) {
      height += 1
      const proposer = chance() < 0.6 ? nodes[Math.floor(chance() * nodes.length)] : undefined
      await insertPrimary(database, 'primary_blocks', [
        {
          ...(proposer !== undefined && { proposer_node: shortBytes(proposer) }),
          chain: 11,
          height,
          ts: scene.now,
          id: idBytes(`b${height}`),
          parent_id: idBytes(`b${height - 1}`),
          accrued_fees: String(512 * (height - 5) * 10),
          l1_excess: '0',
        },
      ])
      const isEnd = chance() < 0.5
      const node = shortBytes(nodes[Math.floor(chance() * nodes.length)] ?? '')
      if (chance() < 0.4)
        await insertPrimary(database, 'stakers', [
          {
            chain: 11,
            height: isEnd ? 4 : height,
            index: height,
            tx_id: idBytes(`d${height}`),
            node,
            is_delegator: true,
            start_ts: start - 50,
            end_ts: scene.now,
            // It is stored late, so it must not have counted as stake before.
            ...(isEnd && { ended_ts: scene.now, ended_height: height, weight: '0' }),
          },
        ])
    }
    await database`
      update stakers v set delegated = (select coalesce(sum(d.weight), 0) from stakers d
        where d.is_delegator and d.node = v.node and d.ended_ts is null) where not v.is_delegator`
    const lag = round >= 55 && round <= 66 ? 1 : 0
    await database`update primary_chains set node_height = ${height + lag}`
    if (round % 23 === 0) scene.restart()
    await scene.tick()
  }
  const members = (await readMembers(database, fleet)).map((row) => memberOf(row))
  const counts: number[] = []
  for (const id of rules) {
    const [row] = await readRules(database, { rule: id })
    if (!row) throw new Error('a rule is missing')
    const rule = ruleOf(row)
    const run = await dryRun(
      database,
      { ...rule, id: 'another' },
      rule.fleet === undefined ? [] : members,
      start,
      scene.now,
    )
    const dry = run.alarms
      .map((alarm) => ({
        subject: alarm.subject.id,
        opened: alarm.openedTimestamp,
        resolved: alarm.resolvedTimestamp ?? null,
        sent: alarm.notifiedTimestamps.length,
      }))
      .toSorted((a, b) => a.opened - b.opened || a.subject.localeCompare(b.subject))
    const real = (await rangOf(id))
      .map((each) => ({ ...each }))
      .toSorted((a, b) => a.opened - b.opened || a.subject.localeCompare(b.subject))
    expect(dry, rule.name).toEqual(real)
    expect(run.alarmCount).toBe(real.length)
    counts.push(real.length)
  }
  // Every kind fired, so that the comparison says something.
  expect(
    counts.every((count) => count > 0),
    counts.join(),
  ).toBe(true)
})
