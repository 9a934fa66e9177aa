import { PageTitle } from '../../../components/page-title.tsx'
import { EmptyState } from '../../../components/states.tsx'

/** A token that no indexed transfer moved. */
export function NoNft({ id, chainName }: { id: string; chainName: string }) {
  return (
    <>
      <PageTitle document="NFT not found" heading="Unknown NFT" />
      <EmptyState title={`No transfers of token ${id} of this contract on ${chainName}`}>
        An NFT is known here once a transfer of it, such as its mint, is in an indexed block.
      </EmptyState>
    </>
  )
}
