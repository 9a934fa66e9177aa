import { useQuery } from '@tanstack/react-query'
import { useCurrentNetwork } from '../../api/current.ts'
import { NodeError } from '../../api/node/node-client.ts'
import {
  bootstrappedQuery,
  identityQuery,
  networkNameQuery,
  peersQuery,
  uptimeQuery,
  versionQuery,
} from '../../api/node/node-queries.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { Figures, type Figure } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { NodeId } from '../../components/node-id.tsx'
import { Pill } from '../../components/pill.tsx'
import { Skeleton, SkeletonRows } from '../../components/skeleton.tsx'
import { formatInteger, formatNumber } from '../../lib/amounts.ts'
import { safeText, shorten } from '../../lib/text.ts'
import { Facts } from '../shared/facts.tsx'
import { Health } from './health.tsx'
import { Machines } from './machines.tsx'
import { FoldedSection } from './shared/folded-section.tsx'
import { NodeFailed, reasonOf } from './shared/node-failed.tsx'
import { Peers, PeerVersions } from './peers.tsx'
import { useChainOptions } from './shared/use-targets.ts'

type Asked<T> = { data: T | undefined; error: Error | null }

/** A figure of a node's answer; "not known" if the node does not answer. */
const told = <T,>(
  { data, error }: Asked<T>,
  value: (data: T) => string,
): Pick<Figure, 'value' | 'error'> => ({
  value: data === undefined ? undefined : value(data),
  error,
})

function NodeFigures({ target }: { target: NodeTarget }) {
  const version = useQuery(versionQuery(target))
  const network = useQuery(networkNameQuery(target))
  const uptime = useQuery(uptimeQuery(target))
  const peers = useQuery(peersQuery(target))
  return (
    <Figures
      figures={[
        {
          label: 'Version',
          // A second line would shift the parts below when it arrives.
          ...told(version, (data) => safeText(data.version.split('/').at(-1) ?? '', 24)),
          note: version.data && safeText(version.data.version.split('/')[0] ?? '', 40),
        },
        { label: 'Network', ...told(network, (data) => safeText(data.networkName, 40)) },
        { label: 'Peers', ...told(peers, (data) => formatInteger(data.numPeers)) },
        {
          label: 'Uptime',
          ...told(uptime, (data) => `${formatNumber(Number(data.weightedAveragePercentage), 2)} %`),
          note: 'seen by its peers, by stake',
        },
      ]}
    />
  )
}

function About({ target }: { target: NodeTarget }) {
  const network = useCurrentNetwork()
  const version = useQuery(versionQuery(target))
  const identity = useQuery(identityQuery(target))
  if (version.error && identity.error && !version.data && !identity.data)
    return (
      <NodeFailed
        title="The identity of the node could not be read."
        error={version.error}
        absent="Public nodes often keep their identity to themselves."
        onRetry={() => {
          void version.refetch()
          void identity.refetch()
        }}
      />
    )
  if (version.isPending || identity.isPending) return <SkeletonRows count={6} />
  const nodeId = identity.data?.nodeID
  return (
    <Facts
      label="About the node"
      facts={[
        nodeId !== undefined && {
          label: 'Node ID',
          value: target.isOfProfile ? (
            <NodeId nodeId={nodeId} network={network} full copy />
          ) : (
            <Hash value={nodeId} name="node ID" full copy />
          ),
        },
        identity.data?.nodePOP && {
          label: 'BLS public key',
          value: <Hash value={identity.data.nodePOP.publicKey} name="BLS public key" full copy />,
        },
        identity.data?.nodePOP && {
          label: 'Proof of possession',
          value: <Hash value={identity.data.nodePOP.proofOfPossession} name="proof of possession" copy />,
        },
        version.data?.databaseVersion !== undefined && {
          label: 'Database',
          value: safeText(version.data.databaseVersion, 40),
        },
        version.data?.rpcProtocolVersion !== undefined && {
          label: 'Plugin protocol',
          value: safeText(version.data.rpcProtocolVersion, 40),
        },
        version.data?.gitCommit !== undefined &&
          version.data.gitCommit !== '' && {
            label: 'Commit',
            value: <Hash value={version.data.gitCommit} name="commit" full copy />,
          },
        version.data?.vmVersions && {
          label: 'Virtual machines',
          value: Object.entries(version.data.vmVersions)
            .map(([name, one]) => safeText(`${name} ${one}`, 60))
            .join(', '),
        },
      ]}
    />
  )
}

/** Whether the node itself refused, which it does for chains that it does not follow. */
const isRefused = (error: unknown): boolean => error instanceof NodeError && error.kind === 'refused'

function ChainStanding({ target, chain, name }: { target: NodeTarget; chain: string; name: string }) {
  const query = useQuery(bootstrappedQuery(target, chain))
  return (
    <li className="flex min-h-9 items-center gap-3 border-b border-line">
      <span className="min-w-0 flex-1 truncate" title={chain}>
        {name}
        {chain.length > 12 && <span className="ml-2 font-mono text-xs text-muted">{shorten(chain)}</span>}
      </span>
      {query.data ? (
        <Pill state={query.data.isBootstrapped ? 'ok' : 'pending'}>
          {query.data.isBootstrapped ? 'bootstrapped' : 'catching up'}
        </Pill>
      ) : query.error ? (
        <Pill state={isRefused(query.error) ? 'ended' : 'stale'} title={reasonOf(query.error)}>
          {isRefused(query.error) ? 'not followed' : 'not known'}
        </Pill>
      ) : (
        <Skeleton width={96} height={20} />
      )}
    </li>
  )
}

/** The most chains: each one needs a request of its own. */
const maxChains = 12

function Bootstrapped({ target }: { target: NodeTarget }) {
  const chains = useChainOptions(target)
  return (
    <ul aria-label="Chains of the node" className="border-t border-line">
      <ChainStanding target={target} chain="P" name="P-Chain" />
      <ChainStanding target={target} chain="X" name="X-Chain" />
      {chains.slice(0, maxChains).map(({ id, blockchainId, name }) => (
        <ChainStanding key={id} target={target} chain={id === 'C' ? 'C' : (blockchainId ?? id)} name={name} />
      ))}
    </ul>
  )
}

/** One node: its health, its peers, and who it is. */
export function NodeTabBody({ target }: { target: NodeTarget }) {
  return (
    <div className="flex flex-col gap-8 max-md:gap-3">
      <div className="flex flex-col gap-4">
        <NodeFigures target={target} />
        <Health target={target} />
      </div>
      <div className="grid grid-cols-1 gap-x-10 gap-y-8 max-md:gap-y-3 lg:grid-cols-2">
        <FoldedSection title="Versions of the peers">
          <PeerVersions target={target} />
        </FoldedSection>
        <FoldedSection title="Chains">
          <Bootstrapped target={target} />
        </FoldedSection>
      </div>
      <FoldedSection title="About">
        <About target={target} />
      </FoldedSection>
      <FoldedSection title="Virtual machines">
        <Machines target={target} />
      </FoldedSection>
      {/* The longest list is last, so that nothing is below it. */}
      <FoldedSection title="Peers">
        <Peers target={target} />
      </FoldedSection>
    </div>
  )
}
