import { useQuery } from '@tanstack/react-query'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../contract/pages.ts'
import type { ChainStatus, EvmChain } from '../../../contract/evm/chains.ts'
import { chainQuery, statusOf, statusQuery } from '../../api/chains.ts'
import { useChainFacts, useHasPage, useOffers } from '../../api/current.ts'
import { isNotFound } from '../../api/errors.ts'
import { latestBlocksQuery } from '../../api/evm/blocks.ts'
import { queryClient } from '../../api/query-client.ts'
import { Figures, type Figure } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { ChartIcon } from '../../components/icons.ts'
import { ChainCharts } from './chain-charts.tsx'
import { Link } from '../../components/link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Boundary, LazyPart } from '../../components/part.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { formatGwei, formatInteger } from '../../lib/amounts.ts'
import { rateText } from '../../lib/series/rate.ts'
import { blockTimeText } from '../../lib/block-time.ts'
import { untracedWords } from '../evm/untraced.ts'
import { paths } from '../../lib/paths.ts'
import { ChainPill } from '../shared/feed.tsx'
import { ChainDot } from '../shared/chain-dot.tsx'
import { Facts } from '../shared/facts.tsx'
import { Failed } from '../shared/failed.tsx'
import { useRemember } from '../shared/use-remember.ts'
import { WarnMe } from '../watch/warn/warn-me.tsx'
import { lazy } from '../../components/lazy.ts'

const LatestFeed = lazy(() => import('./latest.tsx'), 'LatestFeed')

const searchSchema = z.object({ tab: z.catch(z.enum(['latest', 'configuration']), 'latest') })

/** Requests the chain and its newest blocks, and loads the feed's code. */
export function loader({ params: { chainId = '' } }: LoaderFunctionArgs): null {
  void queryClient.prefetchQuery(chainQuery(chainId))
  void queryClient.prefetchQuery(latestBlocksQuery(chainId, 8))
  return null
}

const figure = (value: string | undefined): string | null =>
  value === undefined ? null : formatInteger(value)

function figuresOf(status: ChainStatus | undefined, loaded: boolean, error: Error | null): Figure[] {
  if (loaded && !status) return []
  // Of a chain without a block, counts of 0 would be a statement about the chain.
  const unindexed = status !== undefined && status.indexedBlock === undefined
  return [
    {
      label: 'Head',
      value: status && figure(status.indexedBlock),
      note: status?.indexedTimestamp !== undefined && <TimeAgo at={status.indexedTimestamp} />,
    },
    {
      label: 'Transactions',
      value: status && figure(status.txCount),
      note: status?.txCountDay !== undefined && `${formatInteger(status.txCountDay)} in 24 h`,
    },
    {
      label: 'Rate, 24 h',
      value: status && (status.txCountDay === undefined ? null : rateText(status.txCountDay)),
      note: status?.blockTime !== undefined && `a block every ${blockTimeText(status.blockTime)}`,
    },
    { label: 'Addresses', value: status && figure(status.addressCount), note: 'all time' },
    {
      label: 'Contracts',
      value: status && figure(status.contractCount),
      note: status && status.contractCount === undefined ? 'blocks are not traced' : 'incl. internal ones',
    },
    {
      label: 'Base fee',
      value: status && (status.baseFeePerGas === undefined ? null : formatGwei(status.baseFeePerGas)),
      note: 'gwei, at the head',
    },
  ].map((figure) => ({ ...figure, ...(unindexed && { value: null, note: 'not indexed yet' }), error }))
}

const traceWords: Record<string, string> = {
  debug: 'debug_traceBlock',
  trace: 'trace_block',
  none: 'none: newer blocks are stored without internal calls',
  unknown: 'not yet probed',
}

const code = (text: string, name: string) => <Hash value={text} name={name} full copy />

function Configuration({ chain, status }: { chain: EvmChain; status: ChainStatus | undefined }) {
  const token = chain.networkToken
  const untraced = untracedWords(status)
  return (
    <Facts
      label="Configuration"
      facts={[
        { label: 'Chain ID', value: code(chain.chainId, 'chain ID') },
        chain.platformChainId !== undefined && {
          label: 'Blockchain ID',
          value: code(chain.platformChainId, 'blockchain ID'),
        },
        chain.subnetId !== undefined && { label: 'Subnet ID', value: code(chain.subnetId, 'subnet ID') },
        chain.vmId !== undefined && {
          label: 'Virtual machine ID',
          value: code(chain.vmId, 'virtual machine ID'),
        },
        { label: 'Virtual machine', value: chain.vmName },
        token.symbol !== '' && {
          label: 'Native token',
          value: `${token.name} (${token.symbol}), ${token.decimals} decimals`,
        },
        chain.description !== '' && { label: 'Description', value: chain.description },
        chain.rpcUrl !== '' && { label: 'JSON-RPC', value: code(chain.rpcUrl, 'JSON-RPC URL') },
        chain.wsUrl !== undefined && { label: 'Websocket', value: code(chain.wsUrl, 'websocket URL') },
        { label: 'Network', value: chain.isTestnet ? 'Test network' : 'Main network' },
        status?.genesisHash !== undefined && {
          label: 'Genesis hash',
          value: <Hash value={status.genesisHash} name="genesis hash" full copy />,
        },
        status?.firstBlock !== undefined && {
          label: 'First indexed block',
          value: (
            <Link to={paths.block(chain.chainId, status.firstBlock)} className="link">
              {formatInteger(status.firstBlock)}
            </Link>
          ),
        },
        status?.finalizedBlock !== undefined && {
          label: 'Final up to block',
          value: formatInteger(status.finalizedBlock),
          help: 'A reorganisation below this height stops the chain',
        },
        status !== undefined && {
          label: 'Trace source',
          value: traceWords[status.traceSource] ?? status.traceSource,
        },
        untraced !== undefined && {
          label: 'Blocks not traced',
          value: `${formatInteger(status?.untracedBlockCount ?? 0)}: ${untraced}`,
          help: 'Internal calls, and contracts created by contracts, are not known there',
        },
        status?.logsFrom !== undefined && {
          label: 'Logs kept',
          value: `from block ${formatInteger(status.logsFrom)} on`,
          help: 'Older ones were dropped (keepLogs); balances and metrics count them',
        },
        status?.tracesFrom !== undefined && {
          label: 'Internal calls kept',
          value: `from block ${formatInteger(status.tracesFrom)} on`,
          help: 'Older ones were dropped (keepTraces)',
        },
        status?.clientVersion !== undefined && {
          label: 'Node',
          value: <span className="break-all">{status.clientVersion}</span>,
        },
        chain.enabledFeatures !== undefined &&
          chain.enabledFeatures.length > 0 && { label: 'Features', value: chain.enabledFeatures.join(', ') },
      ]}
    />
  )
}

/** One chain: its figures, its newest blocks and transactions, and its configuration. */
export function Component() {
  const { chainId = '' } = useParams()
  const [search, setSearch] = useSearchState(searchSchema)
  const facts = useChainFacts(chainId)
  const offered = useOffers('listChainStatus')
  const hasTokens = useHasPage('tokens')
  const hasContracts = useHasPage('contracts')
  const chain = useQuery(chainQuery(chainId))
  const statuses = useQuery({ ...statusQuery(), enabled: offered })
  const status = statusOf(statuses.data, facts.chainId)
  useRemember(paths.chain(facts.chainId), chain.data?.chainName, 'chain')

  if (chain.error && isNotFound(chain.error))
    return (
      <>
        <PageTitle document="Unknown chain" heading="This chain is not indexed here" />
        <EmptyState title={`No chain has the ID ${chainId}`}>
          The{' '}
          <Link to={paths.chains()} className="link">
            list of chains
          </Link>{' '}
          has every one that this service knows. Another chain is added in the configuration of the service.
        </EmptyState>
      </>
    )
  const name = chain.data?.chainName ?? facts.name
  return (
    <>
      <PageTitle
        document={titleOf('chain', { chainId: name })}
        heading={
          <span className="flex items-center gap-2.5">
            <ChainDot index={facts.index} />
            {name}
          </span>
        }
        beside={status ? <ChainPill status={status} chain={status.chainId} wide /> : null}
        actions={
          <>
            {hasTokens && (
              <Link to={paths.tokens(facts.chainId)} className="control">
                Tokens
              </Link>
            )}
            {hasContracts && (
              <Link to={paths.contracts(facts.chainId)} className="control">
                Contracts
              </Link>
            )}
            <Link to={paths.metrics(facts.chainId)} className="control">
              <ChartIcon />
              Metrics
            </Link>
            <WarnMe subject={{ kind: 'chain', chainId: facts.chainId, name }} />
          </>
        }
      />
      {offered && <Figures figures={figuresOf(status, statuses.data !== undefined, statuses.error)} />}
      <div className="pt-4">
        <Boundary title="The charts">
          <ChainCharts chain={facts} />
        </Boundary>
      </div>
      <div className="pt-6">
        <Tabs
          label="Parts of the chain"
          current={search.tab}
          onChange={(tab) => setSearch({ tab })}
          tabs={[
            { id: 'latest', label: 'Latest' },
            { id: 'configuration', label: 'Configuration' },
          ]}
        >
          {search.tab === 'latest' ? (
            <LazyPart title="The newest blocks" fallback={<SkeletonRows count={18} />}>
              <LatestFeed chain={facts} />
            </LazyPart>
          ) : chain.data ? (
            <Configuration chain={chain.data} status={status} />
          ) : chain.error ? (
            <Failed
              title="The configuration could not be loaded."
              error={chain.error}
              onRetry={() => void chain.refetch()}
            />
          ) : (
            <SkeletonRows count={10} />
          )}
        </Tabs>
      </div>
    </>
  )
}
