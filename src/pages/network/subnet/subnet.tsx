import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import type { Subnet } from '../../../../contract/network/blockchains.ts'
import type { L1Validator, Validator } from '../../../../contract/network/validators.ts'
import type { PrimaryTransaction } from '../../../../contract/primary/transactions.ts'
import { networkOf, useCurrentNetwork, useOffers, type NetworkName } from '../../../api/current.ts'
import { isNotFound } from '../../../api/errors.ts'
import { blockchainsQuery, subnetQuery, type RegistryChain } from '../../../api/network/registry.ts'
import { l1ValidatorsQuery, validatorsQuery } from '../../../api/network/validators.ts'
import { primaryTransactionsQuery } from '../../../api/primary/transactions.ts'
import { queryClient } from '../../../api/query-client.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { Figures, loadingFigures } from '../../../components/figures.tsx'
import { Hash } from '../../../components/hash.tsx'
import { Link } from '../../../components/link.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { Boundary } from '../../../components/part.tsx'
import { Pill } from '../../../components/pill.tsx'
import { BlockchainLink, PrimaryBlockLink, PrimaryTxLink } from '../../../components/primary-link.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { WalletAddress } from '../../../components/wallet-address.tsx'
import { exactAmount, formatAmount, formatInteger } from '../../../lib/amounts.ts'
import { isPrimaryNetwork } from '../../../lib/primary-chains.ts'
import { shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { primaryTransactionColumns } from '../../primary/transaction-columns.tsx'
import { blockchainColumns, chainNameOf, createdFigure } from '../blockchain-columns.tsx'
import { RunsOut } from '../l1-validators/columns.tsx'
import { l1State } from '../l1-validators/l1-state.ts'
import { L1List } from '../l1-validators/list.tsx'
import { RunOutVerdict } from '../l1-validators/verdict.tsx'
import { subnetName } from '../../shared/subnet-names.ts'
import { NetworkCrumb, useNetworkLabel } from '../../shared/network-crumb.tsx'
import { subnetKind } from '../subnet-kind.ts'
import { ownersOf } from '../subnet-owners.ts'
import { validatorColumns } from '../validators/columns.tsx'
import { Facts } from '../../shared/facts.tsx'
import { Failed } from '../../shared/failed.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { useRemember } from '../../shared/use-remember.ts'

const waitingFigures = loadingFigures(
  'Active validators',
  'Weight',
  'Total balance, AVAX',
  'First one runs out',
  'Created',
)

/** Beyond all times that a browser can show. */
const lastSecond = 8_640_000_000_000n

const l1Filters = (subnetId: string) => ({ subnetId, includeInactiveL1Validators: true })

const rowKey = (chain: RegistryChain): string => chain.blockchainId

/** Requests the subnet and its blockchains. */
export function loader({ params }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const subnetId = params['subnetId'] ?? ''
  if (!network) return null
  void queryClient.prefetchQuery(subnetQuery(network, subnetId))
  void queryClient.prefetchInfiniteQuery(blockchainsQuery(network, subnetId))
  void queryClient.prefetchInfiniteQuery(l1ValidatorsQuery(network, l1Filters(subnetId)))
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
        subnet.createBlockTimestamp !== undefined && {
          label: 'Created',
          value: <TimeAgo at={subnet.createBlockTimestamp} both />,
        },
        subnet.createBlockIndex !== undefined && {
          label: 'In block',
          value: <PrimaryBlockLink network={network} chain="p-chain" height={subnet.createBlockIndex} />,
        },
        // No transaction created the primary network.
        !isPrimaryNetwork(subnet.subnetId) && {
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

const validationKey = ({ txHash, nodeId }: Validator): string => `${txHash}/${nodeId}`

/** The validators of a permissioned subnet. */
function SubnetValidators({ network, subnetId }: { network: NetworkName; subnetId: string }) {
  const columns = useMemo(() => validatorColumns(network, ''), [network])
  return (
    <PagedTable
      id="subnet-validators"
      label="Validators of the subnet"
      noun="validator"
      list={validatorsQuery(network, { subnetId, validationStatus: 'active' })}
      columns={columns}
      rowKey={validationKey}
      rowHref={(row) => paths.validator(network, row.nodeId)}
      file={`validators-${subnetId}`}
      empty={<EmptyState title="No current validators">Its owners can add some.</EmptyState>}
    />
  )
}

const txKey = (tx: PrimaryTransaction): string => tx.txHash

/** What created and changed the subnet, its chains and its validators. */
function SubnetTransactions({ network, subnetId }: { network: NetworkName; subnetId: string }) {
  const columns = useMemo(() => primaryTransactionColumns(network, 'p-chain'), [network])
  return (
    <PagedTable
      id="subnet-transactions"
      label="Transactions about the subnet"
      noun="transaction"
      list={primaryTransactionsQuery(network, 'p-chain', { subnetId })}
      columns={columns}
      rowKey={txKey}
      rowHref={(tx) => paths.primaryTransaction(network, 'p-chain', tx.txHash)}
      file={`transactions-${subnetId}`}
      empty={<EmptyState title="No transactions yet" />}
    />
  )
}

/** The blockchains of the subnet. */
function SubnetBlockchains({ network, subnetId }: { network: NetworkName; subnetId: string }) {
  const columns = useMemo(() => blockchainColumns(network, { withSubnet: false }), [network])
  return (
    <PagedTable
      id="subnet-blockchains"
      label="Blockchains of the subnet"
      noun="blockchain"
      list={blockchainsQuery(network, subnetId)}
      columns={columns}
      rowKey={rowKey}
      rowHref={(chain) => paths.blockchain(network, chain.blockchainId)}
      file={`blockchains-${subnetId}`}
      empty={<EmptyState title="No blockchains yet">Its owners can create one at any time.</EmptyState>}
    />
  )
}

const tabSchema = z.object({
  tab: z.catch(z.enum(['validators', 'blockchains', 'transactions', 'details']), 'validators'),
})

function Parts({ subnet, network }: { subnet: Subnet; network: NetworkName }) {
  const [{ tab }, setSearch] = useSearchState(tabSchema)
  const { subnetId } = subnet
  const isPrimary = isPrimaryNetwork(subnetId)
  // Of the Primary Network, the validators and the transactions have pages of their own.
  const offersTransactions = useOffers('listPrimaryTransactionsByType', network) && !isPrimary
  const filters = useMemo(() => l1Filters(subnetId), [subnetId])
  const shown =
    (isPrimary && tab === 'validators') || (!offersTransactions && tab === 'transactions')
      ? 'blockchains'
      : tab
  const tabs = [
    { id: 'validators' as const, label: 'Validators' },
    { id: 'blockchains' as const, label: 'Blockchains', count: subnet.blockchains.length },
    { id: 'transactions' as const, label: 'Transactions' },
    { id: 'details' as const, label: 'Details' },
  ].filter(({ id }) => (id !== 'validators' || !isPrimary) && (id !== 'transactions' || offersTransactions))
  return (
    <Tabs
      label="Parts of the subnet"
      current={shown}
      onChange={(next) => setSearch({ tab: next })}
      tabs={tabs}
    >
      <Boundary key={shown} title="This part of the subnet">
        {shown === 'validators' ? (
          subnet.isL1 ? (
            <L1List network={network} filters={filters} none="This L1 has no validators." />
          ) : (
            <SubnetValidators network={network} subnetId={subnetId} />
          )
        ) : shown === 'blockchains' ? (
          <SubnetBlockchains network={network} subnetId={subnetId} />
        ) : shown === 'transactions' ? (
          <SubnetTransactions network={network} subnetId={subnetId} />
        ) : (
          <SubnetFacts subnet={subnet} network={network} />
        )}
      </Boundary>
    </Tabs>
  )
}

/** The figures of an L1: what its validators weigh and hold, and when the first of them runs out. */
function L1Figures({ subnet, network }: { subnet: Subnet; network: NetworkName }) {
  const query = useInfiniteQuery(l1ValidatorsQuery(network, l1Filters(subnet.subnetId)))
  const rows = query.data?.pages.flatMap((page) => page.validators)
  const active = rows?.filter((one) => l1State(one) === 'active')
  const open = query.hasNextPage ? 'at least ' : ''
  const sum = (of: (one: L1Validator) => bigint | number): bigint | undefined =>
    active?.reduce((all, one) => all + BigInt(of(one)), 0n)
  const weight = sum((one) => one.weight)
  const balance = sum((one) => one.remainingBalance)
  const first = active?.toSorted((left, right) =>
    Number(BigInt(left.emptyTimestamp ?? lastSecond) - BigInt(right.emptyTimestamp ?? lastSecond)),
  )[0]
  const { error } = query
  return (
    <Figures
      figures={[
        {
          label: 'Active validators',
          value: active && `${open}${formatInteger(active.length)}`,
          error,
          note: rows && active && rows.length > active.length && `${formatInteger(rows.length)} ever`,
        },
        { label: 'Weight', value: weight === undefined ? undefined : formatInteger(weight), error },
        {
          label: 'Total balance, AVAX',
          value:
            balance === undefined ? undefined : (
              <span title={`${exactAmount(balance, avaxDecimals)} AVAX`}>
                {formatAmount(balance, avaxDecimals, 2)}
              </span>
            ),
          error,
        },
        {
          label: 'First one runs out',
          value: active && (first ? <RunsOut validator={first} /> : null),
          error,
          note: 'at the present fee',
        },
        createdFigure(subnet),
      ]}
    />
  )
}

/** One subnet: its validators and when they run out, its blockchains, and what changed it. */
export function Component() {
  const { subnetId = '' } = useParams()
  const network = useCurrentNetwork()
  const networkLabel = useNetworkLabel(network)
  const query = useQuery(subnetQuery(network, subnetId))
  const chains = useInfiniteQuery(blockchainsQuery(network, subnetId))
  const subnet = query.data
  const isPrimary = isPrimaryNetwork(subnetId)
  const kind = subnetKind({ subnetId, isL1: subnet?.isL1 === true })
  const name = subnet && !isPrimary ? subnetName(subnet) : ''
  const title = `${kind} ${name || shorten(subnetId)}`
  const validatorCount = chains.data?.pages[0]?.blockchains[0]?.validatorCount
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
            <PageTitle
              document={titleOf('subnet', {
                subnetId: name || shorten(subnetId),
                network: networkLabel,
              })}
              heading="Subnet"
              identity={{ value: subnetId, name: 'subnet ID' }}
            />
            <Failed title="The subnet could not be loaded." query={query} />
          </>
        )}
      </>
    )
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={titleOf('subnet', {
          subnetId: name || shorten(subnetId),
          network: networkLabel,
        })}
        heading={name || kind}
        beside={name && <Pill state={subnet?.isL1 === true ? 'active' : 'neutral'}>{kind}</Pill>}
        identity={{ value: subnetId, name: 'subnet ID' }}
        actions={
          subnet?.isL1 === true ? (
            <Link to={paths.l1Validators(network, { subnet: subnetId, tab: 'safety' })} className="control">
              Safe to stop
            </Link>
          ) : isPrimary ? (
            <Link to={paths.validators(network)} className="control">
              Validators
            </Link>
          ) : null
        }
      />
      {subnet?.isL1 === true && (
        <Boundary title="The verdict">
          <RunOutVerdict network={network} filters={l1Filters(subnetId)} />
        </Boundary>
      )}
      {!subnet ? (
        <div className="flex flex-col gap-2">
          <Figures figures={waitingFigures} />
          <SkeletonRows count={6} />
        </div>
      ) : (
        <>
          {subnet.isL1 ? (
            <L1Figures subnet={subnet} network={network} />
          ) : (
            <Figures
              figures={[
                createdFigure(subnet),
                { label: 'Blockchains', value: formatInteger(subnet.blockchains.length) },
                {
                  label: 'Validators now',
                  value: chains.isPending
                    ? undefined
                    : validatorCount === undefined
                      ? null
                      : formatInteger(validatorCount),
                },
              ]}
            />
          )}
          <div className="pt-4">
            <Parts subnet={subnet} network={network} />
          </div>
        </>
      )}
    </>
  )
}
