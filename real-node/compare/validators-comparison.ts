import { utils } from '@avalabs/avalanchejs'
import { expect } from 'vitest'
import { getBlockchain, listBlockchains, listSubnets } from '../../contract/network/blockchains.ts'
import { listDelegators, listL1Validators, listValidators } from '../../contract/network/validators.ts'
import { ask } from '../stack/node.ts'
import { plain, sorted, stakedBy, type Compared } from './primary-comparison.ts'
import { withoutChain } from './primary-node.ts'
import { percentOf, type Stake } from './primary-records.ts'

type Owner = {
  readonly addresses: readonly string[]
  readonly threshold: string
}

type Staker = {
  readonly txID: string
  readonly nodeID: string
  readonly weight: string
  readonly startTime: string
  readonly endTime: string
  readonly potentialReward: string
}

type CurrentDelegator = {
  readonly rewardOwner: Owner
} & Staker

type CurrentValidator = {
  readonly validationRewardOwner: Owner
  readonly accruedDelegateeReward: string
  readonly delegationFee: string
  readonly uptime: string
  readonly signer: { readonly publicKey: string; readonly proofOfPossession: string }
  readonly delegatorCount: string
  readonly delegatorWeight: string
  readonly delegators?: readonly CurrentDelegator[] | null
} & Staker

type CurrentL1Validator = {
  readonly validationID: string
  readonly nodeID: string
  readonly weight: string
  readonly startTime: string
  readonly publicKey: string
  readonly remainingBalanceOwner: Owner
  readonly deactivationOwner: Owner
  readonly balance: string
}

const primary = '11111111111111111111111111111111LpoYY'
/** The most that can be delegated to a node, in nAVAX (docs/primary.md, "Staking"). */
const maxStake = 3_000_000_000_000_000n
const maxDelegation = 5n
const millionths = 1_000_000n

/** The part of a delegator's reward that goes to the validator. */
const feeOf = (reward: string, shares: bigint): bigint =>
  BigInt(reward) - (BigInt(reward) * (millionths - shares)) / millionths

const sharesOf = (percent: string): bigint => BigInt(Math.round(Number(percent) * 10_000))

async function currentValidators(nodeUrl: string): Promise<CurrentValidator[]> {
  const url = `${nodeUrl}/ext/bc/P`
  const list = async (params: object): Promise<CurrentValidator[]> =>
    (await ask<{ validators: CurrentValidator[] }>(url, 'platform.getCurrentValidators', params)).validators
  const all = await list({})
  // Only an answer about a single node has delegators.
  return (await Promise.all(all.map(({ nodeID }) => list({ nodeIDs: [nodeID] })))).flat()
}

/** Compares validators and delegators of the primary network: active ones with the node's list, and ended ones. */
export async function compareValidators(compared: Compared): Promise<void> {
  const { nodeUrl, node, service } = compared
  const current = await currentValidators(nodeUrl)
  const whole = current.reduce(
    (total, { weight, delegatorWeight }) => total + BigInt(weight) + BigInt(delegatorWeight),
    0n,
  )
  const active = current.map((each) => {
    const { txID, nodeID, weight, signer, delegationFee, delegators } = each
    const shares = sharesOf(delegationFee)
    const max = [BigInt(weight) * maxDelegation, maxStake].reduce((a, b) => (a < b ? a : b))
    const left = max - BigInt(weight) - BigInt(each.delegatorWeight)
    const expected = (delegators ?? []).reduce(
      (total, { potentialReward }) => total + feeOf(potentialReward, shares),
      BigInt(each.accruedDelegateeReward),
    )
    return {
      txHash: txID,
      nodeId: nodeID,
      subnetId: primary,
      amountStaked: weight,
      delegationFee,
      startTimestamp: each.startTime,
      endTimestamp: each.endTime,
      blsCredentials: signer,
      delegatorCount: each.delegatorCount,
      amountDelegated: each.delegatorWeight,
      validationStatus: 'active',
      stakePercentage: Number((BigInt(weight) * 100_000_000_000n) / whole) / 1e9,
      delegationCapacity: left > 0n ? left : 0n,
      potentialRewards: {
        validationRewardAmount: each.potentialReward,
        delegationRewardAmount: expected,
        rewardAddresses: each.validationRewardOwner.addresses.map(withoutChain),
      },
      uptimeRequirement: 80,
    }
  })
  const stakes = [...node.stakes.values()]
  const completed = stakes
    .filter((stake) => stake.endedBy !== undefined && isValidator(stake))
    .map((stake) => endedValidator(compared, stake))
  const query = { subnetId: primary } as const
  const ours = await service.all(listValidators, 'validators', {}, query)
  // The uptime is a sample, which is compared below.
  expect(sorted(ours.map((each) => plain(each, ['uptimePerformance'])))).toEqual(
    sorted([...active, ...completed].map((each) => plain(each))),
  )
  // A validator that joined after the last sample has none; an ended one keeps its last, which the node no longer
  // has.
  const sampled = ours.filter(
    ({ validationStatus, uptimePerformance }) =>
      validationStatus === 'active' && uptimePerformance !== undefined,
  )
  expect(sampled.length).toBeGreaterThan(0)
  for (const { txHash, uptimePerformance } of sampled) {
    const uptime = Number(current.find(({ txID }) => txID === txHash)?.uptime)
    expect(Math.abs(Number(uptimePerformance) - uptime), `uptime of ${txHash}`).toBeLessThan(20)
  }
  const delegators = [
    ...current.flatMap(({ delegators: own, delegationFee }) =>
      (own ?? []).map((each) => ({
        txHash: each.txID,
        nodeId: each.nodeID,
        rewardAddresses: each.rewardOwner.addresses.map(withoutChain),
        amountDelegated: each.weight,
        delegationFee,
        startTimestamp: each.startTime,
        endTimestamp: each.endTime,
        estimatedGrossReward: each.potentialReward,
        estimatedNetReward:
          BigInt(each.potentialReward) - feeOf(each.potentialReward, sharesOf(delegationFee)),
        delegationStatus: 'active',
      })),
    ),
    ...stakes
      .filter((stake) => stake.endedBy !== undefined && !isValidator(stake))
      .map((stake) => endedDelegator(compared, stake)),
  ]
  const listed = await service.all(listDelegators, 'delegators', {})
  expect(sorted(listed.map((each) => plain(each)))).toEqual(sorted(delegators.map((each) => plain(each))))
  expect(delegators.length).toBe(3)
}

const isValidator = ({ transaction }: Stake): boolean => transaction.unsigned.shares !== undefined

const paid = (stake: Stake, kind: string): bigint =>
  stake.rewards
    .filter((each) => each.kind === kind)
    .reduce((total, { output }) => total + BigInt(output.amount), 0n)

function delegatorsOf({ node }: Compared, validator: Stake): Stake[] {
  return [...node.stakes.values()].filter((each) => each.nodeId === validator.nodeId && !isValidator(each))
}

function endedValidator(compared: Compared, stake: Stake): Record<string, unknown> {
  const { node } = compared
  const { unsigned, id } = stake.transaction
  const own = delegatorsOf(compared, stake)
  return {
    txHash: id,
    nodeId: stake.nodeId,
    subnetId: stake.subnetId,
    amountStaked: stakedBy(node, id),
    delegationFee: percentOf(unsigned.shares ?? 0),
    startTimestamp: stake.start,
    endTimestamp: stake.end,
    blsCredentials: unsigned.signer,
    delegatorCount: own.length,
    amountDelegated: String(
      own.reduce((total, each) => total + BigInt(stakedBy(node, each.transaction.id)), 0n),
    ),
    validationStatus: 'completed',
    rewards: {
      validationRewardAmount: paid(stake, 'VALIDATOR'),
      delegationRewardAmount: paid(stake, 'VALIDATOR_FEE'),
      rewardAddresses: stake.rewardOwners,
      rewardTxHash: stake.endedBy?.id,
    },
  }
}

function endedDelegator({ node }: Compared, stake: Stake): Record<string, unknown> {
  const validator = [...node.stakes.values()].find(
    (each) => each.nodeId === stake.nodeId && isValidator(each),
  )
  const isPaid = stake.rewards.length > 0
  return {
    txHash: stake.transaction.id,
    nodeId: stake.nodeId,
    rewardAddresses: stake.rewardOwners,
    amountDelegated: stakedBy(node, stake.transaction.id),
    delegationFee: percentOf(validator?.transaction.unsigned.shares ?? 0),
    startTimestamp: stake.start,
    endTimestamp: stake.end,
    grossReward: isPaid ? stake.potentialReward : '0',
    netReward: paid(stake, 'DELEGATOR'),
    delegationStatus: 'completed',
  }
}

/**
 * Compares the validators of the L1 at the answer's height: one is active, one ran out of balance, one was removed.
 */
export async function compareL1Validators({ nodeUrl, node, service, story }: Compared): Promise<void> {
  const url = `${nodeUrl}/ext/bc/P`
  const subnetId = story.l1SubnetId
  const { validators } = await ask<{ validators: CurrentL1Validator[] }>(
    url,
    'platform.getCurrentValidators',
    {
      subnetID: subnetId,
    },
  )
  const ours = await service.all(
    listL1Validators,
    'validators',
    {},
    { subnetId, includeInactiveL1Validators: true },
  )
  const [removed, ...others] = ours.toSorted((a, b) => Number(a.weight) - Number(b.weight))
  const owner = ({ addresses, threshold }: Owner) => ({ addresses: addresses.map(withoutChain), threshold })
  const now = node.p.at(-1)?.place.time ?? 0
  expect(sorted(others.map((each) => plain(each)))).toEqual(
    sorted(
      validators.map((each) =>
        plain({
          validationId: each.validationID,
          validationIdHex: utils.bufferToHex(utils.base58check.decode(each.validationID)),
          nodeId: each.nodeID,
          subnetId,
          weight: each.weight,
          remainingBalance: each.balance,
          creationTimestamp: each.startTime,
          blsCredentials: { publicKey: each.publicKey },
          remainingBalanceOwner: owner(each.remainingBalanceOwner),
          deactivationOwner: owner(each.deactivationOwner),
          isActive: each.balance !== '0',
          // At a fee of one nAVAX a second.
          ...(each.balance !== '0' && { emptyTimestamp: now + Number(each.balance) }),
        }),
      ),
    ),
  )
  expect(others.map(({ isActive }) => isActive).toSorted()).toEqual([false, true])
  const validationID = story.validationIds[2]
  await expect(ask(url, 'platform.getL1Validator', { validationID })).rejects.toThrow('not found')
  expect(plain(removed)).toMatchObject({
    validationId: validationID,
    nodeId: story.joining.nodeId,
    weight: '0',
    remainingBalance: '0',
    isActive: false,
  })
}

/** Compares subnets with owners, conversions and managers, and all blockchains. */
export async function compareSubnets({ nodeUrl, node, service, story }: Compared): Promise<void> {
  const url = `${nodeUrl}/ext/bc/P`
  const transactions = new Map(node.p.flatMap((block) => block.transactions).map((tx) => [tx.id, tx]))
  const { blockchains } = await ask<{
    blockchains: { id: string; name: string; subnetID: string; vmID: string }[]
  }>(url, 'platform.getBlockchains')
  const records = blockchains.map(({ id, name, subnetID, vmID }) => {
    const place = transactions.get(id)?.block
    return {
      createBlockTimestamp: place?.time ?? node.genesisTime,
      createBlockNumber: place?.height ?? 0,
      blockchainId: id,
      vmId: vmID,
      subnetId: subnetID,
      blockchainName: name,
    }
  })
  // A chain's genesis, which contains its EVM chain id, is compared with its transaction.
  const besides = ['genesisData', 'evmChainId']
  const listed = await service.all(listBlockchains, 'blockchains', {})
  expect(sorted(listed.map((each) => plain(each, besides)))).toEqual(
    sorted(records.map((each) => plain(each))),
  )
  const { evmChainId } = await service.get(getBlockchain, { blockchainId: story.blockchainId })
  expect(Number(evmChainId)).toBe(99_999)
  const subnets = await service.all(listSubnets, 'subnets', {})
  for (const subnetID of [story.subnetId, story.l1SubnetId]) {
    const theirs = await ask<{
      controlKeys: string[]
      threshold: string
      locktime: string
      managerChainID: string
      managerAddress: string | null
    }>(url, 'platform.getSubnet', { subnetID })
    const owners = {
      locktime: theirs.locktime,
      threshold: theirs.threshold,
      addresses: theirs.controlKeys.map(withoutChain),
    }
    const place = transactions.get(subnetID)?.block
    const isL1 = subnetID === story.l1SubnetId
    const found = subnets.find(({ subnetId }) => subnetId === subnetID)
    expect(plain(found, besides)).toEqual(
      plain({
        createBlockTimestamp: place?.time,
        createBlockIndex: String(place?.height),
        subnetId: subnetID,
        ownerAddresses: owners.addresses,
        threshold: owners.threshold,
        locktime: owners.locktime,
        subnetOwnershipInfo: owners,
        isL1,
        ...(isL1 && {
          l1ConversionTransactionHash: story.p['convert'],
          l1ValidatorManagerDetails: {
            blockchainId: theirs.managerChainID,
            contractAddress: theirs.managerAddress,
          },
        }),
        blockchains: records.filter(({ subnetId }) => subnetId === subnetID),
      }),
    )
  }
}
