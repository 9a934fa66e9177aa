import type { NetworkName } from '../../../api/current.ts'
import { EmptyState } from '../../../components/states.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { StopSafety } from './safety.tsx'
import { l1Schema } from './search.ts'
import { SubnetSelect } from '../../shared/subnet-select.tsx'

/** The nodes of a chosen subnet that may stop. */
export function SafetyTab({ network }: { network: NetworkName }) {
  const [{ subnet, quorum }, setSearch] = useSearchState(l1Schema)
  return (
    <>
      <div className="pb-4">
        <SubnetSelect
          network={network}
          value={subnet}
          every="Choose a subnet"
          withAll
          onChange={(next) => setSearch({ subnet: next }, { push: true })}
        />
      </div>
      {subnet === '' ? (
        <EmptyState title="Choose a subnet">
          Choose a subnet to see which of its nodes can stop while the others keep the quorum.
        </EmptyState>
      ) : (
        <StopSafety
          network={network}
          subnetId={subnet}
          quorum={quorum}
          onQuorum={(next) => setSearch({ quorum: next })}
        />
      )}
    </>
  )
}
