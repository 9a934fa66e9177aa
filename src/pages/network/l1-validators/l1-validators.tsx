import { useMemo } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import { networkOf, useCurrentNetwork, useOffers, type NetworkName } from '../../../api/current.ts'
import { l1ValidatorsQuery } from '../../../api/network/validators.ts'
import { queryClient } from '../../../api/query-client.ts'
import { Term } from '../../../components/glossary/term.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { Boundary } from '../../../components/part.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { l1FiltersOf, l1Schema } from './search.ts'
import { NetworkCrumb, useNetworkLabel } from '../../shared/network-crumb.tsx'
import { ValidatorsSwitch } from '../validators-switch.tsx'
import { ListTab } from './list-tab.tsx'
import { RunOutVerdict } from './verdict.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { StopSafety } from './safety.tsx'
import { SubnetSelect } from '../../shared/subnet-select.tsx'

const tabSchema = z.object({ tab: z.catch(z.enum(['validators', 'safety']), 'validators') })

/** Requests the first page of the list if it is shown. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const search = new URL(request.url).searchParams
  if (!network || readSearch(tabSchema, search).tab !== 'validators') return null
  void queryClient.prefetchInfiniteQuery(
    l1ValidatorsQuery(network, l1FiltersOf(readSearch(l1Schema, search))),
  )
  return null
}

/** The validators of L1s with weight, balance and its end; and which nodes of one L1 may stop. */
export function Component() {
  const network = useCurrentNetwork()
  const label = useNetworkLabel(network)
  const [{ tab }, setSearch] = useSearchState(tabSchema)
  const offered = useOffers('getStopSafety')
  const [search] = useSearchState(l1Schema)
  const { subnet, node, inactive } = search
  const filters = useMemo(() => l1FiltersOf({ subnet, node, inactive }), [subnet, node, inactive])
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={titleOf('l1Validators', { network: label })}
        heading="L1 validators"
        switcher={<Term word="continuous fee" />}
        actions={<ValidatorsSwitch network={network} current="l1Validators" />}
      />
      {tab === 'validators' && (
        <Boundary title="The verdict">
          <RunOutVerdict network={network} filters={filters} />
        </Boundary>
      )}
      <Tabs
        label="Views of L1 validators"
        current={tab}
        onChange={(next) => setSearch({ tab: next })}
        tabs={[
          { id: 'validators' as const, label: 'Validators' },
          ...(offered ? [{ id: 'safety' as const, label: 'Safe to stop' }] : []),
        ]}
      >
        <Boundary key={tab} title="The list">
          {tab === 'safety' ? <SafetyTab network={network} /> : <ListTab network={network} />}
        </Boundary>
      </Tabs>
    </>
  )
}

/** The nodes of a chosen subnet that may stop. */
function SafetyTab({ network }: { network: NetworkName }) {
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
