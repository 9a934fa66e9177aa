import { expect } from 'vitest'
import { listPrimaryBlocks } from '../../contract/primary/blocks.ts'
import type { PrimaryChainAlias } from '../../contract/primary/chains.ts'
import { getNetworkOverview } from '../../contract/network/overview.ts'
import { listRewards } from '../../contract/network/rewards.ts'
import { getPrimaryTransaction, listPrimaryTransactions } from '../../contract/primary/transactions.ts'
import type { ContractReader } from '../stack/contract-reader.ts'
import { ask } from '../stack/node.ts'
import { validationsOf, type Validation } from './l1-validations.ts'
import type { NodeBlock, NodeOutput } from './primary-node.ts'
import {
  assetAmount,
  blockRecord,
  cRecord,
  pRecord,
  utxoIdOf,
  xRecord,
  type PrimaryOfNode,
} from './primary-records.ts'
import type { Story } from '../stack/story.ts'

/** The node, the data read from it, and the service on top. */
export type Compared = {
  readonly nodeUrl: string
  readonly node: PrimaryOfNode
  readonly service: ContractReader
  readonly story: Story
}

/** Lists whose order does not matter. */
const unordered: ReadonlySet<string> = new Set([
  'consumedUtxos',
  'emittedUtxos',
  'value',
  'amountBurned',
  'amountStaked',
  'amountUnlocked',
  'amountCreated',
])

/**
 * A record prepared for comparison: numbers as text, unordered lists sorted, without the fields in `besides`, and
 * without empty lists, which the node does not have.
 */
export function plain(value: unknown, besides: readonly string[] = []): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map((each) => plain(each, besides))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .filter(([name, each]) => !besides.includes(name) && each !== undefined && !isEmptyList(each))
      .map(([name, each]) => {
        const found = plain(each, besides)
        return [name, unordered.has(name) && Array.isArray(found) ? sorted(found) : found]
      }),
  )
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Values in an order that depends only on their contents. */
export const sorted = (values: readonly unknown[]): unknown[] =>
  values.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))

/** Compares all blocks of P and X; those of P with fees, L1 validators and supply. */
export async function compareBlocks(compared: Compared): Promise<void> {
  const { node, service } = compared
  const validations = validationsOf(node.p, compared.story)
  const supplies = await suppliesOf(compared)
  for (const [blockchainId, blocks] of [
    ['p-chain', node.p],
    ['x-chain', node.x],
  ] as const) {
    const ours = await service.all(listPrimaryBlocks, 'blocks', { blockchainId })
    // Proposers are compared with the node's index; no node lists the contents of the genesis.
    const found = ours.map((block) =>
      plain(block, block.blockNumber === '0' ? ['proposerDetails', 'transactions'] : ['proposerDetails']),
    )
    const wanted = blocks.map((block) => ({
      ...blockRecord(node, block),
      ...(blockchainId === 'p-chain' && {
        // One nAVAX a second: with few L1 validators the fee is the lowest.
        l1ValidatorsAccruedFees: block.place.time - node.genesisTime,
        activeL1Validators: validations.filter((each) => isActive(each, block)).length,
        currentSupply: supplies(block.place.height),
      }),
    }))
    expect(found.toReversed()).toEqual(wanted.map((each) => plain(each)))
  }
}

const isActive = ({ from, until, emptyAt }: Validation, { place }: NodeBlock): boolean =>
  place.height >= from.height && place.height < until && place.time < emptyAt

/** The supply at each height: that of the head, without rewards that were cancelled since. */
async function suppliesOf({ nodeUrl, node }: Compared): Promise<(height: number) => string> {
  const { supply, height: head } = await ask<{ supply: string; height: string }>(
    `${nodeUrl}/ext/bc/P`,
    'platform.getCurrentSupply',
  )
  const changes = [...node.stakes.values()].flatMap(
    ({ transaction, potentialReward = '0', endedBy, rewards }) => [
      { height: transaction.block.height, amount: BigInt(potentialReward) },
      // The block after the proposal decides.
      ...(endedBy !== undefined && rewards.length === 0
        ? [{ height: endedBy.block.height + 1, amount: -BigInt(potentialReward) }]
        : []),
    ],
  )
  expect(Number(head)).toBe(node.p.length - 1)
  return (at) =>
    String(
      changes
        .filter(({ height }) => height > at)
        .reduce((total, { amount }) => total - amount, BigInt(supply)),
    )
}

/** Compares all transactions of P, X and C, each read by id and found once in its chain's list. */
export async function compareTransactions(compared: Compared): Promise<void> {
  const { node, service, story } = compared
  // The bytes of a UTXO are compared where the node lists it, changes of L1 validators below.
  const besides = ['utxoBytes', 'l1ValidatorDetails']
  const wanted: Readonly<Record<PrimaryChainAlias, readonly Record<string, unknown>[]>> = {
    'p-chain': node.p.flatMap(({ transactions }) => transactions).map((tx) => pRecord(node, tx)),
    'x-chain': node.x.flatMap(({ transactions }) => transactions).map((tx) => xRecord(node, tx)),
    'c-chain': node.c.map((tx) => cRecord(node, tx)),
  }
  for (const [alias, records] of Object.entries(wanted)) {
    const blockchainId = alias as PrimaryChainAlias
    const rows = await service.all(listPrimaryTransactions, 'transactions', { blockchainId })
    const listed = new Map(rows.map((row) => [row.txHash, row]))
    expect(records.length, alias).toBeGreaterThan(3)
    for (const record of records) {
      const txHash = String(record['txHash'])
      const found = await service.get(getPrimaryTransaction, { blockchainId, txHash })
      expect(plain(found, besides)).toEqual(plain(record))
      expect(plain(listed.get(txHash), [...besides, 'txBytes'])).toEqual(plain(record, ['txBytes']))
    }
    const { addressText } = story.wallet
    // A stake's end belongs to its owner, whether it was paid or not.
    const involves = ({
      consumedUtxos,
      emittedUtxos,
      rewardAddresses = [],
    }: Record<string, unknown>): boolean =>
      (rewardAddresses as readonly string[]).includes(addressText) ||
      [consumedUtxos, emittedUtxos]
        .flat()
        .some((utxo) => (utxo as NodeOutput).addresses.includes(addressText))
    const own = await service.all(
      listPrimaryTransactions,
      'transactions',
      { blockchainId },
      { addresses: addressText },
    )
    expect(own.filter(({ blockNumber }) => blockNumber !== '0').map(({ txHash }) => txHash)).toEqual(
      records
        .filter(involves)
        .map(({ txHash }) => txHash)
        .toReversed(),
    )
    const ofGenesis = rows.filter(({ blockNumber }) => blockNumber === '0').length
    expect(rows.length - ofGenesis, alias).toBe(records.length)
  }
  const changes = validationsOf(node.p, story).flatMap((validation) => validation.changes)
  for (const tx of node.p.flatMap(({ transactions }) => transactions)) {
    const found = await service.get(getPrimaryTransaction, { blockchainId: 'p-chain', txHash: tx.id })
    const own = changes.filter(({ txId }) => txId === tx.id).map(({ record }) => plain(record))
    expect(sorted((found.l1ValidatorDetails ?? []).map((each) => plain(each)))).toEqual(sorted(own))
  }
}

/** Compares all paid rewards with their stakes, owners and UTXOs. */
export async function compareRewards({ node, service, story }: Compared): Promise<void> {
  const addresses = [...new Set([...node.outputs.values()].flatMap((output) => output.addresses))]
  const ours = await service.all(listRewards, 'historicalRewards', {}, {
    addresses: addresses.join(','),
  } as never)
  const wanted = [...node.stakes.values()].flatMap((stake) =>
    stake.rewards.map(({ kind, output }) => ({
      addresses: output.addresses,
      txHash: stake.transaction.id,
      amountStaked: stakedBy(node, stake.transaction.id),
      nodeId: stake.nodeId,
      startTimestamp: stake.start,
      endTimestamp: stake.end,
      rewardType: kind,
      utxoId: utxoIdOf(output),
      outputIndex: output.index,
      reward: assetAmount(node, output.assetId, output.amount),
      rewardTxHash: stake.endedBy?.id,
    })),
  )
  expect(new Set(wanted.map(({ rewardType }) => rewardType)).size).toBe(3)
  expect(new Set(wanted.map((each) => String(each.addresses))).size).toBe(2)
  expect(sorted(ours.map((each) => plain(each, ['historicalPrice'])))).toEqual(
    sorted(wanted.map((each) => plain(each))),
  )
  expect(story.unrewarded).not.toBe('')
}

/** The amount that a transaction stakes. */
export const stakedBy = (node: PrimaryOfNode, txId: string): string =>
  String(
    [...node.outputs.values()]
      .filter((output) => output.txId === txId && output.isStake)
      .reduce((total, { amount }) => total + BigInt(amount), 0n),
  )

/** Compares the network's overview. */
export async function compareSupply({ nodeUrl, service }: Compared): Promise<void> {
  const { supply } = await ask<{ supply: string }>(`${nodeUrl}/ext/bc/P`, 'platform.getCurrentSupply')
  expect((await service.get(getNetworkOverview, {})).currentSupply).toBe(supply)
}
