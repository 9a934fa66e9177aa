import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { titleOf } from '../../../contract/pages.ts'
import { networkOf, useCurrentNetwork, useHasPage } from '../../api/current.ts'
import { type RegistryChain, blockchainsQuery } from '../../api/network/registry.ts'
import { queryClient } from '../../api/query-client.ts'
import { Link } from '../../components/link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { EmptyState } from '../../components/states.tsx'
import { paths } from '../../lib/paths.ts'
import { blockchainColumns } from './blockchain-columns.tsx'
import { NetworkCrumb, useNetworkLabel } from '../shared/network-crumb.tsx'
import { InfiniteTable, rowsOfPages } from '../shared/infinite-table.tsx'

const rowKey = (chain: RegistryChain): string => chain.blockchainId

/** Requests the first page of blockchains. */
export function loader({ params }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  if (network) void queryClient.prefetchInfiniteQuery(blockchainsQuery(network))
  return null
}

/** All blockchains that the P-Chain has created, latest first. */
export function Component() {
  const network = useCurrentNetwork()
  const hasSubnets = useHasPage('subnets')
  const list = blockchainsQuery(network)
  const query = useInfiniteQuery(list)
  const columns = useMemo(() => blockchainColumns(network), [network])
  const rows = rowsOfPages(query.data, list.rowsOf)
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={titleOf('blockchains', { network: useNetworkLabel(network) })}
        heading="Blockchains"
        actions={
          hasSubnets && (
            <Link to={paths.subnets(network)} className="control">
              Subnets and L1s
            </Link>
          )
        }
      />
      <InfiniteTable
        id="blockchains"
        label="Blockchains"
        noun="blockchain"
        nouns="blockchains"
        query={query}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        rowHref={(chain) => paths.blockchain(network, chain.blockchainId)}
        source={{
          name: `blockchains-${network}`,
          pages: list.all,
        }}
        empty={
          <EmptyState title="No blockchains">
            They appear as soon as the genesis of the P-Chain is indexed.
          </EmptyState>
        }
      />
    </>
  )
}
