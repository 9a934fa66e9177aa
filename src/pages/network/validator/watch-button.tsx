import { useStore } from '../../../components/hooks.ts'
import { CheckIcon } from '../../../components/icons.ts'
import { holdsNode, toggleWatchedNode, watchedNodes } from '../../../lib/storage/watched-nodes.ts'
import type { Node } from './node.ts'

/** Adds the node to the watch list of this browser. */
export function WatchButton({ network, nodeId }: Node) {
  const on = useStore(watchedNodes, (list) => holdsNode(list, network, nodeId))
  return (
    <button
      type="button"
      className="control"
      aria-pressed={on}
      title="The watch list is kept in this browser, on the page Watch list"
      onClick={() => toggleWatchedNode(network, nodeId)}
    >
      {on && <CheckIcon size={14} />}
      Watch
    </button>
  )
}
