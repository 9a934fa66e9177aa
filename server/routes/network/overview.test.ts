import { expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { fujiKeys, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import { startPrimaryService } from '../../testing/primary-service.ts'

const chain = fujiKeys.p
const now = 1_700_000_000

test('the details of a network are the stake and the rewards of those who stake now', async () => {
  const store = await createTestDatabase()
  const network = await startPrimaryService(store.database)
  try {
    await insertPrimary(store.database, 'primary_blocks', [
      { chain, height: 9, ts: now, id: idBytes('head'), parent_id: idBytes('parent'), supply: '8000' },
    ])
    const staker = (name: string, facts: Record<string, string | number | boolean | Buffer>) => ({
      chain,
      height: name.length,
      index: name.charCodeAt(0),
      tx_id: idBytes(name),
      node: shortBytes('node'),
      start_ts: now - 10,
      end_ts: now + 10,
      ...facts,
    })
    await insertPrimary(store.database, 'stakers', [
      staker('first', { weight: '3000', potential_reward: '30' }),
      staker('second', { weight: '2000', potential_reward: '20' }),
      staker('delegation', { weight: '333', potential_reward: '5', is_delegator: true }),
      staker('announced', { weight: '70000', start_ts: now + 1 }),
      staker('of a subnet', { weight: '70000', subnet: idBytes('subnet') }),
      staker('ended', { weight: '70000', potential_reward: '700', ended_ts: now - 1, outcome: 'rewarded' }),
    ])
    expect((await network.get('')).body).toEqual({
      validatorDetails: {
        validatorCount: 2,
        totalAmountStaked: '5000',
        estimatedAnnualStakingReward: '55',
        stakingDistributionByVersion: [],
        stakingRatio: '0.666625000',
      },
      delegatorDetails: { delegatorCount: 1, totalAmountStaked: '333' },
    })
  } finally {
    await network.service.close()
    await store.drop()
  }
})

test('a syncing chain says how fast it is, how long it takes, and what bounds it', async () => {
  const store = await createTestDatabase()
  const network = await startPrimaryService(store.database)
  try {
    const { p, x, c } = fujiKeys
    for (const key of [p, x, c]) {
      const head = {
        chain: key,
        height: 9,
        ts: now,
        id: idBytes(`head ${key}`),
        parent_id: idBytes('parent'),
      }
      await insertPrimary(store.database, 'primary_blocks', [head])
    }
    network.service.now = now + 60
    // Two that catch up, of which one was measured more than a minute ago, and one that has caught up.
    await store.database`
      update primary_chains set state = 'syncing', node_height = 1009, sync_rate = 12.5, sync_bound = 'decoding',
        sync_ts = case when chain = ${x} then ${now - 1}::bigint else ${now}::bigint end`
    await store.database`update primary_chains set state = 'live' where chain = ${c}`
    const { chains } = (await network.get('/overview')).body as {
      chains: { chainName: string; sync?: object }[]
    }
    expect(chains.map(({ chainName, sync }) => [chainName, sync])).toEqual([
      ['p-chain', { blocksPerSecond: 12.5, secondsLeft: 80, boundBy: 'decoding' }],
      ['x-chain', undefined],
      ['c-chain', undefined],
    ])
  } finally {
    await network.service.close()
    await store.drop()
  }
})
