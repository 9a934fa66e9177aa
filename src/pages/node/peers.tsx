import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useCurrentNetwork } from '../../api/current.ts'
import { peersQuery, versionQuery } from '../../api/node/node-queries.ts'
import type { Peer } from '../../api/node/node-shapes.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { Pill } from '../../components/pill.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { dash } from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { WholeTable } from '../../components/table/whole-table.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger, formatNumber } from '../../lib/amounts.ts'
import { plural, safeText } from '../../lib/text.ts'
import { Input } from '../../components/controls.tsx'
import { nodeColumn } from './shared/node-column.tsx'
import { NodeFailed } from './shared/node-failed.tsx'
import { versionCounts } from './peer-versions.ts'

/** An RFC 3339 time of a node in Unix seconds; undefined for a dash and for Go's zero time. */
export function momentOf(text: string | undefined): number | undefined {
  const at = Math.floor(Date.parse(text ?? '') / 1000)
  return Number.isFinite(at) && at > 0 ? at : undefined
}

function peerColumns(network: string | undefined): Column<Peer>[] {
  return [
    nodeColumn(network),
    {
      id: 'version',
      header: 'Version',
      narrow: 'below',
      cell: ({ version }) => safeText(version, 60),
      text: ({ version }) => version,
    },
    {
      id: 'address',
      header: 'Address',
      width: '200px',
      cell: ({ ip, publicIP }) => (
        <span className="font-mono text-mono" title={publicIP && `says of itself ${publicIP}`}>
          {safeText(ip, 60)}
        </span>
      ),
      text: ({ ip }) => ip,
    },
    {
      id: 'uptime',
      header: 'Uptime seen',
      align: 'right',
      width: '110px',
      narrow: 'side',
      cell: ({ observedUptime }) =>
        observedUptime === undefined ? dash : `${safeText(observedUptime, 12)} %`,
      text: ({ observedUptime }) => observedUptime ?? '',
    },
    {
      id: 'subnets',
      header: 'Subnets',
      align: 'right',
      width: '90px',
      cell: ({ trackedSubnets }) => (
        <span title={trackedSubnets.slice(0, 12).join(', ')}>{formatInteger(trackedSubnets.length)}</span>
      ),
      text: ({ trackedSubnets }) => trackedSubnets.join(' '),
    },
    {
      id: 'benched',
      header: 'Benched on',
      width: '110px',
      cell: ({ benched }) =>
        benched.length === 0 ? dash : <Pill state="stale">{safeText(benched.join(', '), 40)}</Pill>,
      text: ({ benched }) => benched.join(' '),
    },
    {
      id: 'heard',
      header: 'Last heard',
      align: 'right',
      width: '110px',
      narrow: 'belowSide',
      cell: ({ lastReceived }) => {
        const at = momentOf(lastReceived)
        return at === undefined ? dash : <TimeAgo at={at} />
      },
      text: ({ lastReceived }) => lastReceived ?? '',
    },
  ]
}

const rowKey = ({ nodeID }: Peer): string => nodeID

/** How many peers run which version: the share of each as a bar, the newest first. */
export function PeerVersions({ target }: { target: NodeTarget }) {
  const query = useQuery(peersQuery(target))
  const own = useQuery(versionQuery(target)).data?.version
  if (query.error && !query.data) return <p className="text-muted">The peers could not be read.</p>
  if (!query.data) return <SkeletonRows count={3} />
  const counts = versionCounts(query.data.peers ?? [])
  if (counts.length === 0) return <p className="text-muted">No peers.</p>
  return (
    <ul aria-label="Versions of the peers" className="border-t border-line">
      {counts.map(({ version, count, share }) => (
        <li key={version} className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line">
          <span className="w-48 truncate max-md:w-40" title={version}>
            {safeText(version, 60)}
            {version === own && <span className="text-xs text-muted"> this node</span>}
          </span>
          <span className="h-2.5 min-w-16 flex-1 overflow-hidden rounded-full bg-hover" aria-hidden="true">
            <span
              className="block h-full"
              style={{ width: `${Math.max(1, share)}%`, background: 'var(--color-series-1)' }}
            />
          </span>
          <span className="w-24 text-right">
            {formatInteger(count)} <span className="text-xs text-muted">{formatNumber(share, 1)} %</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The peers of a node with version, uptime and connection. */
export function Peers({ target }: { target: NodeTarget }) {
  const network = useCurrentNetwork()
  const query = useQuery(peersQuery(target))
  const [text, setText] = useState('')
  const columns = useMemo(
    () => peerColumns(target.isOfProfile ? network : undefined),
    [target.isOfProfile, network],
  )
  const all = query.data?.peers
  const rows = useMemo(() => {
    const wanted = text.trim().toLowerCase()
    return (all ?? []).filter(
      ({ nodeID, version, ip }) =>
        wanted === '' || `${nodeID} ${version} ${ip}`.toLowerCase().includes(wanted),
    )
  }, [all, text])
  if (query.error && !query.data)
    return (
      <NodeFailed
        title="The peers could not be read."
        query={query}
        absent="Public nodes often keep their peers to themselves."
      />
    )
  if (!query.data) return <SkeletonRows count={8} />
  return (
    <>
      <WholeTable
        id="node-peers"
        label="Peers"
        noun="peer"
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        tools={
          <Input
            type="search"
            aria-label="Node ID, version or address of peers"
            placeholder="Node ID, version, address"
            className="h-7 w-52"
            spellCheck={false}
            value={text}
            onChange={setText}
          />
        }
        file="peers"
      />
      {rows.length === 0 && (
        <EmptyState title={text === '' ? 'The node has no peers' : 'No peer fits'}>
          {text === ''
            ? 'A node without a network around it has none.'
            : `None of ${formatInteger(query.data.numPeers)} ${plural(query.data.numPeers, 'peer')} has that in its ID, version or address.`}
        </EmptyState>
      )}
    </>
  )
}
