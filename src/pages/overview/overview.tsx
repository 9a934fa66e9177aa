import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { transactionsByChain } from '../../../contract/pictures/stacks.ts'
import { chainsQuery, statusQuery } from '../../api/chains.ts'
import { useCurrentNetwork, useOffers, useProfile } from '../../api/current.ts'
import { queryClient } from '../../api/query-client.ts'
import { useNow } from '../../components/hooks.ts'
import { TrafficChart } from './traffic-chart.tsx'
import { Link } from '../../components/link.tsx'
import { Boundary, LazyPart } from '../../components/part.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { HOUR } from '../../../charts/series/periods.ts'
import { usualWords } from '../../lib/series/usual.ts'
import { rateText } from '../../lib/series/rate.ts'
import { Failed } from '../shared/failed.tsx'
import { LiveCount } from '../shared/feed.tsx'
import { Headlines, type Headline } from './headlines.tsx'
import { useNetworkHeadlines } from './network-headlines.ts'
import { ChartFrame, ChartPlace } from './places.tsx'
import { behind, OverviewTitle, TodaySentence } from './today.tsx'
import {
  prefetchTraffic,
  useBusiestChains,
  useCountedChains,
  useTraffic,
  type AllTraffic,
  type Traffic,
} from './traffic.ts'
import { lazy } from '../../components/lazy.ts'
import type { ChainStatus, EvmChain } from '../../../contract/evm/chains.ts'
import { Table } from '../../components/table/table.tsx'
import { pagedRows } from '../../lib/paging.ts'
import { chainRows, overviewColumns, type ChainRow } from './chain-rows.tsx'

const AllFeed = lazy(() => import('./all-feed.tsx'), 'AllFeed')

/** Requests the chains, their transactions and their status; the chart's code comes after the figures. */
export function loader(): null {
  void queryClient.prefetchQuery(chainsQuery())
  void prefetchTraffic()
  void queryClient.prefetchQuery(statusQuery())
  return null
}

function trafficHeadlines({ all, error }: AllTraffic, hasUsual: boolean): Headline[] {
  const count = all === undefined ? undefined : (all.last?.count ?? null)
  return [
    {
      label: 'Transactions, 24 h',
      value: count == null ? count : formatInteger(count),
      notes: [all === undefined ? '' : hasUsual && all.usual ? usualWords(all.usual) : 'all chains'],
      error,
      spark: { values: all?.days, label: 'Transactions by day, 30 days' },
    },
    {
      label: 'Rate, 24 h',
      value: count == null ? count : rateText(count),
      notes: ['one transaction, average'],
      error,
      spark: { values: all?.hours, label: 'Transactions by hour, 24 hours' },
    },
  ]
}

/** What happens: transactions of all chains over time and against the usual, stake, each chain, and the feed. */
export function Component() {
  const profile = useProfile()
  const network = useCurrentNetwork()
  const now = useNow(HOUR)
  const chains = useQuery(chainsQuery())
  const offered = useOffers('listChainStatus')
  const status = useQuery({ ...statusQuery(), enabled: offered })
  const counted = useCountedChains(chains.data)
  const ids = useMemo(() => counted.map(({ chainId }) => chainId), [counted])
  const traffic = useTraffic(ids, now)
  const busiest = useBusiestChains(counted, traffic.chains)
  const ofNetwork = useNetworkHeadlines(network, now)
  const lagging = behind(status.data, ids)
  const none = chains.data?.length === 0
  // The chart and the feed are large: their code and requests come after what is read first.
  const [hasFigures, setHasFigures] = useState(false)
  if (!hasFigures && (traffic.all !== undefined || traffic.error !== null)) setHasFigures(true)

  return (
    <>
      <OverviewTitle label={profile?.networkLabel} />
      {!none && <TodaySentence traffic={traffic} chains={counted} lagging={lagging} error={chains.error} />}
      <div className="flex flex-col">
        <div className="max-md:order-2 max-md:mt-6">
          <Headlines
            figures={[
              ...(none
                ? []
                : trafficHeadlines(
                    { ...traffic, error: traffic.error ?? chains.error },
                    lagging.length === 0,
                  )),
              ...ofNetwork,
              {
                label: 'Chains',
                value: chains.data && formatInteger(chains.data.length),
                notes: [status.data ? <LiveCount key="live" chains={status.data} /> : ''],
                error: chains.error,
              },
            ]}
          />
          {!offered && (
            <p className="border-b border-line py-2 text-xs text-muted">
              {profile?.name} has no overview of all chains: these are sums of each chain’s metrics.
            </p>
          )}
        </div>
        <div className="md:pt-4 max-md:order-1">
          <Section title={transactionsByChain}>
            <ChartFrame>
              {none ? (
                <EmptyState title="No chains yet">
                  A chain of the service’s configuration appears here with its first block.
                </EmptyState>
              ) : chains.error && !chains.data ? (
                <Failed title="The chart could not be loaded." query={chains} />
              ) : !hasFigures || !chains.data ? (
                <ChartPlace />
              ) : (
                <Boundary title="The chart">
                  <TrafficChart chains={counted} listed={chains.data.length} />
                </Boundary>
              )}
            </ChartFrame>
          </Section>
        </div>
      </div>
      <div className="flex flex-col gap-8 pt-8">
        <Section
          title="Chains"
          actions={
            <Link to={paths.chains()} className="link reach">
              All figures
            </Link>
          }
        >
          {chains.isPending ? (
            <SkeletonRows count={4} />
          ) : chains.error && !chains.data ? (
            <Failed title="The chains could not be loaded." query={chains} />
          ) : (
            <Boundary title="The chains">
              <ChainsTable chains={chains.data} status={status.data} traffic={traffic.chains} />
            </Boundary>
          )}
        </Section>
        {counted.length > 0 &&
          (hasFigures ? (
            <LazyPart title="The newest blocks" fallback={<SkeletonRows count={18} />}>
              <AllFeed chains={busiest} listed={chains.data?.length ?? 0} />
            </LazyPart>
          ) : (
            <SkeletonRows count={18} />
          ))}
      </div>
    </>
  )
}

type Props = {
  readonly chains: readonly EvmChain[]
  readonly status: readonly ChainStatus[] | undefined
  readonly traffic: readonly (Traffic | undefined)[]
}

const rowKey = (row: ChainRow): string => row.chain.chainId

/** How each chain does now, against the usual. */
function ChainsTable({ chains, status, traffic }: Props) {
  const rows = useMemo(() => pagedRows([chainRows(chains, status, traffic)]), [chains, status, traffic])
  return (
    <Table
      id="overview-chains"
      label="Chains"
      columns={overviewColumns}
      rows={rows}
      rowKey={rowKey}
      rowHref={(row) => paths.chain(row.chain.chainId)}
    />
  )
}
