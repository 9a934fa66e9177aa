import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import { z } from 'zod'
import type { L1Validator } from '../../contract/primary-validators.ts'
import { useCurrentNetwork, type NetworkName } from '../api/current.ts'
import { l1ValidatorQuery, networkOf } from '../api/primary-validators.ts'
import { queryClient } from '../api/query-client.ts'
import { avaxDecimals } from '../components/asset-amount.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Figures } from '../components/figures.tsx'
import { Hash } from '../components/hash.tsx'
import { Link } from '../components/link.tsx'
import { NodeId } from '../components/node-id.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { SubnetLink } from '../components/primary-link.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'
import { EmptyState } from '../components/states.tsx'
import { Tabs } from '../components/tabs.tsx'
import { TimeAgo } from '../components/time-ago.tsx'
import { useSearchState } from '../components/use-search-state.ts'
import { WalletAddress } from '../components/wallet-address.tsx'
import { exactAmount, formatAmount, formatInteger } from '../lib/amounts.ts'
import { shorten } from '../lib/text.ts'
import { paths } from '../paths.ts'
import { RunsOut } from './l1-validators/columns.tsx'
import { L1StatePill } from './l1-validators/state.tsx'
import { NetworkCrumb, useNetworkLabel } from './network-parts/crumb.tsx'
import { Facts } from './parts/facts.tsx'
import { Failed } from './parts/failed.tsx'
import { useRemember } from './parts/use-remember.ts'

const Changes = lazy(() => import('./l1-validator/changes.tsx').then((tab) => ({ default: tab.Changes })))
const BalanceChart = lazy(() =>
  import('./l1-validator/balance-chart.tsx').then((tab) => ({ default: tab.BalanceChart })),
)

const tabSchema = z.object({ tab: z.enum(['changes', 'chart', 'details']).catch('changes') })

/** The validator itself; its history comes with its part. */
export function loader({ params }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  if (network) void queryClient.prefetchQuery(l1ValidatorQuery(network, params['validationId'] ?? ''))
  return null
}

type Owner = L1Validator['remainingBalanceOwner']

function OwnerOf({ owner, network }: { owner: Owner; network: NetworkName }) {
  if (!owner || owner.addresses.length === 0) return <span className="text-muted">nobody</span>
  return (
    <>
      {owner.addresses.length > 1 && (
        <span className="text-muted">
          {owner.threshold} of {owner.addresses.length}:
        </span>
      )}
      {owner.addresses.map((address) => (
        <WalletAddress key={address} address={address} network={network} copy />
      ))}
    </>
  )
}

function Details({ validator, network }: { validator: L1Validator; network: NetworkName }) {
  const { validationIdHex, blsCredentials } = validator
  const publicKey = blsCredentials?.['publicKey']
  return (
    <Facts
      label="Details"
      facts={[
        {
          label: 'Validation id',
          value: <Hash value={validator.validationId} name="validation id" full copy />,
        },
        validationIdHex !== undefined && {
          label: 'Validation id, hex',
          value: <Hash value={validationIdHex} name="validation id in hex" full copy />,
        },
        { label: 'Node', value: <NodeId nodeId={validator.nodeId} network={network} full copy /> },
        { label: 'Subnet', value: <SubnetLink subnetId={validator.subnetId} network={network} full copy /> },
        { label: 'Registered', value: <TimeAgo at={validator.creationTimestamp} both /> },
        {
          label: 'Balance goes back to',
          value: <OwnerOf owner={validator.remainingBalanceOwner} network={network} />,
          help: 'Who gets what is left of the balance when the validator is disabled or removed',
        },
        {
          label: 'May disable it',
          value: <OwnerOf owner={validator.deactivationOwner} network={network} />,
        },
        typeof publicKey === 'string' && {
          label: 'BLS public key',
          value: (
            <>
              <span className="font-mono text-mono break-all">{publicKey}</span>
              <CopyButton text={publicKey} name="BLS public key" />
            </>
          ),
        },
      ]}
    />
  )
}

function Strip({ validator, network }: { validator: L1Validator; network: NetworkName }) {
  const balance = BigInt(validator.remainingBalance)
  return (
    <Figures
      figures={[
        { label: 'Weight', value: formatInteger(validator.weight) },
        {
          label: 'Balance, AVAX',
          value: (
            <span className="truncate" title={`${exactAmount(balance, avaxDecimals)} AVAX`}>
              {formatAmount(balance, avaxDecimals, 4)}
            </span>
          ),
        },
        { label: 'Runs out', value: <RunsOut validator={validator} />, note: 'at the present fee' },
        { label: 'Registered', value: <TimeAgo at={validator.creationTimestamp} /> },
        {
          label: 'Node',
          value: (
            <span className="text-sm font-normal">
              <NodeId nodeId={validator.nodeId} network={network} />
            </span>
          ),
        },
      ]}
    />
  )
}

function Body({ validator, network }: { validator: L1Validator; network: NetworkName }) {
  const [{ tab }, setSearch] = useSearchState(tabSchema)
  return (
    <>
      <Strip validator={validator} network={network} />
      <div className="pt-4">
        <Tabs
          label="Parts of the L1 validator"
          current={tab}
          onChange={(next) => setSearch({ tab: next })}
          tabs={[
            { id: 'changes' as const, label: 'What changed it' },
            { id: 'chart' as const, label: 'Over time' },
            { id: 'details' as const, label: 'Details' },
          ]}
        >
          <Suspense fallback={<SkeletonRows count={12} />}>
            {tab === 'changes' ? (
              <Changes network={network} validationId={validator.validationId} />
            ) : tab === 'chart' ? (
              <BalanceChart network={network} validator={validator} />
            ) : (
              <Details validator={validator} network={network} />
            )}
          </Suspense>
        </Tabs>
      </div>
    </>
  )
}

/** One validation of an L1: its weight, its balance and when it runs out, and what changed them. */
export function Component() {
  const { validationId = '' } = useParams()
  const network = useCurrentNetwork()
  const networkLabel = useNetworkLabel(network)
  const query = useQuery(l1ValidatorQuery(network, validationId))
  const validator = query.data
  const short = shorten(validationId)
  useRemember(
    paths.l1Validator(network, validationId),
    validator ? `L1 validator ${short}` : undefined,
    'l1Validation',
  )
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={`L1 validator ${short} · ${networkLabel}`}
        heading={validator === null ? 'No such L1 validator' : 'L1 validator'}
        {...(validator !== null && { identity: { value: validationId, name: 'validation id' } })}
        beside={validator && <L1StatePill validator={validator} />}
        actions={
          validator && (
            <Link to={paths.l1Validators(network, { subnet: validator.subnetId })} className="control">
              All of its L1
            </Link>
          )
        }
      />
      {query.error && !validator ? (
        <Failed
          title="The L1 validator could not be loaded."
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : validator === undefined ? (
        <>
          <Figures
            figures={['Weight', 'Balance, AVAX', 'Runs out', 'Registered', 'Node'].map((label) => ({
              label,
              value: undefined,
            }))}
          />
          <SkeletonRows count={12} />
        </>
      ) : validator === null ? (
        <EmptyState title={`${networkLabel} knows no validation ${short}`}>
          Validations of the Primary Network and of permissioned subnets have no id of this kind: look for
          their node.
        </EmptyState>
      ) : (
        <Body key={validationId} validator={validator} network={network} />
      )}
    </>
  )
}
