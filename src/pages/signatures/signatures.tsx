import { useCallback } from 'react'
import { titleOf } from '../../../contract/pages.ts'
import { useCurrentNetwork, useOffers, useProfile } from '../../api/current.ts'
import type { EmittedMessage } from '../../../contract/signatures/warp.ts'
import { useLatest, useStore } from '../../components/hooks.ts'
import { Lead, PageTitle } from '../../components/page-title.tsx'
import { LazyPart } from '../../components/part.tsx'
import { UnsupportedState } from '../../components/states.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { chainAlias } from '../../lib/primary-chains.ts'
import {
  bodyOf,
  tabOf,
  type Draft,
  draftOf,
  linkOf,
  signaturesSchema,
  type SignaturesSearch,
} from './draft.ts'
import { draftOfEntry, rounds } from './history.ts'
import { useRun } from './use-run.ts'
import { MessagesTab } from './messages-tab.tsx'
import { lazy } from '../../components/lazy.ts'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { useHeldForm } from '../../components/use-held-form.ts'
import { useSearchState } from '../../components/use-search-state.ts'

const RequestTab = lazy(() => import('./request-tab.tsx'), 'RequestTab')
const HistoryTab = lazy(() => import('./history-tab.tsx'), 'HistoryTab')

/** The tabs: the messages of the chains, the form for any other one, and past rounds. */
function Signatures() {
  const profile = useProfile()
  const own = useCurrentNetwork()
  const offered = useOffers('aggregateSignatures')
  const { draft, change, search, setSearch } = useDraft()
  const network = draft.network ?? own
  const { run, start, leave, forget } = useRun({
    profile: profile?.id,
    // Only a Ridgeline service has the stream, like this operation.
    streams: useOffers('decodeWarpMessage'),
  })
  const remembered = useStore(rounds).filter((one) => one.profile === profile?.id).length
  const lists = useOffers('listWarpMessages')
  const first = tabOf(search)
  const tab = first === 'messages' && !lists ? 'request' : first
  const sign = useLatest((message: EmittedMessage) => {
    forget()
    const ofTransaction = chainAlias(message.sourceBlockchainId) === 'p-chain'
    const next: Draft = {
      network,
      by: ofTransaction ? 'transaction' : 'message',
      tx: ofTransaction ? message.txHash : '',
      message: ofTransaction ? '' : message.message,
      justification: ofTransaction ? '' : (message.justification ?? ''),
      subnet: '',
      quorum: '67',
      buffer: '0',
      height: '0',
    }
    change(next)
    setSearch({ tab: 'request' }, { push: true })
    start({
      network,
      body: bodyOf(next, message),
      byTransaction: false,
      ...(ofTransaction && { tx: message.txHash }),
    })
  })
  const onSign = useCallback((message: EmittedMessage) => sign.current(message), [sign])
  if (!offered)
    return (
      <UnsupportedState title="Not offered here">
        <p>This deployment collects no signatures; a Ridgeline service of your own does.</p>
      </UnsupportedState>
    )
  return (
    <Tabs
      label="Signatures"
      current={tab}
      onChange={(tab) => setSearch({ tab })}
      tabs={[
        ...(lists ? [{ id: 'messages' as const, label: 'Messages' }] : []),
        { id: 'request', label: lists ? 'Other message' : 'Message' },
        { id: 'history', label: 'History', ...(remembered > 0 && { count: remembered }) },
      ]}
    >
      <LazyPart key={tab} title="This part of the signatures" fallback={<SkeletonRows count={14} />}>
        {tab === 'request' && (
          <RequestTab draft={draft} change={change} network={network} run={run} start={start} leave={leave} />
        )}
        {tab === 'messages' && (
          <MessagesTab
            network={network}
            source={search.source}
            onSource={(source) => setSearch({ source })}
            onSign={onSign}
          />
        )}
        {tab === 'history' && (
          <HistoryTab
            onOpen={(entry) => {
              forget()
              change(draftOfEntry(entry))
              setSearch({ tab: 'request' }, { push: true })
            }}
          />
        )}
      </LazyPart>
    </Tabs>
  )
}

/** Aggregates validators' signatures of messages between chains. */
export function Component() {
  return (
    <>
      <PageTitle document={titleOf('signatures')} heading="Signatures" />
      <Lead>
        A chain trusts a message of another chain once enough validators have signed it. This page collects
        and aggregates those signatures.
      </Lead>
      <Signatures />
    </>
  )
}

/** The form of a request, stored in the URL. */
function useDraft(): {
  draft: Draft
  change: (patch: Partial<Draft>) => void
  search: SignaturesSearch
  setSearch: ReturnType<typeof useSearchState<typeof signaturesSchema>>[1]
} {
  const [search, setSearch] = useSearchState(signaturesSchema)
  const [draft, setDraft] = useHeldForm<Draft>(
    draftOf(search),
    (next) => JSON.stringify(linkOf(next)),
    (next) => setSearch(linkOf(next)),
  )
  const change = (patch: Partial<Draft>): void => setDraft((now) => ({ ...now, ...patch }))
  return { draft, change, search, setSearch }
}
