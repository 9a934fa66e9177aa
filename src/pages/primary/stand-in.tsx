import type { NetworkName } from '../../api/current.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import type { ChainAlias } from '../../lib/primary-chains.ts'
import { NetworkCrumb } from '../shared/network-crumb.tsx'

type Props = {
  network: NetworkName
  chain?: ChainAlias
  document: string
  heading: string
  identity?: { value: string; name: string }
}

/** What a page shows until the code of its content has come: its place, its title, and room for the rest. */
export function StandIn({ network, chain, document, heading, identity }: Props) {
  return (
    <>
      <NetworkCrumb network={network} {...(chain && { chain })} />
      <PageTitle document={document} heading={heading} identity={identity} />
      <SkeletonRows count={18} />
    </>
  )
}
