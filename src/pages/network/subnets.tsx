import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { titleOf } from '../../../contract/pages.ts'
import type { Subnet } from '../../../contract/network/blockchains.ts'
import { networkOf, useCurrentNetwork, type NetworkName } from '../../api/current.ts'
import { subnetsQuery } from '../../api/network/registry.ts'
import { queryClient } from '../../api/query-client.ts'
import { Link } from '../../components/link.tsx'
import { Term } from '../../components/glossary/term.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Pill } from '../../components/pill.tsx'
import { PrimaryTxLink } from '../../components/primary-link.tsx'
import { EmptyState } from '../../components/states.tsx'
import { countColumn, timeColumn, dash } from '../../components/table/column-kinds.tsx'
import { subnetColumn } from '../../components/table/primary-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { WalletAddress } from '../../components/wallet-address.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { isPrimaryNetwork } from '../../lib/primary-chains.ts'
import { paths } from '../../lib/paths.ts'
import { chainNameOf } from './blockchain-columns.tsx'
import { NetworkCrumb, useNetworkLabel } from '../shared/network-crumb.tsx'
import { subnetKind } from './subnet-kind.ts'
import { ownersOf } from './subnet-owners.ts'
import { InfiniteTable, rowsOfPages } from '../shared/infinite-table.tsx'

const rowKey = (subnet: Subnet): string => subnet.subnetId

/** Requests the first page of subnets. */
export function loader({ params }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  if (network) void queryClient.prefetchInfiniteQuery(subnetsQuery(network))
  return null
}

const columnsOf = (network: NetworkName): Column<Subnet>[] => [
  {
    // Before the ID: a subnet is known by its chains.
    id: 'chains',
    header: 'Blockchains',
    always: true,
    narrow: 'title',
    cell: ({ blockchains: [first, ...others] }) =>
      first === undefined ? (
        <span className="text-muted">no blockchain</span>
      ) : (
        <span className="inline-flex max-w-full items-center gap-2">
          <Link to={paths.blockchain(network, first.blockchainId)} className="link truncate">
            {chainNameOf(first)}
          </Link>
          {others.length > 0 && (
            <span className="text-xs text-muted" title={others.map(chainNameOf).join(', ')}>
              +{formatInteger(others.length)}
            </span>
          )}
        </span>
      ),
    text: ({ blockchains }) => blockchains.map((chain) => chain.blockchainName).join('; '),
  },
  {
    id: 'kind',
    header: 'Kind',
    width: '144px',
    narrow: 'belowSide',
    cell: (subnet) => <Pill state={subnet.isL1 ? 'active' : 'neutral'}>{subnetKind(subnet)}</Pill>,
    text: subnetKind,
  },
  subnetColumn('subnet', 'Subnet', ({ subnetId }) => subnetId, network, {
    width: '190px',
    narrow: 'below',
  }),
  {
    id: 'owner',
    header: 'Owners',
    width: '260px',
    cell: (subnet) => {
      const owners = ownersOf(subnet)
      const [first] = owners?.addresses ?? []
      if (!owners || first === undefined) return dash
      return (
        <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
          <WalletAddress address={first} network={network} />
          {owners.addresses.length > 1 && (
            <span className="text-xs whitespace-nowrap text-muted" title={owners.addresses.join(', ')}>
              {owners.threshold} of {owners.addresses.length}
            </span>
          )}
        </span>
      )
    },
    text: (subnet) => ownersOf(subnet)?.addresses.join(' ') ?? '',
  },
  {
    id: 'converted',
    header: 'Converted in',
    width: '164px',
    cell: ({ l1ConversionTransactionHash: hash }) =>
      hash === undefined ? dash : <PrimaryTxLink network={network} chain="p-chain" txHash={hash} />,
    text: ({ l1ConversionTransactionHash }) => l1ConversionTransactionHash ?? '',
  },
  countColumn('count', 'Chains', ({ blockchains }) => blockchains.length, {
    noun: 'chain',
    hidden: true,
    width: '80px',
  }),
  timeColumn('made', 'Created', ({ createBlockTimestamp }) => createBlockTimestamp, {
    width: '116px',
    narrow: 'side',
  }),
]

/** All subnets of a network with their owners and chains, latest first. */
export function Component() {
  const network = useCurrentNetwork()
  const list = subnetsQuery(network)
  const query = useInfiniteQuery(list)
  const columns = useMemo(() => columnsOf(network), [network])
  const rows = rowsOfPages(query.data, list.rowsOf)
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={titleOf('subnets', { network: useNetworkLabel(network) })}
        heading="Subnets and L1s"
        switcher={<Term word="L1" />}
        actions={
          <Link to={paths.blockchains(network)} className="control">
            Blockchains
          </Link>
        }
      />
      <InfiniteTable
        id="subnets"
        label="Subnets and L1s"
        noun="subnet"
        nouns="subnets"
        query={query}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        rowHref={({ subnetId }) =>
          isPrimaryNetwork(subnetId) ? paths.network(network) : paths.subnet(network, subnetId)
        }
        source={{ name: `subnets-${network}`, pages: list.all }}
        empty={
          <EmptyState title="No subnets">
            They appear as soon as a transaction that makes one is indexed.
          </EmptyState>
        }
      />
    </>
  )
}
