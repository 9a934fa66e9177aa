import { Suspense } from 'react'
import { useCurrentNetwork } from '../../api/current.ts'
import { lazy, viewLoader } from '../../components/lazy.ts'
import { StandIn } from '../primary/stand-in.tsx'

const part = () => import('./blockchain-list.tsx')
const BlockchainList = lazy(() => part().then((module) => ({ default: module.BlockchainList })))

export const loader = viewLoader(part)

/** Every blockchain that the P-chain ever made, latest first. */
export function Component() {
  const network = useCurrentNetwork()
  return (
    <Suspense fallback={<StandIn network={network} document="Blockchains" heading="Blockchains" />}>
      <BlockchainList />
    </Suspense>
  )
}
