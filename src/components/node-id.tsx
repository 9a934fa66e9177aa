import { labels } from '../lib/storage/labels.ts'
import { paths } from '../lib/paths.ts'
import { CopyButton } from './copy-button.tsx'
import { useStore } from './hooks.ts'
import { IdLink } from './id-link.tsx'

const prefix = 'NodeID-'

/** A node ID shortened after `NodeID-`. */
function shortNodeId(nodeId: string): string {
  const rest = nodeId.startsWith(prefix) ? nodeId.slice(prefix.length) : nodeId
  return rest.length <= 15 ? nodeId : `${prefix}${rest.slice(0, 6)}…${rest.slice(-4)}`
}

type Props = {
  nodeId: string
  network: string
  /** Shows the whole id; it wraps if necessary. */
  full?: boolean
  copy?: boolean
}

/** A node of the primary network: its private label, else its id; links to its page. */
export function NodeId({ nodeId, network, full = false, copy = false }: Props) {
  const label = useStore(labels, (all) => all[nodeId])
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      <IdLink
        value={nodeId}
        to={paths.validator(network, nodeId)}
        called={label}
        full={full}
        short={shortNodeId(nodeId)}
      />
      {label !== undefined && full && <span className="truncate text-muted">{label}</span>}
      {copy && <CopyButton text={nodeId} name="node ID" />}
    </span>
  )
}
