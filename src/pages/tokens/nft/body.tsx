import type { ChainFacts } from '../../../api/current.ts'
import { useMedia, type NftDetails } from '../../../api/tokens/nfts.ts'
import { NftPicture } from '../../../components/tokens/nft-picture.tsx'
import { statusWords } from '../../../components/tokens/nft-status.ts'
import { Attributes, Description, Metadata, NftFacts } from './facts.tsx'

type Props = { nft: NftDetails; title: string; chain: ChainFacts }

/** An NFT's picture and its facts. */
export function NftBody({ nft, title, chain }: Props) {
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
