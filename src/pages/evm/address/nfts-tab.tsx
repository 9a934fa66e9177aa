import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import type { CollectibleBalance } from '../../../../contract/tokens/balances.ts'
import { collectiblesQuery } from '../../../api/tokens/balances.ts'
import { useOffers } from '../../../api/current.ts'
import { useLatest } from '../../../components/hooks.ts'
import { EmptyState } from '../../../components/states.tsx'
import { nameOf } from '../../../components/tokens/token-amount.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { InfiniteTable, rowsOfPages } from '../../shared/infinite-table.tsx'
import { Choice } from '../../shared/choice.tsx'
import type { Subject } from './activity.tsx'
import { MomentField } from '../../shared/moment-field.tsx'
import { nftColumns } from './nft-columns.tsx'
import { NftGrid, WaitingGrid } from './nft-grid.tsx'
import { FilterChip } from '../../../components/table/filter-chip.tsx'
import { wholeNumberInUrl } from '../../../lib/search-params.ts'

const schema = z.object({
  view: z.catch(z.enum(['grid', 'table']), 'grid'),
  /** The block after which the NFTs are shown; the head by default. */
  at: wholeNumberInUrl,
  collection: z.catch(z.optional(z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))), undefined),
})

const rowKey = (row: CollectibleBalance): string => `${row.address}/${row.tokenId}`

/** The NFTs of an address, as pictures or as a table; now or after any block. The state is in the URL. */
export function NftsTab({ address, chain }: Subject) {
  const [{ view, at, collection }, setSearch] = useSearchState(schema)
  const { chainId } = chain
  const lacksErc721 = !useOffers('listErc721Balances')
  const list = collectiblesQuery(chainId, address, at, collection)
  const query = useInfiniteQuery(list)
  const rows = rowsOfPages(query.data, list.rowsOf)
  const narrowTo = useLatest((one: string) => setSearch({ collection: one }, { push: true }))
  const columns = useMemo(() => nftColumns(chainId, (one) => narrowTo.current(one)), [chainId, narrowTo])
  const label = `NFTs of ${address}`
  const first = rows.at(0)
  const tools = (
    <>
      <Choice
        label="How the NFTs are shown"
        current={view}
        options={[
          { id: 'grid', label: 'Grid' },
          { id: 'table', label: 'Table' },
        ]}
        onChange={(next) => setSearch({ view: next })}
      />
      <MomentField
        chainId={chainId}
        label="NFTs at"
        action="Show"
        onHeight={(block) => setSearch({ at: block }, { push: true })}
      />
      {at !== undefined && (
        <FilterChip
          text={`At block ${formatInteger(at)}`}
          onRemove={() => setSearch({ at: undefined }, { push: true })}
        />
      )}
      {collection !== undefined && (
        <FilterChip
          text={`Only ${(first && nameOf(first)) || shorten(collection)}`}
          onRemove={() => setSearch({ collection: undefined }, { push: true })}
        />
      )}
    </>
  )
  return (
    <>
      {lacksErc721 && <p className="pb-2 text-muted">This service does not list ERC-721 tokens.</p>}
      <InfiniteTable
        id="address-nfts"
        label={label}
        noun="NFT"
        nouns="NFTs"
        query={query}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        rowHref={(row) => paths.nft(chainId, row.address, row.tokenId)}
        tools={tools}
        source={{
          name: `nfts-${address}-${chainId}${at === undefined ? '' : `-at-${at}`}`,
          pages: list.all,
        }}
        {...(view === 'grid' && {
          skeleton: <WaitingGrid />,
          pictures: <NftGrid rows={rows} chainId={chainId} label={label} />,
        })}
        empty={
          <EmptyState title="No NFTs">
            {at === undefined && collection === undefined
              ? `This address holds no ${lacksErc721 ? 'ERC-1155' : 'ERC-721 or ERC-1155'} token now.`
              : 'It held none of these then. Remove the filters to see what it holds now.'}
          </EmptyState>
        }
      />
    </>
  )
}
