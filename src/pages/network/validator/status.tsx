import { useProfile } from '../../../api/current.ts'
import { FeedLinks } from '../validators/feed-links.tsx'
import { StatusPill } from '../validators/status-pill.tsx'
import { useLeadingTerm } from './figures.tsx'
import type { Node } from './node.ts'

/** How a node's leading term stands, and where other programs read the same. */
export function Status(node: Node) {
  const { term } = useLeadingTerm(node)
  const own = useProfile()?.dataUrl === ''
  return (
    <>
      {term && <StatusPill status={term.validationStatus} />}
      {own && <FeedLinks {...node} />}
    </>
  )
}
