import { useOffers } from '../../api/current.ts'
import { PageTabs } from '../../components/page-tabs.tsx'
import { paths } from '../../lib/paths.ts'

type Props = { chainId: string; current: 'contracts' | 'hot' | 'deployers' }

/** The pages about the contracts of a chain: all of them, rankings in a range, and who deployed most. */
export function ContractsTabs({ chainId, current }: Props) {
  const ranks = useOffers('rankContracts')
  const to = {
    contracts: paths.contracts(chainId),
    hot: paths.hot(chainId),
    deployers: paths.contracts(chainId, { tab: 'deployers' }),
  }
  return (
    <PageTabs
      label="Contracts of the chain"
      tabs={[
        { label: 'Contracts', to: to.contracts },
        ...(ranks ? [{ label: 'Most used', to: to.hot }] : []),
        { label: 'Deployers', to: to.deployers },
      ]}
      current={to[current]}
    />
  )
}
