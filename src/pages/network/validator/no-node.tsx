import { useCurrentNetwork } from '../../../api/current.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { NetworkCrumb } from '../../shared/network-crumb.tsx'

/** The page of an invalid node ID. */
export function NoNode() {
  return (
    <>
      <NetworkCrumb network={useCurrentNetwork()} />
      <PageTitle document="Validator" heading="Invalid node ID" />
      <EmptyState title="A node ID begins with NodeID-">Check the link, or use the search above.</EmptyState>
    </>
  )
}
