import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cb58, fromCheckedHex, hexText, idOfText } from '../../../protocol/ids/text.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testPace, until } from '../testing/harness.ts'
import recorded from '../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { decodePBlock } from '../../../protocol/primary/p-blocks.ts'
import { runPrimaryIndexers } from './networks.ts'
import { localNetwork } from './testing/local-network.ts'
import {
  addPBlock,
  type BlockType,
  emptyBase,
  rewardTx,
  rewardUtxo,
  withoutCredentials,
} from './testing/own-blocks.ts'
import { RecordedNode } from './testing/recorded-node.ts'

const p = 11
/** End of the recorded delegation and of the recorded validation. */
const end = 1_795_336_006
const delegatorTx = idOfText('2HTHyXUhEZCDnsrKqoZNS7ihHG4t9pv3bo7E87Htp51CZGeyqH')
const validatorTx = idOfText('2Hh6zez7NEZQ22WwRSuJB95ynuNHYe5ZqWbYFcRzBdhseFxp9r')
const validationId = idOfText(recorded.l1Validator.validationID)

let testDatabase: TestDatabase
let node: RecordedNode
const abort = { current: new AbortController() }
let running: Promise<void>

const addBlock = (type: BlockType, time: number, txs: readonly Uint8Array[]): void =>
  addPBlock(node, type, time, txs)
const base = emptyBase
const signed = withoutCredentials

async function indexed(): Promise<void> {
  await until('all blocks are indexed', async () => {
    const [row] = await testDatabase.database<{ height: bigint | null }[]>`
      select max(height) as height from primary_blocks where chain = ${p}`
    return Number(row?.height ?? -1n) === node.behaviour.pHeight
  })
}

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  node = new RecordedNode()
  const url = await node.start()
  abort.current = new AbortController()
  const quiet = () => undefined
  running = runPrimaryIndexers({
    database: testDatabase.database,
    ...localNetwork(url),
    logger: { info: quiet, warn: quiet, error: quiet },
    signal: abort.current.signal,
    pace: testPace,
  })
  running.catch(() => undefined)
})

afterEach(async () => {
  abort.current.abort()
  await running.catch(() => undefined)
  await node.stop()
  await testDatabase.drop()
})

async function supplyNow(): Promise<bigint> {
  const [row] = await testDatabase.database<{ supply: string }[]>`
    select supply from primary_blocks where chain = ${p} order by height desc limit 1`
  return BigInt(row?.supply ?? 0)
}

const stakerOf = async (tx: Uint8Array) => {
  const [row] = await testDatabase.database<
    {
      outcome: string | null
      reward: string | null
      potential: string
      ended_ts: bigint | null
      ended_height: bigint | null
      delegations: number
    }[]
  >`
    select outcome, reward, potential_reward as potential, ended_ts, ended_height, delegator_count as delegations
    from stakers where tx_id = ${Buffer.from(tx)}`
  return row
}

test('a commit pays a reward, an abort removes it from the supply; both return the stake', async () => {
  await indexed()
  const before = await supplyNow()
  // The recorded supply minus the genesis supply and the rewards of the five validators.
  const told = recorded.node.validators.map(({ potentialReward }) => BigInt(potentialReward))
  const delegation = BigInt(recorded.node.supply) - told.reduce((sum, each) => sum + each, 360n * 10n ** 15n)
  expect(BigInt((await stakerOf(delegatorTx))?.potential ?? 0)).toBe(delegation)

  addBlock(29, end, [rewardTx(delegatorTx)])
  addBlock(31, end, [])
  await indexed()
  // The validator takes all of its delegators' rewards, and is paid at its own end.
  expect(await stakerOf(delegatorTx)).toMatchObject({
    outcome: 'rewarded',
    reward: '0',
    ended_ts: BigInt(end),
    ended_height: 12n,
  })
  expect(await supplyNow()).toBe(before)

  addBlock(29, end, [rewardTx(validatorTx)])
  addBlock(30, end, [])
  await indexed()
  expect(await stakerOf(validatorTx)).toMatchObject({
    outcome: 'unrewarded',
    reward: null,
    ended_height: 14n,
  })
  expect(await supplyNow()).toBe(before - 567_306_284n)
  const stakes = await testDatabase.database<{ staked_until: bigint; ended: bigint | null }[]>`
    select u.staked_until, s.ended_ts as ended from utxos u join stakers s using (tx_id)
    where s.tx_id in (${Buffer.from(delegatorTx)}, ${Buffer.from(validatorTx)}) and u.staked_until is not null`
  expect(stakes.map((row) => row.ended)).toEqual([BigInt(end), BigInt(end)])
})

test('a reward is a UTXO of the staking transaction, with type and owners', async () => {
  const staking = recorded.pBlocks.flatMap(({ hex }) => decodePBlock(fromCheckedHex(hex)).transactions)
  const validation = staking.find(({ id }) => cb58(id) === cb58(validatorTx))
  if (validation?.unsigned.type !== 'AddPermissionlessValidatorTx') throw new Error('no validation')
  const { base: fields, stake, rewardsOwner } = validation.unsigned
  const index = fields.outputs.length + stake.length
  const [owner] = rewardsOwner.addresses
  const asset = stake[0]?.assetId ?? new Uint8Array()
  node.rewards.set(cb58(validatorTx), [
    rewardUtxo(validatorTx, index, asset, 567_306_284n, owner ?? new Uint8Array()),
  ])
  addBlock(29, end, [rewardTx(validatorTx)])
  addBlock(31, end, [])
  await indexed()
  const rewards = await testDatabase.database`
    select type, amount, output_index, height, index from rewards where staking_tx = ${Buffer.from(validatorTx)}`
  expect([...rewards]).toEqual([{ type: 1, amount: '567306284', output_index: index, height: 12n, index: 0 }])
  const [row] = await testDatabase.database<
    { owner: Buffer; reward_type: number; spent_height: bigint | null }[]
  >`
    select owner, reward_type, spent_height from utxos
    where tx_id = ${Buffer.from(validatorTx)} and output_index = ${index}`
  expect(row).toEqual({ owner: Buffer.from(owner ?? []), reward_type: 1, spent_height: null })
  const [paid] = await testDatabase.database`
    select from primary_address_transactions where address = ${Buffer.from(owner ?? [])} and height = 12`
  expect(paid).toBeDefined()
})

test('an L1 validator pays the price per second, can be topped up, and is refunded the rest', async () => {
  const since = 1_795_246_010
  addBlock(32, since + 1_000, [
    signed({ type: 'IncreaseL1ValidatorBalanceTx', base, validationId, balance: 500n }),
  ])
  addBlock(32, since + 3_000, [signed({ type: 'DisableL1ValidatorTx', base, validationId, authority: [] })])
  await indexed()
  const changes = await testDatabase.database<
    { height: bigint; change: string; balance: string; end_fee: string | null }[]
  >`
    select height, balance_change as change, balance, end_fee from l1_validator_changes order by height`
  // One nAVAX per second on a local network with fewer validators than the target.
  expect(changes.map(({ change, balance }) => [change, balance])).toEqual([
    ['1000000000', '1000000000'],
    ['500', '999999500'],
    ['-999997500', '0'],
  ])
  const [refund] = await testDatabase.database<{ amount: string; output_index: number }[]>`
    select amount, output_index from utxos where chain = ${p} and height = 13`
  expect(refund).toEqual({ amount: '999997500', output_index: 0 })
  const [block] = await testDatabase.database<{ active: number }[]>`
    select active_l1_validators as active from primary_blocks where chain = ${p} and height = 13`
  expect(block?.active).toBe(0)
})

test('an L1 validator with an exhausted balance is deactivated by the block itself', async () => {
  addBlock(32, 1_795_246_010 + 1_000_000_000, [])
  await indexed()
  const [change] = await testDatabase.database`
    select height, index, tx_id, balance, end_fee from l1_validator_changes order by height desc limit 1`
  expect(change).toEqual({ height: 12n, index: -1, tx_id: null, balance: '0', end_fee: null })
})

test('rewards of another transaction are refused, and asked for again', async () => {
  const utxo = Buffer.from(fromCheckedHex(recorded.utxos[0]?.hex[0] ?? ''))
  const checksum = createHash('sha256').update(utxo).digest().subarray(-4)
  node.rewards.set(cb58(validatorTx), [hexText(Buffer.concat([utxo, checksum]))])
  addBlock(29, end, [rewardTx(validatorTx)])
  addBlock(31, end, [])
  await until('the answer is refused', async () => {
    const [row] = await testDatabase.database<{ state: string; reason: string | null }[]>`
      select state, reason from primary_chains where chain = ${p}`
    return row?.state === 'waiting' && row.reason?.includes('rewards of another transaction') === true
  })
  const asset = decodePBlock(fromCheckedHex(recorded.pBlocks[1]?.hex ?? '')).transactions[0]
  if (!asset || !('base' in asset.unsigned)) throw new Error('block 1 has no transaction')
  const assetId = asset.unsigned.base.inputs[0]?.assetId ?? new Uint8Array(32)
  node.rewards.set(cb58(validatorTx), [
    rewardUtxo(validatorTx, 2, assetId, 567_306_284n, Buffer.alloc(20, 7)),
  ])
  await indexed()
  expect(await stakerOf(validatorTx)).toMatchObject({ outcome: 'rewarded', reward: '567306284' })
})
