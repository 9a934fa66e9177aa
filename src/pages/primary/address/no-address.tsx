import { useCurrentNetwork, useProfile } from '../../../api/current.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { NetworkCrumb } from '../../shared/network-crumb.tsx'

/** The page of an invalid address. */
export function NoAddress() {
  const prefix = useProfile()?.addressPrefix ?? 'fuji'
  return (
    <>
      <NetworkCrumb network={useCurrentNetwork()} />
      <PageTitle document="Address" heading="Invalid address" />
      <EmptyState title={`An address of the P- and X-Chain begins with ${prefix}1`}>
        P- or X- may stand before it, and its last six characters are a checksum, which must fit. Separate
        several addresses with commas, at most 64. Check the link, or use the search above.
      </EmptyState>
    </>
  )
}
