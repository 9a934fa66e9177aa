import { useQuery } from '@tanstack/react-query'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import { useChainFacts, type ChainFacts } from '../../../api/current.ts'
import { isUnknown } from '../../../api/errors.ts'
import { nftQuery, useMedia, type NftDetails } from '../../../api/tokens/nfts.ts'
import { queryClient } from '../../../api/query-client.ts'
import { shortId } from '../../../components/tokens/token-amount.tsx'
import { Link } from '../../../components/link.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { Boundary } from '../../../components/part.tsx'
import { Pill } from '../../../components/pill.tsx'
import { Skeleton, SkeletonRows } from '../../../components/skeleton.tsx'
import { Tabs, type Tab } from '../../../components/tabs.tsx'
import { NftPicture } from '../../../components/tokens/nft-picture.tsx'
import { statusWords } from '../../../components/tokens/nft-status.ts'
import { readableName } from '../../../components/tokens/token-name.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { paths } from '../../../lib/paths.ts'
import { shorten } from '../../../lib/text.ts'
import { ChecksumNote, useChecksum } from '../../shared/checksum-note.tsx'
import { ChainCrumb } from '../../shared/crumbs.tsx'
import { Failed } from '../../shared/failed.tsx'
import { useRemember } from '../../shared/use-remember.ts'
import { Attributes, Description, Metadata, NftFacts } from './facts.tsx'
import { HistoryTab } from './history-tab.tsx'
import { HoldersTab } from './holders-tab.tsx'
import { RawTab } from '../../evm/transaction/raw-tab.tsx'
import { EmptyState } from '../../../components/states.tsx'

const tabIds = ['history', 'holders', 'raw'] as const
type TabId = (typeof tabIds)[number]
const searchSchema = z.object({ tab: z.catch(z.enum(tabIds), 'history') })

export function loader({ params }: LoaderFunctionArgs): null {
  void queryClient.prefetchQuery(
    nftQuery(params['chainId'] ?? '', params['address'] ?? '', params['tokenId'] ?? ''),
  )
  return null
}

function Parts({ nft, chain }: { nft: NftDetails; chain: ChainFacts }) {
  const [{ tab }, setSearch] = useSearchState(searchSchema)
  // An ERC-721 token has one owner, who stands above.
  const several = nft.ercType === 'ERC-1155'
  const tabs: (Tab<TabId> | false)[] = [
    { id: 'history', label: 'History' },
    several && { id: 'holders', label: 'Holders' },
    { id: 'raw', label: 'Raw' },
  ]
  const current = tab === 'holders' && !several ? 'history' : tab
  return (
    <Tabs
      label="Parts of the NFT"
      current={current}
      onChange={(next) => setSearch({ tab: next })}
      tabs={tabs.filter((one) => one !== false)}
    >
      <Boundary key={current} title="This part of the NFT">
        {current === 'history' && <HistoryTab nft={nft} chain={chain} />}
        {current === 'holders' && <HoldersTab nft={nft} chain={chain} />}
        {current === 'raw' && <RawTab value={nft} name={`${nft.address}-${nft.tokenId}`} />}
      </Boundary>
    </Tabs>
  )
}

/** An NFT's picture and its facts. */
function NftBody({ nft, title, chain }: { nft: NftDetails; title: string; chain: ChainFacts }) {
  const mediaOf = useMedia(chain.chainId)
  const status = statusWords(nft.metadata?.indexStatus)
  return (
    <div className="grid gap-x-8 gap-y-4 pb-4 lg:grid-cols-[360px_minmax(0,1fr)]">
      <div style={{ maxWidth: 360 }}>
        <NftPicture
          source={mediaOf(nft)}
          seed={`${nft.address}/${nft.tokenId}`}
          name={title}
          instead={
            nft.metadata?.indexStatus === 'INDEXED'
              ? 'its metadata names no picture that is shown here'
              : `Metadata: ${status.text}`
          }
          eager
        />
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <NftFacts nft={nft} chain={chain} />
        <Attributes text={nft.metadata?.attributes} />
        <Description text={nft.metadata?.description} />
        <Metadata nft={nft} chain={chain} />
      </div>
    </div>
  )
}

function Waiting() {
  return (
    <div className="grid gap-x-8 gap-y-4 pb-4 lg:grid-cols-[360px_minmax(0,1fr)]" aria-busy="true">
      <span className="skeleton aspect-square" style={{ maxWidth: 360 }} aria-hidden="true" />
      <div className="flex flex-col gap-4">
        <Skeleton width="60%" />
        <SkeletonRows count={8} />
      </div>
    </div>
  )
}

/** One NFT: its picture and metadata, who has it, and where it has been. */
export function Component() {
  const { chainId = '', address: given = '', tokenId = '' } = useParams()
  const fits = useChecksum(given)
  const address = fits ? given : given.toLowerCase()
  const chain = useChainFacts(chainId)
  const query = useQuery(nftQuery(chainId, address, tokenId))
  const nft = query.data
  const collection = readableName(nft?.name, 60) || readableName(nft?.symbol, 16)
  const own = readableName(nft?.metadata?.name, 120)
  const title = own || `${collection || 'NFT'} ${shortId(tokenId)}`
  useRemember(paths.nft(chain.chainId, address, tokenId), nft && title, 'contract')
  const crumbs = (
    <>
      <ChecksumNote fits={fits} />
      <div className="flex flex-wrap items-center gap-x-2">
        <ChainCrumb chain={chain} />
        <span className="text-muted" aria-hidden="true">
          /
        </span>
        <Link to={paths.token(chain.chainId, address)} className="reach min-w-0 text-muted hover:text-text">
          <span className="block truncate">{collection || 'collection'}</span>
        </Link>
      </div>
    </>
  )

  if (query.error && isUnknown(query.error))
    return (
      <>
        {crumbs}
        <Boundary title="The page">
          <NoNft id={shortId(tokenId)} chainName={chain.name} />
        </Boundary>
      </>
    )
  return (
    <>
      {crumbs}
      <PageTitle
        document={titleOf('nft', {
          tokenId: own || shortId(tokenId),
          address: collection || shorten(address),
          chainId: chain.name,
        })}
        heading={title}
        beside={nft ? <Pill state="neutral">{nft.ercType}</Pill> : null}
      />
      {nft ? (
        <Boundary title="The NFT">
          <NftBody key={`${chainId}/${address}/${tokenId}`} nft={nft} title={title} chain={chain} />
          <Parts nft={nft} chain={chain} />
        </Boundary>
      ) : query.isPending ? (
        <Waiting />
      ) : (
        <Failed title="The NFT could not be loaded." query={query} />
      )}
    </>
  )
}

/** A token that no indexed transfer moved. */
function NoNft({ id, chainName }: { id: string; chainName: string }) {
  return (
    <>
      <PageTitle document="NFT not found" heading="Unknown NFT" />
      <EmptyState title={`No transfers of token ${id} of this contract on ${chainName}`}>
        An NFT is known here once a transfer of it, such as its mint, is in an indexed block.
      </EmptyState>
    </>
  )
}
