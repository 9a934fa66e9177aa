import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { primaryBalancesQuery } from '../../../api/primary/address.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { useNow, useZone } from '../../../components/hooks.ts'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatAmount } from '../../../lib/amounts.ts'
import { primaryChainAliases } from '../../../../contract/primary/chains.ts'
import { formatTime } from '../../../lib/time.ts'
import { FilterChip } from '../../../components/table/filter-chip.tsx'
import { Failed } from '../../shared/failed.tsx'
import { NodeNote } from '../../shared/node-note.tsx'
import { AssetsTable } from './assets-table.tsx'
import { useAvaxId } from './balances/avax.ts'
import { BucketBar } from './balances/bucket-bar.tsx'
import { BucketTable } from './balances/bucket-table.tsx'
import { bucketRows, inOrder, otherAssets, totalOf, type Sheet } from './balances/buckets.ts'
import { DateField } from './date-field.tsx'
import type { Wallet } from './owners.ts'
import { wholeNumberInUrl } from '../../../lib/search-params.ts'

const schema = z.object({
  /** Unix seconds of the shown balances; by default now. */
  at: wholeNumberInUrl,
  /** The time to compare with. */
  compare: wholeNumberInUrl,
})

const symbol = 'AVAX'
const unit = { decimals: avaxDecimals, symbol }

/** The balances of all three chains at one time; nothing is shown before all have loaded. */
function useSheet({ network, owners }: Wallet, at: number | undefined, enabled: boolean) {
  const queries = useQueries({
    queries: primaryChainAliases.map((chain) => ({
      ...primaryBalancesQuery(network, chain, owners, at),
      enabled,
    })),
  })
  const isIndexed = queries.every(({ data }) => data?.isIndexed !== false)
  const [p, x, c] = queries.map((query) => query.data)
  const sheet = useMemo<Sheet | undefined>(
    () => (p && x && c ? { 'p-chain': p, 'x-chain': x, 'c-chain': c } : undefined),
    [p, x, c],
  )
  return { sheet, isIndexed, failed: queries.find(({ error, data }) => error && !data) }
}

function Bars({ rows, before, names }: Omit<React.ComponentProps<typeof BucketTable>, 'unit'>) {
  const sums = { now: totalOf(rows), old: before ? totalOf(before) : 0n }
  const whole = sums.now > sums.old ? sums.now : sums.old
  const line = (name: string, of: typeof rows, sum: bigint) => (
    <>
      <span className="truncate text-muted">
        {name}, <span className="text-text">{formatAmount(sum, avaxDecimals, 2)}</span> {symbol}
      </span>
      <div>
        <BucketBar name={name} rows={of} whole={whole} {...unit} />
      </div>
    </>
  )
  return (
    <div className="grid items-center gap-x-4 gap-y-2 pb-4 md:grid-cols-[auto_minmax(0,1fr)]">
      {before && line(names.old, before, sums.old)}
      {line(names.now, rows, sums.now)}
    </div>
  )
}

/** The balances of a wallet by state, now or at a date, optionally compared with another date; and its other assets. */
export function BalancesTab(wallet: Wallet) {
  const [{ at, compare }, setSearch] = useSearchState(schema)
  const zone = useZone()
  const { id: avaxId, failed: unnamed } = useAvaxId(wallet.network)
  const now = useNow(60)
  const compared = compare !== undefined
  // The newer time is on the right, and the difference is what changed until then.
  const times = compared ? inOrder(at, compare, now) : { newer: at, older: undefined }
  const current = useSheet(wallet, times.newer, true)
  const other = useSheet(wallet, times.older, compared)
  const failed = current.failed ?? (compared ? other.failed : undefined) ?? unnamed

  const sheet = current.sheet
  const before = compared ? other.sheet : undefined
  const ready = sheet && avaxId !== undefined && (!compared || before)
  const rows = useMemo(() => (sheet ? bucketRows(sheet, avaxId ?? '') : []), [sheet, avaxId])
  const oldRows = useMemo(() => before && bucketRows(before, avaxId ?? ''), [before, avaxId])
  const assets = useMemo(() => (sheet ? otherAssets(sheet, avaxId ?? '') : []), [sheet, avaxId])
  const nameOf = (time: number | undefined): string => (time === undefined ? 'Now' : formatTime(time, zone))
  const names = { now: nameOf(times.newer), old: nameOf(times.older) }

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-4">
        <DateField
          label="Balances at"
          action="Show"
          onMoment={(time) => setSearch({ at: time }, { push: true })}
        />
        <DateField
          label="Compare with"
          action="Compare"
          onMoment={(time) => setSearch({ compare: time }, { push: true })}
        />
        {at !== undefined && (
          <FilterChip
            text={`At ${nameOf(at)}`}
            onRemove={() => setSearch({ at: undefined }, { push: true })}
          />
        )}
        {compared && (
          <FilterChip
            text={`Compared with ${nameOf(compare)}`}
            onRemove={() => setSearch({ compare: undefined }, { push: true })}
          />
        )}
      </div>
      {[at, compare].some((time) => time !== undefined && time > now) && (
        <p className="pb-3 text-muted">For a future date: how much of today’s balance will be unlocked.</p>
      )}
      {failed ? (
        <Failed title="The balances could not be loaded." query={failed} />
      ) : !ready ? (
        <SkeletonRows count={11} height={52} />
      ) : (
        <>
          {[rows, oldRows ?? []].every((all) => totalOf(all) === 0n) ? (
            <EmptyState title={`No ${symbol}`}>
              {at === undefined && !compared
                ? `This wallet owns no ${symbol} on the P-, X- and C-Chain, locked or staked ${symbol} included.`
                : `This wallet owned no ${symbol} then, locked or staked ${symbol} included.`}
            </EmptyState>
          ) : (
            <>
              <NodeNote isIndexed={current.isIndexed && (!compared || other.isIndexed)} />
              <Bars rows={rows} before={oldRows} names={names} />
              <BucketTable rows={rows} before={oldRows} names={names} unit={unit} />
            </>
          )}
          <div className="pt-8">
            <Section title="Other assets" {...(assets.length === 0 && { note: `none but ${symbol}` })}>
              {assets.length > 0 && <AssetsTable wallet={wallet} rows={assets} />}
            </Section>
          </div>
        </>
      )}
    </>
  )
}
