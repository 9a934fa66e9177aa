import { useQuery } from '@tanstack/react-query'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import type { L1Validator } from '../../../../contract/network/validators.ts'
import { networkOf, useCurrentNetwork, type NetworkName } from '../../../api/current.ts'
import { l1ValidatorQuery } from '../../../api/network/validators.ts'
import { queryClient } from '../../../api/query-client.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { Figures, loadingFigures } from '../../../components/figures.tsx'
import { useNow, useZone } from '../../../components/hooks.ts'
import { Link } from '../../../components/link.tsx'
import { NodeId } from '../../../components/node-id.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { LazyPart } from '../../../components/part.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { exactAmount, formatAmount, formatInteger } from '../../../lib/amounts.ts'
import { shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { RunsOut } from '../l1-validators/columns.tsx'
import { runOutOf } from '../l1-validators/run-out.ts'
import { L1StatePill } from '../l1-validators/state.tsx'
import { VerdictLine } from '../../../components/verdict.tsx'
import { useSubnetNames } from '../../shared/subnet-names.ts'
import { NetworkCrumb, useNetworkLabel } from '../../shared/network-crumb.tsx'
import { Failed } from '../../shared/failed.tsx'
import { Watch } from '../../shared/marks/watch.tsx'
import { WarnMe } from '../../watch/warn/warn-me.tsx'
import { useRemember } from '../../shared/use-remember.ts'
import { Changes } from './changes.tsx'
import { Details } from './details.tsx'
import { lazy } from '../../../components/lazy.ts'

const BalanceChart = lazy(() => import('./balance-chart.tsx'), 'BalanceChart')

const tabSchema = z.object({ tab: z.catch(z.enum(['chart', 'changes', 'details']), 'chart') })

type Validation = { network: NetworkName; validationId: string }

/** Requests the validator. */
export function loader({ params }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  if (network) void queryClient.prefetchQuery(l1ValidatorQuery(network, params['validationId'] ?? ''))
  return null
}

const waitingFigures = loadingFigures('Weight', 'Balance, AVAX', 'Runs out', 'Registered', 'Node')

function Strip({ validator, network }: { validator: L1Validator; network: NetworkName }) {
  const balance = BigInt(validator.remainingBalance)
  return (
    <Figures
      figures={[
        { label: 'Weight', value: formatInteger(validator.weight) },
        {
          label: 'Balance, AVAX',
          value: (
            <span title={`${exactAmount(balance, avaxDecimals)} AVAX`}>
              {formatAmount(balance, avaxDecimals, 4)}
            </span>
          ),
        },
        { label: 'Runs out', value: <RunsOut validator={validator} />, note: 'at the present fee' },
        { label: 'Registered', value: <TimeAgo at={validator.creationTimestamp} /> },
        {
          label: 'Node',
          value: <NodeId nodeId={validator.nodeId} network={network} />,
        },
      ]}
    />
  )
}

/** When the balance runs out: what the page begins with. */
function Verdict({ validator }: { validator: L1Validator }) {
  const zone = useZone()
  const now = useNow(60)
  return <VerdictLine verdict={runOutOf(validator, now, zone) ?? null} />
}

function Parts({ validator, network }: { validator: L1Validator; network: NetworkName }) {
  const [{ tab }, setSearch] = useSearchState(tabSchema)
  const { validationId } = validator
  useRemember(
    paths.l1Validator(network, validationId),
    `L1 validator ${shorten(validationId)}`,
    'l1Validation',
  )
  return (
    <>
      <Verdict validator={validator} />
      <Strip validator={validator} network={network} />
      <div className="pt-4">
        <Tabs
          label="Parts of the L1 validator"
          current={tab}
          onChange={(next) => setSearch({ tab: next })}
          tabs={[
            { id: 'chart' as const, label: 'Balance over time' },
            { id: 'changes' as const, label: 'Changes' },
            { id: 'details' as const, label: 'Details' },
          ]}
        >
          <LazyPart key={tab} title="This part of the validator" fallback={<SkeletonRows count={12} />}>
            {tab === 'changes' ? (
              <Changes network={network} validationId={validationId} />
            ) : tab === 'chart' ? (
              <BalanceChart network={network} validator={validator} />
            ) : (
              <Details validator={validator} network={network} />
            )}
          </LazyPart>
        </Tabs>
      </div>
    </>
  )
}

function Body({ network, validationId }: Validation) {
  const query = useQuery(l1ValidatorQuery(network, validationId))
  const validator = query.data
  if (query.error && !validator) return <Failed title="The L1 validator could not be loaded." query={query} />
  if (validator === null)
    return (
      <EmptyState title="L1 validator not found">
        Only validators of L1s have a validation ID. Search for the node ID instead.
      </EmptyState>
    )
  if (validator === undefined)
    return (
      <>
        <Figures figures={waitingFigures} />
        <div className="pt-4">
          <SkeletonRows count={12} />
        </div>
      </>
    )
  return <Parts validator={validator} network={network} />
}

/** One validation of an L1: its weight, its balance and when that runs out, and its changes. */
export function Component() {
  const { validationId = '' } = useParams()
  const network = useCurrentNetwork()
  const label = useNetworkLabel(network)
  const { data: validator } = useQuery(l1ValidatorQuery(network, validationId))
  const names = useSubnetNames(network)
  const l1Name = (validator && names.get(validator.subnetId)) ?? ''
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={titleOf('l1Validator', { validationId: shorten(validationId), network: label })}
        heading={l1Name === '' ? 'L1 validator' : `Validator of ${l1Name}`}
        identity={{ value: validationId, name: 'validation ID' }}
        beside={validator ? <L1StatePill validator={validator} /> : null}
        actions={
          validator ? (
            <>
              <Link to={paths.subnet(network, validator.subnetId)} className="control">
                {l1Name === '' ? 'Its L1' : l1Name}
              </Link>
              <Watch kind="l1Validator" place={network} id={validationId} />
              <WarnMe
                subject={{ kind: 'l1Validator', network, id: validationId, name: shorten(validationId) }}
              />
            </>
          ) : null
        }
      />
      <Body key={validationId} network={network} validationId={validationId} />
    </>
  )
}
