import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import type { Nft } from '../../../../contract/tokens/nfts.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { kindOf, type TokenDetails } from '../../../api/tokens/tokens.ts'
import { collectionQuery } from '../../../api/tokens/nfts.ts'
import { Address } from '../../../components/address.tsx'
import { shortId } from '../../../components/tokens/token-amount.tsx'
import { Link } from '../../../components/link.tsx'
import { Pill } from '../../../components/pill.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { dash } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { readableName } from '../../../components/tokens/token-name.tsx'
import { statusWords } from '../../../components/tokens/nft-status.ts'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { Choice } from '../../shared/choice.tsx'
import { InfiniteTable, rowsOfPages } from '../../shared/infinite-table.tsx'
import { ItemsGrid, WaitingItems } from './items-grid.tsx'

const searchSchema = z.object({ view: z.catch(z.enum(['grid', 'table']), 'grid') })

const rowKey = (nft: Nft): string => nft.tokenId

function itemColumns(chain: ChainFacts): Column<Nft>[] {
  const { chainId } = chain
  return [
    {
      id: 'item',
      header: 'Item',
      always: true,
      width: '170px',
      narrow: 'title',
      cell: (nft) => (
        <Link to={paths.nft(chainId, nft.address, nft.tokenId)} className="link" title={`#${nft.tokenId}`}>
          {shortId(nft.tokenId)}
        </Link>
      ),
      text: (nft) => nft.tokenId,
    },
    {
      id: 'name',
      header: 'Name',
      narrow: 'below',
      cell: (nft) => readableName(nft.metadata?.name, 80) || dash,
      text: (nft) => readableName(nft.metadata?.name, 256),
    },
    {
      id: 'status',
      header: 'Metadata',
      width: '190px',
      narrow: 'side',
      cell: (nft) => {
        const { text, about } = statusWords(nft.metadata?.indexStatus)
        return (
          <Pill state={nft.metadata?.indexStatus === 'INDEXED' ? 'ok' : 'neutral'} title={about}>
            {text}
          </Pill>
        )
      },
      text: (nft) => nft.metadata?.indexStatus ?? '',
    },
    {
      id: 'owner',
      header: 'Owner or supply',
      align: 'right',
      width: '220px',
      narrow: 'belowSide',
      cell: (nft) =>
        nft.ownerAddress !== undefined ? (
          <Address address={nft.ownerAddress} chainId={chainId} />
        ) : nft.supply !== undefined ? (
          formatInteger(nft.supply)
        ) : (
          <span className="text-muted">burned</span>
        ),
      text: (nft) => nft.ownerAddress ?? nft.supply ?? '',
    },
    {
      id: 'uri',
      header: 'Token URI',
      hidden: true,
      cell: (nft) => readableName(nft.tokenUri, 120) || dash,
      text: (nft) => nft.tokenUri ?? '',
    },
  ]
}

/** The NFTs of a collection by id, as pictures or as a table; which of them is in the URL. */
export function ItemsTab({ token, chain }: { token: TokenDetails; chain: ChainFacts }) {
  const [{ view }, setSearch] = useSearchState(searchSchema)
  const list = collectionQuery(chain.chainId, kindOf(token))
  const columns = useMemo(() => itemColumns(chain), [chain])
  const query = useInfiniteQuery(list)
  const isGrid = view === 'grid'
  return (
    <InfiniteTable
      id="collection-items"
      label="Items of the collection"
      noun="item"
      nouns="items"
      query={query}
      columns={columns}
      rows={rowsOfPages(query.data, list.rowsOf)}
      rowKey={rowKey}
      rowHref={(nft) => paths.nft(chain.chainId, nft.address, nft.tokenId)}
      source={{ name: `items-${chain.chainId}-${token.address}`, pages: list.all }}
      tools={
        <Choice
          label="How to show the items"
          options={[
            { id: 'grid', label: 'Grid' },
            { id: 'table', label: 'Table' },
          ]}
          current={view}
          onChange={(next) => setSearch({ view: next })}
        />
      }
      {...(isGrid && {
        skeleton: <WaitingItems />,
        pictures: <ItemsGrid items={query.data?.pages.flatMap(list.rowsOf) ?? []} chain={chain} />,
      })}
      empty={<EmptyState title="No items yet">An ID appears with its first transfer.</EmptyState>}
    />
  )
}
