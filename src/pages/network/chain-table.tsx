import type { PrimaryChainStatus } from '../../../contract/network/overview.ts'
import type { NetworkName } from '../../api/current.ts'
import { followedOf } from '../../api/network/overview.ts'
import { Link } from '../../components/link.tsx'
import { PrimaryBlockLink } from '../../components/primary-link.tsx'
import { countColumn, dash } from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { Table } from '../../components/table/table.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { pagedRows } from '../../lib/paging.ts'
import { chainAlias, chainLabel } from '../../lib/primary-chains.ts'
import { isoTime } from '../../lib/time.ts'
import { paths } from '../../lib/paths.ts'
import { ChainPill } from '../shared/feed.tsx'

const nameOf = (status: PrimaryChainStatus): string => chainLabel(status.chainName) ?? status.chainName

/** The contents of a chain besides its blocks, as text. */
function holds(status: PrimaryChainStatus): string {
  if (status.chainName === 'x-chain' && status.vertexCount !== undefined)
    return `${formatInteger(status.vertexCount)} vertices from before its blocks`
  const proposers =
    status.hasProposers === false ? 'no proposers: the node has no index' : 'blocks with their proposers'
  return status.chainName === 'c-chain' ? `imports and exports of the C-Chain; ${proposers}` : proposers
}

const columnsOf = (network: NetworkName): Column<PrimaryChainStatus>[] => [
  {
    id: 'name',
    header: 'Chain',
    always: true,
    width: '120px',
    narrow: 'title',
    cell: (status) => (
      <Link to={paths.primaryBlocks(network, status.chainName)} className="link font-strong">
        {nameOf(status)}
      </Link>
    ),
    text: nameOf,
  },
  {
    id: 'state',
    header: 'State',
    width: '176px',
    narrow: 'side',
    cell: (status) => <ChainPill status={followedOf(status)} chain={`${network}/${status.chainName}`} />,
    text: (status) => status.state,
  },
  {
    id: 'height',
    header: 'Height',
    align: 'right',
    width: '110px',
    narrow: 'below',
    cell: (status) =>
      status.indexedHeight === undefined ? (
        dash
      ) : (
        <PrimaryBlockLink
          network={network}
          chain={chainAlias(status.chainName) ?? status.chainName}
          height={status.indexedHeight}
        />
      ),
    text: (status) => status.indexedHeight ?? '',
  },
  countColumn('node', 'Node’s height', (status) => status.nodeHeight, { width: '120px' }),
  {
    id: 'age',
    header: 'Last block',
    width: '120px',
    narrow: 'belowSide',
    cell: (status) =>
      status.indexedTimestamp === undefined ? dash : <TimeAgo at={status.indexedTimestamp} />,
    text: (status) => (status.indexedTimestamp === undefined ? '' : isoTime(status.indexedTimestamp)),
  },
  {
    id: 'holds',
    header: 'Indexed',
    cell: (status) => (
      <span className="text-muted">{status.reason === undefined ? holds(status) : status.reason}</span>
    ),
    text: (status) => status.reason ?? holds(status),
  },
]

const rowKey = (status: PrimaryChainStatus): string => status.chainName

/** The status of a network's chains: syncing, live, or stopped with the reason. */
export function ChainTable({
  network,
  chains,
}: {
  network: NetworkName
  chains: readonly PrimaryChainStatus[]
}) {
  return (
    <Table
      id="primary-chains"
      label="Chains of the primary network"
      columns={columnsOf(network)}
      rows={pagedRows([chains])}
      rowKey={rowKey}
      rowHref={(status) => paths.primaryBlocks(network, status.chainName)}
    />
  )
}
