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
        It may have P- or X- before it. Several stand side by side with commas, at most 64. Check the link, or
        search for what you mean above.
      </EmptyState>
    </>
  )
}
