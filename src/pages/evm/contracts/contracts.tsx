import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { useQuery } from '@tanstack/react-query'
import { titleOf } from '../../../../contract/pages.ts'
import { statusOf, statusQuery } from '../../../api/chains.ts'
import { useChainFacts, useOffers } from '../../../api/current.ts'
import { queryClient } from '../../../api/query-client.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { Boundary } from '../../../components/part.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { untracedWords } from '../untraced.ts'
import { ContractList, contractsQuery } from './list.tsx'
import { readSearch } from '../../../lib/search-params.ts'
import { ContractsTabs } from '../../shared/contracts-tabs.tsx'
import { ChainCrumb } from '../../shared/crumbs.tsx'
import { Deployers } from './deployers.tsx'

const searchSchema = z.object({ tab: z.catch(z.enum(['contracts', 'deployers']), 'contracts') })

/** Requests the first page of the contracts if they are shown. */
export function loader({ params: { chainId = '' }, request }: LoaderFunctionArgs): null {
  const search = new URL(request.url).searchParams
  if (readSearch(searchSchema, search).tab === 'contracts')
    void queryClient.prefetchInfiniteQuery(contractsQuery(chainId, search))
  return null
}

/** The contracts of a chain, the most used first, and its top recent deployers. */
export function Component() {
  const { chainId = '' } = useParams()
  const [{ tab }] = useSearchState(searchSchema)
  const chain = useChainFacts(chainId)
  const offered = useOffers('listChainStatus')
  const status = statusOf(useQuery({ ...statusQuery(), enabled: offered }).data, chain.chainId)
  const untraced = untracedWords(status)
  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle document={titleOf('contracts', { chainId: chain.name })} heading="Contracts" />
      <ContractsTabs chainId={chain.chainId} current={tab} />
      {untraced !== undefined && (
        <p className="pb-3 text-warn">
          The node of {chain.name} could not trace {untraced}: contracts that other contracts created there
          are not known.
        </p>
      )}
      <Boundary key={tab} title="The contracts">
        {tab === 'contracts' ? <ContractList chain={chain} /> : <Deployers chain={chain} />}
      </Boundary>
    </>
  )
}
