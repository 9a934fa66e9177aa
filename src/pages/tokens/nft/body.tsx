import type { ChainFacts } from '../../../api/current.ts'
import { useMedia, type NftDetails } from '../../../api/tokens/nfts.ts'
import { NftPicture } from '../../../components/tokens/nft-picture.tsx'
import { statusWords } from '../../../components/tokens/nft-status.ts'
import { Attributes, Description, NftFacts } from './facts.tsx'
import { ReindexButton } from './reindex.tsx'

type Props = { nft: NftDetails; title: string; chain: ChainFacts }

/** An NFT's picture and its facts. */
export function NftBody({ nft, title, chain }: Props) {
  const mediaOf = useMedia(chain.chainId)
  const status = statusWords(nft.metadata?.indexStatus)
  return (
    <div className="grid gap-8 pb-4 lg:grid-cols-[360px_minmax(0,1fr)]">
      <div className="flex flex-col gap-3" style={{ maxWidth: 360 }}>
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
        <ReindexButton nft={nft} chainId={chain.chainId} />
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <Description text={nft.metadata?.description} />
        <NftFacts nft={nft} chain={chain} />
        <Attributes text={nft.metadata?.attributes} />
      </div>
    </div>
  )
}
