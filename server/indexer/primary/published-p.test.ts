import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import node from '../../../protocol/fixtures/avalanchego-transactions.json' with { type: 'json' }
import mainnet from '../../../protocol/fixtures/mainnet-p-blocks.json' with { type: 'json' }
import published from '../../../protocol/fixtures/published.json' with { type: 'json' }
import { cb58, idOfText, nodeIdText } from '../../../protocol/ids/text.ts'
import { type Utxo } from '../../../protocol/primary/outputs.ts'
import { decodeProposerWrapper } from '../../../protocol/primary/proposer.ts'
import { withVersion } from '../../../protocol/native/hashes.ts'
import {
  decodePBlock,
  encodePBlock,
  isDecision,
  type PBlock,
  type PBlockInput,
} from '../../../protocol/primary/p-blocks.ts'
import { decodePTx, type PTx, type PUnsigned } from '../../../protocol/primary/p-transactions.ts'
import { pTxTypeIds } from '../../../protocol/primary/transaction-types.ts'
import { decodeL1Message } from '../../../protocol/warp/l1-messages.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { readOddHistory } from '../../verify/primary-tables.ts'
import { Batch } from './batch/batch.ts'
import type { Staker } from './batch/model.ts'
import { keyOf } from './batch/rows.ts'
import { applyPBlock } from './p-apply.ts'
import { primarySubnet, PState } from './p-state.ts'
import {
  c,
  empty,
  emptied,
  expectedRow,
  expectSpent,
  madeElsewhere,
  makeEach,
  noAddress,
  origin,
  p,
  readElsewhere,
  otherChainOf,
  utxosOf,
  write,
  x,
  type Elsewhere,
  type Output,
  type Owners,
} from './testing/published.ts'

// Transactions that other programs publish, each applied in the smallest state in which it is valid, and stored: what it
// spends and makes is as avalanchejs reads it, and who stakes, owns and validates as the bytes' source says.

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
beforeEach(() => emptied(store.database))
afterAll(() => store.drop())

const rulesFor = (tx: PUnsigned, durango: number) => {
  const other = keyOf(otherChainOf(tx))
  return {
    chain: p,
    xChain: x,
    cChain: c,
    xId: other,
    cId: 'c'.repeat(64),
    avaxAsset: idOfText('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z'),
    followed: new Set([other]),
    upgrades: { cortina: 0, durango, etna: 0, helicon: Infinity },
    l1Fees: { target: 10_000n, minPrice: 512n, conversion: 1_246_488_515n },
  }
}

const supply = 400_000_000_000_000_000n

function staker(more: Partial<Staker>): Staker {
  return {
    ...origin,
    txId: 'aa'.repeat(32),
    typeId: pTxTypeIds.AddPermissionlessValidatorTx,
    isDelegator: false,
    subnet: primarySubnet,
    node: keyOf(noAddress),
    weight: 2_000n,
    start: 1,
    end: 4_000_000_000,
    shares: 20_000,
    blsKey: undefined,
    blsProof: undefined,
    validatorTx: undefined,
    rewardAddresses: [],
    delegationRewardAddresses: [],
    potentialReward: 77n,
    isCurrent: true,
    delegatorCount: 0,
    delegated: 0n,
    ended: undefined,
    outcome: undefined,
    reward: undefined,
    delegationReward: undefined,
    renewal: undefined,
    ...more,
  }
}

const elastic = () => ({
  transformTx: empty,
  assetId: empty,
  cap: 720_000_000_000_000_000n,
  minRate: 100_000n,
  maxRate: 120_000n,
  supply,
})

/** Whatever a transaction names must be there: the subnet, the validator and the L1 validator. */
function prepare(state: PState, batch: Batch, tx: PTx): void {
  const { unsigned } = tx
  if (unsigned.type === 'UNKNOWN') throw new Error('it is of an unknown type')
  const addStaker = (more: Partial<Staker>): void => {
    const made = staker(more)
    state.addStaker(made)
    batch.staker(made, true)
  }
  if ('subnetId' in unsigned && keyOf(unsigned.subnetId) !== primarySubnet) {
    const isStaked = 'terms' in unsigned && unsigned.type !== 'AddSubnetValidatorTx'
    const owner = { threshold: 1, locktime: 0n, addresses: [noAddress] }
    const subnet = {
      ...origin,
      subnet: keyOf(unsigned.subnetId),
      owner,
      elastic: isStaked ? elastic() : undefined,
      conversion: undefined,
    }
    state.subnets.set(subnet.subnet, subnet)
    batch.subnet(subnet, true)
  }
  const addL1 = (validationId: Uint8Array): void => {
    const validator = {
      ...origin,
      ordinal: 0,
      validationId: keyOf(validationId),
      txId: empty,
      subnet: '0a'.repeat(32),
      node: noAddress,
      blsKey: new Uint8Array(48),
      remainingOwner: { threshold: 1, addresses: [noAddress] },
      deactivationOwner: { threshold: 1, addresses: [noAddress] },
      weight: 9n,
      minNonce: 0n,
      endFee: 1_000_000n,
      removedTs: undefined,
    }
    state.l1.set(validator.validationId, validator)
    state.activeL1 = 1
    state.watchL1(validator)
    batch.l1Validator(validator, true)
  }
  const renewal = {
    compoundShares: 0,
    nextPeriod: 60,
    authorityAddresses: [noAddress],
    accrued: 0n,
    accruedFees: 0n,
    pendingFees: 0n,
  }
  switch (unsigned.type) {
    case 'AddDelegatorTx':
      addStaker({ node: keyOf(unsigned.terms.nodeId), end: Number(unsigned.terms.end) })
      break
    case 'AddPermissionlessDelegatorTx':
      addStaker({ node: keyOf(unsigned.terms.nodeId), subnet: keyOf(unsigned.subnetId) })
      break
    case 'RemoveSubnetValidatorTx':
      addStaker({
        node: keyOf(unsigned.nodeId),
        subnet: keyOf(unsigned.subnetId),
        typeId: pTxTypeIds.AddSubnetValidatorTx,
      })
      break
    case 'RewardValidatorTx':
      addStaker({ txId: keyOf(unsigned.stakingTxId) })
      break
    case 'SetAutoRenewedValidatorConfigTx':
    case 'RewardAutoRenewedValidatorTx':
      addStaker({
        txId: keyOf(unsigned.stakingTxId),
        typeId: pTxTypeIds.AddAutoRenewedValidatorTx,
        renewal,
      })
      break
    case 'SetL1ValidatorWeightTx': {
      const message = decodeL1Message(unsigned.message)
      if (message.type === 'SET_WEIGHT') addL1(message.validationId)
      break
    }
    case 'IncreaseL1ValidatorBalanceTx':
    case 'DisableL1ValidatorTx':
      addL1(unsigned.validationId)
  }
}

/** What the staker of `prepare` is paid. */
const reward = (txId: Uint8Array): Utxo => {
  const owner = { locktime: 0n, threshold: 1, addresses: [noAddress] }
  const output = { type: 'TRANSFER' as const, amount: 77n, stakeableLocktime: 0n, owner }
  return { txId, outputIndex: 0, assetId: empty, output }
}

/** Before Durango a period begins when its transaction says. */
const isOld = ({ type }: PUnsigned, real: PBlock | undefined): boolean =>
  real !== undefined || type === 'AddValidatorTx' || type === 'AddDelegatorTx'

/** The transaction whose outputs are the rewards that the decision about another one pays. */
const rewardedBy = ({ id, unsigned }: PTx): Uint8Array[] => {
  if (unsigned.type === 'RewardValidatorTx') return [unsigned.stakingTxId]
  return unsigned.type === 'RewardAutoRenewedValidatorTx' ? [id] : []
}

/** A proposal, which a later block decides. */
const proposals: readonly string[] = ['AdvanceTimeTx', 'RewardValidatorTx', 'RewardAutoRenewedValidatorTx']

/** Blocks of mainnet: none has more than one transaction. */
const realBlocks = [
  ...mainnet.blocks.map(({ bytes, height }) => {
    const container = Buffer.from(bytes, 'base64')
    return height < 805_732 ? container : decodeProposerWrapper(container).block
  }),
  ...published.pBlocks
    .filter(({ from }) => from.includes('mainnet'))
    .map(({ bytes }) => Buffer.from(bytes, 'hex')),
].map((bytes) => decodePBlock(bytes))

/** Mainnet's decision about a proposal; undefined if its bytes are not published. */
const decisionOf = (proposal: PBlock | undefined): PBlock | undefined =>
  proposal &&
  realBlocks.find(({ kind, parentId }) => isDecision(kind) && keyOf(parentId) === keyOf(proposal.id))

/**
 * Applies a transaction with its codec version and stores everything: in the block of a network that has it, or in one of
 * ours. Of a proposal the commit follows.
 */
async function applied(bytes: Uint8Array, real?: PBlock) {
  const tx = decodePTx(bytes.subarray(2))
  const { unsigned } = tx
  if (unsigned.type === 'UNKNOWN') throw new Error('it is of an unknown type')
  const state = new PState(rulesFor(unsigned, isOld(unsigned, real) ? Infinity : 0))
  const time = real?.time ?? ('terms' in unsigned ? Number(unsigned.terms.start) - 1 : 1_600_000_000)
  const id = real ? keyOf(real.parentId) : '0'.repeat(64)
  Object.assign(state, { height: (real?.height ?? 1) - 1, id, time, supply })
  const before = new Batch(p)
  if ('base' in unsigned)
    makeEach(before, p, [
      ...unsigned.base.inputs.map((each) => ({ each, chain: p })),
      ...(unsigned.type === 'ImportTx' ? unsigned.importedInputs : []).map((each) => ({ each, chain: x })),
    ])
  prepare(state, before, tx)
  await write(store.database, before)
  const batch = new Batch(p)
  const rewards = rewardedBy(tx).map((txId) => reward(txId))
  const apply = (block: PBlock): void =>
    applyPBlock({ state, batch, genesisTime: 0, strays: { next: 0 } }, { block, wrapper: undefined, rewards })
  const own = (block: Pick<PBlockInput, 'type' | 'transactions' | 'proposal'>): PBlock => {
    const link = { parentId: Buffer.from(state.id, 'hex'), height: state.height + 1, time: state.time }
    return decodePBlock(encodePBlock({ ...block, ...link }))
  }
  const input = tx as PBlockInput['transactions'][number]
  const isProposal = real ? real.kind === 'proposal' : proposals.includes(unsigned.type)
  const age = real || unsigned.type === 'AdvanceTimeTx' ? 'Apricot' : 'Banff'
  if (real) apply(real)
  else if (isProposal) apply(own({ type: `${age}ProposalBlock`, transactions: [], proposal: input }))
  else apply(own({ type: 'BanffStandardBlock', transactions: [input] }))
  if (isProposal) apply(decisionOf(real) ?? own({ type: `${age}CommitBlock`, transactions: [] }))
  await write(store.database, batch)
  return { tx, unsigned, state }
}

const one = async (rows: Promise<readonly unknown[]>): Promise<Record<string, unknown>> => {
  const [row] = await rows
  return row as Record<string, unknown>
}

/** The reward by the formula of the network's documents, in its own order. */
function rewardByFormula(weight: bigint, seconds: bigint): string {
  const [cap, year] = [720_000_000_000_000_000n, 31_536_000_000_000_000n]
  const duration = seconds * 1_000_000_000n
  const left = cap - supply
  const rate = 20_000n * duration + 100_000n * year
  const full = (left * rate * weight * duration) / (year * 1_000_000n) / supply / year
  return String(full < left ? full : left)
}

/** The validation that one of avalanchego's transactions registers and another one gives a new weight: both are of one network. */
const validation = '38e6e9fe31c6d070a8c792dbacf6d0aefb8eac2aded49cc0aa9f422d1fdd9ecd'

type Validator = { nodeId: string; startTime: string; endTime: string; weight: string }

/** What a transaction changes besides UTXOs. */
async function changes(
  { id: txId, unsigned }: PTx & { readonly unsigned: PUnsigned },
  read: Elsewhere,
  state: PState,
  startsLater: boolean,
): Promise<void> {
  const sql = store.database
  const id = Buffer.from(txId)
  const subnetRow = (subnet: Uint8Array) =>
    one(sql`select * from subnets where subnet = ${Buffer.from(subnet)}`)
  switch (unsigned.type) {
    case 'AddValidatorTx':
    case 'AddDelegatorTx':
    case 'AddSubnetValidatorTx':
    case 'AddPermissionlessValidatorTx':
    case 'AddPermissionlessDelegatorTx': {
      const { validator } = (read['subnetValidator'] ?? read) as { validator: Validator }
      const start = startsLater ? Number(validator.startTime) : state.time
      const end = Number(validator.endTime)
      const isRewarded = !startsLater && unsigned.type !== 'AddSubnetValidatorTx'
      const row = await one(sql`select * from stakers where tx_id = ${id}`)
      expect({ ...row, node: nodeIdText(row['node'] as Buffer) }).toMatchObject({
        node: validator.nodeId,
        weight: validator.weight,
        start_ts: BigInt(start),
        end_ts: BigInt(end),
        shares: read['shares'] ?? null,
        potential_reward: isRewarded ? rewardByFormula(BigInt(validator.weight), BigInt(end - start)) : null,
      })
      const isDelegator =
        unsigned.type === 'AddDelegatorTx' || unsigned.type === 'AddPermissionlessDelegatorTx'
      if (isDelegator)
        expect(await one(sql`select * from stakers where not is_delegator`)).toMatchObject({
          delegator_count: 1,
          delegated: validator.weight,
        })
      return
    }
    case 'AddAutoRenewedValidatorTx': {
      const period = Number(read['period'])
      const row = await one(sql`select * from stakers where tx_id = ${id}`)
      expect({ ...row, node: nodeIdText(row['node'] as Buffer) }).toMatchObject({
        node: read['nodeId'],
        weight: (read['stake'] as Output[])[0]?.output.amt ?? row['weight'],
        end_ts: BigInt(state.time + period),
        next_period: BigInt(period),
        compound_shares: read['autoCompoundRewardShares'],
        shares: read['delegationShares'],
      })
      return
    }
    case 'SetAutoRenewedValidatorConfigTx':
      expect(await one(sql`select * from stakers`)).toMatchObject({
        compound_shares: read['autoCompoundRewardShares'],
        next_period: BigInt(String(read['period'])),
      })
      return
    case 'RewardAutoRenewedValidatorTx':
      expect(await one(sql`select * from staking_cycles`)).toMatchObject({ outcome: 'renewed', reward: '77' })
      return
    case 'RewardValidatorTx':
      expect(await one(sql`select * from stakers`)).toMatchObject({ outcome: 'rewarded', reward: '77' })
      return
    case 'AdvanceTimeTx':
      expect(state.time).toBe(Number(read['time']))
      return
    case 'CreateSubnetTx':
      expect(await subnetRow(txId)).toMatchObject({
        owner_threshold: (read['subnetOwners'] as Owners).threshold,
      })
      return
    case 'TransferSubnetOwnershipTx': {
      const { threshold, locktime } = read['subnetOwners'] as Owners
      expect(await subnetRow(unsigned.subnetId)).toMatchObject({
        owner_threshold: threshold,
        owner_locktime: locktime,
      })
      return
    }
    case 'TransformSubnetTx': {
      const row = await subnetRow(unsigned.subnetId)
      expect([row['transform_tx'], row['supply']]).toEqual([id, read['initialSupply']])
      expect(cb58(row['staking_asset'] as Buffer)).toBe(read['assetId'])
      return
    }
    case 'CreateChainTx': {
      const row = await one(sql`select * from blockchains`)
      expect([row['name'], cb58(row['vm'] as Buffer), cb58(row['subnet'] as Buffer)]).toEqual([
        read['chainName'],
        read['vmID'],
        read['subnetID'],
      ])
      return
    }
    case 'RemoveSubnetValidatorTx':
      expect(await one(sql`select * from stakers`)).toMatchObject({ outcome: 'removed', ended_tx: id })
      return
    case 'ConvertSubnetToL1Tx': {
      const { manager_chain: chain, conversion_tx: conversion } = await subnetRow(unsigned.subnetId)
      expect([cb58(chain as Buffer), conversion]).toEqual([read['chainID'], id])
      const rows = await sql<{ weight: string; end_fee: string | null }[]>`
        select weight, end_fee from l1_validators order by ordinal`
      const validators = read['validators'] as { weight: string; balance: string }[]
      expect([...rows]).toEqual(validators.map(({ weight, balance }) => ({ weight, end_fee: balance })))
      expect(state.activeL1).toBe(validators.length)
      return
    }
    case 'RegisterL1ValidatorTx':
      expect(await one(sql`select * from l1_validators`)).toMatchObject({
        validation_id: Buffer.from(validation, 'hex'),
        weight: '1',
        end_fee: read['balance'],
        min_nonce: '0',
      })
      return
    case 'SetL1ValidatorWeightTx':
      // From 9 to 5 by the message with the nonce 1.
      expect(await one(sql`select * from l1_validators`)).toMatchObject({
        validation_id: Buffer.from(validation, 'hex'),
        weight: '5',
        min_nonce: '2',
      })
      return
    case 'IncreaseL1ValidatorBalanceTx':
      expect(await one(sql`select * from l1_validators`)).toMatchObject({
        end_fee: String(1_000_000n + BigInt(String(read['balance']))),
      })
      return
    case 'DisableL1ValidatorTx':
      expect(await one(sql`select * from l1_validators`)).toMatchObject({ end_fee: null })
      expect(state.activeL1).toBe(0)
      return
    case 'BaseTx':
    case 'ImportTx':
    case 'ExportTx':
      return
  }
}

/** What is given back of the balance in `prepare`: the transaction's last output. */
const givenBack = {
  home: p,
  asset: 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z',
  amount: '1000000',
  stakeable: '0',
  locktime: '0',
  threshold: 1,
  owners: 1,
}

/** The message in these two is the text `message`, which no chain accepts. */
const notValid = /(register_l1_validator|set_l1_validator_weight)_tx_test/

const pTransactions: readonly (readonly [string, Uint8Array])[] = [
  ...node.p.map(({ name, bytes }) => [`avalanchego’s ${name}`, Buffer.from(bytes, 'hex')] as const),
  ...published.pSigned.map(({ from, bytes }) => [from, Buffer.from(bytes, 'hex')] as const),
  ...published.pUnsigned
    .filter(({ from }) => !notValid.test(from))
    .map(({ from, bytes }) => [from, Buffer.concat([Buffer.from(bytes, 'hex'), Buffer.alloc(4)])] as const),
]

/** Applies a transaction and compares everything that it changed. */
async function compare(bytes: Uint8Array, real?: PBlock): Promise<void> {
  const read = readElsewhere(bytes)
  const { tx, unsigned, state } = await applied(bytes, real)
  expect((await readOddHistory(store.database, p)).shown).toEqual([])
  await expectSpent(store.database, tx.id, read)
  const count = (read['baseTx'] as { outputs?: Output[] } | undefined)?.outputs?.length ?? 0
  const made = madeElsewhere(read).map((each, index) =>
    expectedRow(each, index, 'destination' in read && index >= count ? x : p),
  )
  const given = {
    DisableL1ValidatorTx: { ...givenBack, index: made.length },
    RewardAutoRenewedValidatorTx: { ...givenBack, asset: cb58(empty), amount: '77', index: 0 },
  }
  const { [unsigned.type]: more } = given as Partial<Record<PUnsigned['type'], object>>
  expect(await utxosOf(store.database, tx.id)).toEqual([...made, ...(more ? [more] : [])])
  await changes({ ...tx, unsigned }, read, state, isOld(unsigned, real))
}

test.each(pTransactions)('%s is applied', (_, bytes) => compare(bytes))

// The proposals that blocks 49 and 1,000,005 decide are not published: those two are only read (protocol/mainnet.test.ts).
test.each(realBlocks.filter(({ kind }) => !isDecision(kind)).map((block) => [block.height, block] as const))(
  'the transaction in mainnet’s block %i is applied',
  (_, block) => {
    const [tx] = [...block.transactions, ...(block.proposal ? [block.proposal] : [])]
    return compare(withVersion(tx?.bytes ?? empty), block)
  },
)
