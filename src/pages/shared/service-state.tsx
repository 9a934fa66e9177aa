import { useQueries, useQuery } from '@tanstack/react-query'
import type { ChainStatus, StoragePart } from '../../../contract/evm/chains.ts'
import { statusQuery, storageQuery } from '../../api/chains.ts'
import { networkOf, useProfile } from '../../api/current.ts'
import { networkOverviewQuery } from '../../api/network/overview.ts'
import { Disclosure } from '../../components/disclosure.tsx'
import { useZone } from '../../components/hooks.ts'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { formatBytes } from '../../lib/bytes.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import { formatDay, formatDuration } from '../../lib/time.ts'
import { Facts } from './facts.tsx'
import { Failed } from './failed.tsx'
import { notKeptWords } from './not-kept.tsx'

const bounds: Record<string, string> = {
  node: 'bound by the node',
  database: 'bound by the database',
  decoding: 'bound by decoding',
}

type SyncedChain = Pick<ChainStatus, 'chainName' | 'sync'>

/** The chains of the primary network, named beside the EVM chains: only the atomic side of the C-Chain is one of them. */
function usePrimaryChains(): SyncedChain[] {
  const profile = useProfile()
  const networks = (profile?.networks ?? []).flatMap((name) => networkOf(name) ?? [])
  const overviews = useQueries({ queries: networks.map((network) => networkOverviewQuery(network)) })
  return overviews.flatMap(({ data }) =>
    (data?.chains ?? []).map(({ chainName, sync }) => {
      const label = chainLabel(chainName) ?? chainName
      const name = chainName === 'c-chain' ? `${label}, imports and exports` : label
      return { chainName: networks.length > 1 ? `${data?.name}, ${name}` : name, sync }
    }),
  )
}

/** How fast the chains catch up that are syncing; nothing if none is. */
function Syncing() {
  const evm: SyncedChain[] = useQuery(statusQuery()).data ?? []
  const chains = [...evm, ...usePrimaryChains()].filter(({ sync }) => sync !== undefined)
  if (chains.length === 0) return null
  return (
    <Section title="Catching up" note="Measured over the last ten seconds">
      <Facts
        label="Catching up"
        facts={chains.map(({ chainName, sync }) => ({
          label: chainName,
          value: [
            `${sync?.blocksPerSecond.toFixed(1)} blocks/s`,
            ...(sync?.secondsLeft === undefined ? [] : [`${formatDuration(sync.secondsLeft)} left`]),
            bounds[String(sync?.boundBy)] ?? sync?.boundBy,
          ].join(', '),
        }))}
      />
    </Section>
  )
}

/** From which blocks the chains keep logs and internal calls; nothing if all keep all. */
function Kept() {
  const chains = useQuery(statusQuery()).data ?? []
  const facts = chains.flatMap((status) => {
    const words = notKeptWords(status)
    return words === '' ? [] : [{ label: status.chainName, value: words }]
  })
  if (facts.length === 0) return null
  return (
    <Section title="What is kept" note="By the settings keepLogs and keepTraces">
      <Facts label="What is kept" facts={facts} />
    </Section>
  )
}

const withGrowth = ({ bytes, growthPerDay }: { bytes: string; growthPerDay?: string | undefined }): string =>
  growthPerDay === undefined
    ? formatBytes(Number(bytes))
    : `${formatBytes(Number(bytes))}, ${Number(growthPerDay) < 0 ? '' : '+'}${formatBytes(Number(growthPerDay))} a day`

function Part({ part }: { part: StoragePart }) {
  return (
    <Disclosure look="row" summary={`${part.name}: ${withGrowth(part)}`}>
      <div className="pl-4">
        <Facts
          label={`Tables of ${part.name}`}
          facts={part.tables.map(({ name, bytes }) => ({ label: name, value: formatBytes(Number(bytes)) }))}
        />
      </div>
    </Disclosure>
  )
}

function Disk() {
  const { data, error, refetch } = useQuery(storageQuery())
  const zone = useZone()
  return (
    <Section title="Disk" note="The database of this service, with all indexes">
      {data ? (
        <>
          <Facts
            label="Disk"
            facts={[
              { label: 'Used', value: withGrowth(data) },
              data.growthPerDay === undefined && {
                label: 'Growth',
                value: 'Known after a whole day of measurements',
              },
              data.freeBytes !== undefined && { label: 'Free', value: formatBytes(Number(data.freeBytes)) },
              data.fullTimestamp !== undefined && {
                label: 'Full',
                value: `${formatDay(data.fullTimestamp, zone)}, at this growth`,
              },
            ]}
          />
          {data.parts.map((part) => (
            <Part key={part.chainId ?? part.name} part={part} />
          ))}
        </>
      ) : error ? (
        <Failed title="The disk could not be measured." error={error} onRetry={refetch} />
      ) : (
        <SkeletonRows count={5} />
      )}
    </Section>
  )
}

/** What the operator of this service plans with: the progress of syncing chains, what is kept, and the disk. */
export function ServiceState() {
  return (
    <>
      <Syncing />
      <Kept />
      <Disk />
    </>
  )
}
