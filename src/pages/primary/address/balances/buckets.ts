import type { BalanceBucket, BalanceItem, PrimaryBalances } from '../../../../../contract/primary/balances.ts'
import { primaryChainAliases, type PrimaryChainAlias } from '../../../../../contract/primary/chains.ts'

/** The eight buckets of the API reference, in the order of display and colours. */
export const buckets = [
  {
    id: 'unlockedUnstaked',
    label: 'Free',
    term: 'free',
    help: 'Can be spent or staked at once.',
  },
  {
    id: 'unlockedStaked',
    label: 'Staked',
    help: 'Staked; unlocks when the staking period ends.',
  },
  {
    id: 'lockedStaked',
    label: 'Staked and locked',
    help: 'Staked and also time-locked.',
  },
  {
    id: 'pendingStaked',
    label: 'Pending stake',
    help: 'For a staking period that has not begun.',
  },
  {
    id: 'lockedStakeable',
    label: 'Locked, may be staked',
    term: 'locked, may be staked',
    help: 'Time-locked, but can be staked meanwhile.',
  },
  {
    id: 'lockedPlatform',
    label: 'Locked',
    help: 'Time-locked: can be neither spent nor staked.',
  },
  {
    id: 'atomicMemoryUnlocked',
    label: 'In transit',
    term: 'in transit',
    help: 'Exported to another chain and not imported yet; counted on the chain it goes to.',
  },
  {
    id: 'atomicMemoryLocked',
    label: 'In transit, locked',
    help: 'Exported and time-locked.',
  },
] as const satisfies readonly {
  readonly id: BalanceBucket
  readonly label: string
  readonly help: string
  /** Its word in the glossary, if it has one. */
  readonly term?: string
}[]
export type BucketId = BalanceBucket

/** The balances at one time by chain; a chain that failed to load is left out. */
export type Sheet = Partial<Record<PrimaryChainAlias, PrimaryBalances>>

/** The amount of one asset in a bucket, in its smallest unit. */
type Held = { amount: bigint; utxoCount: number }

type Item = BalanceItem & { status?: string | undefined }

/** The list of a bucket. A hosted X-Chain names two of them differently; this service sends both names. */
function listOf(balances: PrimaryBalances, id: BucketId): readonly Item[] {
  if (id === 'unlockedUnstaked') return balances.unlockedUnstaked ?? balances.unlocked ?? []
  if (id === 'lockedPlatform') return balances.lockedPlatform ?? balances.locked ?? []
  return balances[id] ?? []
}

/**
 * The items of a bucket on a chain. An export is listed on both of its chains: it counts on the importing one, so
 * that chains can be added up.
 */
const itemsOf = (balances: PrimaryBalances | undefined, id: BucketId): Item[] =>
  balances ? listOf(balances, id).filter(({ status }) => status !== 'pendingExport') : []

const none: Held = { amount: 0n, utxoCount: 0 }

const sum = (items: readonly Item[]): Held =>
  items.reduce(
    (all, item) => ({
      amount: all.amount + BigInt(item.amount),
      utxoCount: all.utxoCount + item.utxoCount,
    }),
    none,
  )

/** One bucket of one asset, by chain and in total. */
export type BucketRow = { id: BucketId; chains: Record<PrimaryChainAlias, Held>; total: Held }

/** All eight buckets of an asset, including empty ones. */
export function bucketRows(sheet: Sheet, assetId: string): BucketRow[] {
  return buckets.map(({ id }) => {
    const of = (chain: PrimaryChainAlias): Item[] =>
      itemsOf(sheet[chain], id).filter((item) => item.assetId === assetId)
    return {
      id,
      chains: { 'p-chain': sum(of('p-chain')), 'x-chain': sum(of('x-chain')), 'c-chain': sum(of('c-chain')) },
      total: sum(primaryChainAliases.flatMap(of)),
    }
  })
}

/** The sum of all buckets. */
export const totalOf = (rows: readonly BucketRow[]): bigint =>
  rows.reduce((total, row) => total + row.total.amount, 0n)

/** The amounts of an asset on a chain: movable, locked, and in transit. */
export type AssetRow = {
  key: string
  chain: PrimaryChainAlias
  asset: Item
  free: bigint
  bound: bigint
  moving: bigint
}

/** All assets but one, by chain: those of the X-Chain, and staking tokens of subnets. */
export function otherAssets(sheet: Sheet, exceptId: string): AssetRow[] {
  const rows = new Map<string, AssetRow>()
  for (const chain of primaryChainAliases)
    for (const { id } of buckets)
      for (const item of itemsOf(sheet[chain], id)) {
        if (item.assetId === exceptId) continue
        const key = `${chain}/${item.assetId}`
        const row = rows.get(key) ?? { key, chain, asset: item, free: 0n, bound: 0n, moving: 0n }
        const amount = BigInt(item.amount)
        if (id === 'unlockedUnstaked') row.free += amount
        else if (id.startsWith('atomic')) row.moving += amount
        else row.bound += amount
        rows.set(key, row)
      }
  return [...rows.values()]
}

/** The non-empty buckets as shares (0 to 1) of `whole`. */
export function shares(rows: readonly BucketRow[], whole: bigint): { id: BucketId; share: number }[] {
  if (whole === 0n) return []
  return rows
    .filter((row) => row.total.amount > 0n)
    .map((row) => ({ id: row.id, share: Number((row.total.amount * 1_000_000n) / whole) / 1_000_000 }))
}

/** The two times of a comparison in the order of time, whichever was asked for first; undefined is now. */
export function inOrder(
  one: number | undefined,
  other: number | undefined,
  now: number,
): { older: number | undefined; newer: number | undefined } {
  return (one ?? now) < (other ?? now) ? { older: one, newer: other } : { older: other, newer: one }
}
