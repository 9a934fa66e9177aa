import type { NetworkName } from '../../../api/current.ts'
import { EmptyState } from '../../../components/states.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { StopSafety } from './safety.tsx'
import { l1Schema } from './search.ts'
import { SubnetSelect } from './subnet-select.tsx'

/** Which nodes of a subnet may stop, once one is chosen. */
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
          Choose one: from its weights and a quorum follows which of its nodes may be stopped while the others
          go on without them.
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
