import type { ComponentProps } from 'react'
import { lazy } from '../../components/lazy.ts'
import { LazyExtra } from '../../components/part.tsx'
import { useLocation } from 'react-router'
import { networkOfPath, useCurrentChain, useFollowed } from '../../api/current.ts'
import { paths } from '../../lib/paths.ts'

// Loaded beside the page's data; its space is reserved until then.
const LazyLink = lazy(() => import('./freshness-link.tsx'), 'FreshnessLink')
const FreshnessLink = (props: ComponentProps<typeof LazyLink>) => (
  <LazyExtra fallback={<span className="lg:min-w-44" />}>
    <LazyLink {...props} />
  </LazyExtra>
)

// Loaded on demand: pages of EVM chains do not include the primary network's requests.
const PrimaryFreshness = lazy(() => import('./primary-freshness.tsx'), 'PrimaryFreshness')

function ChainFreshness() {
  const { chainId = '' } = useCurrentChain()
  const followed = useFollowed(chainId === '' ? undefined : chainId)
  return <FreshnessLink followed={followed} chain={chainId} to={(height) => paths.block(chainId, height)} />
}

/** The freshness of the current chain. */
export function Freshness() {
  const { pathname } = useLocation()
  if (networkOfPath(pathname) === undefined) return <ChainFreshness />
  return (
    <LazyExtra fallback={<FreshnessLink followed={undefined} chain="" to={paths.overview} />}>
      <PrimaryFreshness />
    </LazyExtra>
  )
}
