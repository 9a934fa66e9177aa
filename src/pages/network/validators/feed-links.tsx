import type { NetworkName } from '../../../api/current.ts'
import { feedPath, seriesPath } from './feeds.ts'

/** Links to a node's data for other programs: its Prometheus series and its JSON feed. */
export function FeedLinks({ network, nodeId }: { network: NetworkName; nodeId: string }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <a
        className="link reach"
        href={seriesPath(network, [nodeId])}
        aria-label={`Prometheus series of ${nodeId}`}
      >
        Prometheus
      </a>
      <a className="link reach" href={feedPath(network, nodeId)} aria-label={`JSON feed of ${nodeId}`}>
        JSON
      </a>
    </span>
  )
}
