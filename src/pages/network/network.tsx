import { useQuery } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { titleOf } from '../../../contract/pages.ts'
import { networkOf, useCurrentNetwork, useHasPage, useOffers, useProfile } from '../../api/current.ts'
import {
  countedOf,
  networkOverviewQuery,
  usePrimaryStatus,
  type CountedOverview,
} from '../../api/network/overview.ts'
import { queryClient } from '../../api/query-client.ts'
import { avaxDecimals } from '../../components/asset-amount.tsx'
import { Figures, type Figure } from '../../components/figures.tsx'
import { Link } from '../../components/link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Boundary } from '../../components/part.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { exactAmount, formatAmount, formatInteger, formatShare } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { ChainTable } from './chain-table.tsx'
import { TypeChart } from '../primary/type-chart.tsx'
import { useNetworkLabel } from '../shared/network-crumb.tsx'
import { OfferedPart } from '../shared/offered-part.tsx'
import { Failed } from '../shared/failed.tsx'
import { useRemember } from '../shared/use-remember.ts'
import { LatestPrimaryBlocks } from '../primary/latest-blocks.tsx'

/** Requests the network's figures; the other parts request their own data. */
export function loader({ params }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  if (!network) return null
  void queryClient.prefetchQuery(networkOverviewQuery(network))
  return null
}

const whole = (nanoAvax: string): string => formatAmount(nanoAvax, avaxDecimals, 0)

function figuresOf(overview: CountedOverview | undefined, height: string | undefined): Figure[] {
  const staked = overview && (BigInt(overview.amountStaked) + BigInt(overview.amountDelegated)).toString()
  const supply = overview?.currentSupply
  const share = staked !== undefined && supply !== undefined ? formatShare(staked, supply) : ''
  return [
    {
      label: 'Height of the P-Chain',
      value: overview && (height === undefined ? null : formatInteger(height)),
      note: overview && `network ${overview.networkId}`,
    },
    {
      label: 'Stake, AVAX',
      value: staked === undefined ? undefined : whole(staked),
      note: share && `${share} % of the supply`,
      ...(staked !== undefined && { title: `${exactAmount(staked, avaxDecimals)} AVAX` }),
    },
    {
      label: 'Supply, AVAX',
      value: overview && (supply === undefined ? null : whole(supply)),
      note: 'of at most 720,000,000',
      ...(supply !== undefined && { title: `${exactAmount(supply, avaxDecimals)} AVAX` }),
    },
    {
      label: 'Validators',
      value: overview && (
        <Link to={paths.validators(overview.network)} className="hover:underline">
          {formatInteger(overview.validatorCount)}
        </Link>
      ),
      note:
        overview &&
        `${formatInteger(overview.delegatorCount)} ${plural(overview.delegatorCount, 'delegation')}`,
      ...(overview && { title: `${formatInteger(overview.pendingValidatorCount)} more are pending` }),
    },
    {
      label: 'L1 validators',
      value: overview && (
        <Link to={paths.l1Validators(overview.network)} className="hover:underline">
          {formatInteger(overview.l1ValidatorCount)}
        </Link>
      ),
      note: overview && `${formatInteger(overview.activeL1ValidatorCount)} active`,
      ...(overview?.l1ValidatorFee !== undefined && {
        title: `An active one pays ${formatInteger(overview.l1ValidatorFee)} nAVAX a second now`,
      }),
    },
    {
      label: 'Subnets',
      value: overview && (
        <Link to={paths.subnets(overview.network)} className="hover:underline">
          {formatInteger(overview.subnetCount)}
        </Link>
      ),
      note:
        overview &&
        `${formatInteger(overview.l1Count)} ${plural(overview.l1Count, 'L1')}, ${formatInteger(overview.blockchainCount)} blockchains`,
    },
  ]
}

/** The figures before the first block of the P-Chain: nothing is counted, and 0 would be wrong. */
const unknown = (figures: readonly Figure[]): Figure[] =>
  figures.map(({ label }) => ({ label, value: null, note: 'not indexed yet' }))

/** The primary network: its figures, its transactions over time, the status of its chains, and their newest blocks. */
export function Component() {
  const network = useCurrentNetwork()
  const profile = useProfile()
  const label = useNetworkLabel(network)
  const offered = useOffers('getNetworkOverview')
  const hasSubnets = useHasPage('subnets')
  const hasL1Validators = useHasPage('l1Validators')
  const overview = useQuery({ ...networkOverviewQuery(network), enabled: offered })
  const chains = usePrimaryStatus(network)
  const platform = chains?.find((status) => status.chainName === 'p-chain')
  const figures = figuresOf(countedOf(overview.data), platform?.indexedHeight)
  useRemember(paths.network(network), `Primary Network · ${label}`, 'chain')

  return (
    <>
      <PageTitle
        document={titleOf('network', { network: label })}
        heading="Primary Network"
        beside={<span className="text-muted">{label}</span>}
        actions={
          <>
            {hasSubnets && (
              <Link to={paths.subnets(network)} className="control">
                Subnets and L1s
              </Link>
            )}
            <Link to={paths.blockchains(network)} className="control">
              Blockchains
            </Link>
            {hasL1Validators && (
              <Link to={paths.l1Validators(network)} className="control">
                L1 validators
              </Link>
            )}
          </>
        }
      />
      <div className="flex flex-col">
        <div className="max-md:order-2">
          {offered && overview.error && !overview.data ? (
            <Failed title="The figures could not be loaded." query={overview} />
          ) : offered ? (
            <Figures figures={overview.data && !countedOf(overview.data) ? unknown(figures) : figures} />
          ) : (
            <p className="border-y border-line py-3 text-muted">
              {profile?.name} has no overview of the network. The navigation lists what it has.
            </p>
          )}
        </div>
        <div className="md:pt-4 max-md:order-1">
          <Section title="Transactions">
            <TypeChart
              network={network}
              of="network"
              name="Primary Network"
              path={paths.network(network)}
              isReady={!offered || overview.data !== undefined || overview.error !== null}
            />
          </Section>
        </div>
      </div>
      <div className="flex flex-col gap-8 pt-2 max-md:pt-6">
        {offered && !(overview.error && !overview.data) && (
          <Section title="Chains">
            {chains ? <ChainTable network={network} chains={chains} /> : <SkeletonRows count={4} />}
          </Section>
        )}
        <Boundary title="The latest blocks">
          <OfferedPart name="primaryBlocks">
            <LatestPrimaryBlocks network={network} />
          </OfferedPart>
        </Boundary>
      </div>
    </>
  )
}
