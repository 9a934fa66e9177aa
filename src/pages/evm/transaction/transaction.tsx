import { useQuery } from '@tanstack/react-query'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { hasOperation } from '../../../../contract/profile.ts'
import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'
import { useChainFacts, useOffers, useProfile, type ChainFacts } from '../../../api/current.ts'
import { isUnknown } from '../../../api/errors.ts'
import { transactionQuery } from '../../../api/evm/transactions.ts'
import { queryClient } from '../../../api/query-client.ts'
import { Boundary, LazyPart } from '../../../components/part.tsx'
import { Section } from '../../../components/section.tsx'
import { Skeleton, SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { Tabs, type Tab } from '../../../components/tabs.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { paths } from '../../../lib/paths.ts'
import { SubstituteNote } from '../../shared/offered-part.tsx'
import { UnindexedNote } from '../unindexed-note.tsx'
import { Failed } from '../../shared/failed.tsx'
import { useRemember } from '../../shared/use-remember.ts'
import { OverviewTab } from './overview-tab.tsx'
import { transfersOf } from './transfers.ts'
import { TransfersTab } from './transfers-tab.tsx'
import { HeadlineText } from './headline-text.tsx'
import { transactionTitle, TransactionTitle } from './title.tsx'
import { FailureBlock } from './failure-block.tsx'
import { ChangesTab } from './changes-tab.tsx'
import { LogsTab } from './logs-tab.tsx'
import { RawTab } from './raw-tab.tsx'
import { lazy } from '../../../components/lazy.ts'

const InternalTab = lazy(() => import('./internal-tab.tsx'), 'InternalTab')

const searchSchema = z.object({
  tab: z.catch(z.enum(['overview', 'changes', 'transfers', 'logs', 'internal', 'raw']), 'overview'),
})

/** The transaction. */
export function loader({ params: { chainId = '', txHash = '' } }: LoaderFunctionArgs): null {
  void queryClient.prefetchQuery(transactionQuery(chainId, txHash))
  return null
}

type PartProps = {
  details: TransactionDetails
  chain: ChainFacts
  tab: z.output<typeof searchSchema>['tab']
  onAllTransfers: () => void
}

function Part({ details, chain, tab, onAllTransfers }: PartProps) {
  return (
    <>
      {tab === 'overview' && <OverviewTab details={details} chain={chain} onAllTransfers={onAllTransfers} />}
      {tab === 'changes' && (
        <Boundary title="The balance changes">
          <ChangesTab txHash={details.nativeTransaction.txHash} chain={chain} />
        </Boundary>
      )}
      {tab === 'transfers' && <TransfersTab details={details} chain={chain} />}
      {tab === 'logs' && (
        <Boundary title="The logs">
          <LogsTab details={details} chain={chain} />
        </Boundary>
      )}
      {tab === 'internal' && (
        <LazyPart title="The internal calls" fallback={<SkeletonRows count={10} />}>
          <InternalTab details={details} chain={chain} />
        </LazyPart>
      )}
      {tab === 'raw' && (
        <Boundary title="The answer of the service">
          <RawTab value={details} name={details.nativeTransaction.txHash} />
        </Boundary>
      )}
    </>
  )
}

/** The tabs of a transaction; without details, their place while these load. */
function Parts({ details, chain }: { details: TransactionDetails | undefined; chain: ChainFacts }) {
  const [{ tab }, setSearch] = useSearchState(searchSchema)
  const profile = useProfile()
  const isFromNode = profile !== undefined && !hasOperation(profile, 'getTransaction')
  const hasChanges = useOffers('getTransactionChanges')
  const isOffered = (id: typeof tab): boolean =>
    (id !== 'changes' || hasChanges) && (id !== 'internal' || !isFromNode)
  const hasLogs = details && details.logsFrom === undefined
  // A tab without anything in it is not offered; a link to it still opens it.
  const all: readonly Tab<typeof tab>[] = [
    { id: 'overview', label: 'Overview' },
    { id: 'changes', label: 'Balance changes' },
    { id: 'transfers', label: 'Transfers', count: hasLogs ? transfersOf(details).length : '–' },
    { id: 'logs', label: 'Logs', count: details?.logs?.length ?? '–' },
    { id: 'internal', label: 'Internal calls', count: details?.internalTransactions?.length ?? '–' },
    { id: 'raw', label: 'Raw' },
  ]
  return (
    <Tabs
      label="Parts of the transaction"
      current={tab}
      onChange={(next) => setSearch({ tab: next })}
      tabs={all.filter(({ id, count }) => id === tab || (count !== 0 && isOffered(id)))}
    >
      {details ? (
        <Part
          details={details}
          chain={chain}
          tab={tab}
          onAllTransfers={() => setSearch({ tab: 'transfers' })}
        />
      ) : (
        <SkeletonRows count={12} />
      )}
    </Tabs>
  )
}

/** One transaction with everything that is known of it; the tab is in the URL. */
export function Component() {
  const { chainId = '', txHash = '' } = useParams()
  const chain = useChainFacts(chainId)
  const query = useQuery(transactionQuery(chainId, txHash))
  const details = query.data
  const unknown = isUnknown(query.error)
  const title = details && transactionTitle(txHash, chain)
  useRemember(paths.transaction(chain.chainId, txHash), title, 'transaction')

  return (
    <>
      <TransactionTitle
        chain={chain}
        txHash={txHash}
        details={query.isPending ? null : details}
        unknown={unknown}
      />
      {details ? (
        <>
          <SubstituteNote name="transaction">
            This service does not show one transaction: this is what its node says, without internal calls and
            the names of tokens and methods.
          </SubstituteNote>
          <UnindexedNote chain={chain} isIndexed={details.nativeTransaction.isIndexed} />
          <HeadlineText details={details} chain={chain} />
          {details.nativeTransaction.txStatus === '0' && (
            <div className="mb-4 min-h-[360px] border-l-4 border-bad bg-bad-soft px-4 py-2 sm:min-h-[248px] md:min-h-[208px]">
              <Section title="Why it failed">
                <Boundary title="The reason">
                  <FailureBlock details={details} chain={chain} />
                </Boundary>
              </Section>
            </div>
          )}
          <Parts details={details} chain={chain} />
        </>
      ) : query.isPending ? (
        <>
          <p className="flex h-11 items-center pb-4">
            <Skeleton width="min(560px, 90%)" />
          </p>
          {/* Other elements than those of the transaction, which begin below its reason if it failed. */}
          <Parts key="waiting" details={undefined} chain={chain} />
        </>
      ) : unknown ? (
        <EmptyState title={`Not in any indexed block of ${chain.name}`}>
          It may wait in the node’s pool, belong to another chain, or have been reverted by a reorganisation.
          A hash is 0x and 64 hex digits.
        </EmptyState>
      ) : (
        <Failed title="The transaction could not be loaded." query={query} />
      )}
    </>
  )
}
