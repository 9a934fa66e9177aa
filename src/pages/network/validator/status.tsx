import { useProfile } from '../../../api/current.ts'
import { FeedLinks } from '../validators/feed-links.tsx'
import { StatusPill } from '../validators/status-pill.tsx'
import { useLeadingTerm } from './figures.tsx'
import type { Node } from './node.ts'

/** The status of a node's main term, and links to the same data for other programs. */
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
