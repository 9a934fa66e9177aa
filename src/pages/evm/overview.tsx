import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import type { ChainStatus } from '../../../contract/evm/chains.ts'
import { chainsQuery, statusQuery } from '../../api/chains.ts'
import { useChainFacts, useCurrentChain, useOffers, useProfile } from '../../api/current.ts'
import { queryClient } from '../../api/query-client.ts'
import { Figures, type Figure } from '../../components/figures.tsx'
import { lazy } from '../../components/lazy.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { LazyPart } from '../../components/part.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Table } from '../../components/table/table.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { formatInteger, formatNumber } from '../../lib/amounts.ts'
import { pagedRows } from '../../lib/paging.ts'
import { paths } from '../../lib/paths.ts'
import { ChainDot } from '../shared/chain-dot.tsx'
import { chainColumns, chainRows, type ChainRow } from './chain-rows.tsx'
import { LiveCount } from '../shared/feed.tsx'
import { Failed } from '../shared/failed.tsx'

const LatestFeed = lazy(() => import('./latest.tsx').then((all) => ({ default: all.LatestFeed })))

const searchSchema = z.object({ chain: z.catch(z.optional(z.string().check(z.maxLength(64))), undefined) })

/** Requests the chains and their status, and loads the feed's code. */
export function loader(): null {
  LatestFeed.prefetch()
  void queryClient.prefetchQuery(chainsQuery())
  void queryClient.prefetchQuery(statusQuery())
  return null
}

const sum = (all: readonly ChainStatus[], pick: (status: ChainStatus) => string | undefined): string =>
  all.reduce((total, status) => total + BigInt(pick(status) ?? 0), 0n).toString()

function figuresOf(all: readonly ChainStatus[] | undefined): Figure[] {
  const show = (pick: (status: ChainStatus) => string | undefined) => all && formatInteger(sum(all, pick))
  const counted = all?.filter((status) => status.contractCount !== undefined)
  return [
    { label: 'Chains', value: all && formatInteger(all.length), note: all && <LiveCount chains={all} /> },
    { label: 'Transactions', value: show((status) => status.txCount), note: 'indexed, all chains' },
    { label: 'Transactions, 24 h', value: show((status) => status.txCountDay), note: 'before each head' },
    {
      label: 'Transactions a second',
      value: all && formatNumber(all.reduce((total, status) => total + (status.tps ?? 0), 0)),
      note: 'over 100 blocks',
    },
    { label: 'Addresses', value: show((status) => status.addressCount), note: 'seen in any block' },
    {
      label: 'Contracts',
      value:
        counted &&
        (counted.length > 0 ? formatInteger(sum(counted, (status) => status.contractCount)) : null),
      note:
        all && counted && counted.length < all.length
          ? `${counted.length} of ${all.length} chains, others are not traced`
          : 'created, from traces',
    },
  ]
}

const rowKey = (row: ChainRow): string => row.chain.chainId

/** All chains, and the newest blocks and transactions of one. */
export function Component() {
  const [search, setSearch] = useSearchState(searchSchema)
  const profile = useProfile()
  const chains = useQuery(chainsQuery())
  const offered = useOffers('listChainStatus')
  const status = useQuery({ ...statusQuery(), enabled: offered })
  const { chainId: used } = useCurrentChain()
  const feedChain = useChainFacts(search.chain ?? used ?? '')
  const rows = useMemo(
    () => pagedRows([chainRows(chains.data ?? [], status.data)]),
    [chains.data, status.data],
  )

  return (
    <>
      <PageTitle
        document="Overview"
        heading="Overview"
        beside={<span className="text-muted">{profile?.networkLabel}</span>}
      />
      {offered ? (
        status.error && !status.data ? (
          <Failed
            title="The figures could not be loaded."
            error={status.error}
            onRetry={() => void status.refetch()}
          />
        ) : (
          <Figures figures={figuresOf(status.data)} />
        )
      ) : (
        <p className="border-y border-line py-3 text-muted">
          {profile?.name} has no overview of all chains. Each chain’s metrics have the figures.
        </p>
      )}
      <div className="flex flex-col gap-8 pt-6">
        <Section title="Chains">
          {chains.isPending ? (
            <SkeletonRows count={5} />
          ) : chains.error ? (
            <Failed
              title="The chains could not be loaded."
              error={chains.error}
              onRetry={() => void chains.refetch()}
            />
          ) : (
            <Table
              id="chains"
              label="Chains"
              columns={chainColumns}
              rows={rows}
              rowKey={rowKey}
              rowHref={(row) => paths.chain(row.chain.chainId)}
            />
          )}
        </Section>
        {chains.data && chains.data.length > 1 && chains.data.length <= 8 && (
          <fieldset className="-mb-4 flex flex-wrap gap-2">
            <legend className="sr-only">Chain of the feed</legend>
            {chains.data.map((chain, index) => (
              <button
                key={chain.chainId}
                type="button"
                className="control control-small"
                aria-pressed={chain.chainId === feedChain.chainId}
                onClick={() => setSearch({ chain: chain.chainId })}
              >
                <ChainDot index={index} />
                {chain.chainName}
              </button>
            ))}
          </fieldset>
        )}
        {feedChain.chainId !== '' && (
          <LazyPart title="The newest blocks" fallback={<SkeletonRows count={18} />}>
            <LatestFeed key={feedChain.chainId} chain={feedChain} beside={feedChain.name} />
          </LazyPart>
        )}
      </div>
    </>
  )
}
