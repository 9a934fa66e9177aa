import { useCurrentNetwork } from '../../../api/current.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { NetworkCrumb } from '../../shared/network-crumb.tsx'

/** The page of a node id that is none. */
export function NoNode() {
  return (
    <>
      <NetworkCrumb network={useCurrentNetwork()} />
      <PageTitle document="Validator" heading="This is no node id" />
      <EmptyState title="A node id begins with NodeID-">
        Check the link, or search for what you mean above.
      </EmptyState>
    </>
  )
}
