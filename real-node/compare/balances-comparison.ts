import { expect } from 'vitest'
import { getPrimaryBalances, listUtxos } from '../../contract/primary/balances.ts'
import { primaryAliasOf } from '../../contract/primary/chains.ts'
import { ask, bytesOf, chainAliases, type ChainAlias } from '../stack/node.ts'
import { plain, sorted, type Compared } from './primary-comparison.ts'
import type { NodeOutput } from './primary-node.ts'
import { assetAmount, keyOf, utxoRecord, type PrimaryOfNode } from './primary-records.ts'
import { readOutput, readUtxo } from './utxo-bytes.ts'

const utxoMethods = {
  P: { path: '/ext/bc/P', method: 'platform.getUTXOs' },
  X: { path: '/ext/bc/X', method: 'avm.getUTXOs' },
  C: { path: '/ext/bc/C/avax', method: 'avax.getUTXOs' },
} as const

/** An output that the node lists for an address, with its bytes. */
type Held = {
  readonly output: NodeOutput
  readonly bytes: string
}

/** The holdings of an address on a chain, as the node lists them. */
type Holdings = {
  /** Outputs on this chain, locked or not. */
  readonly here: readonly Held[]
  /** Stakes. They have no id in the node's answer. */
  readonly staked: readonly Pick<NodeOutput, 'assetId' | 'amount' | 'locktime' | 'stakeableLocktime'>[]
  /** Exported outputs by the chain they come from. */
  readonly arriving: readonly (Held & { readonly peer: ChainAlias })[]
  readonly leaving: readonly (Held & { readonly peer: ChainAlias })[]
}

async function holdingsOf(compared: Compared, chainAlias: ChainAlias, address: string): Promise<Holdings> {
  const { nodeUrl, node, story } = compared
  const { hrp } = story.wallet.context
  const chainIds = { P: node.pChainId, X: node.xChainId, C: node.cChainId }
  const list = async (on: ChainAlias, source?: ChainAlias): Promise<Held[]> => {
    const { path, method } = utxoMethods[on]
    const { utxos } = await ask<{ utxos: string[] }>(`${nodeUrl}${path}`, method, {
      addresses: [`${on}-${address}`],
      ...(source !== undefined && { sourceChain: source }),
      limit: 1024,
      encoding: 'hex',
    })
    return utxos.map((hex) => {
      const bytes = bytesOf(hex)
      const madeOn = chainIds[source ?? on]
      const read = readUtxo(bytes, hrp, { chainId: madeOn, id: '', height: 0, time: 0 }, chainIds[on])
      // Its block, and whether it was a stake, are known from its transaction.
      const known = node.outputs.get(keyOf(read))
      if (known === undefined) throw new Error(`${keyOf(read)} was created by no transaction`)
      const { block, isStake } = known
      return { output: { ...read, block, isStake }, bytes: `0x${bytes.toString('hex')}` }
    })
  }
  const others = chainAliases.filter((each) => each !== chainAlias)
  const between = async (away: boolean) => {
    const found = await Promise.all(
      others.map(async (peer) => {
        const held = away ? await list(peer, chainAlias) : await list(chainAlias, peer)
        return held.map((each) => ({ ...each, peer }))
      }),
    )
    return found.flat()
  }
  const stake = { addresses: [`P-${address}`], encoding: 'hex' }
  const { stakedOutputs = [] } =
    chainAlias === 'P'
      ? await ask<{ stakedOutputs?: string[] }>(`${nodeUrl}/ext/bc/P`, 'platform.getStake', stake)
      : {}
  return {
    here: chainAlias === 'C' ? [] : await list(chainAlias),
    // The codec's version comes first.
    staked: stakedOutputs.map((hex) => readOutput(bytesOf(hex), 2, hrp)),
    arriving: await between(false),
    leaving: await between(true),
  }
}

type Row = {
  readonly assetId: string
  readonly amount: string
  readonly kind?: string
  readonly shared?: object
}

/** One item for each asset and set of owners: the sum, and the number of outputs. */
function items(node: PrimaryOfNode, rows: readonly Row[]): unknown[] {
  const sums = new Map<string, { row: Row; amount: bigint; utxoCount: number }>()
  for (const row of rows.filter(({ kind }) => kind !== 'right to mint')) {
    const key = JSON.stringify([row.assetId, row.kind === 'nft', row.shared])
    const sum = sums.get(key) ?? { row, amount: 0n, utxoCount: 0 }
    sums.set(key, { row, amount: sum.amount + BigInt(row.amount), utxoCount: sum.utxoCount + 1 })
  }
  return [...sums.values()].map(({ row, amount, utxoCount }) => ({
    ...assetAmount(node, row.assetId, String(amount), row.kind === 'nft'),
    utxoCount,
    ...row.shared,
  }))
}

/** The eight buckets by the rules of docs/primary.md, "Balances", at a time in Unix seconds. */
function bucketsOf(node: PrimaryOfNode, { here, staked, arriving, leaving }: Holdings, time: number) {
  const lasts = (locktime: string | undefined): boolean => Number(locktime ?? 0) > time
  const chainIds = { P: node.pChainId, X: node.xChainId, C: node.cChainId }
  const shared = ({ output, peer }: Held & { peer: ChainAlias }, status: string): Row & NodeOutput => ({
    ...output,
    shared: { sharedWithChainId: chainIds[peer], status },
  })
  const free = here.map(({ output }) => output)
  const memory = [
    ...arriving.map((each) => shared(each, 'pendingImport')),
    ...leaving.map((each) => shared(each, 'pendingExport')),
  ]
  const isStakeLocked = (each: Holdings['staked'][number]): boolean =>
    lasts(each.locktime) || lasts(each.stakeableLocktime)
  return {
    unlockedUnstaked: free.filter((each) => !lasts(each.locktime) && !lasts(each.stakeableLocktime)),
    unlockedStaked: staked.filter((each) => !isStakeLocked(each)),
    lockedPlatform: free.filter((each) => lasts(each.locktime)),
    lockedStakeable: free.filter((each) => !lasts(each.locktime) && lasts(each.stakeableLocktime)),
    lockedStaked: staked.filter(isStakeLocked),
    // Since Durango a stake starts with its transaction.
    pendingStaked: [],
    atomicMemoryUnlocked: memory.filter((each) => !lasts(each.locktime)),
    atomicMemoryLocked: memory.filter((each) => lasts(each.locktime)),
  }
}

const mapValues = <T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

/** Buckets for the comparison, in which the order of items does not matter. */
const byBucket = (buckets: object): unknown =>
  mapValues(buckets as Record<string, unknown[]>, (each) => sorted(each.map((item) => plain(item))))

/** Compares all buckets of every address on P, X and C, and their UTXOs with their bytes. */
export async function compareBalances(compared: Compared): Promise<void> {
  const { node, service } = compared
  const addresses = [...new Set([...node.outputs.values()].flatMap((output) => output.addresses))]
  const filled = new Set<string>()
  for (const chainAlias of chainAliases) {
    for (const address of addresses) {
      const blockchainId = primaryAliasOf[chainAlias]
      const holdings = await holdingsOf(compared, chainAlias, address)
      const buckets: Record<string, readonly Row[]> = bucketsOf(node, holdings, Date.now() / 1000)
      for (const [name, rows] of Object.entries(buckets))
        if (rows.length > 0) filled.add(`${chainAlias} ${name}`)
      // X also has the hosted names.
      const hosted = { unlocked: buckets['unlockedUnstaked'], locked: buckets['lockedPlatform'] }
      const wanted = { ...buckets, ...(chainAlias === 'X' && hosted) }
      const { balances } = await service.get(getPrimaryBalances, { blockchainId }, {
        addresses: address,
      } as never)
      expect(byBucket(balances), `${address} on ${chainAlias}`).toEqual(
        byBucket(mapValues(wanted, (rows) => items(node, rows ?? []))),
      )
      const utxos = await service.all(listUtxos, 'utxos', { blockchainId }, { addresses: address } as never)
      const listed = [...holdings.here, ...holdings.arriving, ...holdings.leaving].map(({ output, bytes }) =>
        plain({ ...utxoRecord(node, output), utxoBytes: bytes }),
      )
      // The node lists stakes without their transactions: they are compared in the buckets.
      const found = utxos.filter((utxo) => utxo.staked !== true).map((utxo) => plain(utxo))
      expect(sorted(found), `${address} on ${chainAlias}`).toEqual(sorted(listed))
    }
  }
  // Empty buckets could be swapped without being noticed.
  expect([...filled].filter((name) => name.startsWith('P')).length).toBe(7)
}

/** Compares the sums that the node itself computes, if it counts in the same way. */
export async function compareNodeTotals({ nodeUrl, service, story }: Compared): Promise<void> {
  const address = story.wallet.addressText
  const theirs = await ask<{ unlocked: string; lockedStakeable: string; lockedNotStakeable: string }>(
    `${nodeUrl}/ext/bc/P`,
    'platform.getBalance',
    { addresses: [`P-${address}`] },
  )
  const place = { blockchainId: 'p-chain' } as const
  const { balances } = await service.get(getPrimaryBalances, place, { addresses: address })
  expect({
    unlocked: balances.unlockedUnstaked?.[0]?.amount,
    lockedStakeable: balances.lockedStakeable?.[0]?.amount,
    lockedNotStakeable: balances.lockedPlatform?.[0]?.amount,
  }).toEqual({
    unlocked: theirs.unlocked,
    lockedStakeable: theirs.lockedStakeable,
    lockedNotStakeable: theirs.lockedNotStakeable,
  })
}
