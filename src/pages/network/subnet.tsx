import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import type { Subnet } from '../../../contract/network/blockchains.ts'
import { networkOf, useCurrentNetwork, type NetworkName } from '../../api/current.ts'
import { isNotFound } from '../../api/errors.ts'
import { blockchainsQuery, subnetQuery, type RegistryChain } from '../../api/network/registry.ts'
import { queryClient } from '../../api/query-client.ts'
import { Figures, loadingFigures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { Link } from '../../components/link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Pill } from '../../components/pill.tsx'
import { BlockchainLink, PrimaryBlockLink, PrimaryTxLink } from '../../components/primary-link.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { WalletAddress } from '../../components/wallet-address.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { primaryNetworkId } from '../../lib/primary-chains.ts'
import { shorten } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { blockchainColumns, chainNameOf } from './blockchain-columns.tsx'
import { subnetName } from './subnet-names.ts'
import { NetworkCrumb } from '../shared/network-crumb.tsx'
import { ownersOf } from './subnet-owners.ts'
import { Facts } from '../shared/facts.tsx'
import { Failed } from '../shared/failed.tsx'
import { InfiniteTable, rowsOfPages } from '../shared/infinite-table.tsx'
import { useRemember } from '../shared/use-remember.ts'

const waitingFigures = loadingFigures('Created', 'Blockchains', 'Validators', 'Owners')

const rowKey = (chain: RegistryChain): string => chain.blockchainId

/** Requests the subnet and its blockchains. */
export function loader({ params }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const subnetId = params['subnetId'] ?? ''
  if (!network) return null
  void queryClient.prefetchQuery(subnetQuery(network, subnetId))
  void queryClient.prefetchInfiniteQuery(blockchainsQuery(network, subnetId))
  return null
}

function SubnetFacts({ subnet, network }: { subnet: Subnet; network: NetworkName }) {
  const owners = ownersOf(subnet)
  const manager = subnet.l1ValidatorManagerDetails
  const managing = subnet.blockchains.find(({ blockchainId }) => blockchainId === manager?.blockchainId)
  const locktime = subnet.subnetOwnershipInfo?.locktime
  return (
    <Facts
      label="Subnet"
      facts={[
        { label: 'Created', value: <TimeAgo at={subnet.createBlockTimestamp} both /> },
        {
          label: 'In block',
          value: <PrimaryBlockLink network={network} chain="p-chain" height={subnet.createBlockIndex} />,
        },
        // No transaction created the primary network.
        subnet.subnetId !== primaryNetworkId && {
          label: 'By transaction',
          value: <PrimaryTxLink network={network} chain="p-chain" txHash={subnet.subnetId} full copy />,
        },
        owners &&
          owners.addresses.length > 0 && {
            label: 'Owners',
            help: 'Who may add validators and chains',
            value: (
              <span className="flex min-w-0 flex-col gap-1">
                <span className="text-muted">
                  {formatInteger(owners.threshold)} of {formatInteger(owners.addresses.length)} must sign
                  {subnet.isL1 && ', for chains only: the manager has the validators'}
                </span>
                <ul className="flex min-w-0 flex-col gap-1">
                  {owners.addresses.map((address) => (
                    <li key={address} className="min-w-0">
                      <WalletAddress address={address} network={network} full copy />
                    </li>
                  ))}
                </ul>
              </span>
            ),
          },
        locktime !== undefined &&
          BigInt(locktime) > 0n && {
            label: 'Owners locked until',
            value: <TimeAgo at={Number(locktime)} both />,
          },
        subnet.l1ConversionTransactionHash !== undefined && {
          label: 'Converted to an L1 in',
          value: (
            <PrimaryTxLink
              network={network}
              chain="p-chain"
              txHash={subnet.l1ConversionTransactionHash}
              full
              copy
            />
          ),
        },
        manager !== undefined && {
          label: 'Validator manager',
          help: 'The contract that manages the validators of the L1',
          value: (
            <>
              <Hash value={manager.contractAddress} name="contract address" full copy />
              <span className="text-muted">on</span>
              <BlockchainLink
                blockchainId={manager.blockchainId}
                network={network}
                name={managing && chainNameOf(managing)}
              />
            </>
          ),
        },
      ]}
    />
  )
}

/** One subnet: its owners, its conversion to an L1, its validators and its blockchains. */
export function Component() {
  const { subnetId = '' } = useParams()
  const network = useCurrentNetwork()
  const query = useQuery(subnetQuery(network, subnetId))
  const list = blockchainsQuery(network, subnetId)
  const chains = useInfiniteQuery(list)
  const columns = useMemo(() => blockchainColumns(network, { withSubnet: false }), [network])
  const rows = rowsOfPages(chains.data, list.rowsOf)
  const subnet = query.data
  const kind = subnetId === primaryNetworkId ? 'Primary Network' : subnet?.isL1 === true ? 'L1' : 'Subnet'
  const name = subnet && subnetId !== primaryNetworkId ? subnetName(subnet) : ''
  const title = `${kind} ${name || shorten(subnetId)}`
  const validatorCount = rows.at(0)?.validatorCount
  useRemember(paths.subnet(network, subnetId), subnet && title, 'chain')

  if (query.error && !subnet)
    return (
      <>
        <NetworkCrumb network={network} />
        {isNotFound(query.error) ? (
          <>
            <PageTitle document="Subnet not found" heading="Subnet not found" />
            <EmptyState title={`No subnet has the ID ${shorten(subnetId)}`}>
              The{' '}
              <Link to={paths.subnets(network)} className="link">
                list of subnets
              </Link>{' '}
              has every one.
            </EmptyState>
          </>
        ) : (
          <>
            <PageTitle document={title} heading="Subnet" identity={{ value: subnetId, name: 'subnet id' }} />
            <Failed title="The subnet could not be loaded." query={query} />
          </>
        )}
      </>
    )
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={title}
        heading={name || kind}
        beside={name && <Pill state={subnet?.isL1 === true ? 'active' : 'neutral'}>{kind}</Pill>}
        identity={{ value: subnetId, name: 'subnet id' }}
        actions={
          subnet ? (
            <Link
              to={
                subnet.isL1
                  ? paths.l1Validators(network, { subnet: subnetId })
                  : paths.validators(network, { subnet: subnetId })
              }
              className="control"
            >
              Validators
            </Link>
          ) : null
        }
      />
      <div className="flex flex-col gap-8">
        {subnet ? (
          <div className="flex flex-col gap-2">
            <Figures
              figures={[
                { label: 'Created', value: <TimeAgo at={subnet.createBlockTimestamp} /> },
                { label: 'Blockchains', value: formatInteger(subnet.blockchains.length) },
                {
                  label: 'Validators',
                  value: chains.isPending
                    ? undefined
                    : validatorCount === undefined
                      ? null
                      : formatInteger(validatorCount),
                  note: 'now',
                },
                { label: 'Owners', value: formatInteger(ownersOf(subnet)?.addresses.length ?? 0) },
              ]}
            />
            <SubnetFacts subnet={subnet} network={network} />
          </div>
        ) : (
          <div className="flex flex-col gap-2">
            <Figures figures={waitingFigures} />
            <SkeletonRows count={6} />
          </div>
        )}
        {subnet && (
          <Section title="Blockchains" note={formatInteger(subnet.blockchains.length)}>
            <InfiniteTable
              id="subnet-blockchains"
              label="Blockchains of the subnet"
              noun="blockchain"
              nouns="blockchains"
              query={chains}
              columns={columns}
              rows={rows}
              rowKey={rowKey}
              rowHref={(chain) => paths.blockchain(network, chain.blockchainId)}
              empty={<EmptyState title="No blockchains yet">Its owners can make one at any time.</EmptyState>}
            />
          </Section>
        )}
      </div>
    </>
  )
}
