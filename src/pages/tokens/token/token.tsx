import { useQuery } from '@tanstack/react-query'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import { useChainFacts, type ChainFacts } from '../../../api/current.ts'
import { isUnknown } from '../../../api/errors.ts'
import { queryClient } from '../../../api/query-client.ts'
import { tokenKinds, tokenQuery, type TokenDetails } from '../../../api/tokens/tokens.ts'
import { Figures, loadingFigures } from '../../../components/figures.tsx'
import { useStore } from '../../../components/hooks.ts'
import { Identicon } from '../../../components/identicon.tsx'
import { lazy } from '../../../components/lazy.ts'
import { Link } from '../../../components/link.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { Boundary, LazyPart } from '../../../components/part.tsx'
import { Pill } from '../../../components/pill.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { Tabs, type Tab } from '../../../components/tabs.tsx'
import { currency } from '../../../api/tokens/balances-currency.ts'
import { readableName } from '../../../components/tokens/token-name.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { ChecksumNote, useChecksum } from '../../shared/checksum-note.tsx'
import { ChainCrumb } from '../../shared/crumbs.tsx'
import { Failed } from '../../shared/failed.tsx'
import { Watch } from '../../shared/marks/watch.tsx'
import { useRemember } from '../../shared/use-remember.ts'
import { Choice } from '../../shared/choice.tsx'
import { HeadMenu, HeadPill, TokenHead } from './head.tsx'
import { TransfersTab } from './transfers-tab.tsx'
import { HoldersTab } from './holders-tab.tsx'

const WindowTab = lazy(() => import('./window-tab.tsx'), 'WindowTab')
const ItemsTab = lazy(() => import('./items-tab.tsx'), 'ItemsTab')
const HistoryTab = lazy(() => import('./history-tab.tsx'), 'HistoryTab')

const SpreadTab = lazy(() => import('./spread-tab.tsx'), 'SpreadTab')

const tabIds = ['transfers', 'items', 'holders', 'distribution', 'history', 'window'] as const
type TabId = (typeof tabIds)[number]

const waitingFigures = loadingFigures('Supply', 'Holders', 'Transfers', 'First block', 'Price')

/** The page before the token or its code has come. */
const Waiting = () => (
  <>
    <Figures figures={waitingFigures} />
    <div className="pt-4">
      <SkeletonRows count={20} />
    </div>
  </>
)

const searchSchema = z.object({
  /** By default the items of a collection, the transfers of a coin. */
  tab: z.catch(z.optional(z.enum(tabIds)), undefined),
  kind: z.catch(z.optional(z.enum(tokenKinds)), undefined),
})

export function loader({ params, request }: LoaderFunctionArgs): null {
  const { kind } = readSearch(searchSchema, new URL(request.url).searchParams)
  void queryClient.prefetchQuery(
    tokenQuery(params['chainId'] ?? '', params['address'] ?? '', currency.get(), kind),
  )
  return null
}

function Parts({ token, chain }: { token: TokenDetails; chain: ChainFacts }) {
  const [{ tab }, setSearch] = useSearchState(searchSchema)
  const collection = token.ercType !== 'ERC-20'
  const tabs: (Tab<TabId> | false)[] = [
    collection && { id: 'items', label: 'Items' },
    { id: 'transfers', label: 'Transfers' },
    { id: 'holders', label: collection ? 'Owners now' : 'Holders now' },
    { id: 'distribution', label: 'Distribution' },
    { id: 'history', label: 'History' },
    { id: 'window', label: 'Holders over a period' },
  ]
  const first = collection ? 'items' : 'transfers'
  const current = tab === undefined || (tab === 'items' && !collection) ? first : tab
  return (
    <Tabs
      label="Parts of the token"
      current={current}
      onChange={(next) => setSearch({ tab: next })}
      tabs={tabs.filter((one) => one !== false)}
    >
      <LazyPart key={current} title="This part of the token" fallback={<SkeletonRows count={18} />}>
        {current === 'transfers' && <TransfersTab token={token} chain={chain} />}
        {current === 'items' && <ItemsTab token={token} chain={chain} />}
        {current === 'holders' && <HoldersTab token={token} chain={chain} />}
        {current === 'distribution' && <SpreadTab token={token} chain={chain} />}
        {current === 'history' && <HistoryTab token={token} chain={chain} />}
        {current === 'window' && <WindowTab token={token} chain={chain} />}
      </LazyPart>
    </Tabs>
  )
}

/** One token contract: its name and totals, its transfers and its holders. */
export function Component() {
  const { chainId = '', address: given = '' } = useParams()
  const fits = useChecksum(given)
  const address = fits ? given : given.toLowerCase()
  const chain = useChainFacts(chainId)
  const money = useStore(currency)
  const [{ kind }, setSearch] = useSearchState(searchSchema)
  const query = useQuery(tokenQuery(chainId, address, money, kind))
  const token = query.data
  const own = readableName(token?.name, 80) || readableName(token?.symbol, 16)
  const symbol = readableName(token?.symbol, 16)
  // The shortened address takes two lines of a phone, which most names do not.
  const unnamed = token ? `Token ${shorten(address)}` : 'Token'
  const title = own === '' ? unnamed : own
  useRemember(paths.token(chain.chainId, address), token && title, 'contract')

  if (query.error && isUnknown(query.error))
    return (
      <>
        <ChainCrumb chain={chain} />
        <PageTitle
          document="Token not found"
          heading="Unknown token"
          identity={{ value: address, name: 'address' }}
        />
        <EmptyState title={`No token transfers from this contract on ${chain.name}`}>
          <p>
            A token is known here once one of its transfers is in an indexed block. The address itself may
            still be an account or a contract:{' '}
            <Link to={paths.address(chain.chainId, address)} className="link">
              open it as an address
            </Link>
            .
          </p>
        </EmptyState>
      </>
    )
  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle
        document={titleOf('token', { address: own || shorten(address), chainId: chain.name })}
        heading={
          <span className="flex items-center gap-2.5">
            <Identicon value={address} size={20} />
            <span className="min-w-0 break-words">
              {title}
              {symbol !== '' && symbol !== own && (
                <span className="font-normal text-muted">{` ${symbol}`}</span>
              )}
            </span>
          </span>
        }
        beside={
          token ? (
            <>
              {token.ercTypes.length > 1 ? (
                <Choice
                  label="Kind of token"
                  options={token.ercTypes.map((one) => ({ id: one, label: one }))}
                  current={token.ercType}
                  onChange={(next) =>
                    setSearch({ kind: tokenKinds.find((one) => one === next) }, { push: true })
                  }
                />
              ) : (
                <Pill state="neutral">{token.ercType}</Pill>
              )}
              <HeadPill token={token} />
            </>
          ) : null
        }
        identity={{ value: address, name: 'token address' }}
        actions={
          <>
            {token?.price !== undefined && <HeadMenu />}
            <Link to={paths.address(chain.chainId, address)} className="control">
              Contract
            </Link>
            <Watch kind="token" place={chain.chainId} id={address.toLowerCase()} />
          </>
        }
      />
      {query.error && !token ? (
        <Failed title="The token could not be loaded." query={query} />
      ) : (
        <Boundary key={token ? 'token' : 'waiting'} title="The token">
          {/* Both are remounted when the token arrives, because a warning may then appear above its figures. */}
          {token ? (
            <>
              <ChecksumNote fits={fits} />
              <TokenHead token={token} chain={chain} />
              <div className="pt-4">
                <Parts token={token} chain={chain} />
              </div>
            </>
          ) : (
            <Waiting />
          )}
        </Boundary>
      )}
    </>
  )
}
