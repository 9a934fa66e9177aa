import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOffers } from '../../../api/current.ts'
import { primaryBalancesQuery, unlocksQuery } from '../../../api/primary/address.ts'
import { pendingRewardsQuery } from '../../../api/network/rewards.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { Figures, type Figure } from '../../../components/figures.tsx'
import { inWords } from '../../../components/states.tsx'
import { exactAmount, formatAmount, formatInteger, formatShare } from '../../../lib/amounts.ts'
import { primaryChainAliases } from '../../../../contract/primary/chains.ts'
import { plural } from '../../../lib/text.ts'
import { useAvaxId } from './balances/avax.ts'
import { bucketRows, totalOf, type BucketId } from './balances/buckets.ts'
import { nextFree } from './next-free.ts'
import type { Wallet } from './owners.ts'
import { Until } from '../../shared/until.tsx'

const figure = (value: bigint) => (
  <span title={`${exactAmount(value, avaxDecimals)} AVAX`}>{formatAmount(value, avaxDecimals, 4)}</span>
)

/** The current holdings of a wallet, its stakes, and its next unlock. */
export function HeadFigures({ network, owners }: Wallet) {
  const avax = useAvaxId(network)
  const results = useQueries({
    queries: primaryChainAliases.map((chain) => primaryBalancesQuery(network, chain, owners, undefined)),
  })
  const knowsUnlocks = useOffers('listUnlocks')
  const unlocks = useQuery({ ...unlocksQuery(network, owners), enabled: knowsUnlocks })
  const pending = useInfiniteQuery(
    pendingRewardsQuery(
      network,
      useMemo(() => ({ addresses: owners }), [owners]),
    ),
  )
  const [p, x, c] = results.map((result) => result.data)
  const rows =
    p && x && c && avax.id !== undefined
      ? bucketRows({ 'p-chain': p, 'x-chain': x, 'c-chain': c }, avax.id)
      : undefined
  const total = rows && totalOf(rows)
  const error = results.find((result) => result.error)?.error ?? avax.failed?.error
  const sum = (...ids: readonly BucketId[]): bigint =>
    (rows ?? []).reduce((all, row) => (ids.includes(row.id) ? all + row.total.amount : all), 0n)
  const part = (label: string, ...ids: readonly BucketId[]): Figure => ({
    label,
    value: rows && figure(sum(...ids)),
    error,
    note: total !== undefined && total > 0n && `${formatShare(sum(...ids), total)} % of all`,
  })
  const next = nextFree(unlocks.data)
  const rewards = pending.data?.pages.flatMap((page) => page.pendingRewards)
  const open = pending.hasNextPage ? 'at least ' : ''
  const figures: Figure[] = [
    {
      label: 'All, AVAX',
      value: total === undefined ? undefined : figure(total),
      error,
    },
    part('Free, AVAX', 'unlockedUnstaked'),
    part('Staked, AVAX', 'unlockedStaked', 'lockedStaked', 'pendingStaked'),
    part('Locked, AVAX', 'lockedPlatform', 'lockedStakeable'),
    {
      label: 'Rewards to come, AVAX',
      value: rewards && figure(rewards.reduce((all, row) => all + BigInt(row.estimatedReward.amount), 0n)),
      error: pending.error,
      note:
        rewards && `${open}${formatInteger(rewards.length)} ${plural(rewards.length, 'reward')}, estimated`,
    },
    {
      label: 'Next becomes free',
      value: next ? <Until at={next.timestamp} /> : unlocks.data && inWords('nothing locked'),
      error: unlocks.error,
      note: next && `${formatAmount(next.asset.amount, next.asset.denomination, 2)} ${next.asset.symbol}`,
    },
  ]
  // The node tells balances, and neither rewards nor unlocks.
  const isIndexed = results.every(({ data }) => data?.isIndexed !== false)
  return <Figures figures={!isIndexed ? figures.slice(0, 4) : knowsUnlocks ? figures : figures.slice(0, 5)} />
}
