import { useOffers } from '../../api/current.ts'
import { PageTabs } from '../../components/page-tabs.tsx'
import { paths } from '../../lib/paths.ts'

type Props = { chainId: string; current: 'latest' | 'hot' | 'deployers' }

/** The pages about the contracts of a chain: the newest, the most used, and who deployed most. */
export function ContractsTabs({ chainId, current }: Props) {
  const ranks = useOffers('rankContracts')
  const to = {
    latest: paths.contracts(chainId),
    hot: paths.hot(chainId),
    deployers: paths.contracts(chainId, { tab: 'deployers' }),
  }
  return (
    <PageTabs
      label="Contracts of the chain"
      tabs={[
        { label: 'Newest', to: to.latest },
        ...(ranks ? [{ label: 'Most used', to: to.hot }] : []),
        { label: 'Deployers', to: to.deployers },
      ]}
      current={to[current]}
    />
  )
}
