import { expect, test } from 'vitest'
import recorded from '../../api/fixtures/node-answers.json' with { type: 'json' }
import genesis from '../../api/fixtures/l1-genesis.json' with { type: 'json' }
import { resultOf } from '../../api/node/node-client.ts'
import { activeRules, chainConfig } from '../../api/node/node-shapes.ts'
import { differences } from './genesis-check.tsx'
import { ruleMoments, ruleRows, upgradesOf } from './rules.ts'

const result = (name: keyof typeof recorded): unknown =>
  resultOf({ ...recorded[name], retryAfter: undefined })
const config = chainConfig.parse(result('L1.eth_getChainConfig.upg'))

test('lists the rule changes of a chain’s genesis and upgrade file', () => {
  const moments = ruleMoments(config)
  expect(moments.map(({ at }) => at)).toEqual([
    0, 1_607_144_400, 1_795_249_569, 1_795_249_741, 1_795_249_753, 1_795_349_709,
  ])
  const changes = new Map(moments.map((moment) => [moment.at, moment.changes]))
  expect(changes.get(1_795_249_741)).toEqual(['Tx allow list off', 'Fee manager off'])
  expect(changes.get(1_795_249_753)).toEqual(['Fee manager on', 'State upgrade'])
  expect(changes.get(0)).toContain('Contract native minter on')
  expect(changes.get(1_607_144_400)).toContain('Granite')
})

test('lists the upgrades in order with their settings', () => {
  expect(upgradesOf(config).map(({ key, isOff, rest }) => [key, isOff, Object.keys(rest)])).toEqual([
    ['txAllowListConfig', true, []],
    ['feeManagerConfig', true, []],
    ['feeManagerConfig', false, ['adminAddresses', 'initialFeeConfig']],
    ['contractNativeMinterConfig', true, []],
  ])
})

test('shows the fee manager as absent before its reactivation, next to the newest block', () => {
  const now = activeRules.parse(result('L1.eth_getActiveRulesAt.upg.none'))
  const { feeManagerConfig: _off, ...precompiles } = now.precompiles
  const rows = ruleRows({ ...now, precompiles }, now)
  expect(rows.filter((row) => row.value !== row.now)).toEqual([
    { group: 'Precompiles', name: 'Fee manager', value: 'no', now: 'yes' },
  ])
  expect(rows.find(({ name }) => name === 'Granite')).toMatchObject({ group: 'Avalanche', value: 'yes' })
  expect(rows.find(({ name }) => name === 'ChainID')?.value).toBe('99777')
})

test('differs from the running configuration only in the network’s own settings', () => {
  const { all, different } = differences(genesis, config)
  expect(all).toBeGreaterThan(20)
  const keys = different.map(({ key }) => key)
  // The genesis sets all of these; the node writes addresses in another case.
  for (const key of [
    'config.chainId',
    'config.feeConfig.gasLimit',
    'config.warpConfig',
    'config.feeManagerConfig',
  ])
    expect(keys).not.toContain(key)
  expect(keys).toContain('config.graniteTimestamp')
  const changed = differences({ ...genesis, config: { ...genesis.config, chainId: 1 } }, config).different
  expect(changed.find(({ key }) => key === 'config.chainId')).toMatchObject({ one: '1', other: '99777' })
})
