import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import { useChainFacts } from '../../../api/current.ts'
import { queryClient } from '../../../api/query-client.ts'
import { tokensQuery, type TokensFilter } from '../../../api/tokens/tokens.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { Boundary } from '../../../components/part.tsx'
import { MoreRows, RowCount, rowCountText } from '../../../components/table/data-table.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { Choice } from '../../shared/choice.tsx'
import { ChainCrumb } from '../../shared/crumbs.tsx'
import { Failed } from '../../shared/failed.tsx'
import { moreOf } from '../../shared/infinite-table.tsx'
import { NameField, tokenOrders } from '../list-tools.tsx'
import { TokensTabs } from '../tokens-tabs.tsx'
import { CollectionCard, collectionGrid, WaitingCards } from './collection-card.tsx'

const kinds = [
  { id: 'all', label: 'All' },
  { id: 'ERC-721', label: 'ERC-721' },
  { id: 'ERC-1155', label: 'ERC-1155' },
] as const

/** The same orders; NFTs have owners. */
const orders = tokenOrders.map((order) => (order.id === 'holders' ? { ...order, label: 'Owners' } : order))

const searchSchema = z.object({
  kind: z.catch(z.enum(['all', 'ERC-721', 'ERC-1155']), 'all'),
  /** A part of the name or symbol. */
  name: z.catch(z.string().check(z.trim(), z.maxLength(64)), ''),
  by: z.catch(z.enum(['holders', 'day', 'newest']), 'holders'),
})

/** The collections as the URL narrows them. Spam has no pictures to show. */
const filterOf = ({ kind, name, by }: z.infer<typeof searchSchema>): TokensFilter => ({
  kind: kind === 'all' ? 'NFT' : kind,
  ...(name !== '' && { name }),
  sort: tokenOrders.find(({ id }) => id === by)?.sort ?? 'holderCount',
  spam: false,
  currency: 'usd',
})

/** The first page of the collections. */
export function loader({ params: { chainId = '' }, request }: LoaderFunctionArgs): null {
  const search = readSearch(searchSchema, new URL(request.url).searchParams)
  void queryClient.prefetchInfiniteQuery(tokensQuery(chainId, filterOf(search)))
  return null
}

function Collections({
  chainId,
  chainName,
  filter,
}: {
  chainId: string
  chainName: string
  filter: TokensFilter
}) {
  const list = tokensQuery(chainId, filter)
  const query = useInfiniteQuery(list)
  if (query.isPending) return <WaitingCards />
  if (query.error && !query.data) return <Failed title="The collections could not be loaded." query={query} />
  const rows = query.data?.pages.flatMap(list.rowsOf) ?? []
  if (rows.length === 0 && !query.hasNextPage)
    return (
      <EmptyState title="No NFTs">
        {filter.name === undefined
          ? `A collection appears here with the first transfer of one of its NFTs on ${chainName}.`
          : `No collection has “${filter.name}” in its name or symbol.`}
      </EmptyState>
    )
  return (
    <>
      <div className="flex min-h-5 justify-end pb-2">
        <RowCount text={rowCountText(rows.length, 'collection', 'collections', query.hasNextPage)} />
      </div>
      <ul className={collectionGrid} aria-label={`NFT collections of ${chainName}`}>
        {rows.map((token) => (
          <CollectionCard key={`${token.address}/${token.ercType}`} token={token} chainId={chainId} />
        ))}
      </ul>
      <MoreRows more={moreOf(query, 'collections')} nouns="collections" />
    </>
  )
}

/** The NFT collections of a chain as cards with pictures, those with the most owners first. */
export function Component() {
  const { chainId = '' } = useParams()
  const chain = useChainFacts(chainId)
  const [search, setSearch] = useSearchState(searchSchema)
  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle document={titleOf('nfts', { chainId: chain.name })} heading="NFTs" />
      <TokensTabs chainId={chain.chainId} current="nfts" />
      <div className="flex flex-wrap items-center gap-2 pb-4">
        <NameField name={search.name} onName={(name) => setSearch({ name })} />
        <Choice
          label="Sort by"
          options={orders}
          current={search.by}
          onChange={(by) => setSearch({ by }, { push: true })}
        />
        <Choice
          label="Kind of NFT"
          options={kinds}
          current={search.kind}
          onChange={(kind) => setSearch({ kind }, { push: true })}
        />
      </div>
      <Boundary title="The collections">
        <Collections chainId={chain.chainId} chainName={chain.name} filter={filterOf(search)} />
      </Boundary>
    </>
  )
}
