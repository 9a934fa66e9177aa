import { Outlet, useParams } from 'react-router'
import { networkName } from '../../../contract/base/fields.ts'
import { useCurrentNetwork, type NetworkName } from '../../api/current.ts'
import { EmptyState } from '../../components/states.tsx'
import { chainAlias, type ChainAlias } from '../../lib/primary-chains.ts'

function Unknown({ title, children }: { title: string; children: string }) {
  return (
    <>
      <title>Not found · Ridgeline</title>
      <h1 className="text-h1 font-strong">Page not found</h1>
      <EmptyState title={title}>{children}</EmptyState>
    </>
  )
}

/** Lets only the networks through that operations know. */
export function NetworkGate() {
  const { network = '' } = useParams()
  if (networkName.safeParse(network).success) return <Outlet />
  return <Unknown title={`No network is called “${network}”`}>There are mainnet, fuji and testnet.</Unknown>
}

/** Lets only the three chains of the primary network through. */
export function PrimaryChainGate() {
  const { chain = '' } = useParams()
  if (chainAlias(chain) !== undefined) return <Outlet />
  return (
    <Unknown title={`No chain of the primary network is called “${chain}”`}>
      There are p-chain, x-chain and c-chain. Other blockchains are listed under Blockchains.
    </Unknown>
  )
}

/** The network and the chain of a page behind both gates. */
export function usePrimaryPlace(): { network: NetworkName; chain: ChainAlias } {
  const { chain = '' } = useParams()
  return { network: useCurrentNetwork(), chain: chainAlias(chain) ?? 'p-chain' }
}
