import { lazy } from 'react'
import { LazyExtra } from '../../components/part.tsx'
import { useLocation } from 'react-router'
import { networkOfPath, useCurrentChain, useFollowed } from '../../api/current.ts'
import { paths } from '../../paths.ts'
import { FreshnessLink, NoFreshness } from './freshness-link.tsx'

// What asks for the primary network is no part of the pages of EVM chains.
const PrimaryFreshness = lazy(() =>
  import('./primary-freshness.tsx').then((module) => ({ default: module.PrimaryFreshness })),
)

function ChainFreshness() {
  const { chainId } = useCurrentChain()
  const followed = useFollowed(chainId)
  if (chainId === undefined) return <NoFreshness />
  return <FreshnessLink followed={followed} to={(height) => paths.block(chainId, height)} />
}

/** How fresh the chain in use is. */
export function Freshness() {
  const { pathname } = useLocation()
  if (networkOfPath(pathname) === undefined) return <ChainFreshness />
  return (
    <LazyExtra fallback={<NoFreshness />}>
      <PrimaryFreshness />
    </LazyExtra>
  )
}
