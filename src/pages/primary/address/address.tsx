import { useMemo } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import { networkOf, useCurrentNetwork, useOffered, useProfile } from '../../../api/current.ts'
import { primaryBalancesQuery } from '../../../api/primary/address.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useStore } from '../../../components/hooks.ts'
import { Identicon } from '../../../components/identicon.tsx'
import { lazy } from '../../../components/lazy.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { Boundary, LazyPart } from '../../../components/part.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { labels } from '../../../lib/storage/labels.ts'
import { primaryChainAliases } from '../../../../contract/primary/chains.ts'
import { shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { NetworkCrumb, useNetworkLabel } from '../../shared/network-crumb.tsx'
import { LabelForm } from '../../shared/marks/label-form.tsx'
import { Watch } from '../../shared/marks/watch.tsx'
import { WarnMe } from '../../watch/warn/warn-me.tsx'
import { useRemember } from '../../shared/use-remember.ts'
import { ownersOf, type Wallet } from './owners.ts'
import { HeadFigures } from './figures.tsx'
import { BalancesTab } from './balances-tab.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { WalletAddress } from '../../../components/wallet-address.tsx'

const RewardsTab = lazy(() => import('./rewards-tab.tsx'), 'RewardsTab')
const TransactionsTab = lazy(() => import('./transactions-tab.tsx'), 'TransactionsTab')
const UtxosTab = lazy(() => import('./utxos-tab.tsx'), 'UtxosTab')

const tabSchema = z.object({
  tab: z.catch(z.enum(['balances', 'utxos', 'unlocks', 'transactions', 'rewards']), 'balances'),
})
type TabId = z.infer<typeof tabSchema>['tab']

const parts = {
  balances: BalancesTab,
  utxos: UtxosTab,
  unlocks: lazy(() => import('./unlocks-tab.tsx'), 'UnlocksTab'),
  transactions: TransactionsTab,
  rewards: RewardsTab,
} as const satisfies Record<TabId, (wallet: Wallet) => React.ReactNode>

/** Requests the current balances on all chains. */
export function loader({ params }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const owners = ownersOf(params['address'] ?? '')
  if (!network || !owners) return null
  for (const chain of primaryChainAliases)
    void queryClient.prefetchQuery(primaryBalancesQuery(network, chain, owners, undefined))
  return null
}

/** The operation that a tab needs. */
const needs: Readonly<Record<TabId, string>> = {
  balances: 'getPrimaryBalances',
  utxos: 'listUtxos',
  unlocks: 'listUnlocks',
  transactions: 'listPrimaryTransactions',
  rewards: 'listRewards',
}

function Parts(wallet: Wallet) {
  const offered = useOffered()
  const [{ tab }, setSearch] = useSearchState(tabSchema)
  const Part = parts[tab]
  return (
    <div className="pt-4">
      <Tabs
        label="Parts of the address"
        current={tab}
        onChange={(next) => setSearch({ tab: next })}
        tabs={[
          { id: 'balances' as const, label: 'Balances' },
          { id: 'utxos' as const, label: 'UTXOs' },
          { id: 'unlocks' as const, label: 'Unlock calendar' },
          { id: 'transactions' as const, label: 'Transactions' },
          { id: 'rewards' as const, label: 'Rewards' },
        ].filter(({ id }) => id === tab || offered(needs[id]))}
      >
        <LazyPart key={tab} title="This part of the address" fallback={<SkeletonRows count={20} />}>
          <Part {...wallet} />
        </LazyPart>
      </Tabs>
    </div>
  )
}

/** One or several addresses of the P- and X-Chain: their holdings, when these unlock, and their activity. */
export function Component() {
  const { address: text = '' } = useParams()
  const network = useCurrentNetwork()
  const networkLabel = useNetworkLabel(network)
  const owners = useMemo(() => ownersOf(text), [text])
  const [first = ''] = owners ?? []
  const single = owners?.length === 1
  const label = useStore(labels, (all) => (single ? (all[first] ?? '') : ''))
  const short = single ? label || shorten(first, 11) : `${owners?.length ?? 0} addresses`
  useRemember(paths.wallet(network, owners?.join(',') ?? ''), owners && `Address ${short}`, 'address')
  if (!owners)
    return (
      <Boundary title="The page">
        <NoAddress />
      </Boundary>
    )
  const wallet = { network, owners }
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={titleOf('wallet', {
          address: single ? short : `${shorten(first, 11)} and ${owners.length - 1} more`,
          network: networkLabel,
        })}
        heading={
          single ? (
            <span className="flex items-center gap-2.5">
              <Identicon value={first} size={20} />
              {label || 'Address'}
            </span>
          ) : (
            `${owners.length} addresses together`
          )
        }
        {...(single && {
          identity: { value: first, name: 'address' },
          actions: (
            <>
              <LabelForm key={`${first}/${label}`} id={first} label={label} noun="address" />
              <Watch kind="wallet" place={network} id={first} />
              <WarnMe subject={{ kind: 'wallet', network, id: first, name: short }} />
            </>
          ),
        })}
      />
      {!single && (
        <Boundary title="The owners">
          <OwnerList {...wallet} />
        </Boundary>
      )}
      <Boundary title="The figures">
        <HeadFigures {...wallet} />
      </Boundary>
      <Parts key={owners.join(',')} {...wallet} />
    </>
  )
}

/** The page of an invalid address. */
function NoAddress() {
  const prefix = useProfile()?.addressPrefix ?? 'fuji'
  return (
    <>
      <NetworkCrumb network={useCurrentNetwork()} />
      <PageTitle document="Address" heading="Invalid address" />
      <EmptyState title={`An address of the P- and X-Chain begins with ${prefix}1`}>
        P- or X- may stand before it, and its last six characters are a checksum, which must fit. Separate
        several addresses with commas, at most 64. Check the link, or use the search above.
      </EmptyState>
    </>
  )
}

/** The addresses of a page with several addresses. */
function OwnerList({ network, owners }: Wallet) {
  return (
    <ul aria-label="Addresses" className="flex flex-wrap gap-x-4 gap-y-1 pb-4">
      {owners.map((address) => (
        <li key={address}>
          <WalletAddress address={address} network={network} copy />
        </li>
      ))}
    </ul>
  )
}
