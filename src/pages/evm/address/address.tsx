import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import { activities } from '../../../api/evm/addresses-activity.ts'
import { addressOverviewQuery } from '../../../api/evm/addresses.ts'
import { useChainFacts, useOffered } from '../../../api/current.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useStore } from '../../../components/hooks.ts'
import { Identicon } from '../../../components/identicon.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { Boundary, LazyPart } from '../../../components/part.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { subjectPlace } from '../../../lib/nav.ts'
import { labels } from '../../../lib/storage/labels.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { nameOfAddress, type KnownNames } from '../../../lib/address-name.ts'
import { safeText, shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import type { Subject } from './activity.tsx'
import { LabelMe } from './label-me.tsx'
import { Kind } from './kind.tsx'
import { heightsSchema } from './heights.ts'
import { listedTokens } from './listed-tokens.ts'
import { ChecksumNote, useChecksum } from '../../shared/checksum-note.tsx'
import { ChainCrumb } from '../../shared/crumbs.tsx'
import { LabelForm } from '../../shared/marks/label-form.tsx'
import { Watch } from '../../shared/marks/watch.tsx'
import { WarnMe } from '../../watch/warn/warn-me.tsx'
import { useRemember } from '../../shared/use-remember.ts'
import { HeadFigures } from './figures.tsx'
import { TransactionsTab } from './transactions-tab.tsx'
import { TransfersTab } from './transfers-tab.tsx'
import { lazy } from '../../../components/lazy.ts'
import { SkeletonRows } from '../../../components/skeleton.tsx'

const BalancesTab = lazy(() => import('./balances-tab.tsx'), 'BalancesTab')
const ApprovalsTab = lazy(() => import('./approvals-tab.tsx'), 'ApprovalsTab')
const NftsTab = lazy(() => import('./nfts-tab.tsx'), 'NftsTab')
const ContractTab = lazy(() => import('./contract-tab.tsx'), 'ContractTab', { isDrawn: true })
const EventsTab = lazy(() => import('./events-tab.tsx'), 'EventsTab')
const DeploymentsTab = lazy(() => import('./deployments-tab.tsx'), 'DeploymentsTab')
const InternalsTab = lazy(() => import('./internals-tab.tsx'), 'InternalsTab')

const tabSchema = z.object({
  tab: z.catch(
    z.enum([
      'transactions',
      'transfers',
      'internals',
      'balances',
      'approvals',
      'nfts',
      'contract',
      'events',
      'deployments',
    ]),
    'transactions',
  ),
})
type TabId = z.infer<typeof tabSchema>['tab']

const parts = {
  transactions: TransactionsTab,
  transfers: TransfersTab,
  internals: InternalsTab,
  balances: BalancesTab,
  approvals: ApprovalsTab,
  nfts: NftsTab,
  contract: ContractTab,
  events: EventsTab,
  deployments: DeploymentsTab,
} as const satisfies Record<TabId, (subject: Subject) => React.ReactNode>

/** The operations of which a tab needs one. */
const needs: Readonly<Record<TabId, readonly string[]>> = {
  transactions: ['listAddressTransactions'],
  transfers: ['listErc20Transfers', 'listErc721Transfers', 'listErc1155Transfers'],
  internals: ['listInternalTransactions'],
  balances: ['listErc20Balances'],
  approvals: ['listApprovals'],
  nfts: ['listCollectibleBalances'],
  contract: ['getContractMetadata', 'getContractCode'],
  events: ['listContractEvents'],
  deployments: ['listContractDeployments'],
}

const isAddress = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text)

/** Starts the requests of the header, and loads the first rows of the current tab. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const { chainId = '', address = '' } = params
  if (!isAddress(address)) return null
  const search = new URL(request.url).searchParams
  const { tab } = readSearch(tabSchema, search)
  void queryClient.prefetchQuery(addressOverviewQuery(chainId, address))
  if (tab === 'transactions')
    void queryClient.prefetchInfiniteQuery(
      activities.transactions.query(chainId, address, readSearch(heightsSchema, search)),
    )
  return null
}

function Parts(subject: Subject) {
  const [{ tab: named }, setSearch] = useSearchState(tabSchema)
  const offered = useOffered()
  const isOffered = (id: TabId): boolean => needs[id].some(offered)
  // The first tab is nobody's wish.
  const tab = named === 'transactions' && !isOffered(named) ? 'balances' : named
  const overview = useQuery(addressOverviewQuery(subject.chain.chainId, subject.address))
  const facts = overview.data
  const Part = parts[tab]
  const contract =
    tab === 'contract' ||
    tab === 'events' ||
    (tab !== 'deployments' && (facts?.isContract === true || overview.isError))
  const strip = useRef<HTMLDivElement>(null)
  const shown = useRef('')
  const order = `${tab} ${contract}`
  // Before it is drawn, so that the selected tab stays where it is when the one of the code comes in front of it.
  useLayoutEffect(() => {
    if (shown.current === order) return
    shown.current = order
    // The selected tab scrolls into view sideways; the page itself must not scroll.
    const list = strip.current?.querySelector('[role="tablist"]')
    const chosen = list?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (list && chosen) list.scrollLeft = chosen.offsetLeft - list.clientWidth / 2 + chosen.offsetWidth / 2
  }, [order])
  // A count that is loading keeps its space, so that tabs do not shift.
  const count = (value: string | undefined): string | undefined =>
    value === undefined ? (overview.isPending ? '–' : undefined) : formatInteger(value)
  return (
    <div ref={strip} className="relative pt-4">
      <Tabs
        label="Parts of the address"
        current={tab}
        onChange={(next) => setSearch({ tab: next })}
        tabs={[
          { id: 'transactions' as const, label: 'Transactions' },
          // What a contract is asked for next is its code and what it answers.
          ...(contract
            ? [
                { id: 'contract' as const, label: 'Contract' },
                { id: 'events' as const, label: 'Events' },
              ]
            : []),
          { id: 'transfers' as const, label: 'Transfers' },
          { id: 'internals' as const, label: 'Internal calls' },
          { id: 'balances' as const, label: 'Balances', count: count(facts && listedTokens(facts)) },
          // A tab without anything in it is not offered; a link to it still opens it.
          ...(facts?.nftCount === '0' && tab !== 'nfts'
            ? []
            : [{ id: 'nfts' as const, label: 'NFTs', count: count(facts?.nftCount) }]),
          { id: 'approvals' as const, label: 'Approvals' },
          ...(contract ? [] : [{ id: 'deployments' as const, label: 'Deployments' }]),
        ].filter(({ id }) => id === tab || isOffered(id))}
      >
        <LazyPart key={tab} title="This part of the address" fallback={<SkeletonRows count={20} />}>
          <Part {...subject} />
        </LazyPart>
      </Tabs>
    </div>
  )
}

/** An address: its kind, its holdings and its activity; tab and filters are in the URL. */
export function Component() {
  const { chainId = '', address: given = '' } = useParams()
  const fits = useChecksum(given)
  const address = fits ? given : given.toLowerCase()
  const chain = useChainFacts(chainId)
  const label = useStore(labels, (all) => all[address.toLowerCase()] ?? '')
  const valid = isAddress(address)
  const overview = useQuery({ ...addressOverviewQuery(chain.chainId, address), enabled: valid })
  const known: KnownNames = overview.data ?? {}
  // Where its origin can't stand beside it, a name is the reader's or the token's own.
  const ownName = label || safeText(known.name ?? '', 40)
  const { text: name = '', origin } = nameOfAddress(label || undefined, known)
  const isContract = overview.data?.isContract === true
  const noun = isContract ? 'Contract' : 'Address'
  useEffect(() => {
    subjectPlace.set(isContract ? 'Contracts' : undefined)
    return () => subjectPlace.set(undefined)
  }, [isContract])
  useRemember(
    paths.address(chain.chainId, address),
    valid ? `${noun} ${ownName || shorten(address)}` : undefined,
    'address',
  )
  if (!valid)
    return (
      <>
        <ChainCrumb chain={chain} />
        <PageTitle document="Address" heading="Invalid address" />
        <EmptyState title="An address is 0x and 40 hex digits">
          Check the link, or use the search above.
        </EmptyState>
      </>
    )
  const subject = { address, chain }
  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle
        document={titleOf('address', { address: ownName || shorten(address), chainId: chain.name })}
        heading={
          <span className="flex items-center gap-2.5">
            <Identicon value={address} size={20} />
            {name || noun}
            {origin !== undefined && <span className="text-xs font-normal text-muted"> {origin}</span>}
          </span>
        }
        beside={<Kind {...subject} isNamed={name !== ''} />}
        identity={{ value: address, name: 'address' }}
        actions={
          <>
            <LabelForm
              key={`${address}/${label}`}
              id={address}
              label={label}
              noun="address"
              renderBeside={(typed) => <LabelMe {...subject} name={typed} text="Save for all" />}
            />
            {known.label !== undefined && <LabelMe {...subject} text="Label" />}
            <Watch kind="address" place={chain.chainId} id={address.toLowerCase()} />
            <WarnMe
              subject={{ kind: 'address', chainId: chain.chainId, address, name: label || shorten(address) }}
            />
          </>
        }
      />
      <ChecksumNote fits={fits} />
      <Boundary title="The figures">
        <HeadFigures {...subject} />
      </Boundary>
      <Parts key={address} {...subject} />
    </>
  )
}
