import { pvm, utils } from '@avalabs/avalanchejs'
import { setTimeout as delay } from 'node:timers/promises'
import { untilHelicon, type RealNetwork } from './network.ts'
import { ask } from './node.ts'
import type { Wallet } from './wallet.ts'
import { blsKeyOf, nodeIdOf } from './warp.ts'

/** The moments of the comparison with the node, in order. */
export const moments = ['before Helicon', 'first period', 'second period', 'last period', 'the end'] as const
export type Moment = (typeof moments)[number]

/** The ids of the scenario's transactions by purpose, in the node's format. */
export type Renewals = {
  /** A validator from before Helicon, and three auto-renewed ones by their outcome. */
  readonly stakers: Readonly<Record<'early' | 'renewed' | 'refused' | 'offline', string>>
  readonly delegations: Readonly<Record<string, string>>
  readonly configurations: Readonly<Record<string, string>>
  /** The nodes that have delegators. */
  readonly nodeIds: readonly string[]
  /** The owners of rewards, without a chain prefix: of validations, of delegation fees, and the wallet. */
  readonly addresses: readonly string[]
}

const avax = 1_000_000_000n
const periodSeconds = 26n
const shortenedSeconds = 22n
const now = (): bigint => BigInt(Math.floor(Date.now() / 1000))

type Keys = {
  readonly nodeId: string
  readonly publicKey: Uint8Array
  readonly signature: Uint8Array
}

type Current = {
  readonly endTime: string
}

/**
 * Runs auto-renewed validators (ACP-236) with delegators. The first guest restakes a part of its rewards, later a
 * larger part, and then leaves. The second restakes all of them; its node is stopped after the first period, so it
 * ends without a reward. The node of the third never runs. `look` is awaited at every moment.
 */
export async function playRenewals(
  network: RealNetwork,
  wallet: Wallet,
  look: (moment: Moment, played: Renewals) => Promise<void>,
): Promise<Renewals> {
  const { address, addressText, context } = wallet
  const url = `${network.node.url}/ext/bc/P`
  const subnetId = context.pBlockchainID
  const earner = nodeIdOf('earns for validating').bytes
  const collector = nodeIdOf('earns from delegators').bytes
  const text = (bytes: Uint8Array): string => utils.formatBech32(context.hrp, bytes)
  const [first, second] = network.guests.map(({ nodeId, proof }): Keys => ({
    nodeId,
    publicKey: utils.hexToBuffer(proof.publicKey),
    signature: utils.hexToBuffer(proof.proofOfPossession),
  }))
  if (first === undefined || second === undefined) throw new Error('the network has two guests')
  const absent = madeUp('never runs')
  const delegations: Record<string, string> = {}
  const configurations: Record<string, string> = {}
  const ends = new Map<string, string | undefined>()
  const stakers = { early: '', renewed: '', refused: '', offline: '' }
  const played: Renewals = {
    stakers,
    delegations,
    configurations,
    nodeIds: [first.nodeId, second.nodeId, absent.nodeId],
    addresses: [text(earner), text(collector), addressText],
  }

  /** It is staked under the old rules; its reward is decided under the new ones. */
  const early = madeUp('early')
  stakers.early = await wallet.issueP((spending, given) => {
    const start = now()
    // The stake must end after Helicon, however long its activation takes.
    const end = BigInt(network.heliconTime ?? 0) + 15n
    const terms = { start, end, subnetId, weight: 2_000n * avax, shares: 20_000 }
    const owners = { rewardAddresses: [earner], delegatorRewardsOwner: [collector] }
    return pvm.newAddPermissionlessValidatorTx({ ...spending, ...early, ...terms, ...owners }, given)
  })
  await look('before Helicon', played)
  await untilHelicon(network)

  stakers.renewed = await add(first, 300_000)
  stakers.refused = await add(second, 1_000_000)
  stakers.offline = await add(absent, 500_000)
  // The first delegation ends before the period, the others with it.
  delegations['within'] = await delegate(first, 500n, 10n)
  delegations['of the renewed'] = await delegate(first, 1_000n)
  delegations['of the refused'] = await delegate(second, 1_000n)
  delegations['of the offline'] = await delegate(absent, 1_000n)
  await look('first period', played)

  await Promise.all([first, second, absent].map(endOf))
  await network.stopNode(network.validators.length + 1)
  configurations['more, for shorter'] = await configure(stakers.renewed, 600_000, shortenedSeconds)
  delegations['again'] = await delegate(first, 25n)
  delegations['of who went'] = await delegate(second, 1_000n)
  await look('second period', played)

  await Promise.all([first, second].map(endOf))
  configurations['leave'] = await configure(stakers.renewed, 600_000, 0n)
  delegations['last'] = await delegate(first, 25n)
  await look('last period', played)

  await endOf(first)
  await look('the end', played)
  return played

  function madeUp(name: string): Keys {
    const { publicKey, proof } = blsKeyOf(name)
    return { nodeId: nodeIdOf(name).text, publicKey, signature: proof }
  }

  async function add(keys: Keys, autoCompoundRewardShares: number): Promise<string> {
    const owners = {
      rewardAddresses: [earner],
      delegatorRewardsOwner: [collector],
      ownerAddresses: [address],
    }
    const terms = { weight: 2_000n * avax, shares: 200_000, autoCompoundRewardShares, period: periodSeconds }
    const txID = await wallet.issueP((spending, given) =>
      pvm.newAddAutoRenewedValidatorTx({ ...spending, ...keys, ...terms, ...owners }, given),
    )
    ends.set(keys.nodeId, (await currentOf(keys.nodeId))?.endTime)
    return txID
  }

  /** Delegates `amount` AVAX for `seconds`, or to the end of the node's period. */
  async function delegate({ nodeId }: Keys, amount: bigint, seconds?: bigint): Promise<string> {
    const found = await currentOf(nodeId)
    if (found === undefined) throw new Error(`${nodeId} no longer validates`)
    const start = now()
    const end = seconds === undefined ? BigInt(found.endTime) : start + seconds
    const terms = { nodeId, subnetId, start, end, weight: amount * avax, rewardAddresses: [address] }
    return wallet.issueP((spending, given) =>
      pvm.newAddPermissionlessDelegatorTx({ ...spending, ...terms }, given),
    )
  }

  async function configure(validatorTxId: string, shares: number, period: bigint): Promise<string> {
    const terms = { validatorTxId, auth: [0], autoCompoundRewardShares: shares, period }
    return wallet.issueP((spending, given) =>
      pvm.newSetAutoRenewedValidatorConfigTx({ ...spending, ...terms }, given),
    )
  }

  async function currentOf(nodeId: string): Promise<Current | undefined> {
    const answer = await ask<{ validators: Current[] }>(url, 'platform.getCurrentValidators', {
      nodeIDs: [nodeId],
    })
    return answer.validators[0]
  }

  /** Waits until the node's last seen period has ended. */
  async function endOf({ nodeId }: Keys): Promise<void> {
    const seen = ends.get(nodeId)
    for (;;) {
      const endTime = (await currentOf(nodeId))?.endTime
      ends.set(nodeId, endTime)
      if (endTime !== seen || endTime === undefined) return
      await delay(200)
    }
  }
}
