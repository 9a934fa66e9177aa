import { type Owner } from '../../primary/transactions.ts'
import type { L1Validator, Ledger, Staker } from '../../primary/ledger.ts'
import type { LocalChain } from './addresses.ts'
import { zeroId } from '../rpc/args.ts'
import { ServiceError } from '../rpc/service-errors.ts'
import type { Json } from '../rpc/go-json.ts'
import { addressText, cb58, nodeIdText } from '../../../protocol/ids/text.ts'

const wholePercent = 100
const sharesOfAll = 1_000_000

/** Percent in the node's format: a 32-bit float with four decimals. */
function percentText(percent: number): string {
  return Math.fround(percent).toFixed(4)
}

function ownerJson(owner: Owner, { form }: LocalChain): Json {
  return {
    locktime: String(owner.locktime),
    threshold: String(owner.threshold),
    addresses: owner.addresses.map((address) => `${form.alias}-${addressText(address, form.prefix)}`),
  }
}

function stakerJson(staker: Staker): Json {
  return {
    txID: cb58(staker.txId),
    startTime: String(staker.start),
    endTime: String(staker.end),
    weight: String(staker.weight),
    nodeID: nodeIdText(staker.nodeId),
  }
}

function delegatorJson(staker: Staker, rewardOwner: Json | undefined): Json {
  return { ...stakerJson(staker), rewardOwner, potentialReward: String(staker.potentialReward) }
}

/** An L1's validator, active or not. */
export function l1ValidatorJson(found: L1Validator, chain: LocalChain): Json {
  return {
    nodeID: nodeIdText(found.nodeId),
    weight: String(found.weight),
    startTime: String(found.start),
    validationID: cb58(found.validationId),
    publicKey: `0x${found.publicKey}`,
    remainingBalanceOwner: ownerJson(found.remainingBalanceOwner, chain),
    deactivationOwner: ownerJson(found.deactivationOwner, chain),
    minNonce: String(found.minNonce),
    balance: String(found.balance),
  }
}

/** The additional members of an auto-renewed validator. */
function renewalJson({ renewal }: Staker, chain: LocalChain): Json {
  if (renewal === undefined) return {}
  return {
    validatorAuthority: ownerJson(renewal.authority, chain),
    nextPeriod: String(renewal.nextPeriod),
    autoCompoundRewardShares: String(renewal.autoCompoundShares),
  }
}

/**
 * A permissionless validator with the sum of its delegators, and with each delegator when it was asked for alone.
 */
function permissionless(
  ledger: Ledger,
  chain: LocalChain,
  staker: Staker,
  shares: number,
  delegators: readonly Staker[],
  isAlone: boolean,
): Json {
  const owner = (of: Owner | undefined): Json | undefined =>
    of === undefined ? undefined : ownerJson(of, chain)
  const seen = staker.subnetId === zeroId ? ledger.uptime(staker.nodeId) : undefined
  return {
    ...stakerJson(staker),
    validationRewardOwner: owner(staker.validationOwner),
    delegationRewardOwner: owner(staker.delegationOwner),
    potentialReward: String(staker.potentialReward),
    accruedDelegateeReward: String(staker.accruedDelegateeReward),
    delegationFee: percentText((wholePercent * shares) / sharesOfAll),
    uptime: seen === undefined ? undefined : percentText(seen.share * wholePercent),
    connected: seen?.isConnected,
    signer:
      staker.signer === undefined
        ? undefined
        : {
            publicKey: `0x${staker.signer.publicKey}`,
            proofOfPossession: `0x${staker.signer.proof}`,
          },
    ...renewalJson(staker, chain),
    delegatorCount: String(delegators.length),
    delegatorWeight: String(delegators.reduce((sum, { weight }) => sum + weight, 0n)),
    delegators: isAlone
      ? delegators.map((each) => delegatorJson(each, owner(each.validationOwner)))
      : undefined,
  }
}

/** platform.getCurrentValidators: all validators, or those with the given node ids, of a subnet or an L1. */
export function currentValidators(
  ledger: Ledger,
  chain: LocalChain,
  subnetId: string,
  nodeIds: readonly string[],
): readonly Json[] {
  const wanted = new Set(nodeIds)
  const isWanted = ({ nodeId }: { readonly nodeId: string }): boolean =>
    wanted.size === 0 || wanted.has(nodeId)
  const stakers = ledger.currentStakers(subnetId).filter(isWanted)
  if (ledger.subnet(subnetId)?.conversion !== undefined) {
    const members = ledger.l1Validators(subnetId).filter(isWanted)
    return [...stakers.map(stakerJson), ...members.map((each) => l1ValidatorJson(each, chain))]
  }
  const delegators = new Map<string, Staker[]>()
  for (const staker of stakers) {
    if (staker.kind !== 'delegator') continue
    const known = delegators.get(staker.nodeId)
    if (known === undefined) delegators.set(staker.nodeId, [staker])
    else known.push(staker)
  }
  return stakers
    .filter(({ kind }) => kind === 'validator')
    .map((staker) => {
      if (staker.shares === undefined) return stakerJson(staker)
      const own = delegators.get(staker.nodeId) ?? []
      return permissionless(ledger, chain, staker, staker.shares, own, wanted.size === 1)
    })
}

function setAt(
  ledger: Ledger,
  height: bigint,
  subnetId: string,
): ReturnType<Ledger['validatorsAt']> & object {
  const found = ledger.validatorsAt(Number(height), subnetId)
  if (found !== undefined) return found
  throw new ServiceError(
    `failed to get validator set at ${height}: failed to fetch validator set at unfinalized height with SubnetID = ${cb58(subnetId)}: current P-chain height (${ledger.height('P')}) < requested P-Chain height (${height})`,
  )
}

/** platform.getValidatorsAt: key and weight by node id. */
export function validatorsAt(ledger: Ledger, height: bigint, subnetId: string): Json {
  const entries = setAt(ledger, height, subnetId).map(({ nodeId, weight, publicKey }) => {
    const value = { publicKey: publicKey === undefined ? null : `0x${publicKey}`, weight: String(weight) }
    return [nodeIdText(nodeId), value] as const
  })
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** A compressed key without its three flag bits: points are ordered by their first coordinate. */
function keyOrder(publicKey: string): string {
  const first = Number.parseInt(publicKey.slice(0, 2), 16) & 0x1f
  return first.toString(16).padStart(2, '0') + publicKey.slice(2)
}

function warpSet(members: ReturnType<typeof setAt>): Json {
  const byKey = new Map<string, { weight: bigint; nodes: string[] }>()
  let total = 0n
  for (const { nodeId, weight, publicKey } of members) {
    total += weight
    if (publicKey === undefined) continue
    const known = byKey.get(publicKey) ?? { weight: 0n, nodes: [] }
    known.weight += weight
    known.nodes.push(nodeIdText(nodeId))
    byKey.set(publicKey, known)
  }
  const order = [...byKey].toSorted(([a], [b]) => (keyOrder(a) < keyOrder(b) ? -1 : 1))
  return {
    validators: order.map(([publicKey, { weight, nodes }]) => ({
      publicKey: `0x${publicKey}`,
      weight: String(weight),
      nodeIDs: nodes,
    })),
    totalWeight: String(total),
  }
}

/**
 * platform.getAllValidatorsAt: the keys of every network, in key order. Validators without a key count in the total.
 */
export function allValidatorsAt(ledger: Ledger, height: bigint): Json {
  const sets = [zeroId, ...ledger.subnets().map(({ id }) => id)].flatMap((id) => {
    const members = setAt(ledger, height, id)
    return members.length === 0 ? [] : [[cb58(id), warpSet(members)] as const]
  })
  return { validatorSets: Object.fromEntries(sets) }
}

/** platform.sampleValidators: `size` nodes of the set; here always the first ones in order of id. */
export function sampleOf(ledger: Ledger, subnetId: string, size: number): readonly string[] {
  const members = setAt(ledger, BigInt(ledger.height('P')), subnetId)
  if (members.length < size) {
    throw new ServiceError(`sampling ${cb58(subnetId)} errored with insufficient validators`)
  }
  return members
    .map(({ nodeId }) => nodeId)
    .toSorted()
    .slice(0, size)
    .map(nodeIdText)
}
