import { useQuery } from '@tanstack/react-query'
import { useProfile } from '../../../api/current.ts'
import { isNotFound } from '../../../api/errors.ts'
import { nodeFeedQuery } from '../../../api/network/staking.ts'
import { FeedLinks } from '../validators/feed-links.tsx'
import { StatusPill } from '../validators/status-pill.tsx'
import { useLeadingTerm } from './figures.tsx'
import type { Node } from './node.ts'

/** The status of a node's main term, and links to the same data for other programs. */
export function Status(node: Node) {
  const { term } = useLeadingTerm(node)
  const own = useProfile()?.dataUrl === ''
  const { error } = useQuery({ ...nodeFeedQuery(node.network, node.nodeId), enabled: own })
  return (
    <>
      {term && <StatusPill status={term.validationStatus} />}
      {own && !isNotFound(error) && <FeedLinks {...node} />}
    </>
  )
}
