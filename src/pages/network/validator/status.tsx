import { useQuery } from '@tanstack/react-query'
import { useProfile } from '../../../api/current.ts'
import { isNotFound } from '../../../api/errors.ts'
import { nodeFeedQuery } from '../../../api/network/staking.ts'
import { Menu } from '../../../components/overlays/menu.tsx'
import { feedPath, seriesPath } from '../validators/feeds.ts'
import { StatusPill } from '../validators/status-pill.tsx'
import { useLeadingTerm } from './figures.tsx'
import type { Node } from './node.ts'

/** The status of a node's main validation. */
export function Status(node: Node) {
  const { term } = useLeadingTerm(node)
  return term ? <StatusPill status={term.validationStatus} /> : null
}

/** The same data for other programs, of this service. */
export function DeveloperMenu({ network, nodeId }: Node) {
  const isOwn = useProfile()?.dataUrl === ''
  const { error } = useQuery({ ...nodeFeedQuery(network, nodeId), enabled: isOwn })
  if (!isOwn || isNotFound(error)) return null
  return (
    <Menu
      label="For programs"
      entries={() => [
        {
          kind: 'action',
          label: 'Prometheus series',
          onSelect: () => location.assign(seriesPath(network, [nodeId])),
        },
        { kind: 'action', label: 'JSON feed', onSelect: () => location.assign(feedPath(network, nodeId)) },
      ]}
    >
      …
    </Menu>
  )
}
