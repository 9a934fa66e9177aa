import { pvm, utils } from '@avalabs/avalanchejs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { getNetworkOverview } from '../contract/network/overview.ts'
import { listRewards } from '../contract/network/rewards.ts'
import { getPrimaryTransaction } from '../contract/primary/transactions.ts'
import { listValidationCycles } from '../contract/network/staking.ts'
import { listNodeValidations } from '../contract/network/validators.ts'
import { temporaryFolder } from '../e2e/support/launcher.ts'
import { testKey } from '../scripts/support/staking-network.mjs'
import { openEvm, type EvmChain } from './stack/evm.ts'
import { compareEvmChain } from './compare/evm-comparison.ts'
import { startNetwork, type RealNetwork } from './stack/network.ts'
import { ask, bytesOf } from './stack/node.ts'
import { moments, playRenewals, type Moment, type Renewals } from './stack/renewals.ts'
import { startService, untilIndexed, type Service } from './stack/service.ts'
import { readStakingStates } from './stack/staking-state.ts'
import { openWallet } from './stack/wallet.ts'

const folder = temporaryFolder()
const serviceFolder = temporaryFolder()
const snapshots = new Map<Moment, Awaited<ReturnType<typeof readStakingStates>>>()
let network: RealNetwork
let service: Service
let played: Renewals
let cChain: EvmChain
let traffic = Promise.resolve()

const p = <T>(method: string, params: unknown = {}): Promise<T> =>
  ask<T>(`${network.node.url}/ext/bc/P`, method, params)

beforeAll(async () => {
  if (!inject('knowsHelicon')) return
  network = await startNetwork({
    program: inject('avalanchego'),
    folder: folder.path,
    size: 1,
    guests: 2,
    // Long enough for everything to start on a busy machine.
    heliconIn: 45,
  })
  await Promise.all(network.guests.map((_, at) => network.startNode(network.validators.length + at)))
  service = await startService(network.node.url, serviceFolder.path)
  const wallet = await openWallet(network.node.url, testKey)
  cChain = await openEvm(`${network.node.url}/ext/bc/C/rpc`, testKey)
  played = await playRenewals(network, wallet, async (moment, { addresses, nodeIds }) => {
    // Runs in parallel with the P-Chain, whose periods continue.
    traffic = traffic.then(sendTraffic)
    traffic.catch(() => undefined)
    snapshots.set(moment, await readStakingStates({ nodeUrl: network.node.url, service, addresses, nodeIds }))
  })
  // Reports failures of the parallel part.
  await traffic
})

async function sendTraffic(): Promise<void> {
  // One transaction alone first: pending ones are lost when the C-Chain's virtual machine is replaced.
  await cChain.send({ to: cChain.account, value: 1n })
  await cChain.sendConcurrently()
  await cChain.emit('0x68656c69636f6e')
}

afterAll(async () => {
  await service?.stop()
  await network?.stop()
  serviceFolder.remove()
  folder.remove()
})

describe.skipIf(!inject('knowsHelicon'))('auto-renewed validators', () => {
  test.each(moments)('equal the node’s: %s', (moment) => {
    const found = snapshots.get(moment)
    expect(found?.ours).toEqual(found?.theirs)
  })

  test('had the intended outcomes', () => {
    const weights = (txID: string): unknown[] =>
      moments.map(
        (at) => snapshots.get(at)?.theirs.validators.find((each) => each['txID'] === txID)?.['weight'],
      )
    const { early, renewed, refused, offline } = played.stakers
    const first = '2000000000000'
    const [begun, , ...over] = weights(early)
    expect([begun, ...over]).toEqual([first, undefined, undefined, undefined])
    expect(weights(offline)).toEqual([undefined, first, undefined, undefined, undefined])
    const [, ...grown] = weights(renewed)
    expect(grown).toEqual([first, expect.any(String), expect.any(String), undefined])
    expect(BigInt(String(grown[2]))).toBeGreaterThan(BigInt(String(grown[1])))
    expect(BigInt(String(grown[1]))).toBeGreaterThan(BigInt(first))
    const [, , compounded, ended] = weights(refused)
    expect(BigInt(String(compounded))).toBeGreaterThan(BigInt(String(grown[1])))
    expect(ended).toBe(undefined)
  })

  test('have transactions with the node’s bytes', async () => {
    const types = {
      AddAutoRenewedValidatorTx: [played.stakers.renewed, played.stakers.refused, played.stakers.offline],
      SetAutoRenewedValidatorConfigTx: Object.values(played.configurations),
      RewardAutoRenewedValidatorTx: await rewardTransactions(),
    }
    for (const [txType, ids] of Object.entries(types)) {
      for (const txHash of ids) {
        const ours = await service.get(getPrimaryTransaction, { blockchainId: 'p-chain', txHash })
        expect(ours.txType).toBe(txType)
        const { tx } = await p<{ tx: string }>('platform.getTx', { txID: txHash, encoding: 'hex' })
        expect(ours.txBytes).toBe(`0x${bytesOf(tx).toString('hex')}`)
      }
    }
    // Three period ends of the first validator, two of the second, one of the third.
    expect(types.RewardAutoRenewedValidatorTx.length).toBe(6)
  })

  test('and their delegators were paid by the UTXOs of the node', async () => {
    const api = new pvm.PVMApi(network.node.url)
    const staking = [played.stakers.early, ...Object.values(played.delegations)]
    const paying = [...staking, ...(await rewardTransactions())]
    const theirs = (
      await Promise.all(
        paying.map(async (txID) => {
          const { utxos } = await api.getRewardUTXOs({ txID, encoding: 'hex' } as never)
          return utxos.map(
            (utxo) => `${txID}:${utxo.utxoId.outputIdx.value()} ${utils.getUtxoInfo(utxo).amount}`,
          )
        }),
      )
    ).flat()
    const ours = await service.all(listRewards, 'historicalRewards', {}, {
      addresses: played.addresses.join(','),
    } as never)
    // A stake's end pays with its own outputs; a period pays with those of its reward transaction.
    const paidBy = ({ txHash, rewardTxHash }: (typeof ours)[number]): string =>
      staking.includes(txHash) ? txHash : rewardTxHash
    expect(ours.map((each) => `${paidBy(each)}:${each.outputIndex} ${each.reward.amount}`).sort()).toEqual(
      theirs.sort(),
    )
    expect(theirs.length).toBeGreaterThan(10)
  })

  test('are one completed validation each, with its periods', async () => {
    const [renewed, refused, offline] = played.nodeIds
    const ends = await rewardTransactions()
    const endedBy = new Set<string>()
    for (const [txHash, nodeId, outcomes] of [
      [played.stakers.renewed, renewed, ['renewed', 'renewed', 'rewarded']],
      [played.stakers.refused, refused, ['renewed', 'unrewarded']],
      [played.stakers.offline, offline, ['unrewarded']],
    ] as const) {
      const place = { nodeId: nodeId ?? '' }
      const found = await service.all(listNodeValidations, 'validators', place)
      expect(found.map((each) => [each.txHash, each.validationStatus])).toEqual([[txHash, 'completed']])
      const cycles = (await service.all(listValidationCycles, 'cycles', place)).toReversed()
      expect(cycles.map(({ outcome }) => outcome)).toEqual(outcomes)
      // The settings of a period are those that the node reported while it ran.
      const seen = moments.flatMap((at) =>
        (snapshots.get(at)?.theirs.validators ?? []).filter(({ txID }) => txID === txHash),
      )
      expect(cycles).toMatchObject(
        seen.map(({ weight, startTime, endTime, potentialReward }) => ({
          amountStaked: weight,
          startTimestamp: startTime,
          endTimestamp: endTime,
          potentialRewardAmount: potentialReward,
        })),
      )
      for (const { rewardTxHash } of cycles) endedBy.add(rewardTxHash)
    }
    expect([...endedBy].sort()).toEqual(ends.toSorted())
  })
})

test.skipIf(!inject('knowsHelicon'))(
  'the C-Chain equals the node’s before and after Helicon changes its settlement',
  async () => {
    const { settledFrom } = await compareEvmChain(cChain.url, service, [cChain.account])
    expect(settledFrom).toBeGreaterThan(3)
  },
)

test.skipIf(!inject('knowsHelicon'))(
  'a second index from genesis is equal',
  async () => {
    const second = temporaryFolder()
    const again = await startService(network.node.url, second.path)
    try {
      await untilIndexed(again, network.node.url, getNetworkOverview)
      const { addresses, nodeIds } = played
      const { ours } = await readStakingStates({
        nodeUrl: network.node.url,
        service: again,
        addresses,
        nodeIds,
      })
      expect(ours).toEqual(snapshots.get('the end')?.ours)
      const whose = { addresses: addresses.join(',') } as never
      await compareEvmChain(cChain.url, again, [cChain.account])
      expect(await again.all(listRewards, 'historicalRewards', {}, whose)).toEqual(
        await service.all(listRewards, 'historicalRewards', {}, whose),
      )
    } finally {
      await again.stop()
      second.remove()
    }
  },
  120_000,
)

/** The ids of the transactions that ended periods, from the node's own blocks. */
async function rewardTransactions(): Promise<string[]> {
  const { height } = await p<{ height: string }>('platform.getHeight')
  const found: string[] = []
  for (let at = 0; at <= Number(height); at += 1) {
    const { block } = await p<{ block: { tx?: { id: string; unsignedTx: Record<string, unknown> } } }>(
      'platform.getBlockByHeight',
      { height: at, encoding: 'json' },
    )
    // A block with one transaction; only RewardAutoRenewedValidatorTx has a `timestamp`.
    if (block.tx?.unsignedTx['timestamp'] !== undefined) found.push(block.tx.id)
  }
  return found
}
