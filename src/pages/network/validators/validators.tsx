import type { LoaderFunctionArgs } from 'react-router'
import { titleOf } from '../../../../contract/pages.ts'
import { networkOf, offers, useCurrentNetwork, type NetworkName } from '../../../api/current.ts'
import { validatorDistributionQuery, validatorsQuery } from '../../../api/network/validators.ts'
import { queryClient } from '../../../api/query-client.ts'
import { session } from '../../../api/session.ts'
import { useStore } from '../../../components/hooks.ts'
import { Term } from '../../../components/glossary/term.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { Boundary } from '../../../components/part.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { watchList } from '../../../lib/storage/watch-list.ts'
import { filtersOf, validatorsSchema, type ValidatorsSearch } from './filters.ts'
import { NetworkCrumb, useNetworkLabel } from '../../shared/network-crumb.tsx'
import { ValidatorsSwitch } from '../validators-switch.tsx'
import { ValidatorList } from './list.tsx'
import { WatchList } from './watch-list.tsx'

/** Prefetches the first page of the list that a URL names. The supported filters depend on the profile. */
async function prefetchValidators(network: NetworkName, search: ValidatorsSearch): Promise<void> {
  const { profile } = await session()
  if (search.list === 'active' && offers(profile, 'getValidatorDistribution'))
    void queryClient.prefetchQuery(validatorDistributionQuery(network))
  await queryClient.prefetchInfiniteQuery(validatorsQuery(network, filtersOf(search, profile.dataUrl === '')))
}

/** Requests the first page of the current list. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const search = readSearch(validatorsSchema, new URL(request.url).searchParams)
  if (!network || search.list === 'watched') return null
  // The list itself repeats the request and shows its failure.
  prefetchValidators(network, search).catch(() => undefined)
  return null
}

/** The validators of a network by status, and those that this browser watches. */
export function Component() {
  const network = useCurrentNetwork()
  const label = useNetworkLabel(network)
  const [{ list }, setSearch] = useSearchState(validatorsSchema)
  const watched = useStore(
    watchList,
    (all) => all.filter(({ kind, place }) => kind === 'validator' && place === network).length,
  )
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={titleOf('validators', { network: label })}
        heading="Validators"
        switcher={<Term word="uptime requirement" />}
        actions={<ValidatorsSwitch network={network} current="validators" />}
      />
      <Tabs
        label="Lists of validators"
        current={list}
        onChange={(next) => setSearch({ list: next })}
        tabs={[
          { id: 'active' as const, label: 'Active' },
          { id: 'pending' as const, label: 'Pending' },
          { id: 'completed' as const, label: 'Completed' },
          { id: 'removed' as const, label: 'Removed' },
          { id: 'watched' as const, label: 'Watched', ...(watched > 0 && { count: watched }) },
        ]}
      >
        <Boundary key={list} title="The list">
          {list === 'watched' ? (
            <WatchList network={network} />
          ) : (
            <ValidatorList key={list} network={network} />
          )}
        </Boundary>
      </Tabs>
    </>
  )
}
