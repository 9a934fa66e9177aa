import { PageTabs } from '../../components/page-tabs.tsx'
import { paths } from '../../lib/paths.ts'

type Props = { chainId: string; current: 'tokens' | 'nfts' }

/** The two lists of a chain's tokens: all of them by figures, and NFT collections by pictures. */
export function TokensTabs({ chainId, current }: Props) {
  const to = { tokens: paths.tokens(chainId), nfts: paths.nfts(chainId) }
  return (
    <PageTabs
      label="Tokens of the chain"
      tabs={[
        { label: 'Tokens', to: to.tokens },
        { label: 'NFTs', to: to.nfts },
      ]}
      current={to[current]}
    />
  )
}
