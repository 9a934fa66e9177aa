import { useQuery } from '@tanstack/react-query'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import { networkOf, useCurrentChain, useCurrentNetwork, type NetworkName } from '../../../api/current.ts'
import { isUnknown } from '../../../api/errors.ts'
import { blockchainGenesisQuery, type BlockchainGenesis } from '../../../api/network/registry.ts'
import { queryClient } from '../../../api/query-client.ts'
import { Figures, loadingFigures } from '../../../components/figures.tsx'
import { Hash } from '../../../components/hash.tsx'
import { Link } from '../../../components/link.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { Boundary } from '../../../components/part.tsx'
import { Pill } from '../../../components/pill.tsx'
import { PrimaryBlockLink, PrimaryTxLink, SubnetLink } from '../../../components/primary-link.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { exactAmount, formatAmount, formatInteger } from '../../../lib/amounts.ts'
import { shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { chainNameOf, createdFigure, vmLabel } from '../blockchain-columns.tsx'
import { NetworkCrumb, useNetworkLabel } from '../../shared/network-crumb.tsx'
import { Facts } from '../../shared/facts.tsx'
import { Failed } from '../../shared/failed.tsx'
import { useRemember } from '../../shared/use-remember.ts'
import { SettingsTables } from './settings-table.tsx'
import { Allocations } from './allocations.tsx'
import { Compare } from './compare.tsx'
import { RawBytes } from '../../evm/transaction/decoded.tsx'

const searchSchema = z.object({
  tab: z.catch(z.enum(['overview', 'genesis', 'allocations', 'compare']), 'overview'),
  /** The chain to compare with. */
  with: z.catch(z.string().check(z.maxLength(64)), ''),
})

/** Requests the blockchain with its genesis. */
export function loader({ params }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  if (network) void queryClient.prefetchQuery(blockchainGenesisQuery(network, params['blockchainId'] ?? ''))
  return null
}

/** The chain ID of a blockchain that this service indexes. */
function useIndexedChain(genesis: BlockchainGenesis | undefined): string | undefined {
  const { chains } = useCurrentChain()
  const id = genesis?.blockchain.blockchainId
  return chains?.find((chain) => chain.platformChainId === id)?.chainId
}

function Overview({ genesis, network }: { genesis: BlockchainGenesis; network: NetworkName }) {
  const { blockchain } = genesis
  const indexed = useIndexedChain(genesis)
  const vm = vmLabel(blockchain.vmId)
  return (
    <Facts
      label="Blockchain"
      facts={[
        {
          label: 'Subnet',
          value: (
            <>
              <SubnetLink subnetId={blockchain.subnetId} network={network} full copy />
              {blockchain.isL1 === true && <Pill state="active">L1</Pill>}
            </>
          ),
        },
        {
          label: 'Virtual machine',
          value: (
            <>
              {vm}
              <Hash value={blockchain.vmId} name="virtual machine ID" full copy />
            </>
          ),
        },
        blockchain.evmChainId !== undefined && {
          label: 'EVM chain ID',
          value: (
            <>
              {String(blockchain.evmChainId)}
              {indexed !== undefined && (
                <Link to={paths.chain(indexed)} className="link">
                  open the chain
                </Link>
              )}
            </>
          ),
        },
        blockchain.createBlockTimestamp !== undefined && {
          label: 'Created',
          value: <TimeAgo at={blockchain.createBlockTimestamp} both />,
        },
        blockchain.createBlockNumber !== undefined && {
          label: 'In block',
          value: <PrimaryBlockLink network={network} chain="p-chain" height={blockchain.createBlockNumber} />,
        },
        {
          label: 'By transaction',
          value: (
            <PrimaryTxLink network={network} chain="p-chain" txHash={blockchain.blockchainId} full copy />
          ),
        },
        blockchain.genesisSizeBytes !== undefined && {
          label: 'Genesis',
          value: `${formatInteger(blockchain.genesisSizeBytes)} bytes`,
        },
      ]}
    />
  )
}

function Genesis({ genesis }: { genesis: BlockchainGenesis }) {
  const indexed = useIndexedChain(genesis)
  if (genesis.genesisData !== undefined && typeof genesis.genesisData !== 'string')
    return <SettingsTables genesis={genesis.genesisData} chainId={indexed} />
  const raw = genesis.raw ?? (typeof genesis.genesisData === 'string' ? genesis.genesisData : undefined)
  return (
    <>
      <p className="pb-3 text-muted">
        This is not the genesis of an EVM chain, so only its virtual machine can read it.
        {genesis.raw !== undefined && ' These are its first bytes.'}
      </p>
      {raw === undefined ? (
        <EmptyState title="Genesis not available">
          The transaction that created the chain holds no genesis that could be stored.
        </EmptyState>
      ) : (
        <RawBytes value={raw} name="genesis" />
      )}
    </>
  )
}

function Parts({ genesis, network }: { genesis: BlockchainGenesis; network: NetworkName }) {
  const [search, setSearch] = useSearchState(searchSchema)
  const indexed = useIndexedChain(genesis)
  const { blockchain } = genesis
  return (
    <Tabs
      label="Parts of the blockchain"
      current={search.tab}
      onChange={(tab) => setSearch({ tab })}
      tabs={[
        { id: 'overview', label: 'Overview' },
        { id: 'genesis', label: 'Genesis' },
        { id: 'allocations', label: 'Allocations', count: formatInteger(genesis.allocationCount) },
        { id: 'compare', label: 'Compare' },
      ]}
    >
      <Boundary key={search.tab} title="This part of the blockchain">
        {search.tab === 'overview' && <Overview genesis={genesis} network={network} />}
        {search.tab === 'genesis' && <Genesis genesis={genesis} />}
        {search.tab === 'allocations' && (
          <Allocations network={network} blockchainId={blockchain.blockchainId} chainId={indexed} />
        )}
        {search.tab === 'compare' && (
          <Compare
            network={network}
            genesis={genesis}
            other={search.with}
            onChoose={(other) => setSearch({ with: other }, { push: true })}
          />
        )}
      </Boundary>
    </Tabs>
  )
}

const waitingFigures = loadingFigures('Created', 'Validators', 'EVM chain ID', 'Allocations', 'Allocated')

/** One blockchain: its details, its genesis as tables, its allocations, and a comparison with another chain. */
export function Component() {
  const { blockchainId = '' } = useParams()
  const network = useCurrentNetwork()
  const query = useQuery(blockchainGenesisQuery(network, blockchainId))
  const genesis = query.data
  const name = genesis ? chainNameOf(genesis.blockchain) : shorten(blockchainId)
  const title = titleOf('blockchain', { blockchainId: name, network: useNetworkLabel(network) })
  useRemember(paths.blockchain(network, blockchainId), genesis && name, 'chain')

  if (query.error && !genesis)
    return (
      <>
        <NetworkCrumb network={network} />
        {isUnknown(query.error) ? (
          <>
            <PageTitle document="Blockchain not found" heading="Blockchain not found" />
            <EmptyState title={`No blockchain has the ID ${shorten(blockchainId)}`}>
              The{' '}
              <Link to={paths.blockchains(network)} className="link">
                list of blockchains
              </Link>{' '}
              has every one.
            </EmptyState>
          </>
        ) : (
          <>
            <PageTitle
              document={title}
              heading="Blockchain"
              identity={{ value: blockchainId, name: 'blockchain ID' }}
            />
            <Failed title="The blockchain could not be loaded." query={query} />
          </>
        )}
      </>
    )
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={title}
        heading={genesis ? name : 'Blockchain'}
        identity={{ value: blockchainId, name: 'blockchain ID' }}
      />
      {genesis ? (
        <>
          <Figures
            figures={[
              createdFigure(genesis.blockchain),
              {
                label: 'Validators',
                value:
                  genesis.blockchain.validatorCount === undefined
                    ? null
                    : formatInteger(genesis.blockchain.validatorCount),
                note: 'of its subnet now',
              },
              {
                label: 'EVM chain ID',
                value:
                  genesis.blockchain.evmChainId === undefined ? null : String(genesis.blockchain.evmChainId),
              },
              { label: 'Allocations', value: formatInteger(genesis.allocationCount) },
              {
                label: 'Allocated',
                value: formatAmount(genesis.allocated, 18, 2),
                note: 'in its native token',
                title: exactAmount(genesis.allocated, 18),
              },
            ]}
          />
          <div className="pt-4">
            <Parts genesis={genesis} network={network} />
          </div>
        </>
      ) : (
        <>
          <Figures figures={waitingFigures} />
          <div className="pt-4">
            <SkeletonRows count={12} />
          </div>
        </>
      )}
    </>
  )
}
