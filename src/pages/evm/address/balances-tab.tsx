import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { balancesKey, fetchBalances, type BalancesAt } from '../../../api/tokens/balances.ts'
import { currency } from '../../../api/tokens/balances-currency.ts'
import { blockQuery } from '../../../api/evm/blocks.ts'
import { useCurrentChain, useProfile } from '../../../api/current.ts'
import { immutableStaleTime } from '../../../api/query-client.ts'
import { useStore } from '../../../components/hooks.ts'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { Fiat } from '../../../components/tokens/token-amount-fiat.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { onePage, pagedRows } from '../../../lib/paging.ts'
import { settings } from '../../../lib/storage/settings.ts'
import { plural } from '../../../lib/text.ts'
import { formatTime } from '../../../lib/time.ts'
import { paths } from '../../../lib/paths.ts'
import { CurrencyMenu } from '../../shared/currency-menu.tsx'
import { Failed } from '../../shared/failed.tsx'
import type { Subject } from './activity.tsx'
import { holdingColumns } from './holding-columns.tsx'
import { gainOf, holdingsOf, totalOf, type Holding, type Money } from './holdings.ts'
import { lessDecimals } from './decimals.ts'
import { MomentField } from '../../shared/moment-field.tsx'
import { FilterChip } from '../../../components/table/filter-chip.tsx'
import { wholeNumberInUrl } from '../../../lib/search-params.ts'
import { Button } from '../../../components/controls.tsx'

/** On a phone a chip has two lines once its time is known. */
const chipRoom = 'max-md:min-h-12'

const schema = z.object({
  /** The block after which the balances are shown; the head by default. */
  at: wholeNumberInUrl,
  /** The block to compare with. */
  compare: wholeNumberInUrl,
  spam: z.catch(z.enum(['hidden', 'shown']), 'hidden'),
})

const all = { has: false, loading: false, load: () => undefined }

/** All balances after a block, and the number of those loaded so far. */
function useSheet({ address, chain }: Subject, at: BalancesAt, enabled: boolean) {
  const [count, setCount] = useState(0)
  const query = useQuery({
    queryKey: balancesKey(chain.chainId, address, at),
    queryFn: ({ signal }) => fetchBalances(chain.chainId, address, at, signal, setCount),
    staleTime: at.at === undefined ? 15_000 : immutableStaleTime,
    enabled,
  })
  return { query, count }
}

/** The time of a block, for its chip. */
function useBlockTime(chainId: string, at: number | undefined): string {
  const zone = useStore(settings, (now) => now.zone)
  const { data } = useQuery({ ...blockQuery(chainId, String(at)), enabled: at !== undefined })
  return data ? `, ${formatTime(data.blockTimestamp, zone)}` : ''
}

const rowKey = (holding: Holding): string => holding.key

function Total({ now, other, label }: { now: Money | undefined; other: Money | undefined; label: string }) {
  const known = now ?? other
  if (!known) return null
  const gain = { ...known, value: lessDecimals(now?.value ?? '0', other?.value ?? '0') }
  return (
    <p>
      The tokens with a price are worth{' '}
      <span className="font-strong text-text">{now ? <Fiat money={now} /> : 'nothing'}</span>
      {other && (
        <>
          {' '}
          and were worth <Fiat money={other} /> ({<Fiat money={gain} signed />})
        </>
      )}
      {label && `, at ${label}`}.
    </p>
  )
}

/** Native and ERC-20 balances: now, after any block, or compared between two blocks. */
export function BalancesTab(subject: Subject) {
  const { address, chain } = subject
  const [{ at, compare, spam }, setSearch] = useSearchState(schema)
  const code = useStore(currency)
  const priceLabel = useProfile()?.priceLabel ?? ''
  const withSpam = spam === 'shown'
  const compared = compare !== undefined
  const { query, count } = useSheet(subject, { at, currency: code, withSpam }, true)
  const otherSheet = useSheet(subject, { at: compare, currency: code, withSpam }, compared)
  const atTime = useBlockTime(chain.chainId, at)
  const otherTime = useBlockTime(chain.chainId, compare)

  const coin = useCurrentChain().chain?.networkToken.name ?? chain.symbol
  const sheet = query.data
  const before = compared ? otherSheet.query.data : undefined
  const holdings = useMemo(() => {
    if (!sheet || (compared && !before)) return undefined
    return holdingsOf({ name: coin, symbol: chain.symbol, decimals: chain.decimals }, sheet, before)
  }, [sheet, before, compared, chain, coin])
  const total = { now: totalOf(holdings ?? [], 'now'), other: totalOf(holdings ?? [], 'other') }
  const pricedNow = total.now !== undefined
  const pricedOther = total.other !== undefined
  const columns = useMemo(
    () =>
      holdingColumns({
        chain,
        now: at === undefined ? (compared ? 'Now' : 'Balance') : `Block ${formatInteger(at)}`,
        other: compare === undefined ? undefined : `Block ${formatInteger(compare)}`,
        priced: { now: pricedNow, other: pricedOther },
        currency: code,
      }),
    [chain, at, compare, compared, pricedNow, pricedOther, code],
  )
  const rows = useMemo(() => pagedRows([holdings ?? []]), [holdings])

  const failed = [query, ...(compared ? [otherSheet.query] : [])].find(({ error, data }) => error && !data)
  const hidden = (sheet?.spam ?? 0) > 0 ? (sheet?.spam ?? 0) : (before?.spam ?? 0)
  const changed = compared ? (holdings ?? []).filter((one) => gainOf(one) !== 0n).length : 0
  const choices = (
    <span className="flex shrink-0 items-center gap-2 self-start md:flex-row-reverse">
      <CurrencyMenu />
      {(withSpam || hidden > 0) && (
        <Button
          small
          aria-pressed={withSpam}
          title="Tokens that the rules of this service, or its operator, call malicious"
          onClick={() => setSearch({ spam: withSpam ? 'hidden' : 'shown' })}
        >
          {withSpam
            ? 'Spam is shown'
            : `Show ${formatInteger(hidden)} hidden spam ${plural(hidden, 'token')}`}
        </Button>
      )}
    </span>
  )
  const tools = (
    <>
      <MomentField
        chainId={chain.chainId}
        label="Balances at"
        action="Show"
        onHeight={(block) => setSearch({ at: block }, { push: true })}
      />
      <MomentField
        chainId={chain.chainId}
        label="Compare with"
        action="Compare"
        onHeight={(block) => setSearch({ compare: block }, { push: true })}
      />
      {/* A separate row: the chips grow when their times load, and would shift what is beside them. */}
      {(at !== undefined || compare !== undefined) && (
        <div className="flex w-full flex-wrap gap-2 max-md:flex-col max-md:items-start">
          {at !== undefined && (
            <div className={chipRoom}>
              <FilterChip
                text={`At block ${formatInteger(at)}${atTime}`}
                onRemove={() => setSearch({ at: undefined }, { push: true })}
              />
            </div>
          )}
          {compare !== undefined && (
            <div className={chipRoom}>
              <FilterChip
                text={`Compared with block ${formatInteger(compare)}${otherTime}`}
                onRemove={() => setSearch({ compare: undefined }, { push: true })}
              />
            </div>
          )}
        </div>
      )}
    </>
  )
  // The fields stay mounted in every state, so that input and focus survive an answer.
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-2">{tools}</div>
      {/* Below the fields and beside or below the options, so that its arrival does not shift them. */}
      <div className="flex gap-x-4 gap-y-2 pb-2 max-md:flex-col md:flex-row-reverse md:justify-between">
        {choices}
        <div className="flex min-w-0 flex-col gap-1 pt-1 text-muted">
          <Total now={total.now} other={total.other} label={priceLabel} />
          {compared && holdings && (
            <p>
              {changed === 0
                ? 'No balance changed.'
                : `${formatInteger(changed)} of ${formatInteger(holdings.length)} balances changed.`}
            </p>
          )}
        </div>
      </div>
      {failed ? (
        <Failed title="The balances could not be loaded." query={failed} />
      ) : !holdings ? (
        <>
          <output className="flex h-9 items-center text-xs text-muted">
            {count > 0 && `Reading balances, ${formatInteger(count + otherSheet.count)} tokens so far`}
          </output>
          <SkeletonRows count={12} />
        </>
      ) : (
        <DataTable
          id={compared ? 'address-balances-compared' : 'address-balances'}
          label={`Balances of ${address}`}
          noun="balance"
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          rowHref={(holding) =>
            holding.native ? paths.chain(chain.chainId) : paths.token(chain.chainId, holding.token.address)
          }
          more={all}
          source={{
            name: `balances-${address}-${chain.chainId}${at === undefined ? '' : `-at-${at}`}`,
            pages: () => onePage(holdings),
          }}
        />
      )}
    </>
  )
}
